// The nodes of a page: linking and walking them, and bringing them into document order. It knows
// nothing of HTML's rules; whoever parses decides which node goes where.
#include <algorithm>
#include <html/document.hpp>

namespace freshet::html {

static_assert(sizeof(void*) != 8 || sizeof(node) == 64, "a node fills a cache line");

namespace {

/// Most of another name begin otherwise.
bool is_named(const attribute& one, std::string_view name) noexcept {
  return one.name.size() == name.size() &&
         (name.empty() || (one.name.front() == name.front() && one.name == name));
}

}  // namespace

node_id document::create(const node& fresh) {
  nodes_.push_back(fresh);
  tags_.push_back(fresh.tag);
  return static_cast<node_id>(nodes_.size() - 1);
}

node_id document::append(node_id parent, node fresh) {
  fresh.parent = fresh.first_child = fresh.last_child = fresh.next = fresh.previous = none;
  fresh.attribute_count = 0;
  const node_id id = create(fresh);
  append_child(parent, id);
  return id;
}

void document::append_child(node_id parent, node_id child) {
  // The numbers stay in document order while a new node goes below, or right behind, the last one.
  if (in_order_) {
    node_id last = child - 1;
    while (last != parent && last != none) last = nodes_[last].parent;
    in_order_ = last != none && child + 1 == nodes_.size();
  }
  node& one = nodes_[child];
  node& above = nodes_[parent];
  one.parent = parent;
  one.previous = above.last_child;
  one.next = none;
  if (above.last_child == none) {
    above.first_child = child;
  } else {
    nodes_[above.last_child].next = child;
  }
  above.last_child = child;
}

void document::insert_before(node_id sibling, node_id child) {
  in_order_ = false;
  node& one = nodes_[child];
  node& after = nodes_[sibling];
  one.parent = after.parent;
  one.previous = after.previous;
  one.next = sibling;
  if (after.previous == none) {
    nodes_[after.parent].first_child = child;
  } else {
    nodes_[after.previous].next = child;
  }
  after.previous = child;
}

void document::unlink(node_id child) {
  node& one = nodes_[child];
  if (one.parent == none) return;
  in_order_ = false;
  node& above = nodes_[one.parent];
  (one.previous == none ? above.first_child : nodes_[one.previous].next) = one.next;
  (one.next == none ? above.last_child : nodes_[one.next].previous) = one.previous;
  one.parent = one.next = one.previous = none;
}

bool document::number(std::size_t deepest) {
  if (in_order_) return false;
  std::vector<node> numbered;
  numbered.reserve(nodes_.size());
  std::vector<node_id> above(deepest + 1, none);  // the new number at each level
  bool cut = false;
  std::size_t depth = 0;
  for (node_id at = root(); at != none;) {
    node one = nodes_[at];
    one.first_child = one.last_child = one.next = one.previous = none;
    const auto id = static_cast<node_id>(numbered.size());
    const std::size_t level = std::min(depth, deepest);
    if (level > 0) {
      one.parent = above[level - 1];
      one.previous = numbered[one.parent].last_child;
      numbered[one.parent].last_child = id;
      (one.previous == none ? numbered[one.parent].first_child : numbered[one.previous].next) = id;
    }
    cut = cut || depth > deepest;
    above[level] = id;
    tags_[id] = one.tag;
    numbered.push_back(one);
    if (nodes_[at].first_child != none) {
      at = nodes_[at].first_child;
      ++depth;
      continue;
    }
    while (at != none && nodes_[at].next == none) {
      at = nodes_[at].parent;
      --depth;
    }
    if (at != none) at = nodes_[at].next;
  }
  nodes_ = std::move(numbered);
  tags_.resize(nodes_.size());
  in_order_ = true;
  return cut;
}

void document::set_attributes(node_id node, std::span<const attribute> all) {
  nodes_[node].first_attribute = static_cast<std::uint32_t>(attributes_.size());
  nodes_[node].attribute_count = static_cast<std::uint32_t>(all.size());
  attributes_.insert(attributes_.end(), all.begin(), all.end());
}

void document::append_attribute(node_id node, std::string_view name, std::string_view value) {
  auto& owner = nodes_[node];
  // Attributes of one element stand together: they are given right after it.
  if (owner.attribute_count == 0) {
    owner.first_attribute = static_cast<std::uint32_t>(attributes_.size());
  }
  if (owner.first_attribute + owner.attribute_count != attributes_.size()) return;
  attributes_.push_back({keep(name), keep(value)});
  ++owner.attribute_count;
}

const attribute* document::attributes_begin(node_id id) const noexcept {
  return attributes_.data() + nodes_[id].first_attribute;
}

std::string_view document::attribute_of(node_id id, std::string_view name) const noexcept {
  const attribute* const first = attributes_begin(id);
  for (std::uint32_t i = 0; i < nodes_[id].attribute_count; ++i) {
    if (is_named(first[i], name)) return first[i].value;
  }
  return {};
}

bool document::has_attribute(node_id id, std::string_view name) const noexcept {
  const attribute* const first = attributes_begin(id);
  return std::any_of(first, first + nodes_[id].attribute_count,
                     [&](const attribute& one) { return is_named(one, name); });
}

node_id document::next_in_order(node_id id, node_id within) const noexcept {
  if (nodes_[id].first_child != none) return nodes_[id].first_child;
  return next_skipping_children(id, within);
}

node_id document::next_skipping_children(node_id id, node_id within) const noexcept {
  while (id != within && id != none) {
    if (nodes_[id].next != none) return nodes_[id].next;
    id = nodes_[id].parent;
  }
  return none;
}

}  // namespace freshet::html

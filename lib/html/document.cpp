// The arena behind a page: appending and walking nodes. It knows nothing of HTML's rules; whoever
// parses decides which node goes where.
#include <algorithm>
#include <cstring>
#include <html/document.hpp>

namespace freshet::html {

namespace {

/// Texts are copied into blocks of this size; a longer one gets a block of its own.
constexpr std::size_t block_bytes = 64 * 1024;

}  // namespace

struct document::arena {
  std::vector<std::unique_ptr<char[]>> blocks;
  char* free = nullptr;
  std::size_t left = 0;

  char* take(std::size_t size) {
    if (size > left) {
      const std::size_t fresh = std::max(size, block_bytes);
      blocks.push_back(std::make_unique<char[]>(fresh));
      if (fresh > block_bytes) return blocks.back().get();
      free = blocks.back().get();
      left = fresh;
    }
    char* const taken = free;
    free += size;
    left -= size;
    return taken;
  }
};

document::document() : arena_(std::make_unique<arena>()) { nodes_.emplace_back(); }
document::document(document&&) noexcept = default;
document& document::operator=(document&&) noexcept = default;
document::~document() = default;

std::string_view document::keep(std::string_view text) {
  if (text.empty()) return {};
  char* const at = arena_->take(text.size());
  std::memcpy(at, text.data(), text.size());
  return {at, text.size()};
}

node_id document::append(node_id parent, node fresh) {
  const auto id = static_cast<node_id>(nodes_.size());
  fresh.parent = parent;
  fresh.first_child = fresh.last_child = fresh.next = none;
  fresh.previous = nodes_[parent].last_child;
  fresh.first_attribute = static_cast<std::uint32_t>(attributes_.size());
  fresh.attribute_count = 0;
  if (fresh.previous == none) {
    nodes_[parent].first_child = id;
  } else {
    nodes_[fresh.previous].next = id;
  }
  nodes_[parent].last_child = id;
  nodes_.push_back(fresh);
  return id;
}

void document::append_attribute(node_id to, std::string_view name, std::string_view value) {
  auto& owner = nodes_[to];
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
    if (first[i].name == name) return first[i].value;
  }
  return {};
}

bool document::has_attribute(node_id id, std::string_view name) const noexcept {
  const attribute* const first = attributes_begin(id);
  return std::any_of(first, first + nodes_[id].attribute_count,
                     [&](const attribute& one) { return one.name == name; });
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

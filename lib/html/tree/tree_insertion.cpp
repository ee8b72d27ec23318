// Into the tree and onto the stack: creating elements, finding their place, text, and closing what
// is implied to be closed. What a token means is decided in the modes.
#include <algorithm>
#include <bit>
#include <cstring>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

constexpr std::size_t max_open_elements = max_depth - reserved_depth;

}  // namespace

/// "The appropriate place for inserting a node": before the table, for what is no part of one.
tree_builder::place tree_builder::place_for(const open_element& target) const noexcept {
  if (!foster_ || (target.has & foster) == 0) return {target.id, none};
  const std::size_t table = open_.last_index_of(tag_id::table);
  const std::size_t around = open_.last_index_of(tag_id::template_);
  if (around < open_.size() && (table == open_.size() || around > table)) {
    return {open_[around].id, none};
  }
  if (table == open_.size()) return {open_[0].id, none};
  const node_id parent = doc_.at(open_[table].id).parent;
  if (parent == none) return {open_[table - 1].id, none};
  return {parent, open_[table].id};
}

void tree_builder::link(const place& where, node_id child) {
  if (where.before == none) {
    doc_.append_child(where.parent, child);
  } else {
    doc_.insert_before(where.before, child);
  }
}

node_id tree_builder::create_element(element_space space) {
  node fresh;
  fresh.type = node_type::element;
  fresh.space = space;
  fresh.tag = token_.tag;
  fresh.name = token_.name;
  const node_id id = doc_.create(fresh);
  if (!token_.attributes.empty()) doc_.set_attributes(id, token_.attributes);
  return id;
}

/// A formatting element opened again. It shares the attributes, which nothing changes.
node_id tree_builder::copy_of(node_id element) {
  const node& from = doc_.at(element);
  node fresh;
  fresh.type = node_type::element;
  fresh.tag = from.tag;
  fresh.name = from.name;
  fresh.first_attribute = from.first_attribute;
  fresh.attribute_count = from.attribute_count;
  return doc_.create(fresh);
}

void tree_builder::push(node_id id) {
  const node& one = doc_.at(id);
  open_element fresh{id, one.tag, one.space, traits_of(one.tag, one.space), 0};
  if (one.tag == tag_id::other) fresh.hash = hash_of_name(one.name);
  open_.push(fresh);
}

/// Whether another element may be opened. If not, its tags are dropped: what is in it comes up.
bool tree_builder::open_up() {
  if (open_.size() < max_open_elements) return true;
  limits_.note(limit::depth);
  ++dropped_[static_cast<std::size_t>(token_.tag)];
  ++dropped_total_;
  return false;
}

/// Inserts an element for the token and opens it. `none` if the page nests too deeply.
node_id tree_builder::insert_element() { return open_up() ? insert_structure() : none; }

/// The same for what may not be left out: the depth that it needs is reserved.
node_id tree_builder::insert_structure() {
  const node_id id = create_element(element_space::html);
  if (open_.empty()) {
    doc_.append_child(document::root(), id);
  } else {
    link(place_for(open_.current()), id);
  }
  push(id);
  return id;
}

/// Inserts an element that is implied, without attributes.
node_id tree_builder::insert_element_of(tag_id tag) {
  const auto name = token_.name;
  const auto kept = token_.tag;
  std::vector<attribute> attributes;
  attributes.swap(token_.attributes);
  token_.tag = tag;
  token_.name = name_of(tag);
  const node_id id = insert_structure();
  token_.tag = kept;
  token_.name = name;
  attributes.swap(token_.attributes);
  return id;
}

/// Inserts an element that has no content.
void tree_builder::insert_void() {
  link(place_for(open_.current()), create_element(element_space::html));
}

void tree_builder::insert_raw(tokenizer::state how) {
  const bool is_bounded = raw_text_end_ == raw_text_end::with_noscript && is_in_noscript_;
  insert_structure();
  tokenizer_.switch_to(how, is_bounded ? name_of(tag_id::noscript) : std::string_view());
  original_mode_ = mode_;
  mode_ = mode::text;
}

/// Adds to a text node. Where the text cannot be seen as one piece of the input, it is copied to
/// room that doubles, so that a node made of many pieces costs no more than its length.
void tree_builder::append_text(node_id parent, std::string_view text) {
  node& one = doc_.edit(parent);
  const std::size_t size = one.text.size() + text.size();
  if (one.text.data() + one.text.size() == text.data()) {
    one.text = {one.text.data(), size};
    one.grows = false;
    return;
  }
  char* at = nullptr;
  if (one.grows && size <= std::bit_ceil(one.text.size())) {
    at = const_cast<char*>(one.text.data());
  } else {
    at = doc_.arena().take(std::bit_ceil(size));
    std::memcpy(at, one.text.data(), one.text.size());
  }
  std::memcpy(at + one.text.size(), text.data(), text.size());
  one.text = {at, size};
  one.grows = true;
}

bool tree_builder::insert_spaces() {
  if (token_.type == token_type::text) insert_text(split_spaces());
  return token_.type == token_type::text && token_.text.empty();
}

void tree_builder::insert_text(std::string_view text) {
  if (text.empty()) return;
  const place where = place_for(open_.current());
  const node_id before =
      where.before == none ? doc_.at(where.parent).last_child : doc_.at(where.before).previous;
  if (before != none && doc_.at(before).type == node_type::text) return append_text(before, text);
  node fresh;
  fresh.type = node_type::text;
  fresh.text = text;
  link(where, doc_.create(fresh));
}

void tree_builder::insert_comment(const place& where) {
  node fresh;
  fresh.type = node_type::comment;
  fresh.text = token_.text;
  link(where, doc_.create(fresh));
}

void tree_builder::pop() {
  const open_element gone = open_.current();
  if ((gone.has & formatting) != 0) formatting_.closed(gone.id);
  open_.pop();
  if (dropped_total_ > 0 && open_.size() < max_open_elements) {
    dropped_.fill(0);
    dropped_total_ = 0;
  }
}

void tree_builder::pop_to(std::size_t size) {
  while (open_.size() > size) pop();
}

/// Pops up to and including the last HTML element of that name, which is open.
void tree_builder::pop_until(tag_id tag) {
  const std::size_t at = open_.last_index_of(tag);
  if (at < open_.size()) pop_to(at);
}

void tree_builder::remove_from_stack(std::size_t at) {
  if ((open_[at].has & formatting) != 0) formatting_.closed(open_[at].id);
  open_.remove(at);
}

void tree_builder::generate_implied_ends(tag_id but) {
  while ((open_.current().has & implied_end) != 0 && open_.current().tag != but) pop();
}

void tree_builder::generate_implied_ends_thoroughly() {
  while ((open_.current().has & implied_end_thoroughly) != 0) pop();
}

void tree_builder::close_p() {
  generate_implied_ends(tag_id::p);
  pop_until(tag_id::p);
}

void tree_builder::close_p_in_button_scope() {
  if (open_.has(tag_id::p) && open_.has_in(button_scope_end, tag_id::p)) close_p();
}

void tree_builder::reconstruct_formatting() {
  if (!formatting_.needs_reconstruction()) return;
  std::size_t first = formatting_.size() - 1;
  while (first > 0 && !formatting_[first - 1].is_marker() && !formatting_[first - 1].open) --first;
  for (; first < formatting_.size(); ++first) {
    if (open_.size() >= max_open_elements + max_open_formatting) return;
    const node_id id = copy_of(formatting_[first].element);
    link(place_for(open_.current()), id);
    push(id);
    formatting_.replace(first, id);
  }
}

void tree_builder::push_formatting(node_id id) {
  if (id != none && !formatting_.push(doc_, id)) limits_.note(limit::formatting);
}

/// A second html or body tag adds the attributes that the first did not have.
void tree_builder::merge_attributes(node_id into) {
  const node& one = doc_.at(into);
  if (token_.attributes.empty()) return;
  if (one.attribute_count >= max_attributes_per_element) return limits_.note(limit::attributes);
  const attribute* const first = doc_.attributes_begin(into);
  std::vector<attribute> all(first, first + one.attribute_count);
  for (const attribute& fresh : token_.attributes) {
    if (all.size() >= max_attributes_per_element) {
      limits_.note(limit::attributes);
      break;
    }
    if (!doc_.has_attribute(into, fresh.name)) all.push_back(fresh);
  }
  if (all.size() > one.attribute_count) doc_.set_attributes(into, all);
}

}  // namespace freshet::html

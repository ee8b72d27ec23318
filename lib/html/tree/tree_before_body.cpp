// The insertion modes up to the body: initial, before html, before head, in head, in head noscript
// and after head; and templates, which the rules for the head open and close.
#include <html/tree/quirks.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

/// End tags that stand for the element they name, where it is still to come.
bool implies_elements(tag_id tag) noexcept {
  return tag == tag_id::head || tag == tag_id::body || tag == tag_id::html || tag == tag_id::br;
}

bool is_head_content(tag_id tag) noexcept {
  using enum tag_id;
  return tag == base || tag == basefont || tag == bgsound || tag == link || tag == meta ||
         tag == noframes || tag == script || tag == style || tag == template_ || tag == title;
}

}  // namespace

tree_builder::step tree_builder::initial() {
  if (skip_spaces()) return step::done;
  if (token_.type == token_type::doctype) {
    node fresh;
    fresh.type = node_type::doctype;
    fresh.name = token_.name;
    const node_id id = doc_.create(fresh);
    std::vector<attribute> identifiers;
    if (token_.has_public_id) identifiers.push_back({"public", token_.public_id});
    if (token_.has_system_id) identifiers.push_back({"system", token_.system_id});
    doc_.set_attributes(id, identifiers);
    doc_.append_child(document::root(), id);
    quirks_ = asks_for_quirks(token_);
    return done_in(mode::before_html);
  }
  quirks_ = true;
  return again_in(mode::before_html);
}

tree_builder::step tree_builder::before_html() {
  if (skip_spaces()) return step::done;
  if (is_start(tag_id::html)) {
    insert_structure();
    return done_in(mode::before_head);
  }
  if (is_end() && !implies_elements(token_.tag)) return step::done;
  insert_element_of(tag_id::html);
  return again_in(mode::before_head);
}

tree_builder::step tree_builder::before_head() {
  if (skip_spaces()) return step::done;
  if (is_start(tag_id::html)) return in_body();
  if (is_start(tag_id::head)) {
    head_ = insert_structure();
    return done_in(mode::in_head);
  }
  if (is_end() && !implies_elements(token_.tag)) return step::done;
  head_ = insert_element_of(tag_id::head);
  return again_in(mode::in_head);
}

void tree_builder::start_template() {
  if (insert_element() == none) return;
  formatting_.push_marker();
  frameset_ok_ = false;
  mode_ = mode::in_template;
  template_modes_.push_back(mode::in_template);
}

void tree_builder::end_template() {
  if (!open_.has(tag_id::template_)) return;
  generate_implied_ends_thoroughly();
  pop_until(tag_id::template_);
  formatting_.clear_to_marker();
  template_modes_.pop_back();
  reset_mode();
}

/// The rules for what belongs into the head; other modes use them too.
tree_builder::step tree_builder::start_in_head() {
  switch (token_.tag) {
    case tag_id::html:
      return in_body();
    case tag_id::base:
    case tag_id::basefont:
    case tag_id::bgsound:
    case tag_id::link:
    case tag_id::meta:
      insert_void();
      return step::done;
    case tag_id::title:
      insert_raw(tokenizer::state::rcdata);
      return step::done;
    case tag_id::noframes:
    case tag_id::style:
      insert_raw(tokenizer::state::rawtext);
      return step::done;
    case tag_id::script:
      insert_raw(tokenizer::state::script_data);
      return step::done;
    case tag_id::noscript:
      insert_structure();
      return done_in(mode::in_head_noscript);
    case tag_id::template_:
      start_template();
      return step::done;
    case tag_id::head:
      return step::done;
    default:
      pop();
      return again_in(mode::after_head);
  }
}

tree_builder::step tree_builder::in_head() {
  if (insert_spaces()) return step::done;
  if (is_start()) return start_in_head();
  if (is_end(tag_id::head)) {
    pop();
    return done_in(mode::after_head);
  }
  if (is_end(tag_id::template_)) end_template();
  if (is_end() && !implies_elements(token_.tag)) return step::done;
  pop();
  return again_in(mode::after_head);
}

tree_builder::step tree_builder::in_head_noscript() {
  if (insert_spaces()) return step::done;
  if (is_start()) {
    if (token_.tag == tag_id::html) return in_body();
    if (token_.tag == tag_id::head || token_.tag == tag_id::noscript) return step::done;
    if (is_head_content(token_.tag) && token_.tag != tag_id::base && token_.tag != tag_id::title &&
        token_.tag != tag_id::script && token_.tag != tag_id::template_) {
      return in_head();
    }
  }
  if (is_end() && token_.tag != tag_id::noscript && token_.tag != tag_id::br) return step::done;
  pop();
  return is_end(tag_id::noscript) ? done_in(mode::in_head) : again_in(mode::in_head);
}

tree_builder::step tree_builder::start_after_head() {
  if (token_.tag == tag_id::html) return in_body();
  if (token_.tag == tag_id::head) return step::done;
  if (token_.tag == tag_id::body) {
    insert_structure();
    frameset_ok_ = false;
    return done_in(mode::in_body);
  }
  if (token_.tag == tag_id::frameset) {
    insert_structure();
    return done_in(mode::in_frameset);
  }
  if (!is_head_content(token_.tag)) {
    insert_element_of(tag_id::body);
    return again_in(mode::in_body);
  }
  // Back into the head for this one.
  push(head_);
  const step now = start_in_head();
  const std::size_t at = open_.index_of(head_);
  if (at < open_.size()) remove_from_stack(at);
  return now;
}

tree_builder::step tree_builder::after_head() {
  if (insert_spaces()) return step::done;
  if (is_start()) return start_after_head();
  if (is_end(tag_id::template_)) end_template();
  if (is_end() && (!implies_elements(token_.tag) || token_.tag == tag_id::head)) return step::done;
  insert_element_of(tag_id::body);
  return again_in(mode::in_body);
}

}  // namespace freshet::html

// The insertion modes text and in template, and those behind the body and of framesets.
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

tree_builder::step tree_builder::text_mode() {
  if (token_.type == token_type::text) {
    insert_text(token_.text);
    return step::done;
  }
  const bool is_own_end = is_end() && open_.current().is(token_.tag);
  pop();
  mode_ = original_mode_;
  return is_own_end ? step::done : step::again;  // the input's end, or that of what is around it
}

tree_builder::step tree_builder::start_in_template() {
  using enum tag_id;
  mode next = mode::in_body;
  switch (token_.tag) {
    case base:
    case basefont:
    case bgsound:
    case link:
    case meta:
    case noframes:
    case script:
    case style:
    case template_:
    case title:
      return start_in_head();
    case caption:
    case colgroup:
    case tbody:
    case tfoot:
    case thead:
      next = mode::in_table;
      break;
    case col:
      next = mode::in_column_group;
      break;
    case tr:
      next = mode::in_table_body;
      break;
    case td:
    case th:
      next = mode::in_row;
      break;
    default:
      break;
  }
  template_modes_.back() = next;
  mode_ = next;
  return step::again;
}

tree_builder::step tree_builder::in_template() {
  if (is_start()) return start_in_template();
  if (is_end()) {
    if (token_.tag == tag_id::template_) end_template();
    return step::done;
  }
  if (token_.type != token_type::end_of_file) return in_body();
  if (!open_.has(tag_id::template_)) {
    stopped_ = true;
    return step::done;
  }
  pop_until(tag_id::template_);
  formatting_.clear_to_marker();
  template_modes_.pop_back();
  reset_mode();
  return step::again;
}

/// Behind the body and, once its end and that of html have been read, behind all.
tree_builder::step tree_builder::after_body() {
  if ((token_.type == token_type::text && is_blank()) || is_start(tag_id::html)) return in_body();
  if (is_end(tag_id::html) && mode_ != mode::after_after_body) {
    return is_fragment_ ? step::done : done_in(mode::after_after_body);
  }
  stopped_ = token_.type == token_type::end_of_file;
  return stopped_ ? step::done : again_in(mode::in_body);
}

/// In framesets only the white space of a text counts.
void tree_builder::insert_spaces_only() {
  std::string spaces;
  for (const char c : token_.text) {
    if (is_class(c, space_class)) spaces += c;
  }
  insert_text(spaces.size() == token_.text.size() ? token_.text : doc_.keep(spaces));
}

tree_builder::step tree_builder::in_frameset() {
  if (is_start(tag_id::frameset)) {
    insert_element();
  } else if (is_start(tag_id::frame)) {
    insert_void();
  } else if (token_.type != token_type::end_tag) {
    return after_frameset();
  } else if (token_.tag == tag_id::frameset && open_.size() > 1) {
    pop();
    if (!is_fragment_ && !open_.current().is(tag_id::frameset)) mode_ = mode::after_frameset;
  }
  return step::done;
}

tree_builder::step tree_builder::after_frameset() {
  if (is_start(tag_id::html)) return in_body();
  if (is_start(tag_id::noframes)) return start_in_head();
  if (is_end(tag_id::html)) mode_ = mode::after_after_frameset;
  if (token_.type == token_type::text) {
    if (mode_ == mode::after_after_frameset) reconstruct_formatting();
    insert_spaces_only();
  }
  stopped_ = token_.type == token_type::end_of_file;
  return step::done;
}

}  // namespace freshet::html

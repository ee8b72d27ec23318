// The insertion modes of tables: what is a part of one goes into it, anything else before it.
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

using enum tag_id;

bool is_section(tag_id tag) noexcept { return tag == tbody || tag == tfoot || tag == thead; }
bool is_cell(tag_id tag) noexcept { return tag == td || tag == th; }

/// Start tags that end a caption or a cell.
bool is_part(tag_id tag) noexcept {
  return tag == caption || tag == col || tag == colgroup || tag == tr || is_section(tag) ||
         is_cell(tag);
}

/// End tags that mean nothing in a table, unless they close the part that is open.
bool is_stray(tag_id tag) noexcept { return tag == body || tag == html || is_part(tag); }

bool is_table(tag_id tag) noexcept { return tag == table; }
bool is_row(tag_id tag) noexcept { return tag == tr; }

}  // namespace

/// Pops what is open above a part of a table; a template and the html element end it, too.
void tree_builder::clear_to(bool (&is_wanted)(tag_id) noexcept) {
  while (open_.size() > 1 && !open_.current().is(template_) &&
         !(open_.current().space == element_space::html && is_wanted(open_.current().tag))) {
    pop();
  }
}

/// "Anything else" in a table: the rules of the body, with foster parenting.
tree_builder::step tree_builder::in_body_fostered() {
  foster_ = true;
  const step now = in_body();
  foster_ = false;
  return now;
}

tree_builder::step tree_builder::start_in_table() {
  if (is_part(token_.tag)) clear_to(is_table);
  switch (token_.tag) {
    case caption:
      formatting_.push_marker();
      insert_structure();
      return done_in(mode::in_caption);
    case colgroup:
      insert_structure();
      return done_in(mode::in_column_group);
    case col:
      insert_element_of(colgroup);
      return again_in(mode::in_column_group);
    case tbody:
    case tfoot:
    case thead:
      insert_structure();
      return done_in(mode::in_table_body);
    case td:
    case th:
    case tr:
      insert_element_of(tbody);
      return again_in(mode::in_table_body);
    case table:
      if (!open_.has_in_table_scope(table)) return step::done;
      pop_until(table);
      reset_mode();
      return step::again;
    case style:
    case script:
    case template_:
      return start_in_head();
    case input:
      if (!is_hidden_input()) break;
      insert_void();
      return step::done;
    case form:
      if (open_.has(template_) || form_ != none) return step::done;
      form_ = insert_structure();
      pop();
      return step::done;
    default:
      break;
  }
  return in_body_fostered();
}

tree_builder::step tree_builder::in_table() {
  switch (token_.type) {
    case token_type::text:
    case token_type::nul:
      if ((open_.current().has & foster) == 0 && !open_.current().is(template_)) break;
      table_text_.clear();
      table_text_is_blank_ = true;
      original_mode_ = mode_;
      return again_in(mode::in_table_text);
    case token_type::start_tag:
      return start_in_table();
    case token_type::end_tag:
      if (token_.tag == table) {
        if (!open_.has_in_table_scope(table)) return step::done;
        pop_until(table);
        reset_mode();
        return step::done;
      }
      if (token_.tag == template_) end_template();
      if (token_.tag == template_ || is_stray(token_.tag)) return step::done;
      break;
    case token_type::end_of_file:
      return in_body();
    default:
      break;
  }
  return in_body_fostered();
}

tree_builder::step tree_builder::in_table_text() {
  if (token_.type == token_type::nul) return step::done;
  if (token_.type == token_type::text) {
    table_text_.push_back(token_.text);
    if (table_text_is_blank_) table_text_is_blank_ = is_blank();
    return step::done;
  }
  if (!table_text_is_blank_) {
    foster_ = true;
    reconstruct_formatting();
    frameset_ok_ = false;
  }
  for (const auto piece : table_text_) insert_text(piece);
  foster_ = false;
  mode_ = original_mode_;
  return step::again;
}

tree_builder::step tree_builder::leave_caption() {
  if (!open_.has_in_table_scope(caption)) return step::done;
  generate_implied_ends();
  pop_until(caption);
  formatting_.clear_to_marker();
  return again_in(mode::in_table);
}

tree_builder::step tree_builder::in_caption() {
  if (token_.type == token_type::start_tag && is_part(token_.tag)) return leave_caption();
  if (token_.type == token_type::end_tag) {
    if (token_.tag == caption) {
      static_cast<void>(leave_caption());
      return step::done;
    }
    if (token_.tag == table) return leave_caption();
    if (is_stray(token_.tag)) return step::done;
  }
  return in_body();
}

tree_builder::step tree_builder::in_column_group() {
  if (insert_spaces()) return step::done;
  if (is_start(html) || token_.type == token_type::end_of_file) return in_body();
  if (is_start(template_)) return start_in_head();
  if (is_start(col)) {
    insert_void();
    return step::done;
  }
  if (is_end(template_)) end_template();
  if (is_end(template_) || is_end(col) || !open_.current().is(colgroup)) return step::done;
  pop();
  return is_end(colgroup) ? done_in(mode::in_table) : again_in(mode::in_table);
}

tree_builder::step tree_builder::leave_table_body() {
  if (!open_.has_in_table_scope(tbody) && !open_.has_in_table_scope(thead) &&
      !open_.has_in_table_scope(tfoot)) {
    return step::done;
  }
  clear_to(is_section);
  pop();
  return again_in(mode::in_table);
}

tree_builder::step tree_builder::in_table_body() {
  if (token_.type == token_type::start_tag) {
    if (token_.tag == tr) {
      clear_to(is_section);
      insert_structure();
      return done_in(mode::in_row);
    }
    if (is_cell(token_.tag)) {
      clear_to(is_section);
      insert_element_of(tr);
      return again_in(mode::in_row);
    }
    if (is_part(token_.tag)) return leave_table_body();
  }
  if (token_.type == token_type::end_tag) {
    if (is_section(token_.tag)) {
      if (!open_.has_in_table_scope(token_.tag)) return step::done;
      clear_to(is_section);
      pop();
      return done_in(mode::in_table);
    }
    if (token_.tag == table) return leave_table_body();
    if (is_stray(token_.tag)) return step::done;
  }
  return in_table();
}

tree_builder::step tree_builder::leave_row() {
  if (!open_.has_in_table_scope(tr)) return step::done;
  clear_to(is_row);
  pop();
  return again_in(mode::in_table_body);
}

tree_builder::step tree_builder::in_row() {
  if (token_.type == token_type::start_tag) {
    if (is_cell(token_.tag)) {
      clear_to(is_row);
      insert_structure();
      mode_ = mode::in_cell;
      formatting_.push_marker();
      return step::done;
    }
    if (is_part(token_.tag)) return leave_row();
  }
  if (token_.type == token_type::end_tag) {
    if (token_.tag == tr) {
      static_cast<void>(leave_row());
      return step::done;
    }
    if (token_.tag == table) return leave_row();
    if (is_section(token_.tag)) {
      return open_.has_in_table_scope(token_.tag) ? leave_row() : step::done;
    }
    if (is_stray(token_.tag)) return step::done;
  }
  return in_table();
}

void tree_builder::close_cell() {
  generate_implied_ends();
  while (!open_.current().is(td) && !open_.current().is(th) && open_.size() > 1) pop();
  if (open_.size() > 1) pop();
  formatting_.clear_to_marker();
  mode_ = mode::in_row;
}

tree_builder::step tree_builder::in_cell() {
  if (token_.type == token_type::start_tag && is_part(token_.tag)) {
    if (!open_.has_in_table_scope(td) && !open_.has_in_table_scope(th)) return step::done;
    close_cell();
    return step::again;
  }
  if (token_.type == token_type::end_tag) {
    if (is_cell(token_.tag)) {
      if (!open_.has_in_table_scope(token_.tag)) return step::done;
      generate_implied_ends();
      pop_until(token_.tag);
      formatting_.clear_to_marker();
      return done_in(mode::in_row);
    }
    if (token_.tag == table || token_.tag == tr || is_section(token_.tag)) {
      if (!open_.has_in_table_scope(token_.tag)) return step::done;
      close_cell();
      return step::again;
    }
    if (is_stray(token_.tag)) return step::done;
  }
  return in_body();
}

}  // namespace freshet::html

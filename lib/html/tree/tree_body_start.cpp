// The insertion mode "in body": start tags, by the rules in body_rules.def.
#include <base/unicode.hpp>
#include <html/tree/body_rules.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

/// Start tags of the document's frame and of blocks.
tree_builder::step tree_builder::start_in_body() {
  const start_rule rule = start_rules[static_cast<std::size_t>(token_.tag)];
  switch (rule) {
    case start_rule::ordinary:
      reconstruct_formatting();
      insert_element();
      has_selected_content_ = has_selected_content_ || token_.tag == tag_id::selectedcontent;
      return step::done;
    case start_rule::block:
      close_p_in_button_scope();
      insert_element();
      return step::done;
    case start_rule::html:
      if (!open_.has(tag_id::template_)) merge_attributes(open_[0].id);
      return step::done;
    case start_rule::head_content:
      return start_in_head();
    case start_rule::body:
      start_body();
      return step::done;
    case start_rule::frameset:
      start_frameset();
      return step::done;
    case start_rule::heading:
      close_p_in_button_scope();
      if ((open_.current().has & heading) != 0) pop();
      insert_element();
      return step::done;
    case start_rule::preformatted:
      close_p_in_button_scope();
      insert_element();
      skip_newline_ = true;
      frameset_ok_ = false;
      return step::done;
    case start_rule::form:
      start_form();
      return step::done;
    case start_rule::item:
    case start_rule::term:
      start_item();
      return step::done;
    case start_rule::plaintext:
      close_p_in_button_scope();
      insert_structure();
      tokenizer_.switch_to(tokenizer::state::plaintext);
      return step::done;
    case start_rule::table:
      start_table();
      return step::done;
    case start_rule::ignored:
      return step::done;
    default:
      return start_text_level(rule);
  }
}

/// Start tags of what stands in text, and of controls.
tree_builder::step tree_builder::start_text_level(start_rule rule) {
  switch (rule) {
    case start_rule::anchor:
      start_anchor();
      break;
    case start_rule::formatting:
      reconstruct_formatting();
      push_formatting(insert_element());
      break;
    case start_rule::void_content:
      reconstruct_formatting();
      insert_void();
      frameset_ok_ = false;
      break;
    case start_rule::void_metadata:
      insert_void();
      break;
    case start_rule::button:
      start_button();
      break;
    case start_rule::no_break:
      start_no_break();
      break;
    case start_rule::marked:
      reconstruct_formatting();
      if (insert_element() != none) formatting_.push_marker();
      frameset_ok_ = false;
      break;
    case start_rule::input:
      start_input();
      break;
    case start_rule::separator:
      start_separator();
      break;
    case start_rule::image:
      token_.tag = tag_id::img;
      token_.name = name_of(token_.tag);
      return step::again;
    case start_rule::select:
      start_select();
      break;
    case start_rule::option:
      start_option();
      break;
    case start_rule::ruby_base:
      if (open_.has_in_scope(tag_id::ruby)) generate_implied_ends();
      insert_element();
      break;
    case start_rule::ruby_text:
      if (open_.has_in_scope(tag_id::ruby)) generate_implied_ends(tag_id::rtc);
      insert_element();
      break;
    case start_rule::foreign:
      reconstruct_formatting();
      insert_foreign(token_.tag == tag_id::svg ? element_space::svg : element_space::math);
      break;
    default:
      start_raw_text(rule);
      break;
  }
  return step::done;
}

/// Elements whose content is text.
void tree_builder::start_raw_text(start_rule rule) {
  if (rule == start_rule::xmp) {
    close_p_in_button_scope();
    reconstruct_formatting();
  }
  if (rule != start_rule::noembed) frameset_ok_ = false;
  if (rule == start_rule::textarea) {
    skip_newline_ = true;
    return insert_raw(tokenizer::state::rcdata);
  }
  insert_raw(tokenizer::state::rawtext);
}

void tree_builder::start_body() {
  if (open_.size() < 2 || !open_[1].is(tag_id::body) || open_.has(tag_id::template_)) return;
  frameset_ok_ = false;
  merge_attributes(open_[1].id);
}

void tree_builder::start_frameset() {
  if (open_.size() < 2 || !open_[1].is(tag_id::body) || !frameset_ok_) return;
  doc_.unlink(open_[1].id);
  pop_to(1);
  insert_structure();
  mode_ = mode::in_frameset;
}

void tree_builder::start_form() {
  const bool in_template = open_.has(tag_id::template_);
  if (form_ != none && !in_template) return;
  close_p_in_button_scope();
  const node_id made = insert_element();
  if (!in_template) form_ = made;
}

/// li closes an open li, dd and dt close one another, unless something special stands between.
void tree_builder::start_item() {
  const bool is_li = token_.tag == tag_id::li;
  frameset_ok_ = false;
  const std::size_t at =
      is_li ? open_.last_item(tag_id::li, tag_id::li) : open_.last_item(tag_id::dd, tag_id::dt);
  if (at < open_.size()) {
    generate_implied_ends(open_[at].tag);
    pop_to(at);
  }
  close_p_in_button_scope();
  insert_element();
}

void tree_builder::start_button() {
  if (open_.has_in_scope(tag_id::button)) {
    generate_implied_ends();
    pop_until(tag_id::button);
  }
  reconstruct_formatting();
  insert_element();
  frameset_ok_ = false;
}

void tree_builder::start_anchor() {
  const std::size_t listed = formatting_.last_of(tag_id::a);
  if (listed < formatting_.size()) {
    const node_id before = formatting_[listed].element;
    adopt();
    if (const auto at = formatting_.index_of(before); at < formatting_.size()) {
      formatting_.remove(at);
    }
    if (const auto at = open_.index_of(before); at < open_.size()) remove_from_stack(at);
  }
  reconstruct_formatting();
  push_formatting(insert_element());
}

void tree_builder::start_no_break() {
  reconstruct_formatting();
  if (open_.has_in_scope(tag_id::nobr)) {
    adopt();
    reconstruct_formatting();
  }
  push_formatting(insert_element());
}

void tree_builder::start_table() {
  if (!quirks_) close_p_in_button_scope();
  if (insert_element() == none) return;
  frameset_ok_ = false;
  mode_ = mode::in_table;
}

bool tree_builder::is_hidden_input() const {
  const auto type = token_.value_of("type");
  return type && base::equals_ignoring_ascii_case(*type, "hidden");
}

void tree_builder::start_input() {
  if (context_.is(tag_id::select)) return;
  if (open_.has_in_scope(tag_id::select)) pop_until(tag_id::select);
  reconstruct_formatting();
  insert_void();
  if (!is_hidden_input()) frameset_ok_ = false;
}

void tree_builder::start_separator() {
  close_p_in_button_scope();
  if (open_.has_in_scope(tag_id::select)) generate_implied_ends();
  insert_void();
  frameset_ok_ = false;
}

void tree_builder::start_select() {
  if (context_.is(tag_id::select)) return;
  if (open_.has_in_scope(tag_id::select)) return pop_until(tag_id::select);
  reconstruct_formatting();
  insert_element();
  frameset_ok_ = false;
}

void tree_builder::start_option() {
  if (open_.has_in_scope(tag_id::select)) {
    generate_implied_ends(token_.tag == tag_id::option ? tag_id::optgroup : tag_id::other);
  } else if (open_.current().is(tag_id::option)) {
    pop();
  }
  reconstruct_formatting();
  insert_element();
}

}  // namespace freshet::html

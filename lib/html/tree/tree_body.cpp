// The insertion mode "in body": text, comments and end tags. Start tags have a file of their own.
#include <html/tree/body_rules.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

tree_builder::step tree_builder::in_body() {
  switch (token_.type) {
    case token_type::nul:
    case token_type::doctype:  // these two do not come here
    case token_type::comment:
      return step::done;
    case token_type::text:
      reconstruct_formatting();
      insert_text(token_.text);
      if (frameset_ok_) frameset_ok_ = is_blank();
      return step::done;
    case token_type::start_tag:
      return start_in_body();
    case token_type::end_tag:
      return end_in_body();
    case token_type::end_of_file:
      break;
  }
  if (!template_modes_.empty()) return in_template();
  stopped_ = true;
  return step::done;
}

tree_builder::step tree_builder::end_body() {
  if (!open_.has_in_scope(tag_id::body)) return step::done;
  mode_ = mode::after_body;
  return token_.tag == tag_id::html ? step::again : step::done;
}

tree_builder::step tree_builder::end_in_body() {
  switch (end_rules[static_cast<std::size_t>(token_.tag)]) {
    case end_rule::block:
      end_block();
      break;
    case end_rule::paragraph:
      if (!open_.has_in(button_scope_end, tag_id::p)) insert_element_of(tag_id::p);
      close_p();
      break;
    case end_rule::item:
      end_item();
      break;
    case end_rule::formatting:
      adopt();
      break;
    case end_rule::heading:
      end_heading();
      break;
    case end_rule::marked:
      if (end_block()) formatting_.clear_to_marker();
      break;
    case end_rule::form:
      end_form();
      break;
    case end_rule::body:
      return end_body();
    case end_rule::template_:
      end_template();
      break;
    case end_rule::line_break:
      token_.type = token_type::start_tag;
      token_.attributes.clear();
      return start_in_body();
    case end_rule::any:
      end_any();
      break;
  }
  return step::done;
}

/// False: there is none to be ended.
bool tree_builder::end_block() {
  if (!open_.has_in_scope(token_.tag)) return false;
  generate_implied_ends();
  pop_until(token_.tag);
  return true;
}

void tree_builder::end_item() {
  const traits ends = token_.tag == tag_id::li ? list_scope_end : scope_end;
  if (!open_.has_in(ends, token_.tag)) return;
  generate_implied_ends(token_.tag);
  pop_until(token_.tag);
}

void tree_builder::end_heading() {
  if (!open_.has_heading_in_scope()) return;
  generate_implied_ends();
  while ((open_.current().has & heading) == 0) pop();
  pop();
}

void tree_builder::end_form() {
  if (open_.has(tag_id::template_)) return static_cast<void>(end_block());
  const node_id ended = form_;
  form_ = none;
  if (ended == none || !open_.is_in_scope(open_.index_of(ended))) return;
  generate_implied_ends();
  remove_from_stack(open_.index_of(ended));
}

/// "Any other end tag": closes the nearest element of its name, but not across a special one.
void tree_builder::end_any() {
  const bool unknown = token_.tag == tag_id::other;
  const std::uint8_t hash = unknown ? hash_of_name(token_.name) : 0;
  if (!open_.has(token_.tag) || (unknown && !open_.may_have_other(hash))) return;
  for (std::size_t i = open_.size(); i-- > 0;) {
    const open_element& one = open_[i];
    open_.count_looks(1);
    if (one.is(token_.tag) &&
        (!unknown || (one.hash == hash && doc_.at(one.id).name == token_.name))) {
      generate_implied_ends(token_.tag);
      return pop_to(i);
    }
    if ((one.has & special) != 0) return;
  }
}

}  // namespace freshet::html

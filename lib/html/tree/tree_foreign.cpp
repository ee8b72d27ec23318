// The rules for tokens in foreign content: SVG and MathML.
#include <base/unicode.hpp>
#include <html/tree/foreign_names.hpp>
#include <html/tree/tree_builder.hpp>

namespace freshet::html {

namespace {

/// <font> ends foreign content only with one of these.
bool has_font_attribute(const token& one) {
  return one.value_of("color") || one.value_of("face") || one.value_of("size");
}

/// An annotation that says that it is HTML.
bool is_html_annotation(const token& one) {
  const auto encoding = one.value_of("encoding");
  return encoding && (base::equals_ignoring_ascii_case(*encoding, "text/html") ||
                      base::equals_ignoring_ascii_case(*encoding, "application/xhtml+xml"));
}

}  // namespace

/// Inserts an element for the token into a space that is not HTML's, and opens it unless it closes
/// itself.
void tree_builder::insert_foreign(element_space space) {
  if (!token_.self_closing && !open_up()) return;
  const bool is_svg = space == element_space::svg;
  for (attribute& one : token_.attributes) {
    one.name = is_svg ? svg_attribute_name(one.name) : math_attribute_name(one.name);
  }
  const std::uint8_t hash = token_.tag == tag_id::other ? hash_of_name(token_.name) : 0;
  if (is_svg) token_.name = svg_element_name(token_.name);
  const node_id id = create_element(space);
  link(place_for(open_.current()), id);
  if (token_.self_closing) return;
  open_element fresh{id, token_.tag, space, traits_of(token_.tag, space), hash};
  if (!is_svg && token_.tag == tag_id::annotation_xml && is_html_annotation(token_)) {
    fresh.has |= html_integration;
  }
  open_.push(fresh);
}

/// HTML inside foreign content: the foreign elements end, and the mode goes on with the token.
tree_builder::step tree_builder::break_out() {
  while (open_.current().space != element_space::html &&
         (open_.current().has & (text_integration | html_integration)) == 0) {
    pop();
  }
  return by_mode();
}

tree_builder::step tree_builder::end_in_foreign() {
  const bool unknown = token_.tag == tag_id::other;
  const std::uint8_t hash = unknown ? hash_of_name(token_.name) : 0;
  for (std::size_t i = open_.size(); --i > 0;) {
    const open_element& one = open_[i];
    open_.count_looks(1);
    if (one.space == element_space::html) return by_mode();
    if (one.tag != token_.tag || one.hash != hash) continue;
    if (unknown && !base::equals_ignoring_ascii_case(doc_.at(one.id).name, token_.name)) continue;
    pop_to(i);
    return step::done;
  }
  return step::done;  // only the html element of a fragment is left
}

tree_builder::step tree_builder::in_foreign() {
  switch (token_.type) {
    case token_type::nul:
      for (std::size_t i = 0; i < token_.text.size(); ++i) {
        insert_text(doc_.keep("\xEF\xBF\xBD"));
      }
      return step::done;
    case token_type::text:
      insert_text(token_.text);
      if (frameset_ok_) frameset_ok_ = is_blank();
      return step::done;
    case token_type::comment:
      insert_comment(place_for(open_.current()));
      return step::done;
    case token_type::start_tag: {
      const traits has = html_traits[static_cast<std::size_t>(token_.tag)];
      if ((has & breakout) != 0 || (token_.tag == tag_id::font && has_font_attribute(token_))) {
        return break_out();
      }
      insert_foreign(adjusted_current().space);
      return step::done;
    }
    case token_type::end_tag:
      if (token_.tag == tag_id::br || token_.tag == tag_id::p) return break_out();
      return end_in_foreign();
    case token_type::doctype:
    case token_type::end_of_file:
      break;
  }
  return step::done;
}

}  // namespace freshet::html

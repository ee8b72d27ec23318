// Which rule of the insertion mode "in body" holds for which tag.
#pragma once

#include <array>
#include <cstdint>
#include <html/tag.hpp>
#include <initializer_list>

namespace freshet::html {

enum class start_rule : std::uint8_t {
  ordinary,
  html,
  head_content,
  body,
  frameset,
  block,
  heading,
  preformatted,
  form,
  item,
  term,
  plaintext,
  button,
  anchor,
  formatting,
  no_break,
  marked,
  table,
  void_content,
  void_metadata,
  input,
  separator,
  image,
  textarea,
  xmp,
  iframe,
  noembed,
  select,
  option,
  ruby_base,
  ruby_text,
  foreign,
  ignored,
};

enum class end_rule : std::uint8_t {
  any,
  block,
  paragraph,
  item,
  formatting,
  heading,
  marked,
  form,
  body,
  template_,
  line_break,
};

template <class Rule>
using rules_by_tag = std::array<Rule, static_cast<std::size_t>(tag_id::count)>;

template <class Rule>
constexpr void set_rule(rules_by_tag<Rule>& rules, Rule rule, std::initializer_list<tag_id> names) {
  for (const tag_id name : names) rules[static_cast<std::size_t>(name)] = rule;
}

inline constexpr auto start_rules = [] {
  using enum tag_id;
  rules_by_tag<start_rule> made{};
#define FRESHET_START(rule, ...) set_rule(made, start_rule::rule, {__VA_ARGS__});
#define FRESHET_END(rule, ...)
#include <html/tree/body_rules.def>
#undef FRESHET_START
#undef FRESHET_END
  return made;
}();

inline constexpr auto end_rules = [] {
  using enum tag_id;
  rules_by_tag<end_rule> made{};
#define FRESHET_START(rule, ...)
#define FRESHET_END(rule, ...) set_rule(made, end_rule::rule, {__VA_ARGS__});
#include <html/tree/body_rules.def>
#undef FRESHET_START
#undef FRESHET_END
  return made;
}();

}  // namespace freshet::html

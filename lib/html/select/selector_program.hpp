// What a selector is compiled to: the compounds of all its alternatives in one row. Shared by the
// compiler and the matcher only.
#pragma once

#include <cstdint>
#include <html/select/selector.hpp>
#include <string>
#include <vector>

namespace freshet::html {

/// Limits of a selector list. The first is the width of the matcher's sets.
inline constexpr std::size_t max_compounds = 64;
inline constexpr std::size_t max_tests_per_compound = 64;
inline constexpr std::size_t max_selector_bytes = 4096;
/// Each is remembered for every element that it is asked of.
inline constexpr std::size_t max_choosing_formulas = 4;
/// Of :is(), :has() and the like inside of each other, and of what stands in all of them.
inline constexpr int max_function_depth = 4;
inline constexpr std::size_t max_function_compounds = 64;

enum class combinator : std::uint8_t { first, descendant, child, next_sibling, later_sibling };

enum class simple_type : std::uint8_t {
  any,
  element,
  id,
  class_name,
  attribute,
  root,
  empty,
  link,
  enabled,
  disabled,
  checked,
  never,    ///< :hover, :focus, ...: states that a page at rest does not have
  defined,  ///< what HTML knows: whether scripts define another name nobody says
  open,
  placeholder_shown,
  read_write,
  valid,  ///< from here to `chosen_first`: what forms say
  invalid,
  in_range,
  out_of_range,
  required,
  optional,
  indeterminate,
  chosen_first,  ///< :default
  lang,
  direction,
  nth_child,
  nth_last_child,
  nth_of_type,
  nth_last_of_type,
  only_child,
  only_of_type,
  one_of,  ///< :is(), :where(), and :not() of more than one test
  has,
};

enum class attribute_operation : std::uint8_t {
  present,
  equals,
  word,
  dash,
  prefix,
  suffix,
  substring
};

/// an+b
struct nth {
  std::int64_t a = 0, b = 0;
};

struct compound;

/// One test of one element.
struct simple {
  simple_type type = simple_type::any;
  attribute_operation operation = attribute_operation::present;
  bool negated = false;  ///< inside :not()
  bool ignore_case = false;
  tag_id tag = tag_id::other;  ///< of an element whose name has one
  std::string name;            ///< of an element or an attribute, lower case
  std::string value;           ///< of an id, a class, an attribute, a language or a direction
  nth formula;
  /// Of a formula, one of those that it counts by, none: all; of :is() what the element is one of;
  /// of :has() one of those that stand to it as they say.
  std::vector<compound> among;
};

/// Tests that one element must pass, and how it stands to the compound before it.
struct compound {
  combinator relation = combinator::first;
  bool is_last = false;  ///< completes one of the alternatives
  std::vector<simple> tests;
};

struct selector::program {
  std::vector<compound> compounds;
  bool has_siblings = false;
  bool has_languages = false;
  bool has_directions = false;
};

}  // namespace freshet::html

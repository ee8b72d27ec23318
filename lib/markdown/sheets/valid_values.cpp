// Words are looked up in short lists; numbers are read.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <markdown/sheets/colors.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <vector>

namespace freshet::markdown {

namespace {

bool is_display(std::string_view value) noexcept {
  const auto words = parts_of(value, css_spaces);
  constexpr std::size_t most = 3;
  return !words.empty() && words.size() <= most &&
         std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return is_one_of(word, {"none",
                                   "block",
                                   "inline",
                                   "inline-block",
                                   "flex",
                                   "inline-flex",
                                   "grid",
                                   "inline-grid",
                                   "contents",
                                   "table",
                                   "table-row",
                                   "table-cell",
                                   "inline-table",
                                   "table-row-group",
                                   "table-column",
                                   "table-header-group",
                                   "table-caption",
                                   "table-footer-group",
                                   "table-column-group",
                                   "list-item",
                                   "flow",
                                   "flow-root",
                                   "ruby",
                                   "ruby-text",
                                   "math",
                                   "-webkit-box",
                                   "-webkit-inline-box",
                                   "-webkit-flex",
                                   "-webkit-inline-flex"});
         });
}

bool is_size_word(std::string_view value) noexcept {
  return is_one_of(value, {"auto", "none", "normal", "min-content", "max-content", "fit-content",
                           "stretch", "-webkit-fill-available", "-webkit-min-content",
                           "-webkit-max-content", "-webkit-fit-content"}) ||
         begins_with(value, "fit-content(") || begins_with(value, "anchor");
}

/// A function that is not computed may be one of the property.
bool is_other_function(std::string_view value) noexcept {
  return is_one_of(function_in(value).name,
                   {"calc",  "min",  "max", "clamp",  "round",       "mod",  "rem",
                    "abs",   "sign", "sin", "cos",    "tan",         "pow",  "sqrt",
                    "hypot", "exp",  "log", "anchor", "anchor-size", "attr", "calc-size"});
}

bool is_size(std::string_view value, bool may_be_negative) noexcept {
  if (is_size_word(value)) return true;
  if (!is_length(value)) return is_other_function(value);
  return may_be_negative || !value.starts_with('-') || length_of(value, 1) == 0;
}

/// A number or a percentage: a length is none.
bool is_share(std::string_view value) noexcept {
  if (!share_of(value)) return false;
  const char last = value.back();
  return base::is_digit(last) || last == '%' || last == ')';
}

bool is_font_size(std::string_view value) noexcept {
  return is_one_of(value, {"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large",
                           "xxx-large", "smaller", "larger", "math"}) ||
         is_size(value, false);
}

bool is_color(std::string_view value) noexcept {
  if (color_of(value) || is_named(value, "currentcolor")) return true;
  return is_one_of(function_in(value).name,
                   {"rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color",
                    "color-mix", "light-dark", "contrast-color"});
}

/// Whether all parts are functions of a list, or it is a word of another.
bool is_functions(std::string_view value, std::initializer_list<std::string_view> names) noexcept {
  const auto functions = functions_of(value);
  return !functions.empty() && std::all_of(functions.begin(), functions.end(), [&](auto one) {
    return is_one_of(function_in(one).name, names);
  });
}

bool is_transform(std::string_view value) noexcept {
  return is_named(value, "none") ||
         is_functions(value, {"matrix",    "matrix3d",  "perspective", "rotate",     "rotate3d",
                              "rotateX",   "rotateY",   "rotateZ",     "scale",      "scale3d",
                              "scaleX",    "scaleY",    "scaleZ",      "skew",       "skewX",
                              "skewY",     "translate", "translate3d", "translateX", "translateY",
                              "translateZ"});
}

bool is_clip_path(std::string_view value) noexcept {
  for (const auto part : parts_of(value, css_spaces)) {
    if (!is_one_of(part, {"none", "border-box", "padding-box", "content-box", "margin-box",
                          "fill-box", "stroke-box", "view-box"}) &&
        !is_one_of(function_in(part).name, {"inset", "circle", "ellipse", "polygon", "path", "rect",
                                            "xywh", "shape", "url"})) {
      return false;
    }
  }
  return true;
}

bool is_overflow(std::string_view value) noexcept {
  const auto words = parts_of(value, css_spaces);
  return words.size() <= 2 && std::all_of(words.begin(), words.end(), [](std::string_view word) {
           return is_one_of(word, {"visible", "hidden", "clip", "scroll", "auto", "overlay"});
         });
}

constexpr std::string_view known_names[] = {
#include <markdown/sheets/property_names.def>
};

bool is_known_name(std::string_view name) noexcept {
  // None is longer, so that nothing is allocated for one in capitals.
  std::array<char, 48> lower{};
  if (name.size() > lower.size()) return false;
  std::ranges::transform(name, lower.begin(), base::lower);
  return std::ranges::binary_search(known_names, std::string_view(lower.data(), name.size()));
}

}  // namespace

bool is_global_value(std::string_view value) noexcept {
  return is_one_of(value, {"inherit", "initial", "unset", "revert", "revert-layer", "revert-rule"});
}

bool is_valid(const declaration& one) noexcept {
  using enum property;
  const auto value = one.value;
  if (is_global_value(value) || has_variable(value)) return true;
  switch (one.of) {
    case display:
      return is_display(value);
    case visibility:
      return is_one_of(value, {"visible", "hidden", "collapse"});
    case content_visibility:
      return is_one_of(value, {"visible", "hidden", "auto"});
    case opacity:
      return is_share(value) || is_other_function(value);
    case position:
      return is_one_of(value,
                       {"static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky"});
    case overflow:
      return is_overflow(value);
    case font_size:
      return is_font_size(value);
    case color:
    case text_fill:
    case background:
      return is_color(value);
    case left:
    case top:
    case right:
    case bottom:
    case margin_left:
    case margin_top:
    case letter_spacing:
      return is_size(value, true);
    case text_indent:
      return is_size(parts_of(value, css_spaces).first(), true);
    case width:
    case height:
    case max_width:
    case max_height:
    case min_width:
    case min_height:
      return is_size(value, false);
    case transform:
      return is_transform(value);
    case clip_path:
      return is_clip_path(value);
    case clip:
      return is_named(value, "auto") || begins_with(value, "rect(");
    default:
      return true;
  }
}

bool is_background(std::string_view value) noexcept {
  if (has_variable(value) || is_global_value(value)) return true;
  const auto parts = parts_of(value, " ,/\t\n\r\f");
  return std::all_of(parts.begin(), parts.end(), [](std::string_view part) {
    if (!base::is_letter(part.front()) || part.find('(') != part.npos) return true;
    return is_color(part) ||
           is_one_of(part,
                     {"none",       "repeat",      "repeat-x",    "repeat-y", "no-repeat", "space",
                      "round",      "scroll",      "fixed",       "local",    "top",       "right",
                      "bottom",     "left",        "center",      "cover",    "contain",   "auto",
                      "border-box", "padding-box", "content-box", "text"});
  });
}

bool is_supported(std::string_view name, std::string_view value) noexcept {
  if (!custom_name(name).empty()) return true;
  if (!is_known_name(name)) return false;
  const auto known = property_named(name);
  return !known || *known == property::count || is_valid({*known, false, value});
}

}  // namespace freshet::markdown

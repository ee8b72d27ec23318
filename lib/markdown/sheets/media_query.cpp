// Conditions are read from left to right, with a frame for each parenthesis; what is not known is
// neither true nor false, and does not hold. What readers prefer is what most do.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <html/select/selector.hpp>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/media_query.hpp>
#include <markdown/sheets/valid_selectors.hpp>
#include <markdown/sheets/valid_values.hpp>
#include <markdown/sheets/value_text.hpp>
#include <string>

namespace freshet::markdown {

namespace {

/// In CSS pixels.
struct screen_size {
  double width, height;
};
constexpr std::array<screen_size, screens> screen_sizes = {{{1280, 800}, {390, 844}}};

enum class truth : std::uint8_t { no, yes, unknown };

truth of_bool(bool value) noexcept { return value ? truth::yes : truth::no; }
truth negated(truth value) noexcept {
  return value == truth::unknown ? value : of_bool(value == truth::no);
}
truth both(truth a, truth b) noexcept {
  if (a == truth::no || b == truth::no) return truth::no;
  return a == truth::unknown || b == truth::unknown ? truth::unknown : truth::yes;
}
truth either(truth a, truth b) noexcept { return negated(both(negated(a), negated(b))); }

/// One parenthesis of a condition that is open.
struct condition_frame {
  truth value = truth::yes;
  bool has_value = false, is_negated = false, is_either = false;

  void take(truth one) noexcept {
    if (is_negated) one = negated(one);
    is_negated = false;
    value = !has_value ? one : is_either ? either(value, one) : both(value, one);
    has_value = true;
  }
};

/// Whether a parenthesis holds conditions, not a feature.
bool holds_conditions(std::string_view inside) noexcept {
  inside = base::trim(inside);
  if (inside.starts_with('(')) return true;
  return begins_with(inside, "not ") || begins_with(inside, "not(");
}

/// "(a) and (not (b))", by what `leaf` says of what stands in a parenthesis, or of a function.
template <class Leaf>
truth judge_condition(std::string_view text, Leaf leaf) {
  constexpr std::size_t deepest = 16;
  std::array<condition_frame, deepest> open{};
  std::size_t depth = 0;
  while (!(text = base::trim(text)).empty()) {
    auto& here = open[depth];
    if (text.front() == ')') {
      if (depth == 0) return truth::unknown;
      const auto inside = here.has_value ? here.value : truth::unknown;
      open[depth--] = {};
      open[depth].take(inside);
      text.remove_prefix(1);
    } else if (text.front() == '(') {
      const auto end = end_of_parenthesis(text);
      const auto inside = text.substr(1, end - 1);
      if (holds_conditions(inside)) {
        if (++depth == deepest) return truth::unknown;
        text.remove_prefix(1);
        continue;
      }
      here.take(leaf(std::string_view(), base::trim(inside)));
      text.remove_prefix(std::min(end + 1, text.size()));
    } else {
      const auto end = std::min(text.find_first_of(" \t\r\n\f()"), text.size());
      const auto word = text.substr(0, end);
      if (end == 0) return truth::unknown;
      text.remove_prefix(end);
      if (is_named(word, "not")) {
        here.is_negated = true;
      } else if (is_named(word, "or")) {
        here.is_either = true;
      } else if (text.starts_with('(') && !is_named(word, "and")) {
        const auto close = end_of_parenthesis(text);
        here.take(leaf(word, base::trim(text.substr(1, close - 1))));
        text.remove_prefix(std::min(close + 1, text.size()));
      } else if (!is_named(word, "and")) {
        return truth::unknown;
      }
    }
  }
  return open[0].has_value ? open[0].value : truth::unknown;
}

/// What a reader has in a browser, with a mouse on a desk and a finger on a phone.
truth of_word(std::string_view name, std::string_view value, bool desk) noexcept {
  struct preference {
    std::string_view name, value;
  };
  constexpr preference usual[] = {{"prefers-color-scheme", "light"},
                                  {"scripting", "enabled"},
                                  {"display-mode", "browser"},
                                  {"update", "fast"},
                                  {"overflow-block", "scroll"},
                                  {"overflow-inline", "scroll"},
                                  {"scan", "progressive"},
                                  {"forced-colors", "none"},
                                  {"device-posture", "continuous"},
                                  {"dynamic-range", "standard"},
                                  {"color-gamut", "srgb"},
                                  {"video-dynamic-range", "standard"},
                                  {"prefers-reduced-motion", "no-preference"},
                                  {"prefers-reduced-transparency", "no-preference"},
                                  {"prefers-contrast", "no-preference"}};
  if (value.empty() && is_one_of(name, {"pointer", "any-pointer", "orientation"}))
    return truth::yes;
  if (value.empty() && is_one_of(name, {"hover", "any-hover"})) return of_bool(desk);
  if (is_one_of(name, {"hover", "any-hover"})) return of_bool(is_named(value, "hover") == desk);
  if (is_one_of(name, {"pointer", "any-pointer"})) {
    return of_bool(is_named(value, desk ? "fine" : "coarse"));
  }
  for (const auto& one : usual) {
    if (!is_named(name, one.name)) continue;
    // "(prefers-reduced-motion)" asks for one.
    if (value.empty()) return of_bool(one.value != "none" && one.value != "no-preference");
    return of_bool(is_named(value, one.value));
  }
  return truth::unknown;
}

/// What a feature that is a number comes to; null for others.
std::optional<double> feature_of(std::string_view name, const screen_size& size) noexcept {
  if (is_one_of(name, {"width", "device-width", "inline-size"})) return size.width;
  if (is_one_of(name, {"height", "device-height", "block-size"})) return size.height;
  if (is_one_of(name, {"aspect-ratio", "device-aspect-ratio"})) return size.width / size.height;
  if (is_one_of(name, {"horizontal-viewport-segments", "vertical-viewport-segments",
                       "-webkit-transform-3d"})) {
    return 1;
  }
  if (is_one_of(name, {"resolution", "-webkit-device-pixel-ratio"})) return 1;
  if (is_named(name, "color")) return 8;
  if (is_one_of(name, {"monochrome", "grid", "color-index"})) return 0;
  return std::nullopt;
}

/// A length, a ratio or a resolution.
std::optional<double> number_in(std::string_view value) noexcept {
  constexpr double query_font_px = 16, dots_of_inch = 96, dots_of_cm = 37.8;
  if (const auto slash = value.find('/'); slash != value.npos && value.find('(') == value.npos) {
    const auto over = length_of(base::trim(value.substr(0, slash)), query_font_px);
    const auto under = length_of(base::trim(value.substr(slash + 1)), query_font_px);
    if (!over || !under) return std::nullopt;
    return *under == 0 ? 1e9 : *over / *under;
  }
  const std::pair<std::string_view, double> resolutions[] = {
      {"dppx", 1}, {"x", 1}, {"dpi", dots_of_inch}, {"dpcm", dots_of_cm}};
  for (const auto& [unit, one] : resolutions) {
    if (value.size() <= unit.size() || !is_named(value.substr(value.size() - unit.size()), unit)) {
      continue;
    }
    if (const auto count = length_of(value.substr(0, value.size() - unit.size()), query_font_px)) {
      return *count / one;
    }
  }
  return length_of(value, query_font_px);
}

truth compared(double left, std::string_view sign, double right) noexcept {
  constexpr double little = 1e-9;
  if (sign == "<") return of_bool(left < right);
  if (sign == "<=") return of_bool(left <= right + little);
  if (sign == ">") return of_bool(left > right);
  if (sign == ">=") return of_bool(left >= right - little);
  return of_bool(left >= right - little && left <= right + little);
}

/// "400px <= width < 60em", "width > 10px"
truth holds_range(std::string_view text, const screen_size& size) noexcept {
  std::array<std::string_view, 3> parts;
  std::array<std::string_view, 2> signs;
  std::size_t count = 0;
  while (count < signs.size()) {
    const auto at = text.find_first_of("<>=");
    if (at == text.npos) break;
    const auto end = std::min(text.find_first_not_of("<>=", at), text.size());
    parts[count] = base::trim(text.substr(0, at));
    signs[count++] = text.substr(at, end - at);
    text.remove_prefix(end);
  }
  parts[count] = base::trim(text);
  truth all = truth::yes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = [&](std::string_view part) {
      const auto own = feature_of(part, size);
      return own ? own : number_in(part);
    };
    const auto left = value(parts[i]), right = value(parts[i + 1]);
    all = both(all, left && right ? compared(*left, signs[i], *right) : truth::unknown);
  }
  return all;
}

/// One feature, "min-width: 40em", on a screen.
truth holds_feature(std::string_view feature, const screen_size& size) noexcept {
  const auto colon = feature.find(':');
  auto name = base::trim(feature.substr(0, colon));
  const bool desk = size.width > size.height;
  if (colon == feature.npos) {
    if (name.find_first_of("<>=") != name.npos) return holds_range(name, size);
    if (const auto own = feature_of(name, size)) return of_bool(*own != 0);
    return of_word(name, {}, desk);
  }
  const auto value = base::trim(feature.substr(colon + 1));
  if (is_named(name, "orientation")) {
    return of_bool(is_named(value, desk ? "landscape" : "portrait"));
  }
  std::string_view sign = "=";
  constexpr std::size_t prefix = 4;
  if (begins_with(name, "-webkit-min-")) {
    sign = ">=";
    return both(truth::yes, compared(1, sign, number_in(value).value_or(0)));
  }
  if (begins_with(name, "min-")) sign = ">=";
  if (begins_with(name, "max-")) sign = "<=";
  if (sign != "=") name.remove_prefix(prefix);
  if (const auto own = feature_of(name, size)) {
    const auto wanted = number_in(value);
    return wanted ? compared(*own, sign, *wanted) : truth::unknown;
  }
  return of_word(name, value, desk);
}

/// One query without commas: "only screen and (min-width: 40em)".
bool holds_query(std::string_view query, const screen_size& size) noexcept {
  const auto leaf = [&](std::string_view function, std::string_view inside) {
    return function.empty() ? holds_feature(inside, size) : truth::unknown;
  };
  query = base::trim(query);
  bool is_negated = false;
  auto type = truth::yes;
  for (bool first = true; !query.empty() && query.front() != '('; first = false) {
    const auto end = std::min(query.find_first_of(" \t\r\n\f("), query.size());
    const auto word = query.substr(0, end);
    const auto rest = base::trim(query.substr(end));
    if (is_named(word, "not")) {
      // "not (a)" is a condition; "not print and (a)" is negated as a whole.
      if (rest.starts_with('(') || !first) break;
      is_negated = true;
    } else if (!is_named(word, "and") && !is_named(word, "only")) {
      if (end < query.size() && query[end] == '(') break;
      type = of_bool(is_one_of(word, {"screen", "all"}));
    }
    query = rest;
  }
  auto all = query.empty() ? type : both(type, judge_condition(query, leaf));
  if (is_negated) all = negated(all);
  return all == truth::yes;
}

/// "name (min-width: 1px)" of a container.
screen_set screens_of_container(std::string_view prelude) noexcept {
  const auto condition = container_query_of(prelude).condition;
  screen_set on = 0;
  for (std::size_t i = 0; i < screens; ++i) {
    const auto leaf = [&](std::string_view function, std::string_view inside) {
      return function.empty() ? holds_feature(inside, screen_sizes[i]) : truth::unknown;
    };
    if (judge_condition(condition, leaf) == truth::yes) on |= screen_set(1u << i);
  }
  return on;
}

bool is_supported_condition(std::string_view condition) {
  const auto leaf = [](std::string_view function, std::string_view inside) {
    if (is_named(function, "selector")) {
      const auto end = inside.ends_with('&') ? inside.size() - 1 : inside.size();
      return of_bool(end == 0 || is_valid_list(inside.substr(0, end)));
    }
    if (is_named(function, "font-format")) {
      return of_bool(is_one_of(inside, {"collection", "opentype", "truetype", "woff", "woff2"}));
    }
    if (is_named(function, "font-tech")) {
      return of_bool(
          is_one_of(inside, {"features-opentype", "features-aat", "variations", "color-colrv0",
                             "color-colrv1", "color-sbix", "color-cbdt", "palettes"}));
    }
    if (is_named(function, "at-rule")) {
      return of_bool(is_one_of(
          inside, {"@media", "@container", "@layer", "@scope", "@starting-style", "@property",
                   "@function", "@position-try", "@view-transition", "@supports", "@keyframes",
                   "@font-face", "@import", "@namespace", "@page", "@counter-style",
                   "@font-feature-values", "@font-palette-values"}));
    }
    const auto colon = inside.find(':');
    if (!function.empty() || colon == inside.npos) return truth::no;
    const auto value = inside.substr(colon + 1);
    return of_bool(is_supported(base::trim(inside.substr(0, colon)),
                                base::trim(value.substr(0, value.rfind('!')))));
  };
  return judge_condition(condition, leaf) == truth::yes;
}

}  // namespace

container_query container_query_of(std::string_view prelude) noexcept {
  prelude = base::trim(prelude);
  const auto end = std::min(prelude.find_first_of(" \t\r\n\f("), prelude.size());
  const auto word = prelude.substr(0, end);
  const bool is_name =
      !word.empty() && !is_named(word, "not") && (end == prelude.size() || prelude[end] != '(');
  if (!is_name) return {{}, prelude};
  return {word, prelude.substr(end)};
}

bool holds_condition(std::string_view condition, std::size_t screen,
                     const std::function<bool(std::string_view)>& holds_style) {
  const auto leaf = [&](std::string_view function, std::string_view inside) {
    // "(style(--a: b))"
    if (const auto inner = function_in(inside); function.empty() && !inner.name.empty()) {
      function = inner.name;
      inside = base::trim(inner.inside);
    }
    if (is_named(function, "style")) return of_bool(holds_style(inside));
    if (is_named(function, "media")) {
      return holds_feature(inside, screen_sizes[screen]);
    }
    if (is_named(function, "supports")) {
      const bool is_declaration = inside.find('(') > inside.find(':');
      const auto whole = is_declaration ? "(" + std::string(inside) + ")" : std::string(inside);
      return of_bool(is_supported_condition(whole));
    }
    return function.empty() ? holds_feature(inside, screen_sizes[screen]) : truth::unknown;
  };
  return judge_condition(condition, leaf) == truth::yes;
}

screen_set screens_of(std::string_view queries) noexcept {
  if (base::trim(queries).empty()) return all_screens;
  screen_set on = 0;
  for (const auto query : parts_of(queries, ",")) {
    for (std::size_t i = 0; i < screens; ++i) {
      if (holds_query(query, screen_sizes[i])) on |= screen_set(1u << i);
    }
  }
  return on;
}

std::optional<screen_set> screens_inside(std::string_view prelude, screen_set outside) {
  const auto end = std::min(prelude.find_first_of(" \t\r\n\f(", 1), prelude.size());
  const auto name = prelude.substr(1, end - 1);
  const auto rest = prelude.substr(end);
  if (is_named(name, "media")) return outside & screens_of(rest);
  if (is_named(name, "container")) return outside & screens_of_container(rest);
  if (is_named(name, "supports")) return is_supported_condition(rest) ? outside : screen_set{0};
  return std::nullopt;
}

}  // namespace freshet::markdown

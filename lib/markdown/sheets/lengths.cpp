// One pass from left to right, with a frame for each parenthesis that is open.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <cmath>
#include <cstdint>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/value_text.hpp>
#include <numbers>
#include <utility>

namespace freshet::markdown {

namespace {

struct named_unit {
  std::string_view name;
  double px;
};

/// What one of a unit is in pixels; null for a unit that is not known.
std::optional<double> px_of_unit(std::string_view unit, const length_units& units) noexcept {
  if (unit == "px") return 1;
  if (unit == "%") return units.percent_px;
  if (unit == "em") return units.font_px;
  const named_unit known[] = {{"px", 1},
                              {"em", units.font_px},
                              {"%", units.percent_px},
                              {"rem", 16},
                              {"pt", 4.0 / 3},
                              {"vw", units.screen_percent_px},
                              {"vh", units.screen_percent_high_px},
                              {"ex", units.font_px / 2},
                              {"ch", units.font_px / 2},
                              {"cm", 37.8},
                              {"mm", 3.78},
                              {"q", 0.945},
                              {"in", 96},
                              {"pc", 16},
                              {"lh", units.font_px * 1.2},
                              {"rlh", 19.2},
                              {"vmin", units.screen_percent_px},
                              {"vmax", units.screen_percent_px},
                              {"vi", units.screen_percent_px},
                              {"vb", units.screen_percent_high_px},
                              {"svw", units.screen_percent_px},
                              {"svh", units.screen_percent_high_px},
                              {"lvw", units.screen_percent_px},
                              {"lvh", units.screen_percent_high_px},
                              {"dvw", units.screen_percent_px},
                              {"dvh", units.screen_percent_high_px},
                              {"cqw", units.screen_percent_px},
                              {"cqi", units.screen_percent_px},
                              {"cqmin", units.screen_percent_px},
                              {"cqmax", units.screen_percent_px},
                              {"cqh", units.screen_percent_high_px},
                              {"cqb", units.screen_percent_high_px},
                              {"cap", units.font_px * 0.7},
                              {"ic", units.font_px},
                              {"rex", 8},
                              {"rch", 8},
                              {"rcap", 11},
                              {"ric", 16},
                              {"deg", 1},
                              {"rad", 57.29577951308232},
                              {"turn", 360},
                              {"grad", 0.9}};
  for (const auto& one : known) {
    if (is_named(unit, one.name)) return one.px;
  }
  return std::nullopt;
}

/// The number at the beginning of a text, taken off it, with its unit.
std::optional<double> take_quantity(std::string_view& text, const length_units& units) noexcept {
  const bool plus = text.starts_with('+');
  auto rest = text.substr(plus ? 1 : 0);
  // std::from_chars takes words for numbers, too.
  const auto first = rest.find_first_not_of('-');
  if (first == rest.npos || first > 1 || (!base::is_digit(rest[first]) && rest[first] != '.')) {
    return std::nullopt;
  }
  const auto number = base::take_number<double>(rest);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  std::size_t end = 0;
  if (rest.starts_with('%')) end = 1;
  while (end < rest.size() && base::is_letter(rest[end])) ++end;
  const auto unit = rest.substr(0, end);
  rest.remove_prefix(end);
  text = rest;
  if (unit.empty()) return number;
  const auto px = px_of_unit(unit, units);
  return px ? std::optional(*number * *px) : std::nullopt;
}

enum class computed : std::uint8_t {
  sum,
  least,
  greatest,
  between,
  size,
  sign,
  power,
  root,
  hypotenuse,
  exponential,
  modulo,
  remainder,
  nearest,
  down,
  up,
  to_zero,
  sine,
  cosine,
  tangent,
  logarithm,
  progress,
  none
};

computed function_named(std::string_view name) noexcept {
  if (name.empty() || is_one_of(name, {"calc", "-webkit-calc", "-moz-calc"})) return computed::sum;
  if (is_named(name, "min")) return computed::least;
  if (is_named(name, "max")) return computed::greatest;
  if (is_named(name, "clamp")) return computed::between;
  constexpr std::pair<std::string_view, computed> others[] = {
      {"abs", computed::size},      {"sign", computed::sign},        {"pow", computed::power},
      {"sqrt", computed::root},     {"hypot", computed::hypotenuse}, {"exp", computed::exponential},
      {"mod", computed::modulo},    {"rem", computed::remainder},    {"round", computed::nearest},
      {"sin", computed::sine},      {"cos", computed::cosine},       {"tan", computed::tangent},
      {"log", computed::logarithm}, {"progress", computed::progress}};
  for (const auto& [other, how] : others) {
    if (is_named(name, other)) return how;
  }
  return computed::none;
}

/// "infinity", "-infinity", "pi" and "e", taken off a text. What is without end is longer than
/// anything that is looked for.
std::optional<double> take_constant(std::string_view& text) noexcept {
  constexpr double endless = 1e9;
  const bool is_negative = text.starts_with('-');
  const auto rest = text.substr(is_negative ? 1 : 0);
  const auto end = std::min(rest.find_first_of(") ,*/+-"), rest.size());
  const auto name = rest.substr(0, end);
  constexpr std::pair<std::string_view, double> constants[] = {
      {"infinity", endless}, {"pi", std::numbers::pi}, {"e", std::numbers::e}, {"nan", 0}};
  const auto* const found =
      std::ranges::find_if(constants, [&](const auto& each) { return is_named(name, each.first); });
  if (found == std::end(constants)) return std::nullopt;
  const auto value = found->second;
  text = rest.substr(end);
  return is_negative ? -value : value;
}

/// The way in which round() does, with its comma taken off a text.
std::optional<computed> take_rounding(std::string_view& text) noexcept {
  constexpr std::pair<std::string_view, computed> ways[] = {{"nearest", computed::nearest},
                                                            {"down", computed::down},
                                                            {"up", computed::up},
                                                            {"to-zero", computed::to_zero}};
  const auto comma = text.find(',');
  if (comma == text.npos) return std::nullopt;
  const auto name = base::trim(text.substr(0, comma));
  for (const auto& [way, how] : ways) {
    if (!is_named(name, way)) continue;
    text.remove_prefix(comma + 1);
    return how;
  }
  return std::nullopt;
}

/// What is known of one parenthesis so far.
class computation {
 public:
  computation() noexcept = default;
  /// `of_angle`: what is given has a unit, and is in degrees.
  explicit computation(computed how, bool of_angle) noexcept : how_(how), of_angle_(of_angle) {}

  [[nodiscard]] bool wants_operand() const noexcept { return wants_operand_; }
  void operand(double value) noexcept {
    wants_operand_ = false;
    if (times_ == '*') {
      term_ *= value;
    } else if (times_ == '/') {
      term_ = value == 0 ? 0 : term_ / value;
    } else {
      term_ = value;
    }
  }
  void sign(char c) noexcept {
    wants_operand_ = true;
    if (c == '*' || c == '/') {
      times_ = c;
      return;
    }
    close_term();
    plus_ = c != '-';
  }
  /// At a comma; whether there is room for more.
  bool next() noexcept {
    close_term();
    if (count_ == given_.size()) return false;
    given_[count_++] = sum_;
    sum_ = 0;
    plus_ = wants_operand_ = true;
    return true;
  }
  [[nodiscard]] std::optional<double> end() noexcept {
    if (wants_operand_ || !next()) return std::nullopt;
    const double* const first = given_.data();
    const double* const last = first + count_;
    if (how_ == computed::least) return *std::min_element(first, last);
    if (how_ == computed::greatest) return *std::max_element(first, last);
    if (how_ == computed::between) {
      if (count_ != 3) return std::nullopt;
      return std::max(given_[0], std::min(given_[1], given_[2]));
    }
    if (how_ == computed::progress) {
      if (count_ != 3 || given_[1] == given_[2]) return std::nullopt;
      return std::clamp((given_[0] - given_[1]) / (given_[2] - given_[1]), 0.0, 1.0);
    }
    if (how_ == computed::hypotenuse) {
      double squares = 0;
      for (const auto* each = first; each != last; ++each) squares += *each * *each;
      return std::sqrt(squares);
    }
    const auto made = of_two();
    return made && std::isfinite(*made) ? made : std::nullopt;
  }
  [[nodiscard]] computed how() const noexcept { return how_; }
  void round_by(computed how) noexcept { how_ = how; }

 private:
  /// What is made of one number, or of two.
  [[nodiscard]] std::optional<double> of_two() const noexcept {
    using enum computed;
    const auto one = given_[0];
    const bool rounds = how_ == nearest || how_ == down || how_ == up || how_ == to_zero;
    const auto step = count_ == 2 ? given_[1] : 1;
    if (count_ == 2 && how_ == power) return std::pow(one, step);
    if (count_ == 2 && how_ == logarithm) return std::log(one) / std::log(step);
    if (count_ == 2 && how_ == remainder) return std::fmod(one, step);
    if (count_ == 2 && how_ == modulo) return one - step * std::floor(one / step);
    if (rounds && count_ <= 2) {
      const auto steps = one / step;
      return step * (how_ == down      ? std::floor(steps)
                     : how_ == up      ? std::ceil(steps)
                     : how_ == to_zero ? std::trunc(steps)
                                       : std::round(steps));
    }
    if (count_ != 1) return std::nullopt;
    if (how_ == size) return std::abs(one);
    if (how_ == sign) return one > 0 ? 1 : one < 0 ? -1 : 0;
    if (how_ == root) return std::sqrt(one);
    if (how_ == exponential) return std::exp(one);
    if (how_ == logarithm) return std::log(one);
    const double turned = of_angle_ ? one * std::numbers::pi / 180 : one;
    if (how_ == sine) return std::sin(turned);
    if (how_ == cosine) return std::cos(turned);
    if (how_ == tangent) return std::tan(turned);
    return how_ == sum ? std::optional(one) : std::nullopt;
  }

  void close_term() noexcept {
    sum_ += plus_ ? term_ : -term_;
    term_ = 0;
    times_ = 0;
  }

  computed how_ = computed::sum;
  bool of_angle_ = false;
  std::array<double, 8> given_{};
  std::size_t count_ = 0;
  double sum_ = 0, term_ = 0;
  char times_ = 0;
  bool plus_ = true, wants_operand_ = true;
};

/// The whole of "calc(1px + min(2em, 3vw))".
std::optional<double> compute(std::string_view text, const length_units& units) noexcept {
  constexpr std::size_t deepest = 16;
  std::array<computation, deepest> open{};
  std::size_t depth = 0;
  while (!(text = base::trim(text)).empty()) {
    auto& here = open[depth];
    const char c = text.front();
    if (here.wants_operand()) {
      if (const auto number = take_quantity(text, units)) {
        here.operand(*number);
        continue;
      }
      if (const auto constant = take_constant(text)) {
        here.operand(*constant);
        continue;
      }
      if (here.how() == computed::nearest) {
        if (const auto how = take_rounding(text)) {
          here.round_by(*how);
          continue;
        }
      }
      const auto parenthesis = text.find_first_of("() ,");
      if (parenthesis == text.npos || text[parenthesis] != '(' || depth + 1 == deepest) {
        return std::nullopt;
      }
      const auto how = function_named(text.substr(0, parenthesis));
      if (how == computed::none) return std::nullopt;
      const auto inside = text.substr(parenthesis, end_of_parenthesis(text.substr(parenthesis)));
      const bool of_angle = inside.find("deg") != inside.npos ||
                            inside.find("rad") != inside.npos || inside.find("turn") != inside.npos;
      open[++depth] = computation(how, of_angle);
      text.remove_prefix(parenthesis + 1);
      continue;
    }
    text.remove_prefix(1);
    if (c == '+' || c == '-' || c == '*' || c == '/') {
      here.sign(c);
    } else if (c == ',') {
      if (depth == 0 || !here.next()) return std::nullopt;
    } else if (c == ')' && depth > 0) {
      const auto inside = here.end();
      if (!inside) return std::nullopt;
      open[--depth].operand(*inside);
    } else {
      return std::nullopt;
    }
  }
  // What is not closed ends with the sheet.
  for (; depth > 0; --depth) {
    const auto inside = open[depth].end();
    if (!inside) return std::nullopt;
    open[depth - 1].operand(*inside);
  }
  return open[0].end();
}

}  // namespace

std::optional<double> quantity_of(std::string_view value, const length_units& units) noexcept {
  if (value.empty()) return std::nullopt;
  auto rest = value;
  if (const auto plain = take_quantity(rest, units)) {
    return rest.empty() ? plain : std::nullopt;
  }
  // Without an anchor it is what stands behind the comma.
  if (begins_with(value, "anchor")) {
    const auto parts = parts_of(function_in(value).inside, ",");
    return parts.size() == 2 && !begins_with(parts[1], "anchor") ? quantity_of(parts[1], units)
                                                                 : std::nullopt;
  }
  return function_in(value).name.empty() ? std::nullopt : compute(value, units);
}

std::optional<double> length_of(std::string_view value, double font_px) noexcept {
  length_units units;
  units.font_px = font_px;
  units.percent_px = font_px / 100;
  return quantity_of(value, units);
}

std::optional<double> share_of(std::string_view value) noexcept {
  length_units units;
  units.percent_px = 0.01;
  return quantity_of(value, units);
}

bool is_length(std::string_view value) noexcept {
  auto rest = value;
  const length_units units;
  if (const auto plain = take_quantity(rest, units)) {
    return rest.empty() && (*plain == 0 || !base::is_digit(value.back()));
  }
  if (function_in(value).name.empty() || !compute(value, units)) return false;
  // A number that is computed is none: something in it has a unit.
  for (std::size_t at = 1; at < value.size(); ++at) {
    const bool is_unit = value[at] == '%' || base::is_letter(value[at]);
    if (is_unit && (base::is_digit(value[at - 1]) || value[at - 1] == '.')) return true;
  }
  return false;
}

}  // namespace freshet::markdown

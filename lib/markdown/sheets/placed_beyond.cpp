// Shares are of the screen: the smallest one's, as elsewhere.
#include <algorithm>
#include <cmath>
#include <markdown/sheets/lengths.hpp>
#include <markdown/sheets/moved_away.hpp>
#include <markdown/sheets/placed_beyond.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

namespace {

constexpr double line_font_px = 16;
/// Less than a line.
constexpr double near_px = 20;

/// Of a screen of 360 by 600; what is a share of its container, of that.
constexpr length_units of_screen{line_font_px, 3.6, 3.6, 6};
constexpr double screen_px = 360, screen_high_px = 600;

std::optional<double> px_across(std::string_view length) noexcept {
  return quantity_of(length, of_screen);
}
std::optional<double> px_down(std::string_view length) noexcept {
  auto units = of_screen;
  units.percent_px = units.screen_percent_high_px;
  return quantity_of(length, units);
}

/// Moved by its own size, or more, in shares of it.
struct own_move {
  double x = 0, y = 0;
};
own_move move_of(std::string_view transform, std::string_view translate) noexcept {
  constexpr length_units of_itself{0, 0.01, 0, 0};
  const auto share = [&](std::string_view part) {
    return part.ends_with('%') ? quantity_of(part, of_itself).value_or(0) : 0;
  };
  own_move made;
  for (const auto one : functions_of(transform)) {
    const auto [name, inside] = function_in(one);
    const auto parts = parts_of(inside, ",");
    if (is_named(name, "translateY")) {
      made.y += share(parts.first());
    } else if (is_one_of(name, {"translate", "translateX", "translate3d"})) {
      made.x += share(parts.first());
      if (parts.size() > 1) made.y += share(parts[1]);
    } else {
      return {};  // what turns or grows turns what comes behind it, too
    }
  }
  const auto parts = parts_of(translate, css_spaces);
  made.x += share(parts.first());
  if (parts.size() > 1) made.y += share(parts[1]);
  return made;
}

/// "100%" and more.
bool is_all(std::string_view share) noexcept {
  return share.ends_with('%') && share_of(share).value_or(0) >= 1;
}

}  // namespace

bool may_be_beyond_the_page(const declaration& one) noexcept {
  using enum property;
  constexpr double some_px = 60;
  switch (one.of) {
    case left:
      return px_across(one.value).value_or(0) <= -near_px || is_far_right(one.value) ||
             is_all(one.value);
    case top:
      return px_down(one.value).value_or(0) <= -near_px;
    case right: {
      const auto px = px_across(one.value).value_or(0);
      return px >= screen_px || px <= -near_px;
    }
    case bottom: {
      const auto px = px_down(one.value).value_or(0);
      return px >= screen_high_px || px <= -near_px;
    }
    case margin_left:
      return px_across(one.value).value_or(0) <= -some_px || is_all(one.value);
    case margin_top:
      return px_down(one.value).value_or(0) <= -near_px;
    case transform:
    case translate: {
      if (is_pulling_up(one)) return true;
      const auto moved = one.of == transform ? move_of(one.value, {}) : move_of({}, one.value);
      return std::abs(moved.x) >= 1 || std::abs(moved.y) >= 1;
    }
    default:
      return false;
  }
}

bool is_far_left(const declaration& one) noexcept {
  using enum property;
  constexpr double some_px = -200;
  const auto is_far = [](std::string_view length) {
    if (length.ends_with('%')) return share_of(length).value_or(0) <= -1;
    return length_of(length, line_font_px).value_or(0) <= some_px;
  };
  if (one.of == left || one.of == margin_left) return is_far(one.value);
  if (one.of == translate) return is_far(parts_of(one.value, css_spaces).first());
  if (one.of != transform) return false;
  for (const auto each : functions_of(one.value)) {
    const auto [name, inside] = function_in(each);
    if (begins_with(name, "translate") && is_far(parts_of(inside, ",").first())) return true;
  }
  return false;
}

namespace {

/// Up the page, in pixels; shares of what is not known are nothing.
double up_px(std::string_view length) noexcept {
  return -quantity_of(length, {line_font_px, 0, 3.6, 6}).value_or(0);
}

double moved_up_px(std::string_view transform, std::string_view translate) noexcept {
  double up = 0;
  for (const auto one : functions_of(transform)) {
    const auto [name, inside] = function_in(one);
    const auto parts = parts_of(inside, ",");
    if (is_named(name, "translateY")) {
      up += up_px(parts.first());
    } else if (is_one_of(name, {"translate", "translate3d"})) {
      if (parts.size() > 1) up += up_px(parts[1]);
    } else if (!is_named(name, "translateX")) {
      return 0;
    }
  }
  const auto parts = parts_of(translate, css_spaces);
  return parts.size() > 1 ? up + up_px(parts[1]) : up;
}

}  // namespace

bool is_pulling_up(const declaration& one) noexcept {
  using enum property;
  constexpr double some_px = 16;
  const bool may_be_up = one.value.find('-') != one.value.npos;
  if (!may_be_up && one.of != bottom) return false;
  switch (one.of) {
    case top:
    case margin_top:
      return up_px(one.value) >= some_px;
    case bottom:
      return up_px(one.value) <= -some_px;
    case transform:
      return moved_up_px(one.value, {}) >= some_px;
    case translate:
      return moved_up_px({}, one.value) >= some_px;
    default:
      return false;
  }
}

double pulled_up_px(const cascaded_style& own) noexcept {
  using enum property;
  auto pulled = up_px(own.of(margin_top)) + moved_up_px(own.of(transform), own.of(translate));
  if (!own.is(position, "relative")) return pulled;
  return pulled + (own.of(top).empty() ? -up_px(own.of(bottom)) : up_px(own.of(top)));
}

std::optional<property> placed_beyond_the_page(const cascaded_style& own,
                                               const text_room& text) noexcept {
  using enum property;
  const auto by = [&](property one) { return own.of(one).empty() ? transform : one; };
  const auto x = px_across(own.of(left)), y = px_down(own.of(top));
  const auto moved = move_of(own.of(transform), own.of(translate));
  const auto width_px =
      std::max(px_across(own.of(width)).value_or(std::min(text.width_px, screen_px)), 0.0);
  const auto high_px = std::max(px_down(own.of(height)).value_or(text.height_px), 0.0);
  const auto before_px = px_across(own.of(margin_left)).value_or(0);
  if (x && *x + before_px + width_px * (1 + std::min(moved.x, 0.0)) <= 0) {
    return *x < 0 ? left : before_px < 0 ? margin_left : by(translate);
  }
  const auto begin_px = px_across(own.of(margin_top)).value_or(text.margin_px);
  if (y && *y + begin_px + high_px * (1 + std::min(moved.y, 0.0)) <= 0) {
    return *y < 0 ? top : begin_px < 0 ? margin_top : by(translate);
  }
  const auto from_right = px_across(own.of(right)), from_bottom = px_down(own.of(bottom));
  if (!x && from_right.value_or(0) >= screen_px) return right;
  if (!y && from_bottom.value_or(0) >= screen_high_px) return bottom;
  if (is_far_right(own.of(left))) return left;
  // What is beyond the other edges is scrolled to, if the screen does not hold it.
  if (!own.is(position, "fixed")) return std::nullopt;
  if (!x && from_right && *from_right + width_px * (1 - std::max(moved.x, 0.0)) <= 0) {
    return *from_right < 0 ? right : by(translate);
  }
  if (!y && from_bottom &&
      *from_bottom + text.margin_px + high_px * (1 - std::max(moved.y, 0.0)) <= 0) {
    return *from_bottom < 0 ? bottom : by(translate);
  }
  return std::nullopt;
}

}  // namespace freshet::markdown

// Declarations are read in place, one after the other; what is no known way to hide is skipped.
#include <algorithm>
#include <base/unicode.hpp>
#include <charconv>
#include <markdown/style.hpp>

namespace freshet::markdown {

namespace {

/// A text moved so far to the left or up is off the screen.
constexpr double off_screen_px = -900;

/// The value of a property, spaces and !important left out.
struct declaration {
  std::string_view property, value;
};

bool next_declaration(std::string_view& style, declaration& into) noexcept {
  while (!style.empty()) {
    const auto end = std::min(style.find(';'), style.size());
    const auto one = style.substr(0, end);
    style.remove_prefix(std::min(end + 1, style.size()));
    const auto colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    into.property = base::trim(one.substr(0, colon));
    const auto value = one.substr(colon + 1);
    into.value = base::trim(value.substr(0, value.find('!')));
    return true;
  }
  return false;
}

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins(std::string_view text, std::string_view with) noexcept {
  return text.size() >= with.size() && std::equal(with.begin(), with.end(), text.begin(),
                                                  [](char a, char b) { return a == lower(b); });
}

bool is(std::string_view text, std::string_view name) noexcept {
  return text.size() == name.size() && begins(text, name);
}

/// The number that a value begins with; `otherwise` if there is none.
double number_in(std::string_view value, double otherwise) noexcept {
  double number = otherwise;
  std::from_chars(value.data(), value.data() + value.size(), number);
  return number;
}

bool is_zero(std::string_view value) noexcept { return number_in(value, 1) == 0; }

/// No size, but not a share of its container's.
bool is_tiny(std::string_view value) noexcept {
  return number_in(value, 100) <= 1 && !value.ends_with('%') && !value.ends_with("em");
}

}  // namespace

hiding hiding_by_style(std::string_view declarations) noexcept {
  declaration one;
  bool positioned = false, clipped = false, far_away = false, tiny = false, cut = false;
  auto how = hiding::none;
  while (next_declaration(declarations, one)) {
    const auto& [property, value] = one;
    if (property.empty()) continue;
    switch (lower(property.front())) {
      case 'd':
        if (is(property, "display") && is(value, "none")) how = hiding::until_shown;
        break;
      case 'v':
        if (is(property, "visibility") && (is(value, "hidden") || is(value, "collapse"))) {
          how = hiding::until_shown;
        }
        break;
      case 'o':
        if (is(property, "opacity") && is_zero(value)) how = hiding::until_shown;
        if (is(property, "overflow")) cut = is(value, "hidden");
        break;
      case 'f':
        if (is(property, "font-size") && is_zero(value)) return hiding::for_good;
        break;
      case 'p':
        if (is(property, "position")) positioned = is(value, "absolute") || is(value, "fixed");
        break;
      case 'c':
        clipped |= (is(property, "clip") && begins(value, "rect(")) ||
                   (is(property, "clip-path") && begins(value, "inset(50%"));
        break;
      case 'l':
        far_away |= is(property, "left") && number_in(value, 0) <= off_screen_px;
        break;
      case 't':
        if ((is(property, "top") || is(property, "text-indent")) &&
            number_in(value, 0) <= off_screen_px) {
          far_away = true;
          positioned |= is(property, "text-indent");
        }
        break;
      case 'h':
        tiny |= is(property, "height") && is_tiny(value);
        break;
      case 'm':
        tiny |= is(property, "max-height") && is_tiny(value);
        break;
      case 'w':
        tiny |= is(property, "width") && is_tiny(value);
        break;
      default:
        break;
    }
  }
  if (positioned && (far_away || clipped)) return hiding::for_good;
  // A closed accordion is as high as nothing, too.
  if (tiny && cut) how = std::max(how, hiding::until_shown);
  return how;
}

}  // namespace freshet::markdown

// Declarations are read in place, one after the other; what is no known way to hide is skipped.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <markdown/tree/style.hpp>

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

bool begins(std::string_view text, std::string_view with) noexcept {
  return text.size() >= with.size() &&
         std::equal(with.begin(), with.end(), text.begin(),
                    [](char a, char b) { return a == base::lower(b); });
}

bool is(std::string_view text, std::string_view name) noexcept {
  return text.size() == name.size() && begins(text, name);
}

/// The number that a value begins with; `otherwise` if there is none.
double number_in(std::string_view value, double otherwise) noexcept {
  return base::take_number<double>(value).value_or(otherwise);
}

bool is_zero(std::string_view value) noexcept { return number_in(value, 1) == 0; }

/// No size, but not a share of its container's.
bool is_tiny(std::string_view value) noexcept {
  return number_in(value, 100) <= 1 && !value.ends_with('%') && !value.ends_with("em");
}

bool is_extent(std::string_view property) noexcept {
  return is(property, "height") || is(property, "max-height") || is(property, "width");
}

/// Smaller than any letter that can be read.
bool is_unreadable_size(std::string_view value) noexcept {
  const auto number = number_in(value, 100);
  if (number == 0) return true;
  return number > 0 && number <= 1 && (value.ends_with("px") || value.ends_with("pt"));
}

/// Cut off from all sides up to the middle.
bool is_cut_to_nothing(std::string_view value) noexcept {
  constexpr std::string_view inset = "inset(";
  constexpr double half = 50;
  if (begins(value, "circle(0")) return true;
  if (!begins(value, inset)) return false;
  value = base::trim(value.substr(inset.size()));
  return number_in(value, 0) >= half && value.find_first_of("% )") != std::string_view::npos &&
         value[value.find_first_not_of("0123456789.")] == '%';
}

bool is_name_character(char c) noexcept {
  return base::is_alphanumeric(c) || c == '-' || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t name_end(std::string_view text, std::size_t index) noexcept {
  while (index < text.size() && is_name_character(text[index])) ++index;
  return index;
}

/// Whether declarations touch what hides, so that the rule may show what another one hides.
bool speaks_of_visibility(std::string_view declarations) noexcept {
  declaration one;
  while (next_declaration(declarations, one)) {
    for (const std::string_view property :
         {"display", "visibility", "opacity", "font-size", "position", "height", "max-height",
          "overflow", "left", "clip", "all"}) {
      if (is(one.property, property)) return true;
    }
  }
  return false;
}

bool is_white(std::string_view color) noexcept {
  return is(color, "white") || is(color, "#fff") || is(color, "#ffffff") ||
         is(color, "rgb(255,255,255)") || is(color, "rgb(255, 255, 255)");
}

bool is_same_color(std::string_view one, std::string_view other) noexcept {
  if (is_white(one) && is_white(other)) return true;
  return !one.empty() && base::equals_ignoring_ascii_case(one, other) && !is(one, "inherit") &&
         !is(one, "transparent") && !is(one, "initial") && !is(one, "currentcolor") &&
         !is(one, "unset");
}

}  // namespace

hiding hiding_by_style(std::string_view declarations, bool of_element) noexcept {
  declaration one;
  bool positioned = false, clipped = false, far_away = false, tiny = false, cut = false;
  std::string_view color, background;
  auto how = hiding::none;
  while (next_declaration(declarations, one)) {
    const auto& [property, value] = one;
    if (property.empty()) continue;
    switch (base::lower(property.front())) {
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
        if (is(property, "font-size") && is_unreadable_size(value)) return hiding::for_good;
        break;
      case 'p':
        if (is(property, "position")) positioned = is(value, "absolute") || is(value, "fixed");
        break;
      case 'c':
        clipped |= is(property, "clip") && begins(value, "rect(");
        if (is(property, "clip-path") && is_cut_to_nothing(value)) return hiding::for_good;
        if (is(property, "color")) color = value;
        break;
      case 'b':
        if (is(property, "background") || is(property, "background-color")) background = value;
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
      case 'm':
      case 'w':
        tiny |= is_extent(property) && is_tiny(value);
        break;
      default:
        break;
    }
  }
  // White on white: in one declaration, since layout is not computed.
  if (of_element && is_same_color(color, background)) return hiding::for_good;
  if (positioned && (far_away || clipped)) return hiding::for_good;
  // A closed accordion is as high as nothing, too.
  if (tiny && cut) how = std::max(how, hiding::until_shown);
  return how;
}

/// Rules inside @media, @supports and the like hold only sometimes: they may show, not hide.
void hidden_names::read(std::string_view sheet) {
  std::size_t begin = 0, depth = 0;
  for (std::size_t at = 0; at < sheet.size(); ++at) {
    const char c = sheet[at];
    if (c == '/' && sheet.substr(at, 2) == "/*") {
      const auto end = sheet.find("*/", at + 2);
      if (end == std::string_view::npos) return;
      // Never the same white space twice: a sheet may be nothing else but comments.
      begin = std::min(sheet.find_first_not_of(" \t\r\n\f", begin), at);
      if (begin == at) begin = end + 2;
      at = end + 1;
    } else if (c == ';') {
      begin = at + 1;  // of @import and @charset
    } else if (c == '}') {
      if (depth > 0) --depth;
      begin = at + 1;
    } else if (c == '{') {
      const auto selectors = base::trim(sheet.substr(begin, at - begin));
      begin = at + 1;
      if (selectors.starts_with('@')) {
        ++depth;
        continue;
      }
      const auto end = std::min(sheet.find('}', at), sheet.size());
      read_rule(selectors, sheet.substr(begin, end - begin), depth > 0);
      at = end;
      begin = end + 1;
    }
  }
}

void hidden_names::read_rule(std::string_view selectors, std::string_view declarations,
                             bool conditional) {
  const auto how = hiding_by_style(declarations, false);
  if (how == hiding::none) {
    if (speaks_of_visibility(declarations)) show_all_in(selectors);
    return;
  }
  if (conditional) return;
  while (!selectors.empty()) {
    const auto end = std::min(selectors.find(','), selectors.size());
    const auto one = base::trim(selectors.substr(0, end));
    selectors.remove_prefix(std::min(end + 1, selectors.size()));
    const bool simple =
        one.size() > 1 && (one[0] == '.' || one[0] == '#') && name_end(one, 1) == one.size();
    if (!simple) continue;
    auto& known = named_by(one[0]).hidden.try_emplace(one.substr(1), hiding::none).first->second;
    known = std::max(known, how);
  }
}

void hidden_names::show_all_in(std::string_view selectors) {
  for (std::size_t at = 0; at < selectors.size(); ++at) {
    if (selectors[at] != '.' && selectors[at] != '#') continue;
    const auto end = name_end(selectors, at + 1);
    const auto name = selectors.substr(at + 1, end - at - 1);
    if (!name.empty()) named_by(selectors[at]).shown.insert(name);
    at = end - 1;
  }
}

hiding hidden_names::names::of(std::string_view name) const {
  const auto found = hidden.find(name);
  return found == hidden.end() || shown.count(name) != 0 ? hiding::none : found->second;
}

hiding hidden_names::of(std::string_view classes, std::string_view id) const {
  auto how = id.empty() ? hiding::none : ids_.of(id);
  std::size_t at = 0;
  while (at < classes.size()) {
    const auto end = std::min(classes.find_first_of(" \t\r\n\f", at), classes.size());
    if (end > at) how = std::max(how, classes_.of(classes.substr(at, end - at)));
    at = end + 1;
  }
  return how;
}

}  // namespace freshet::markdown

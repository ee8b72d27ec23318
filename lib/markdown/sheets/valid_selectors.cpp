// The names are those that Chromium knows, which takes any pseudo-element of its own prefix.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/valid_selectors.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

namespace {

constexpr std::string_view own_prefix = "-webkit-";

/// Sorted.
constexpr std::array classes =
    std::to_array<std::string_view>({"-webkit-any-link",
                                     "-webkit-autofill",
                                     "-webkit-drag",
                                     "-webkit-full-page-media",
                                     "-webkit-full-screen",
                                     "-webkit-full-screen-ancestor",
                                     "active",
                                     "active-view-transition",
                                     "after",  // of these four as old sheets write pseudo-elements
                                     "any-link",
                                     "autofill",
                                     "before",
                                     "checked",
                                     "corner-present",
                                     "current",
                                     "decrement",
                                     "default",
                                     "defined",
                                     "disabled",
                                     "double-button",
                                     "empty",
                                     "enabled",
                                     "end",
                                     "first-child",
                                     "first-letter",
                                     "first-line",
                                     "first-of-type",
                                     "focus",
                                     "focus-visible",
                                     "focus-within",
                                     "fullscreen",
                                     "future",
                                     "horizontal",
                                     "host",
                                     "hover",
                                     "in-range",
                                     "increment",
                                     "indeterminate",
                                     "interest-source",
                                     "invalid",
                                     "last-child",
                                     "last-of-type",
                                     "link",
                                     "modal",
                                     "no-button",
                                     "only-child",
                                     "only-of-type",
                                     "open",
                                     "optional",
                                     "out-of-range",
                                     "past",
                                     "picture-in-picture",
                                     "placeholder-shown",
                                     "popover-open",
                                     "read-only",
                                     "read-write",
                                     "required",
                                     "root",
                                     "scope",
                                     "single-button",
                                     "start",
                                     "target",
                                     "target-after",
                                     "target-before",
                                     "target-current",
                                     "user-invalid",
                                     "user-valid",
                                     "valid",
                                     "vertical",
                                     "visited",
                                     "window-inactive",
                                     "xr-overlay"});

constexpr std::array elements = std::to_array<std::string_view>(
    {"after",          "backdrop",    "before",          "checkmark",
     "column",         "cue",         "details-content", "file-selector-button",
     "first-letter",   "first-line",  "grammar-error",   "marker",
     "picker-icon",    "placeholder", "scroll-marker",   "scroll-marker-group",
     "search-text",    "selection",   "spelling-error",  "target-text",
     "view-transition"});

/// Classes and elements with something in parentheses: that is a list of selectors, too.
constexpr std::array classes_of_lists =
    std::to_array<std::string_view>({"has", "host", "host-context", "not"});
constexpr std::array elements_of_lists = std::to_array<std::string_view>({"cue", "slotted"});
/// Or anything.
constexpr std::array classes_of_anything = std::to_array<std::string_view>(
    {"-webkit-any", "active-view-transition-type", "dir", "is", "lang", "nth-child",
     "nth-last-child", "nth-last-of-type", "nth-of-type", "state", "where"});
constexpr std::array elements_of_anything = std::to_array<std::string_view>(
    {"highlight", "part", "picker", "scroll-button", "view-transition-group",
     "view-transition-image-pair", "view-transition-new", "view-transition-old"});

template <class Names>
bool has_name(const Names& names, std::string_view name) noexcept {
  // None is longer, so that nothing is allocated for one in capitals.
  std::array<char, 32> lower{};
  if (name.size() > lower.size()) return false;
  std::ranges::transform(name, lower.begin(), base::lower);
  return std::ranges::binary_search(names, std::string_view(lower.data(), name.size()));
}

/// Behind what closes the one that opens there.
std::size_t end_of_parentheses(std::string_view text, std::size_t open) noexcept {
  static constexpr byte_set marks("()\"'\\");
  std::size_t depth = 0;
  for (auto at = open; (at = marks.next_in(text, at)) < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (c == '(') {
      ++depth;
    } else if (--depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t end_of_brackets(std::string_view text, std::size_t open) noexcept {
  static constexpr byte_set marks("]\"'");
  auto at = marks.next_in(text, open);
  while (at < text.size() && text[at] != ']') at = marks.next_in(text, end_of_string(text, at) + 1);
  return at;
}

/// Behind a ":", where what it names ends; npos for a name that nobody knows.
std::size_t end_of_pseudo(std::string_view text, std::size_t begin) noexcept {
  auto at = begin;
  const bool is_element = at < text.size() && text[at] == ':';
  at += is_element ? 1 : 0;
  auto end = at;
  while (end < text.size() && is_name_byte(text[end])) ++end;
  if (end < text.size() && text[end] == '\\') return end;  // whatever it is
  const auto name = text.substr(at, end - at);
  if (end == text.size() || text[end] != '(') {
    const bool known = is_element ? begins_with(name, own_prefix) || has_name(elements, name)
                                  : has_name(classes, name);
    return known ? end : text.npos;
  }
  const bool of_lists =
      is_element ? has_name(elements_of_lists, name) : has_name(classes_of_lists, name);
  if (of_lists) return end;  // what is inside comes next
  const bool of_anything =
      is_element ? has_name(elements_of_anything, name) : has_name(classes_of_anything, name);
  return of_anything ? end_of_parentheses(text, end) : text.npos;
}

}  // namespace

bool is_valid_list(std::string_view selectors) noexcept {
  static constexpr byte_set marks(":,()[\"'\\{};%$!@^=?/<`");
  std::size_t depth = 0;
  bool is_empty = true;
  const auto note = [&](std::string_view between) {
    is_empty = is_empty && between.find_first_not_of(css_spaces) == between.npos;
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = marks.next_in(selectors, at)) < selectors.size(); ++at) {
    note(selectors.substr(begin, at - begin));
    const char c = selectors[at];
    if (c == ',') {
      if (depth == 0 && is_empty) return false;
      is_empty = depth == 0 || is_empty;
    } else {
      is_empty = false;
    }
    if (c == ':') {
      const auto end = end_of_pseudo(selectors, at + 1);
      if (end == selectors.npos) return false;
      at = end - 1;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '[') {
      at = end_of_brackets(selectors, at);
    } else if (c == '\\') {
      ++at;
    } else if (c == '"' || c == '\'') {
      at = end_of_string(selectors, at);
    } else if (c != ',') {
      return false;
    }
    begin = at + 1;
  }
  if (begin < selectors.size()) note(selectors.substr(begin));
  return !is_empty;
}

}  // namespace freshet::markdown

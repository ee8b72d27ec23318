// Features that are not known do not hold; what readers prefer is what most do.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/tree/declarations.hpp>
#include <markdown/tree/media_query.hpp>

namespace freshet::markdown {

namespace {

/// In CSS pixels.
struct screen_size {
  double width, height;
};
constexpr std::array<screen_size, screens> screen_sizes = {{{1280, 800}, {390, 844}}};

/// Of an element with no font size of its own.
constexpr double query_font_px = 16;

bool is_media_word(std::string_view text, std::string_view name) noexcept {
  return base::equals_ignoring_ascii_case(text, name);
}

/// One feature of a media query, "min-width: 40em", on a screen.
bool holds_feature(std::string_view feature, const screen_size& size) noexcept {
  const auto colon = feature.find(':');
  const auto name = base::trim(feature.substr(0, colon));
  if (colon == feature.npos) {
    // (width >= 40em)
    const auto sign = name.find_first_of("<>");
    if (sign == name.npos) return is_media_word(name, "color") || is_media_word(name, "width");
    const auto left = base::trim(name.substr(0, sign));
    const auto value = name.substr(name.find_first_not_of("<>=", sign));
    const auto px = length_of(base::trim(value), query_font_px);
    if (!px || (!is_media_word(left, "width") && !is_media_word(left, "height"))) return false;
    const double own = is_media_word(left, "width") ? size.width : size.height;
    return name[sign] == '<' ? own <= *px : own >= *px;
  }
  const auto value = base::trim(feature.substr(colon + 1));
  const auto px = length_of(value, query_font_px).value_or(0);
  if (is_media_word(name, "min-width") || is_media_word(name, "min-device-width"))
    return size.width >= px;
  if (is_media_word(name, "max-width") || is_media_word(name, "max-device-width"))
    return size.width <= px;
  if (is_media_word(name, "min-height")) return size.height >= px;
  if (is_media_word(name, "max-height")) return size.height <= px;
  if (is_media_word(name, "orientation")) {
    return is_media_word(value, size.width > size.height ? "landscape" : "portrait");
  }
  const bool desk = size.width > size.height;
  if (is_media_word(name, "hover") || is_media_word(name, "any-hover"))
    return is_media_word(value, "hover") == desk;
  if (is_media_word(name, "pointer")) return is_media_word(value, desk ? "fine" : "coarse");
  if (is_media_word(name, "prefers-color-scheme")) return is_media_word(value, "light");
  return is_media_word(value, "no-preference");
}

/// One query without commas: "only screen and (min-width: 40em)".
bool holds_query(std::string_view query, const screen_size& size) noexcept {
  bool wanted = true, all = true;
  while (!(query = base::trim(query)).empty()) {
    if (query.front() == '(') {
      const auto end = std::min(query.find(')'), query.size());
      all = all && holds_feature(query.substr(1, end - 1), size);
      query.remove_prefix(std::min(end + 1, query.size()));
      continue;
    }
    const auto end = std::min(query.find_first_of(" ("), query.size());
    const auto word = query.substr(0, end);
    query.remove_prefix(end);
    if (is_media_word(word, "not")) {
      wanted = false;
    } else if (!is_media_word(word, "and") && !is_media_word(word, "only")) {
      all = all && (is_media_word(word, "screen") || is_media_word(word, "all"));
    }
    if (end == 0) break;
  }
  return all == wanted;
}

}  // namespace

screen_set screens_of(std::string_view queries) noexcept {
  if (base::trim(queries).empty()) return all_screens;
  screen_set on = 0;
  while (!queries.empty()) {
    const auto end = std::min(queries.find(','), queries.size());
    for (std::size_t i = 0; i < screens; ++i) {
      if (holds_query(queries.substr(0, end), screen_sizes[i])) on |= screen_set(1u << i);
    }
    queries.remove_prefix(std::min(end + 1, queries.size()));
  }
  return on;
}

std::optional<screen_set> screens_inside(std::string_view prelude, screen_set outside) noexcept {
  const auto end = std::min(prelude.find_first_of(" \t\r\n\f(", 1), prelude.size());
  const auto name = prelude.substr(1, end - 1);
  if (is_media_word(name, "media")) return outside & screens_of(prelude.substr(end));
  if (is_media_word(name, "layer")) return outside;
  if (is_media_word(name, "supports")) {
    const bool denied = base::trim(prelude.substr(end)).starts_with("not");
    return denied ? screen_set{0} : outside;
  }
  return std::nullopt;
}

}  // namespace freshet::markdown

// Fields of an upstream's JSON as an item holds them: clean text, and addresses that are absolute
// http(s) or nothing. Every string of a source passes through here on its way into an item.
#pragma once

#include <base/json.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::html {
struct text_with_links;
}

namespace freshet::sources {

/// Plain text: valid UTF-8, NFC, no white space at the ends. Line breaks stay.
[[nodiscard]] std::string clean_text(std::string_view text);
[[nodiscard]] std::string clean_text(const base::json::value& value);
/// A literal would fit both of the above.
[[nodiscard]] inline std::string clean_text(const char* text) {
  return clean_text(std::string_view(text));
}

/// Code points of a name, a handle or a community's name; of longer ones the beginning is kept.
inline constexpr std::size_t max_name_points = 300;
/// Of an address; no server takes longer ones.
inline constexpr std::size_t max_address_bytes = 16u << 10;

/// What somebody or something is called: clean text in one line. A source puts one name beside many
/// items, so it has an end.
[[nodiscard]] std::string clean_name(std::string_view text);
[[nodiscard]] std::string clean_name(const base::json::value& value);
[[nodiscard]] inline std::string clean_name(const std::string& text) {
  return clean_name(std::string_view(text));
}

/// An HTML fragment as plain text: tags dropped, entities decoded, NFC.
[[nodiscard]] std::string clean_html(std::string_view fragment);
/// The same and the fragment's links, from one reading; html/document.hpp has the type.
[[nodiscard]] html::text_with_links clean_html_with_links(std::string_view fragment);

/// Plain text in which a source has escaped &, <, > and quotes: references decoded, nothing taken
/// for a tag, line breaks kept.
[[nodiscard]] std::string clean_escaped(std::string_view text);

/// A count as an attribute says it: a whole number, not negative; else null.
[[nodiscard]] count count_in(std::string_view text) noexcept;

/// The native part of an id that a source does not give: a digest of what makes an item one.
[[nodiscard]] std::string digest_id(std::string_view key);
/// Whether `text` can be a name or an id: 1 to `longest` ASCII letters, digits and characters of
/// `others`.
[[nodiscard]] bool is_name(std::string_view text, std::size_t longest,
                           std::string_view others = {}) noexcept;
/// Whether `text` is 1 to `longest` digits.
[[nodiscard]] bool is_digits(std::string_view text, std::size_t longest) noexcept;
/// In upper case, as far as it is ASCII.
[[nodiscard]] std::string upper_ascii(std::string_view text);

/// When something was edited: null unless that was after it was written, which is what sources say
/// of what nobody has edited.
[[nodiscard]] std::optional<time_point> edit_time(const std::optional<time_point>& created,
                                                  std::optional<time_point> edited) noexcept;

/// The address for item.url: canonical, without a name and a password; "" unless it is absolute
/// http(s) and no longer than max_address_bytes.
[[nodiscard]] std::string page_url(std::string_view text);
/// The address of a picture or a file: as it is (a query may sign it), but for a name and a
/// password; "" unless it is absolute http(s) and no longer than max_address_bytes.
[[nodiscard]] std::string file_url(std::string_view text);

/// A BCP 47 tag as sources send it ("en_US", "en"), or "" if it cannot be one ("und", "zxx", "").
[[nodiscard]] std::string language_tag(std::string_view text);

/// Who wrote an article: everybody, and the first one as its author. No more than
/// base::max_byline_names.
void set_authors(article& article, std::vector<author> people);
/// The same, by the names in a byline.
void set_authors(article& article, std::string_view byline);

/// Whether `a` goes before `b` where the newest comes first; those without a time come last.
[[nodiscard]] bool is_newer(const article& a, const article& b) noexcept;

/// Appends `text` unless it is empty or there already.
/// No more than `most_once`: each is compared with all others.
inline constexpr std::size_t most_once = 1000;
void add_once(std::vector<std::string>& out, std::string text);

}  // namespace freshet::sources

// Words and marks. A mark begins with a private-use character, which no word of lib/query holds.
#include <archive/index_text.hpp>
#include <base/unicode.hpp>
#include <query/text_query.hpp>

namespace freshet::archive {
namespace {

/// Stands between fields, so that no phrase runs from one into the next.
constexpr std::string_view field_mark = "\xEE\x80\x80";  // U+E000
/// Begins the mark of a language.
constexpr std::string_view lang_mark = "\xEE\x80\x81";  // U+E001

void append(std::string& out, std::string_view token) {
  if (!out.empty()) out += ' ';
  out += token;
}

/// Letters, digits and hyphens, or nothing: it stands in an expression.
std::string clean_tag(std::string_view lang) {
  auto tag = base::to_lower_ascii(lang);
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  for (const char c : tag) {
    if (!is_fine(c)) return {};
  }
  return tag;
}

}  // namespace

std::string index_text(const item& what) {
  std::string out;
  for (const auto& field : query::searched_words(what)) {
    if (!out.empty()) append(out, field_mark);
    for (const auto& word : field) append(out, word);
  }
  // "en-GB" is found as en and as en-gb.
  const auto tag = clean_tag(common(what).lang);
  for (std::size_t end = tag.find('-'); !tag.empty(); end = tag.find('-', end + 1)) {
    append(out, field_mark);
    append(out, std::string(lang_mark) + tag.substr(0, end));
    if (end == std::string::npos) break;
  }
  return out;
}

std::string lang_word(std::string_view lang) {
  const auto tag = clean_tag(lang);
  return tag.empty() ? tag : std::string(lang_mark) + tag;
}

}  // namespace freshet::archive

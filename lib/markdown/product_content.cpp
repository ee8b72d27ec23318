// The description of a product that is not in its page. Whether it is there is judged by its first
// words: pages break and decorate a description differently than their structured data.
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/product_content.hpp>
#include <markdown/signals.hpp>

namespace freshet::markdown {

namespace {

/// Shorter descriptions are the title once more; that many bytes of one tell it from others.
constexpr std::size_t least_description = 80, telling = 40;

bool is_html(std::string_view text) {
  return text.find("</") != std::string_view::npos || text.find("<br") != std::string_view::npos;
}

/// Plain text as HTML: what would be markup is escaped, empty lines part paragraphs.
std::string paragraphs_of(std::string_view text) {
  std::string out = "<p>";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '<') {
      out += "&lt;";
    } else if (c == '\n') {
      const bool blank = i + 1 < text.size() && text[i + 1] == '\n';
      out += blank ? "<p>" : "<br>";
      i += blank;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string missing_description(const metadata& about, std::string_view text) {
  if (text.size() >= signals::least_content) return {};
  // It may be escaped once more for its place in a script.
  const auto said = is_html(about.product) ? about.product : html::decode_entities(about.product);
  const auto plain = base::collapse_spaces(is_html(said) ? html::plain_text(said) : said);
  if (plain.size() < least_description) return {};
  if (base::collapse_spaces(text).find(std::string_view(plain).substr(0, telling)) !=
      std::string::npos) {
    return {};
  }
  return is_html(said) ? said : paragraphs_of(said);
}

}  // namespace freshet::markdown

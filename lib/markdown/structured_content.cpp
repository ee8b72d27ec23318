// The text that is not in its page. Whether it is there is judged by its first words: pages break
// and decorate a text differently than their structured data.
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/structured_content.hpp>
#include <markdown/tree/signals.hpp>

namespace freshet::markdown {

namespace {

/// Shorter texts are the title once more; that many bytes of one tell it from others.
constexpr std::size_t least_added = 80, telling = 40;

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

/// Plain text of what may be HTML, or HTML escaped once more for its place in a script.
struct readable {
  std::string markup, plain;
};

readable read(std::string_view text) {
  readable out;
  const std::string said = is_html(text) ? std::string(text) : html::decode_entities(text);
  const bool markup = is_html(said);
  out.plain = base::collapse_spaces(markup ? html::plain_text(said) : said);
  out.markup = markup ? said : paragraphs_of(said);
  return out;
}

}  // namespace

std::string missing_text(const metadata& about, page_type type, std::string_view text) {
  if (text.size() >= signals::least_content) return {};
  auto said = read(type == page_type::product ? about.product : about.body);
  // A summary is better than nothing, and worse than anything.
  if (said.plain.empty() && text.empty()) said = read(about.description);
  if (said.plain.size() < least_added) return {};
  if (base::collapse_spaces(text).find(std::string_view(said.plain).substr(0, telling)) !=
      std::string::npos) {
    return {};
  }
  return std::move(said.markup);
}

}  // namespace freshet::markdown

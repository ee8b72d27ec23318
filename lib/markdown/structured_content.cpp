// The text that is not in its page. Whether it is there is judged by its first words: pages break
// and decorate a text differently than their structured data.
#include <algorithm>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/blocks/known_text.hpp>
#include <markdown/product_state.hpp>
#include <markdown/structured_content.hpp>
#include <markdown/tree/signals.hpp>

namespace freshet::markdown {

namespace {

/// Shorter texts are the title once more; that many bytes of one tell it from others.
constexpr std::size_t least_added = 80, compared_prefix = 40;

bool is_html(std::string_view text) {
  return text.find("</") != std::string_view::npos || text.find("<br") != std::string_view::npos;
}

/// Plain text as HTML: what would be markup is escaped, and empty lines part paragraphs.
std::string as_html(std::string_view text) {
  std::string out;
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
  out.markup = markup ? said : "<p>" + as_html(said);
  return out;
}

/// Whether the page says a text already.
bool is_said(std::string_view page, std::string_view plain) {
  return page.find(plain.substr(0, compared_prefix)) != std::string_view::npos;
}

/// What the page's state says of its product, and `said` does not.
std::string missing_parts(const html::document& page, const metadata& about, std::string said) {
  std::string out;
  for (const auto& part : read_product_state(page, about)) {
    const auto text = read(part.text);
    if (text.plain.empty() || is_said(said, text.plain)) continue;
    if (!part.title.empty()) out += "<h3>" + as_html(read(part.title).plain) + "</h3>";
    out += text.markup;
    said += '\n' + text.plain;
  }
  return out;
}

}  // namespace

std::string whole_article(const html::document& page, const metadata& about,
                          std::string_view text) {
  constexpr std::size_t least_article = 500;
  constexpr double most_shown = 0.35;
  if (about.body.size() < std::max(least_article, text.size() / 2)) return {};
  page.spend(about.body.size() + text.size());
  auto described = read(about.body);
  if (described.plain.size() < std::max(least_article, text.size() / 2)) return {};
  return share_found(described.plain, text) > most_shown ? std::string()
                                                         : std::move(described.markup);
}

std::string missing_text(const html::document& page, const metadata& about, page_type type,
                         std::string_view text) {
  if (text.size() >= signals::least_content) return {};
  const bool product = type == page_type::product;
  auto said = base::collapse_spaces(text);
  std::string out;
  auto described = read(product ? about.product : about.body);
  if (described.plain.size() >= least_added && !is_said(said, described.plain)) {
    out = std::move(described.markup);
    said += '\n' + described.plain;
  }
  if (product) out += missing_parts(page, about, std::move(said));
  if (!out.empty() || !text.empty() || !described.plain.empty()) return out;
  // A summary is better than nothing, and worse than anything.
  described = read(about.description);
  return described.plain.size() < least_added ? std::string() : std::move(described.markup);
}

}  // namespace freshet::markdown

// Fragments as sources send them (a post's HTML, a feed's summary): text and links without a tree.
// Not for pages: it knows no implied tags and no scripts beyond skipping them.
#include <algorithm>
#include <base/plain_url.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <html/tokens/entities.hpp>
#include <html/tokens/tag_scanner.hpp>

namespace freshet::html {

namespace {

/// Elements that end a line of plain text, sorted.
constexpr std::string_view block_names[] = {
    "address", "article",    "aside",  "blockquote", "br",      "dd",    "div",  "dl",
    "dt",      "figcaption", "figure", "footer",     "form",    "h1",    "h2",   "h3",
    "h4",      "h5",         "h6",     "header",     "hr",      "li",    "main", "nav",
    "ol",      "p",          "pre",    "section",    "summary", "table", "tr",   "ul"};

/// Elements whose content is no text of the fragment.
constexpr std::string_view silent_names[] = {"script", "style", "template", "title"};

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&list)[N]) noexcept {
  return std::ranges::any_of(
      list, [&](std::string_view one) { return base::equals_ignoring_ascii_case(one, name); });
}

/// Collects decoded text, white space collapsed, at most one empty line between two paragraphs.
class text_collector {
 public:
  void add(std::string_view decoded) {
    for (std::size_t i = 0; i < decoded.size(); ++i) {
      const char c = decoded[i];
      if (is_html_space(c)) {
        space_ = true;
        continue;
      }
      if (!out_.empty()) {
        if (newlines_ > 0) {
          out_.append(newlines_, '\n');
        } else if (space_) {
          out_ += ' ';
        }
      }
      newlines_ = 0;
      space_ = false;
      out_ += c;
    }
  }
  void line_break() { newlines_ = std::min<std::size_t>(newlines_ + 1, 2); }
  void block_break() { newlines_ = std::max<std::size_t>(newlines_, 1); }
  void paragraph_break() { newlines_ = 2; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::size_t newlines_ = 0;
  bool space_ = false;
};

void mark_block(text_collector& into, std::string_view name) {
  if (base::equals_ignoring_ascii_case(name, "br")) return into.line_break();
  if (base::equals_ignoring_ascii_case(name, "p")) return into.paragraph_break();
  into.block_break();
}

}  // namespace

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_decoded(out, text, false);
  return out;
}

std::string plain_text(std::string_view fragment) {
  text_collector collected;
  std::string decoded;
  tag_scanner scanner(fragment);
  for (markup_piece one = scanner.next(); one.type != piece_type::end; one = scanner.next()) {
    if (one.type == piece_type::text) {
      decoded.clear();
      append_decoded(decoded, one.raw, false);
      collected.add(decoded);
    } else if (one.type == piece_type::start_tag && is_one_of(one.name, silent_names)) {
      static_cast<void>(scanner.raw_text(one.name));
    } else if (one.type != piece_type::other && is_one_of(one.name, block_names)) {
      mark_block(collected, one.name);
    }
  }
  return base::nfc(base::repair_utf8(collected.take()));
}

std::vector<std::string> link_targets(std::string_view fragment) {
  std::vector<std::string> found;
  tag_scanner scanner(fragment);
  for (markup_piece one = scanner.next(); one.type != piece_type::end; one = scanner.next()) {
    if (one.type != piece_type::start_tag) continue;
    if (is_one_of(one.name, silent_names)) static_cast<void>(scanner.raw_text(one.name));
    if (!base::equals_ignoring_ascii_case(one.name, "a")) continue;
    raw_attribute attribute;
    while (next_attribute(one.attributes, attribute)) {
      if (!base::equals_ignoring_ascii_case(attribute.name, "href")) continue;
      std::string target;
      append_decoded(target, attribute.value, true);
      if (base::read_plain_url(target)) {
        found.push_back(std::move(target));
        break;
      }
      const auto parsed = base::parse_url(target);
      if (parsed && parsed->is_http()) found.push_back(parsed->text());
      break;
    }
  }
  return found;
}

}  // namespace freshet::html

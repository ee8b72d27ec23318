// Writing only: what is what has been decided before.
#include <algorithm>
#include <base/unicode.hpp>
#include <pdf/html.hpp>
#include <pdf/markup.hpp>
#include <pdf/paragraphs.hpp>
#include <pdf/running_lines.hpp>

namespace freshet::pdf {
namespace {

/// Titles that programs write when nobody gave one.
constexpr std::string_view empty_titles[] = {"untitled", "microsoft word - ",
                                             "powerpoint presentation", "document", "title"};

bool is_title(std::string_view text) {
  const auto lower = base::to_lower_ascii(base::trim(text));
  if (lower.empty()) return false;
  return std::ranges::none_of(empty_titles, [&](std::string_view one) {
    return lower == one || (one.ends_with("- ") && lower.starts_with(one));
  });
}

void append_head(std::string& out, const text_document& document,
                 const std::vector<paragraph>& parts) {
  out += "<!DOCTYPE html><html><head><meta charset=\"utf-8\">";
  std::string title = is_title(document.title) ? document.title : std::string();
  const auto first = std::ranges::find(parts, paragraph_kind::heading, &paragraph::kind);
  if (title.empty() && first != parts.end()) {
    for (const word& each : first->words) title += (title.empty() ? "" : " ") + each.text;
  }
  out += "<title>" + escaped(title) + "</title>";
  if (!document.author.empty()) {
    out += "<meta name=\"author\" content=\"" + escaped(document.author) + "\">";
  }
  if (!document.created.empty()) {
    out += "<meta name=\"date\" content=\"" + escaped(document.created) + "\">";
  }
  out += "</head><body><article>\n";
}

/// The tags of one word, outermost first.
struct tags {
  std::string link;
  bool bold = false, italic = false, mono = false;
  bool operator==(const tags&) const = default;
};

tags tags_of(const word& word, const paragraph& paragraph) {
  const bool plain = paragraph.kind == paragraph_kind::heading;
  return {word.style.link, word.style.bold && !plain, word.style.italic && !plain, word.style.mono};
}

void open(std::string& out, const tags& tags) {
  if (!tags.link.empty()) out += "<a href=\"" + escaped(tags.link) + "\">";
  if (tags.bold) out += "<strong>";
  if (tags.italic) out += "<em>";
  if (tags.mono) out += "<code>";
}

void close(std::string& out, const tags& tags) {
  if (tags.mono) out += "</code>";
  if (tags.italic) out += "</em>";
  if (tags.bold) out += "</strong>";
  if (!tags.link.empty()) out += "</a>";
}

void append_words(std::string& out, const paragraph& paragraph) {
  tags now;
  bool first = true;
  for (const word& each : paragraph.words) {
    const tags wanted = tags_of(each, paragraph);
    if (wanted != now) close(out, now);
    if (!first) out += ' ';
    if (wanted != now) open(out, wanted);
    out += escaped(each.text);
    now = wanted;
    first = false;
  }
  close(out, now);
}

void append_code(std::string& out, const paragraph& paragraph) {
  out += "<pre><code>";
  for (const word& each : paragraph.words) out += escaped(each.text) + '\n';
  out += "</code></pre>\n";
}

/// Items in a row make one list.
std::size_t append_list(std::string& out, const std::vector<paragraph>& parts, std::size_t index) {
  const paragraph& first = parts[index];
  const bool numbered = first.kind == paragraph_kind::numbered;
  out += numbered ? "<ol start=\"" + std::to_string(first.number) + "\">" : "<ul>";
  int next = first.number;
  while (index < parts.size() && parts[index].kind == first.kind && parts[index].number == next) {
    out += "<li>";
    append_words(out, parts[index]);
    out += "</li>\n";
    if (numbered) ++next;
    ++index;
  }
  out += numbered ? "</ol>\n" : "</ul>\n";
  return index;
}

}  // namespace

std::string to_html(text_document document, reading_meter& counted) {
  drop_running_lines(document, counted);
  const std::vector<paragraph> parts = find_paragraphs(document, counted);
  std::string out;
  append_head(out, document, parts);
  for (std::size_t at = 0; at < parts.size();) {
    const paragraph& each = parts[at];
    counted.spend(1 + each.words.size());
    if (each.kind == paragraph_kind::bullet || each.kind == paragraph_kind::numbered) {
      at = append_list(out, parts, at);
      continue;
    }
    ++at;
    if (each.kind == paragraph_kind::code) {
      append_code(out, each);
      continue;
    }
    const std::string tag =
        each.kind == paragraph_kind::heading ? "h" + std::to_string(each.level) : "p";
    out += "<" + tag + ">";
    append_words(out, each);
    out += "</" + tag + ">\n";
  }
  return out += "</article></body></html>\n";
}

bool has_text(const text_document& of) noexcept {
  return std::ranges::any_of(of.pages, [](const text_page& each) { return !each.blocks.empty(); });
}

}  // namespace freshet::pdf

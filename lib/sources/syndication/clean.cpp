// The step before the XML reader: feeds are often nearly XML, and a strict reader refuses them for
// a stray ampersand or a wrong label. One pass, linear. Of the entities that a document defines
// those that are plain text are put in, up to a bound of bytes: none can grow, and none is fetched.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <cstdint>
#include <html/charset.hpp>
#include <html/document.hpp>
#include <map>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::syndication {

namespace {

constexpr std::size_t max_declaration = 512;  // bytes in which an XML declaration is looked for
constexpr std::size_t max_entity_name = 32;
/// Entities that a document may define, the text of one, and what all references to them may come
/// to; beyond it a reference stays as it is written.
constexpr std::size_t max_entities = 300, max_entity_text = 1024, max_entity_bytes = 256u << 10;
/// Longer texts in quotes of a document type are none: a quote stands there by itself.
constexpr std::size_t max_literal = 64u << 10;

std::string_view declared_encoding(std::string_view bytes) {
  const auto head = bytes.substr(0, max_declaration);
  const auto begin = head.find("<?xml");
  const auto end = head.find("?>");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return {};
  auto text = head.substr(begin, end - begin);
  const auto key = text.find("encoding");
  if (key == std::string_view::npos) return {};
  text = text.substr(key);
  const auto open = text.find_first_of("\"'");
  if (open == std::string_view::npos) return {};
  const auto close = text.find(text[open], open + 1);
  if (close == std::string_view::npos) return {};
  return text.substr(open + 1, close - open - 1);
}

bool names_utf8(std::string_view label) {
  return base::equals_ignoring_ascii_case(label, "utf-8") ||
         base::equals_ignoring_ascii_case(label, "utf8");
}

bool is_ascii(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::string_view charset_of(std::string_view content_type) {
  const auto lower = base::to_lower_ascii(content_type);
  const auto at = lower.find("charset=");
  if (at == std::string::npos) return {};
  auto label = content_type.substr(at + 8);
  label = base::trim(label.substr(0, label.find(';')));
  while (!label.empty() && (label.front() == '"' || label.front() == '\'')) label.remove_prefix(1);
  while (!label.empty() && (label.back() == '"' || label.back() == '\'')) label.remove_suffix(1);
  return label;
}

/// Whether more of what is beyond ASCII is UTF-8 than is not: a text cut in the middle of a letter,
/// or one with a quotation in another charset, is no reason to misread all others.
bool is_mostly_utf8(std::string_view bytes) {
  std::size_t well = 0, ill = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    if (static_cast<unsigned char>(bytes[at]) < 0x80) {
      ++at;
      continue;
    }
    ++(base::next_point(bytes, at) == base::ill_formed ? ill : well);
  }
  return well > ill;
}

/// The text, by its byte order mark, by what its bytes are, by the header, by the declaration, by
/// detection: labels of feeds are wrong too often to come first, and one by which nothing is a tag
/// (UTF-16, where each letter is a byte) counts for nothing. A view of `bytes` where they are the
/// text, else of `storage`.
std::string_view to_text(std::string_view bytes, std::string_view content_type,
                         std::string& storage) {
  const auto as = [&](std::string_view label) -> std::string_view {
    return storage = html::to_utf8(bytes, label).text;
  };
  const bool marked = bytes.starts_with("\xFE\xFF") || bytes.starts_with("\xFF\xFE");
  if (marked) return as("");
  const bool is_utf8 = base::is_utf8(bytes);
  if (is_utf8 && !is_ascii(bytes)) return bytes;
  for (const auto label : {charset_of(content_type), declared_encoding(bytes)}) {
    if (label.empty() || names_utf8(label)) continue;
    const auto text = as("text/xml; charset=" + std::string(label));
    if (text.find('<') != std::string_view::npos) return text;
    storage.clear();
  }
  if (is_utf8) return bytes;
  return is_mostly_utf8(bytes) ? storage = base::repair_utf8(bytes) : as("");
}

/// Where the document begins, behind what a program has said before it (PHP's warnings have tags).
std::size_t beginning_of(std::string_view text) {
  constexpr std::size_t longest_preface = 4096;
  const auto first = std::min(text.find('<'), text.size());
  const auto opening = text.substr(first);
  if (opening.starts_with("<?") || opening.starts_with("<!")) return first;
  auto root = std::string_view::npos;
  for (const std::string_view one : {"<?xml", "<!DOCTYPE", "<rss", "<feed", "<rdf:RDF"})
    root = std::min(root, text.substr(0, longest_preface).find(one));
  return root != std::string_view::npos ? root : first;
}

bool is_xml_char(char32_t c) {
  return c == 0x9 || c == 0xA || c == 0xD || (c >= 0x20 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

/// What ends a run of bytes that are copied as they are.
enum stop : std::uint8_t {
  in_text = 1,     // "<" and "&"
  in_tag = 2,      // and quotes, and ">"
  in_section = 4,  // of CDATA: only what is no XML
};

/// What is no XML stops everywhere: controls, and 0xEF, with which U+FFFE and U+FFFF begin.
constexpr auto stops = [] {
  std::array<std::uint8_t, 256> out{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) out[byte] = in_text | in_tag | in_section;
  for (const char c : {'\t', '\n', '\r'}) out[static_cast<unsigned char>(c)] = 0;
  out[0xEF] = in_text | in_tag | in_section;
  for (const char c : {'<', '&'}) out[static_cast<unsigned char>(c)] = in_text | in_tag;
  for (const char c : {'"', '\'', '>'}) out[static_cast<unsigned char>(c)] = in_tag;
  return out;
}();

/// Copies a document while it repairs it.
class xml_cleaner {
 public:
  explicit xml_cleaner(std::string_view text) : text_(text) { out_.reserve(text.size()); }

  std::string run() {
    at_ = beginning_of(text_);
    while (at_ < text_.size()) {
      copy_until(in_text);
      if (at_ == text_.size()) break;
      if (text_[at_] == '<') {
        markup();
      } else {
        character();
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool here(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  void copy_until(stop where) { copy_until(where, text_.size()); }

  void copy_until(stop where, std::size_t end) {
    const auto from = at_;
    while (at_ < end && (stops[static_cast<unsigned char>(text_[at_])] & where) == 0) {
      ++at_;
    }
    out_.append(text_, from, at_ - from);
  }

  /// Moves behind the next `end`; to the end of the text if there is none.
  std::string_view take_until(std::string_view end) {
    const auto found = text_.find(end, at_);
    const auto stop = found == std::string_view::npos ? text_.size() : found + end.size();
    const auto taken = text_.substr(at_, stop - at_);
    at_ = stop;
    return taken;
  }

  void markup() {
    if (here("<![CDATA[")) {
      section();
    } else if (here("<!--")) {
      take_until("-->");
    } else if (here("<?")) {
      take_until("?>");
    } else if (here("<!")) {
      declaration();
    } else if (at_ + 1 < text_.size() && begins_name(text_[at_ + 1])) {
      tag();
    } else {
      out_ += "&lt;";
      ++at_;
    }
  }

  static bool begins_name(char c) {
    return base::is_letter(c) || c == '_' || c == '/' || c == ':' ||
           static_cast<unsigned char>(c) >= 0x80;
  }

  /// Drops a declaration; of a document type the entities are kept.
  void declaration() {
    const bool is_type = here("<!DOCTYPE");
    int brackets = 0;
    while (at_ < text_.size()) {
      if (is_type && brackets > 0 && here("<!--")) {
        take_until("-->");
        continue;
      }
      if (is_type && brackets > 0 && here("<!ENTITY")) define_entity();
      const char c = text_[at_++];
      if (c == '[') ++brackets;
      if (c == ']') --brackets;
      if (c == '>' && brackets <= 0) break;
      if (is_type && (c == '"' || c == '\'')) pass_literal(c, brackets > 0);
    }
  }

  /// Goes behind a text in quotes, if this is the beginning of one.
  void pass_literal(char quote, bool in_subset) {
    const auto ahead = text_.substr(at_, max_literal);
    const auto length = ahead.find(quote);
    if (length == std::string_view::npos) return;
    const auto inside = ahead.substr(0, length);
    if (in_subset || inside.find('<') == std::string_view::npos) at_ += length + 1;
  }

  /// <!ENTITY name "text">. One of parameters, one that stands elsewhere and one of markup are
  /// none; those in its text are part of the text.
  void define_entity() {
    constexpr std::string_view begin = "<!ENTITY", spaces = " \t\r\n";
    if (++declared_ > max_entities) return;
    auto rest = text_.substr(at_ + begin.size(), 2 * max_entity_name + max_entity_text);
    const auto space = rest.find_first_not_of(spaces);
    if (space == 0 || space == std::string_view::npos) return;
    rest.remove_prefix(space);
    const auto name = rest.substr(0, rest.find_first_of(spaces));
    rest.remove_prefix(name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(spaces), rest.size()));
    const char quote = rest.empty() ? '\0' : rest.front();
    const auto end = quote == '"' || quote == '\'' ? rest.find(quote, 1) : std::string_view::npos;
    if (name.empty() || name.size() > max_entity_name || end == std::string_view::npos) return;
    const auto written = rest.substr(1, end - 1);
    if (written.find('<') != std::string_view::npos) return;
    std::string text;
    const auto decoded = html::decode_entities(written);
    for (std::size_t at = 0; at < decoded.size();) {
      const auto from = at;
      if (is_xml_char(base::next_point(decoded, at))) text.append(decoded, from, at - from);
    }
    entities_.emplace(name, std::move(text));
  }

  void tag() {
    char quote = 0;
    while (true) {
      copy_until(in_tag);
      if (at_ == text_.size()) return;
      const char c = text_[at_];
      if (quote != 0 && c == '<') {
        out_ += "&lt;";
        ++at_;
        continue;
      }
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      }
      const bool ends = quote == 0 && c == '>';
      character();
      if (ends) return;
    }
  }

  void character() {
    if (text_[at_] == '&') return reference();
    byte();
  }

  /// Copies what stands here, unless it is no XML: a control, U+FFFE, U+FFFF.
  void byte() {
    if (here("\xEF\xBF\xBE") || here("\xEF\xBF\xBF")) {
      at_ += 3;
      return;
    }
    const char c = text_[at_++];
    const auto value = static_cast<unsigned char>(c);
    if (value >= 0x20 || c == '\t' || c == '\n' || c == '\r') out_ += c;
  }

  /// Copies a section of CDATA, without what is no XML.
  void section() {
    const auto begin = at_;
    const auto end = begin + take_until("]]>").size();
    at_ = begin;
    while (true) {
      copy_until(in_section, end);
      if (at_ == end) return;
      byte();
    }
  }

  void reference() {
    const auto rest = text_.substr(at_, max_entity_name);
    const auto end = rest.find(';');
    const auto name = end == std::string_view::npos ? std::string_view{} : rest.substr(1, end - 1);
    if (name.empty() || name.find_first_of(" \t\r\n<>&\"'") != std::string_view::npos) {
      out_ += "&amp;";
      ++at_;
      return;
    }
    at_ += end + 1;
    if (name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos") {
      out_ += rest.substr(0, end + 1);
      return;
    }
    const auto whole = rest.substr(0, end + 1);
    if (name.front() == '#') return numeric(whole);
    const auto own = entities_.find(name);
    if (own != entities_.end() && own->second.size() <= entity_bytes_) {
      entity_bytes_ -= own->second.size();
      return escaped(own->second);
    }
    const auto decoded = html::decode_entities(whole);
    if (decoded == whole) {
      out_.append("&amp;").append(name).append(";");
    } else {
      escaped(decoded);
    }
  }

  /// As HTML has them: feeds have the letters of windows-1252 for controls. What stands for no
  /// letter of XML goes.
  void numeric(std::string_view written) {
    const auto decoded = html::decode_entities(written);
    constexpr char32_t no_letter = 0xFFFD;
    std::size_t end = 0;
    const auto point = base::next_point(decoded, end);
    if (end == decoded.size() && is_xml_char(point) && point != no_letter) escaped(decoded);
  }

  void escaped(std::string_view decoded) {
    for (const char c : decoded) {
      if (c == '&') {
        out_ += "&amp;";
      } else if (c == '<') {
        out_ += "&lt;";
      } else if (c == '>') {
        out_ += "&gt;";
      } else if (c == '"') {
        out_ += "&quot;";
      } else if (c == '\'') {
        out_ += "&apos;";
      } else {
        out_ += c;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::map<std::string_view, std::string> entities_;
  std::size_t declared_ = 0;
  std::size_t entity_bytes_ = max_entity_bytes;
};

}  // namespace

std::string clean_xml(std::string_view bytes, std::string_view content_type) {
  std::string storage;
  const auto text = to_text(bytes, content_type, storage);
  const bool is_utf8 = storage.empty() || base::is_utf8(text);
  if (is_utf8 && text.find('\0') == std::string_view::npos) {
    return xml_cleaner(text).run();
  }
  return xml_cleaner(base::repair_utf8(text)).run();
}

}  // namespace freshet::sources::syndication

// RSS and Atom by way of expat. Elements of an entry are gathered flat with their depth; entry.cpp
// reads them as it ends. What comes before a mistake in the XML is kept. It recurses nowhere and
// looks at no prefix's binding beyond the handful that feeds use.

#include <expat.h>
#include <algorithm>
#include <base/unicode.hpp>
#include <map>
#include <memory>
#include <sources/read_answer.hpp>
#include <sources/syndication/elements.hpp>
#include <sources/syndication/feed.hpp>

namespace freshet::sources::syndication {

namespace {

constexpr std::size_t max_depth = 128;
/// Expat keeps each element that is open; where more are, it ends.
constexpr std::size_t max_open = 1u << 17;
constexpr std::size_t max_elements_per_entry = 2000;
constexpr std::size_t usual_elements = 16;  // of an entry

/// Namespaces and the prefixes under which the code below knows them.
constexpr struct {
  std::string_view address, prefix;
} namespaces[] = {
    {"http://www.w3.org/2005/Atom", "atom"},
    {"http://purl.org/atom/ns#", "atom"},
    {"http://purl.org/rss/1.0/", ""},
    {"http://my.netscape.com/rdf/simple/0.9/", ""},
    {"http://purl.org/dc/elements/1.1/", "dc"},
    {"http://purl.org/dc/terms/", "dcterms"},
    {"http://purl.org/rss/1.0/modules/content/", "content"},
    {"http://search.yahoo.com/mrss/", "media"},
    {"http://search.yahoo.com/mrss", "media"},
    {"http://purl.oclc.org/net/rss_2.0/enc#", "enc"},
    {"http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes"},
    {"http://rssnamespace.org/feedburner/ext/1.0", "feedburner"},
    {"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf"},
    {"http://www.w3.org/1999/xhtml", "xhtml"},
};

/// Elements whose children are markup, not structure.
constexpr std::string_view holds_markup[] = {
    "title",   "description",     "summary",    "subtitle", "content",
    "tagline", "content:encoded", "xhtml:body", "body",     "fullitem"};

void append_escaped(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else {
      out += c;
    }
  }
}

/// What expat's callbacks fill.
class element_gatherer {
 public:
  void start(const char* raw, const char** attributes);
  void end(const char* raw);
  void characters(std::string_view text);

  [[nodiscard]] bool is_feed() const { return is_feed_; }
  [[nodiscard]] bool is_atom() const { return is_atom_; }
  [[nodiscard]] bool is_too_deep() const { return depth_ > max_open; }

  XML_Parser parser = nullptr;
  elements head;
  std::vector<feed_entry> entries;
  bool cut = false;
  bool ended = false;  ///< the root was closed
  std::string root_lang, root_base;

 private:
  struct open_element {
    std::size_t index = 0;  ///< of its element in the list being filled
    bool kept = false;
  };

  std::string known_name(std::string_view raw) const;
  void learn_prefixes(const char** attributes);
  element* holder();
  void open_markup(std::string_view raw, const char** attributes, element& element);
  elements& list() { return in_entry_ ? entry_ : head; }

  elements entry_;  ///< of the one that is open
  std::map<std::string, std::string, std::less<>> prefixes_;
  std::string root_prefix_;
  std::vector<open_element> open_;
  std::size_t depth_ = 0;
  std::size_t entry_depth_ = 0;   ///< of the entry that is open
  std::size_t markup_depth_ = 0;  ///< of the first element inside text; 0: none
  std::size_t skip_depth_ = 0;    ///< of an entry beyond the limit; 0: none
  bool in_entry_ = false;
  bool is_feed_ = false;
  bool is_atom_ = false;
};

std::string element_gatherer::known_name(std::string_view raw) const {
  const auto colon = raw.find(':');
  if (colon == std::string_view::npos) return std::string(raw);
  const auto prefix = raw.substr(0, colon);
  const auto local = std::string(raw.substr(colon + 1));
  if (prefix == root_prefix_) return local;
  const auto found = prefixes_.find(prefix);
  if (found == prefixes_.end()) return std::string(raw);
  return found->second.empty() ? local : found->second + ":" + local;
}

void element_gatherer::learn_prefixes(const char** attributes) {
  constexpr std::string_view declaration = "xmlns:";
  constexpr std::size_t max_prefixes = 100;
  for (; *attributes != nullptr; attributes += 2) {
    const std::string_view key = attributes[0];
    if (!key.starts_with(declaration) || prefixes_.size() > max_prefixes) continue;
    for (const auto& one : namespaces) {
      if (one.address == attributes[1]) {
        prefixes_[std::string(key.substr(declaration.size()))] = one.prefix;
      }
    }
  }
}

element* element_gatherer::holder() {
  if (open_.empty() || !open_.back().kept) return nullptr;
  return &list()[open_.back().index];
}

void element_gatherer::open_markup(std::string_view raw, const char** attributes,
                                   element& element) {
  if (!element.markup) {
    element.markup = true;
    std::string escaped;
    append_escaped(escaped, element.text);
    element.text = std::move(escaped);
  }
  const auto name = known_name(raw);
  element.text += "<" + name.substr(name.find(':') == std::string::npos ? 0 : name.find(':') + 1);
  for (; *attributes != nullptr; attributes += 2) {
    if (!is_one_of(attributes[0], {"href", "src", "alt"})) continue;
    element.text += ' ';
    element.text += attributes[0];
    element.text += "=\"";
    for (const char c : std::string_view(attributes[1])) {
      if (c == '"') {
        element.text += "&quot;";
      } else {
        append_escaped(element.text, std::string_view(&c, 1));
      }
    }
    element.text += '"';
  }
  element.text += '>';
}

void element_gatherer::start(const char* raw, const char** attributes) {
  ++depth_;
  if (depth_ > max_depth || skip_depth_ != 0) return;
  learn_prefixes(attributes);
  if (markup_depth_ != 0) {
    if (auto* in = holder()) open_markup(raw, attributes, *in);
    return;
  }
  if (depth_ == 1) {
    const std::string_view name = raw;
    const auto colon = name.find(':');
    const auto local = colon == std::string_view::npos ? name : name.substr(colon + 1);
    is_feed_ = is_one_of(base::to_lower_ascii(local), {"rss", "rdf", "feed"});
    is_atom_ = local == "feed";
    if (colon != std::string_view::npos && is_one_of(local, {"feed", "rss"}))
      root_prefix_ = name.substr(0, colon);
    for (auto one = attributes; *one != nullptr; one += 2) {
      if (std::string_view(one[0]) == "xml:lang") root_lang = one[1];
      if (std::string_view(one[0]) == "xml:base") root_base = one[1];
    }
    return;
  }
  auto name = known_name(raw);
  if (!in_entry_ && is_one_of(name, {"item", "entry", "atom:entry"})) {
    if (entries.size() >= max_entries) {
      cut = true;
      skip_depth_ = depth_;
      return;
    }
    in_entry_ = true;
    entry_depth_ = depth_;
    entry_.clear();
    entry_.reserve(usual_elements);
    open_.clear();
    element own{"", {}, "", 0, false};
    for (auto one = attributes; *one != nullptr; one += 2) {
      own.attributes.emplace_back(one[0], one[1]);
    }
    list().push_back(std::move(own));
    return;
  }
  auto* in = holder();
  if (in != nullptr && std::ranges::find(holds_markup, in->name) != std::end(holds_markup)) {
    markup_depth_ = depth_;
    open_markup(raw, attributes, *in);
    return;
  }
  const auto outside = in_entry_ ? entry_depth_ : 1;
  open_.push_back({list().size(), list().size() < max_elements_per_entry});
  if (!open_.back().kept) return;
  element fresh{std::move(name), {}, "", depth_ - outside, false};
  for (; *attributes != nullptr; attributes += 2) {
    fresh.attributes.emplace_back(attributes[0], attributes[1]);
  }
  list().push_back(std::move(fresh));
}

void element_gatherer::end(const char* raw) {
  const auto at = depth_--;
  if (at == 1) ended = true;
  if (at > max_depth || at == 1) return;
  if (skip_depth_ != 0) {
    if (at == skip_depth_) skip_depth_ = 0;
    return;
  }
  if (markup_depth_ != 0) {
    if (auto* in = holder()) {
      const std::string_view name = raw;
      const auto colon = name.find(':');
      in->text +=
          "</" + std::string(colon == std::string_view::npos ? name : name.substr(colon + 1)) + ">";
    }
    if (at == markup_depth_) markup_depth_ = 0;
    return;
  }
  if (in_entry_ && at == entry_depth_) {
    in_entry_ = false;
    entries.push_back(read_entry(entry_, is_atom_));
    open_.clear();
    return;
  }
  if (!open_.empty()) open_.pop_back();
}

void element_gatherer::characters(std::string_view text) {
  if (skip_depth_ != 0 || depth_ > max_depth) return;
  auto* in = holder();
  if (in == nullptr) return;
  if (in->markup) {
    append_escaped(in->text, text);
  } else {
    in->text += text;
  }
}

element_gatherer& of(void* data) { return *static_cast<element_gatherer*>(data); }

extern "C" {
static void XMLCALL on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
  of(data).start(name, attributes);
  if (of(data).is_too_deep()) XML_StopParser(of(data).parser, XML_FALSE);
}
static void XMLCALL on_end(void* data, const XML_Char* name) { of(data).end(name); }
static void XMLCALL on_text(void* data, const XML_Char* text, int length) {
  of(data).characters({text, static_cast<std::size_t>(length)});
}
}

/// In pieces, so that between two the work can end: nothing is thrown through expat. It reads a tag
/// that has no end yet from its beginning with each piece, which is as long as that then.
XML_Status parse_all(XML_Parser parser, std::string_view clean, base::meter* counted) {
  constexpr std::size_t least_piece = 1u << 16, bytes_per_step = 2;
  std::size_t given = 0, piece = least_piece;
  while (true) {
    const auto now = clean.substr(given, piece);
    given += now.size();
    if (counted != nullptr) counted->spend(1 + now.size() / bytes_per_step);
    const bool last = given == clean.size();
    const auto status =
        XML_Parse(parser, now.data(), static_cast<int>(now.size()), last ? XML_TRUE : XML_FALSE);
    if (last || status != XML_STATUS_OK) return status;
    const auto read = std::max<XML_Index>(0, XML_GetCurrentByteIndex(parser));
    piece = std::max(least_piece, given - std::min(given, static_cast<std::size_t>(read)));
  }
}

}  // namespace

result<feed> read_xml_feed(std::string_view clean, base::meter* counted) {
  const std::unique_ptr<std::remove_pointer_t<XML_Parser>, decltype(&XML_ParserFree)> parser(
      XML_ParserCreate("UTF-8"), XML_ParserFree);
  if (!parser) return error(errc::internal, "no memory for an XML parser");
  element_gatherer found;
  found.parser = parser.get();
  XML_SetUserData(parser.get(), &found);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  const auto status = parse_all(parser.get(), clean, counted);
  if (!found.is_feed()) {
    return error(errc::source_error, "the answer is neither RSS nor Atom nor a JSON feed");
  }
  feed out;
  out.cut = found.cut;
  out.lang = found.root_lang;
  out.base = found.root_base;
  read_head(found.head, found.is_atom(), out);
  const bool complete = status == XML_STATUS_OK || found.ended;
  if (!complete) {
    out.problem = std::string("line ") + std::to_string(XML_GetCurrentLineNumber(parser.get())) +
                  ": " + XML_ErrorString(XML_GetErrorCode(parser.get()));
  }
  out.entries = std::move(found.entries);
  return out;
}

result<feed> read_feed(const http::response& answer, base::meter* counted) {
  const auto clean = clean_xml(answer.body, http::find_header(answer.headers, "content-type"));
  auto read = read_xml_feed(clean, counted);
  if (!read) return answer_error(read.error().code(), read.error().detail(), answer);
  if (read->entries.empty() && !read->problem.empty())
    return answer_error(errc::source_error, "the feed breaks off before its first entry", answer);
  return read;
}

}  // namespace freshet::sources::syndication

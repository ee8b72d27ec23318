// The elements of an entry as a feed_entry, by their names in RSS, Atom, Dublin Core, Media RSS and
// iTunes. The first of several wins, except where a list is meant.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/digest.hpp>
#include <base/unicode.hpp>
#include <sources/item_text.hpp>
#include <sources/syndication/elements.hpp>

namespace freshet::sources::syndication {

namespace {

std::string trimmed(std::string_view text) { return std::string(base::trim(text)); }

/// Whether a text is HTML, as Atom's `type` says and as it is in RSS.
bool is_html(const element& element, bool atom) {
  const auto type = element.attribute("type");
  return !atom || element.markup || type == "html" || type == "xhtml" || type == "text/html" ||
         type == "application/xhtml+xml" || element.attribute("mode") == "escaped";
}

/// Whether Atom gives bytes as base64: its old versions by `mode`, the standard by any type that is
/// no text.
bool is_base64(const element& element) {
  if (const auto mode = element.attribute("mode"); !mode.empty()) return mode == "base64";
  const auto type = base::to_lower_ascii(element.attribute("type"));
  return type.find('/') != std::string::npos && !type.starts_with("text/") &&
         !type.ends_with("/xml") && !type.ends_with("+xml");
}

/// The text of an element, which nobody else reads: it is taken out.
feed_text take_text(element& element, bool atom) {
  if (atom && is_base64(element)) {
    auto packed = element.text;
    std::erase_if(packed, [](char c) { return c == ' ' || ('\t' <= c && c <= '\r'); });
    if (auto bytes = base::base64_decode(packed)) {
      if (!base::is_utf8(*bytes)) return {};  // a picture, for one
      return {std::move(*bytes), element.attribute("type") != "text/plain"};
    }
  }
  const bool html = is_html(element, atom);
  return {std::move(element.text), html};
}

std::optional<double> seconds_of(std::string_view text) {
  const auto whole = count_in(text.substr(0, text.find('.')));
  return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
}

/// "redacted@example.org (Jane Doe)" as RSS writes an author, or the other way round, or as mail
/// does: the name, where there is one.
feed_person person_of(std::string_view text) {
  text = base::trim(text);
  const bool has_address = text.find('@') != std::string_view::npos;
  for (auto rest = text; has_address && !rest.empty();) {
    const auto end = std::min(rest.find_first_of("()<>"), rest.size());
    auto part = trimmed(rest.substr(0, end));
    if (!part.empty() && part.find('@') == std::string::npos) return {std::move(part), "", ""};
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return {std::string(text), "", ""};
}

/// Reads the elements of one entry, in their order, into what they mean.
class entry_reader {
 public:
  explicit entry_reader(elements& list, bool atom) : from_(list), atom_(atom) {}

  feed_entry read() {
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const auto& one = from_[i];
      if (one.depth == 0) {
        own(one);
      } else if (one.depth == 1) {
        field(i);
        date(one);
      }
      if (group_depth_ > 0 && one.depth <= group_depth_) group_depth_ = 0;
      if (one.name == "media:group") group_depth_ = one.depth;
      attachment(one);
    }
    if (out_.title.text.empty()) out_.title = std::move(titled_);
    if (out_.summary.text.empty() && out_.content.text.empty()) out_.summary = std::move(told_);
    out_.published = std::move(published_);
    out_.changed = std::move(changed_);
    if (!preview_.empty()) {
      const auto image = std::ranges::find_if(out_.attachments,
                                              [](const media& m) { return m.preview_url.empty(); });
      if (image != out_.attachments.end() && image->type != "audio") {
        image->preview_url = preview_;
      } else {
        out_.attachments.push_back({"image", preview_, preview_, "", {}, {}, {}});
      }
    }
    return std::move(out_);
  }

 private:
  void own(const element& entry) {
    out_.base = entry.attribute("xml:base");
    out_.lang = entry.attribute("xml:lang");
    if (const auto about = entry.attribute("rdf:about"); !about.empty()) {
      out_.guid = about;
      out_.guid_is_address = true;
    }
  }

  void field(std::size_t i) {
    auto& one = from_[i];
    const auto& name = one.name;
    if (name == "title") {
      if (out_.title.text.empty()) out_.title = take_text(one, atom_);
    } else if (is_one_of(name, {"dc:title", "media:title"})) {
      if (titled_.text.empty()) titled_ = {one.text, one.attribute("type") == "html"};
    } else if (is_one_of(name, {"description", "summary"})) {
      if (out_.summary.text.empty()) out_.summary = take_text(one, atom_);
    } else if (is_one_of(name, {"content:encoded", "content", "xhtml:body", "body", "fullitem"})) {
      if (out_.content.text.empty()) out_.content = take_text(one, atom_ && name == "content");
      if (!one.attribute("xml:base").empty()) out_.base = one.attribute("xml:base");
    } else if (is_one_of(name, {"link", "atom:link"})) {
      link(one);
    } else if (name == "feedburner:origLink") {
      out_.original_address = trimmed(one.text);
    } else if (name == "guid") {
      out_.guid = trimmed(one.text);
      out_.guid_is_address = one.attribute("isPermaLink") != "false";
    } else if (name == "id") {
      out_.guid = trimmed(one.text);
      out_.guid_is_address = true;  // where it is one, and there is no link
    } else if (is_one_of(name, {"dc:language", "language"})) {
      out_.lang = trimmed(one.text);
    } else if (is_one_of(name, {"category", "dc:subject", "atom:category", "itunes:category",
                                "media:category", "media:keywords"})) {
      tag(one);
    } else if (name == "source") {
      origin(i);
    } else {
      person(i);
    }
  }

  void link(const element& one) {
    const auto rel = one.attribute("rel");
    const auto href = trimmed(one.attribute("href"));
    if (href.empty()) {
      if (out_.address.empty()) out_.address = trimmed(one.text);
    } else if (rel.empty() || rel == "alternate") {
      if (out_.address.empty()) out_.address = href;
    } else if (rel == "enclosure") {
      attach(href, one.attribute("type"), {});
    }
  }

  void tag(const element& one) {
    for (const auto text : {one.attribute("label"), one.attribute("term"), one.attribute("text"),
                            std::string_view(one.text)}) {
      const auto clean = trimmed(text);
      if (clean.empty()) continue;
      if (one.name != "media:keywords") {
        if (out_.tags.size() < max_tags) out_.tags.push_back(clean);
        return;
      }
      std::string_view rest = clean;
      while (!rest.empty() && out_.tags.size() < max_tags) {
        const auto comma = rest.find(',');
        out_.tags.push_back(trimmed(rest.substr(0, comma)));
        rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
      }
      return;
    }
  }

  /// RSS: <source url="…">Name</source>. Atom: <source> with its own title and link.
  void origin(std::size_t i) {
    out_.origin_name = trimmed(from_[i].text);
    out_.origin_address = from_[i].attribute("url");
    for (std::size_t child = i + 1; child < from_.size() && from_[child].depth > 1; ++child) {
      if (from_[child].depth != 2) continue;
      if (from_[child].name == "title") out_.origin_name = trimmed(from_[child].text);
      if (from_[child].name == "link" && from_[child].attribute("rel") != "self") {
        out_.origin_address = from_[child].attribute("href");
      }
    }
  }

  void person(std::size_t i) {
    if (out_.authors.size() == max_people) return;
    const auto& name = from_[i].name;
    feed_person found;
    if (is_one_of(name, {"author", "atom:author"})) {
      found = person_of(from_[i].text);
      for (std::size_t child = i + 1; child < from_.size() && from_[child].depth > 1; ++child) {
        const auto& part = from_[child];
        if (is_one_of(part.name, {"name", "atom:name"})) found.name = trimmed(part.text);
        if (is_one_of(part.name, {"uri", "url", "atom:uri"})) found.url = trimmed(part.text);
        if (part.name == "gd:image") found.avatar_url = part.attribute("src");
      }
    } else if (is_one_of(name, {"dc:creator", "dc:author", "itunes:author"})) {
      found = person_of(from_[i].text);
    }
    if (found.name.empty()) return;
    const bool known =
        std::ranges::any_of(out_.authors, [&](const auto& one) { return one.name == found.name; });
    if (!known) out_.authors.push_back(std::move(found));
  }

  void date(const element& one) {
    const auto& name = one.name;
    if (is_one_of(name, {"pubDate", "published", "issued", "dcterms:issued"})) {
      if (published_.size() < max_dates) published_.insert(published_.begin(), trimmed(one.text));
    } else if (is_one_of(name, {"dc:date", "dcterms:created", "created", "pubdate"})) {
      if (published_.size() < max_dates) published_.push_back(trimmed(one.text));
    } else if (is_one_of(name, {"updated", "modified", "dcterms:modified", "atom:updated"})) {
      if (changed_.size() < max_dates) changed_.push_back(trimmed(one.text));
    }
  }

  void attachment(const element& one) {
    const auto& name = one.name;
    if (name == "enclosure") {
      attach(one.attribute("url"), one.attribute("type"), {});
    } else if (name == "enc:enclosure") {
      attach(one.attribute("resource"), one.attribute("type"), {});
    } else if (name == "media:content") {
      auto type = one.attribute("type");
      if (type.empty()) type = one.attribute("medium");
      if (type == "application/x-shockwave-flash") type = "video";  // YouTube's, to this day
      attach(one.attribute("url"), type,
             {"", "", "", "", count_in(one.attribute("width")), count_in(one.attribute("height")),
              seconds_of(one.attribute("duration"))});
    } else if (name == "media:thumbnail" && preview_.empty()) {
      preview_ = trimmed(one.attribute("url"));
    } else if (name == "itunes:image" && preview_.empty()) {
      preview_ = trimmed(one.attribute("href"));
    } else if (name == "media:description" && one.depth == group_depth_ + 1) {
      // Of the entry, or of all of a group's media: the text of an entry that has no other.
      if (told_.text.empty()) told_ = {trimmed(one.text), one.attribute("type") == "html"};
    } else if (is_one_of(name, {"media:description", "media:title"}) && !out_.attachments.empty() &&
               out_.attachments.back().alt.empty() && one.depth > 1) {
      out_.attachments.back().alt = trimmed(one.text);
    }
  }

  void attach(std::string_view address, std::string_view type, media added) {
    added.url = trimmed(address);
    added.type = media_type(type, added.url);
    if (added.url.empty() || added.type.empty()) return;
    if (out_.attachments.size() >= max_media_per_entry) return;
    const bool known = std::ranges::any_of(out_.attachments,
                                           [&](const media& one) { return one.url == added.url; });
    if (!known) out_.attachments.push_back(std::move(added));
  }

  elements& from_;
  bool atom_;
  feed_entry out_;
  std::vector<std::string> published_, changed_;
  std::string preview_;
  feed_text titled_, told_;      ///< by Dublin Core and Media RSS, where RSS itself says nothing
  std::size_t group_depth_ = 0;  ///< of the media:group that is being read; 0: none is
};

}  // namespace

feed_entry read_entry(elements& list, bool atom) { return entry_reader(list, atom).read(); }

void read_head(const elements& head, bool atom, feed& feed) {
  const std::size_t level = atom ? 1 : 2;
  for (std::size_t i = 0; i < head.size(); ++i) {
    const auto& one = head[i];
    if (!atom && one.depth == 1 && one.name == "channel" && feed.base.empty())
      feed.base = one.attribute("xml:base");
    if (one.depth != level) continue;
    if (one.name == "title" && feed.title.text.empty()) feed.title = {one.text, is_html(one, atom)};
    if (is_one_of(one.name, {"language", "dc:language"})) feed.lang = trimmed(one.text);
    if (one.name == "link") {
      const auto rel = one.attribute("rel");
      auto address = trimmed(one.attribute("href"));
      if (address.empty()) address = trimmed(one.text);
      if (feed.address.empty() && (rel.empty() || rel == "alternate")) feed.address = address;
    }
    if (atom && one.name == "author" && feed.authors.size() < max_people) {
      feed_person found;
      for (std::size_t child = i + 1; child < head.size() && head[child].depth > level; ++child) {
        if (head[child].name == "name") found.name = trimmed(head[child].text);
        if (head[child].name == "uri") found.url = trimmed(head[child].text);
      }
      if (!found.name.empty()) feed.authors.push_back(std::move(found));
    }
  }
}

}  // namespace freshet::sources::syndication

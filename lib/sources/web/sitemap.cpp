// The one pass: from '<' to '<', with the names of a few elements, whatever their prefix and depth.
#include <algorithm>
#include <array>
#include <base/number.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <html/document.hpp>
#include <html/tokens/tag_scanner.hpp>
#include <sources/web/sitemap.hpp>

namespace freshet::sources::web {
namespace {

constexpr std::string_view white_space = " \t\r\n";
constexpr std::string_view cdata = "<![CDATA[", cdata_end = "]]>";
/// Longer texts are no address, no date and no title that anybody reads.
constexpr std::size_t max_field_bytes = 16u << 10;
constexpr std::size_t max_title_points = 300;

/// Elements whose text says something of an entry, by their names without a prefix.
constexpr std::array<std::string_view, 14> fields = {"loc",        "lastmod",
                                                     "changefreq", "priority",
                                                     "link",       "pubDate",
                                                     "date",       "updated",
                                                     "published",  "modified",
                                                     "issued",     "guid",
                                                     "news:title", "news:publication_date"};
constexpr std::array<std::string_view, 7> frequencies = {"always",  "hourly", "daily", "weekly",
                                                         "monthly", "yearly", "never"};

std::string_view local_name(std::string_view name) {
  const auto colon = name.rfind(':');
  return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

bool is_entry(std::string_view name) {
  return name == "url" || name == "sitemap" || name == "item" || name == "entry";
}

/// Whether a line of a list is what it is to be: a whole address and nothing else.
bool is_address(std::string_view line) {
  const auto scheme = base::to_lower_ascii(line.substr(0, line.find(':') + 1));
  const bool is_http = scheme == "http:" || scheme == "https:";
  return is_http && line.find_first_of(white_space) == std::string_view::npos;
}

/// Whether there is an address in the first lines; people write what it is above a list.
bool begins_as_list(std::string_view text) {
  constexpr int lines_above = 5;
  text = text.substr(0, max_field_bytes);
  for (int line = 0; line <= lines_above && !text.empty(); ++line) {
    const auto end = std::min(text.find_first_of("\r\n"), text.size());
    if (is_address(base::trim(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(text.find_first_not_of(white_space, end), text.size()));
  }
  return false;
}

/// Which field an element fills; "" for none. Pictures and videos of an entry have a prefix and
/// fields of their own, a title among them.
std::string_view field_of(std::string_view name) {
  const auto colon = name.find(':');
  const auto prefix = colon == std::string_view::npos ? std::string_view() : name.substr(0, colon);
  if (prefix == "image" || prefix == "video" || prefix == "xhtml" || prefix == "media") return {};
  if (name == "title") return "news:title";
  const auto wanted = prefix == "news" ? name : local_name(name);
  const auto found = std::ranges::find(fields, wanted);
  return found == fields.end() ? std::string_view() : *found;
}

/// Where a link of Atom leads; "" where that is another form of the entry.
std::string page_of_link(std::string_view attributes) {
  std::string_view address;
  html::raw_attribute one;
  while (html::next_attribute(attributes, one)) {
    if (one.name == "href") address = one.value;
    if (one.name == "rel" && one.value != "alternate") return {};
  }
  return html::decode_entities(address);
}

std::string plain(std::string_view text) {
  return base::collapse_spaces(html::decode_entities(text));
}

}  // namespace

sitemap_reader::sitemap_reader(std::string_view utf8, base::meter* counted)
    : text_(utf8.substr(0, max_sitemap_bytes)), meter_(counted) {
  at_ = std::min(text_.find_first_not_of(white_space), text_.size());
  if (text_.substr(at_).starts_with('<')) {
    look_at_root();
    return;
  }
  is_list_ = begins_as_list(text_.substr(at_));
  if (is_list_) kind_ = sitemap_kind::addresses;
}

void sitemap_reader::look_at_root() {
  const auto root = next_tag();
  if (!root || root->closes) return;
  const auto name = local_name(root->name);
  root_ = name;
  ended_ = root->is_empty;
  if (name == "sitemapindex") kind_ = sitemap_kind::index;
  if (name == "urlset" || name == "rss" || name == "feed" || name == "RDF") {
    kind_ = sitemap_kind::addresses;
  }
}

/// The next line that is an address; "" behind the last one. People write others between them.
std::string_view sitemap_reader::next_line() {
  while (at_ < text_.size()) {
    const auto end = std::min(text_.find_first_of("\r\n", at_), text_.size());
    const auto line = base::trim(text_.substr(at_, std::min(end - at_, max_field_bytes)));
    if (meter_ != nullptr) meter_->spend(1 + (end - at_) / 16);
    at_ = end + 1;
    if (!is_address(line)) continue;
    ++entries_;
    return line;
  }
  return {};
}

bool sitemap_reader::next(sitemap_entry& to) {
  if (is_list_) {
    to = {};
    to.address = next_line();
    return !to.address.empty();
  }
  while (pass_entry(&to)) {
    if (!to.address.empty()) return true;
  }
  return false;
}

void sitemap_reader::skip(std::int64_t count) {
  while (entries_ < count) {
    if (is_list_ ? next_line().empty() : !pass_entry(nullptr)) return;
  }
}

/// Goes on behind the next entry; reads its fields where they are wanted.
bool sitemap_reader::pass_entry(sitemap_entry* to) {
  if (kind_ == sitemap_kind::none) return false;
  while (const auto one = next_tag()) {
    const auto name = local_name(one->name);
    if (one->closes) {
      ended_ = ended_ || name == root_;
      if (in_entry_ && to != nullptr) close(one->name, *to);
      if (!in_entry_ || !is_entry(name)) continue;
      in_entry_ = false;
      ++entries_;
      return true;
    }
    if (is_entry(name) && !one->is_empty) {
      if (to != nullptr) *to = {};
      in_entry_ = true;
      field_.clear();
    } else if (in_entry_ && to != nullptr) {
      open(*one, *to);
    }
  }
  return false;
}

void sitemap_reader::open(const tag& tag, sitemap_entry& entry) {
  const auto field = field_of(tag.name);
  field_ = tag.is_empty ? std::string_view() : field;
  said_.clear();
  if (field != "link" || !entry.address.empty()) return;
  // Atom has the address in an attribute; of its links the first that is no other form counts.
  entry.address = page_of_link(tag.attributes);
}

void sitemap_reader::close(std::string_view name, sitemap_entry& entry) {
  const auto field = field_of(name);
  if (field.empty() || field != field_) return;
  field_.clear();
  const auto text = plain(said_);
  if (text.empty()) return;
  if (field == "loc") {
    // A picture or a video may have one behind it, under whatever prefix.
    if (entry.address.empty()) entry.address = text;
  } else if (field == "link") {
    entry.address = text;
  } else if (field == "guid") {
    // It stands in where it is an address and there is no link yet.
    if (entry.address.empty() && text.starts_with("http")) entry.address = text;
  } else if (field == "published" || field == "issued" || field == "news:publication_date") {
    if (!entry.last_modified) entry.last_modified = base::parse_time(text);
  } else if (field == "lastmod" || field == "pubDate" || field == "date" || field == "updated" ||
             field == "modified") {
    if (const auto time = base::parse_time(text)) entry.last_modified = time;
  } else if (field == "changefreq") {
    const auto lower = base::to_lower_ascii(text);
    if (std::ranges::find(frequencies, lower) != frequencies.end()) entry.change_frequency = lower;
  } else if (field == "priority") {
    const auto number = base::parse_number<double>(text);
    if (number && *number >= 0 && *number <= 1) entry.priority = number;
  } else if (entry.title.empty()) {
    entry.title = base::nfc(base::prefix(text, max_title_points));
  }
}

/// Steps over what begins with "<!" or "<?" and is no CDATA. A document type with entities in it
/// ends behind them.
void sitemap_reader::skip_markup() {
  const auto rest = text_.substr(at_);
  std::size_t end = std::string_view::npos;
  std::size_t length = 1;
  if (rest.starts_with("<!--")) {
    end = rest.find("-->", 4);
    length = 3;
  } else {
    end = rest.find('>');
    const auto subset = rest.substr(0, end).find('[');
    if (rest.starts_with("<!") && subset != std::string_view::npos) {
      end = rest.find(']', subset);
      if (end != std::string_view::npos) end = rest.find('>', end);
    }
  }
  at_ = end == std::string_view::npos ? text_.size() : at_ + end + length;
}

/// Goes on behind the next tag, and gathers the text before it where a field is open.
std::optional<sitemap_reader::tag> sitemap_reader::next_tag() {
  const auto gather = [this](std::string_view text) {
    if (meter_ != nullptr) meter_->spend(1 + text.size() / 16);
    if (field_.empty()) return;
    said_ += text.substr(0, max_field_bytes - std::min(said_.size(), max_field_bytes));
  };
  while (at_ < text_.size()) {
    const auto begin = std::min(text_.find('<', at_), text_.size());
    gather(text_.substr(at_, begin - at_));
    at_ = begin;
    const auto rest = text_.substr(at_);
    if (rest.starts_with(cdata)) {
      const auto end = std::min(rest.find(cdata_end), rest.size());
      gather(rest.substr(cdata.size(), end - std::min(end, cdata.size())));
      at_ = std::min(at_ + end + cdata_end.size(), text_.size());
    } else if (rest.starts_with("<!") || rest.starts_with("<?")) {
      const auto before = at_;
      skip_markup();
      if (meter_ != nullptr) meter_->spend(1 + (at_ - before) / 16);
    } else {
      const auto end = rest.find('>');
      if (end == std::string_view::npos) break;
      at_ += end + 1;
      auto inside = rest.substr(1, end - 1);
      tag out;
      out.closes = inside.starts_with('/');
      if (out.closes) inside.remove_prefix(1);
      out.is_empty = inside.ends_with('/');
      out.name = inside.substr(0, std::min(inside.find_first_of(" \t\r\n/"), inside.size()));
      out.attributes = inside.substr(out.name.size());
      if (meter_ != nullptr) meter_->spend(1 + inside.size() / 16);
      return out;
    }
  }
  at_ = text_.size();
  return std::nullopt;
}

}  // namespace freshet::sources::web

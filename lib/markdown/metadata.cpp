// Metadata from its sources, the most deliberate first: JSON-LD, then OpenGraph and <meta>, then
// microdata, then the elements themselves. A value that one source has is not overwritten.
#include <algorithm>
#include <array>
#include <base/byline.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/unicode.hpp>
#include <markdown/metadata.hpp>
#include <markdown/tree/type_signals.hpp>
#include <unordered_map>

namespace freshet::markdown {

namespace {

using html::node_id;
using html::none;
namespace json = base::json;

/// JSON-LD objects that are looked at, over all scripts of a page.
constexpr std::size_t max_linked_objects = 2000;
constexpr std::size_t max_tags = 50;
constexpr std::size_t max_types = 50;
/// Properties of one kind that are remembered; a page names some dozens.
constexpr std::size_t max_properties = 2000;

/// Types of schema.org whose objects are what a page is about, beside articles and threads.
constexpr std::array<std::string_view, 5> other_main_types = {
    "Product", "VideoObject", "SoftwareApplication", "Event", "WebPage"};

using named_values = std::unordered_map<std::string, std::string>;

void fill(std::string& into, std::string_view value) {
  if (!into.empty()) return;
  into = base::nfc(base::collapse_spaces(html::decode_entities(value)));
}

std::string_view first_of(const named_values& in, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    const auto found = in.find(name);
    if (found != in.end() && !found->second.empty()) return found->second;
  }
  return {};
}

const json::value& first_or_self(const json::value& value) {
  if (!value.is_array() || value.get_array().empty()) return value;
  return value.get_array().front();
}

/// The name of a person or an organisation, however it is written.
std::string name_of(const json::value& who) {
  return who.is_string() ? base::text_of(who) : base::text_of(base::member(who, "name"));
}

std::string image_of(const json::value& image) {
  const auto& one = first_or_self(image);
  return one.is_object() ? base::text_of(base::member(one, "url"))
                         : std::string(base::view_of(one));
}

bool is_main_type(const json::value& object) {
  const auto name = base::view_of(first_or_self(base::member(object, "@type")));
  const auto is_among = [&](const auto& types) {
    return std::ranges::find(types, name) != std::end(types);
  };
  // Instructions are articles, but their object is that of the steps.
  return (is_among(signals::article_types) && name != "HowTo") || is_among(signals::thread_types) ||
         is_among(other_main_types);
}

/// "/2019/11/20/" in an address: the day of publication wherever it is used.
std::optional<time_point> date_in_path(std::string_view path) {
  constexpr std::size_t length = std::string_view("/2019/11/20/").size();
  for (std::size_t at = path.find('/'); at != std::string_view::npos && at + length <= path.size();
       at = path.find('/', at + 1)) {
    const auto part = path.substr(at, length);
    if (part[5] != '/' || part[8] != '/' || part[11] != '/') continue;
    if (part[1] != '1' && part[1] != '2') continue;
    std::string day(part.substr(1, length - 2));
    std::ranges::replace(day, '/', '-');
    if (const auto read = base::parse_time(day)) return read;
  }
  return std::nullopt;
}

class reader {
 public:
  reader(const page_tree& tree, const std::optional<base::url>& base)
      : tree_(tree), page_(tree.page()), base_(base) {}
  metadata run();

 private:
  void collect();
  void collect_meta(node_id id);
  void collect_property(node_id id);
  void collect_byline(node_id id);
  void read_linked_data(std::string_view text);
  void take_object(const json::value& object);
  void take_authors(const json::value& people);
  void add_authors(std::string_view byline, std::string_view address);
  void take_types(const json::value& type);
  void take_named();
  void take_tags(const json::value& keywords);
  void add_tag(std::string_view text);
  void choose_title();
  void clean_title();
  [[nodiscard]] std::string name_in(node_id scope) const;
  [[nodiscard]] std::string text_in(node_id id) const;
  [[nodiscard]] std::string absolute(std::string_view reference) const;

  const page_tree& tree_;
  const html::document& page_;
  const std::optional<base::url>& base_;
  metadata found_;
  named_values meta_, properties_;
  std::string title_, heading_, time_, author_link_, byline_;
  std::string linked_headline_, linked_name_;
  std::size_t linked_objects_ = 0;
};

std::string reader::absolute(std::string_view reference) const {
  if (reference.empty()) return {};
  const auto resolved = base_ ? base::resolve_url(*base_, reference) : base::parse_url(reference);
  return resolved && resolved->is_http() ? resolved->text() : std::string();
}

std::string reader::text_in(node_id id) const {
  return base::collapse_spaces(tree_.raw_text_of(id));
}

void reader::collect_meta(node_id id) {
  const auto content = base::trim(tree_.attribute_of(id, "content"));
  if (content.empty()) return;
  for (const auto attribute : {"property", "name", "itemprop"}) {
    // One element may name several properties.
    std::string names = base::to_lower_ascii(tree_.attribute_of(id, attribute));
    std::size_t from = 0;
    while (from < names.size()) {
      const auto to = std::min(names.find_first_of(" \n\t", from), names.size());
      const auto name = names.substr(from, to - from);
      from = to + 1;
      if (name.empty()) continue;
      auto& into = std::string_view(attribute) == "itemprop" ? properties_ : meta_;
      if (into.size() < max_properties) into.try_emplace(name, content);
      tree_.spend(1);
      if (name == "article:tag") add_tag(content);
    }
  }
}

/// The name inside a person or an organisation written as microdata.
std::string reader::name_in(node_id scope) const {
  for (node_id at = scope + 1; at < tree_.end_of(scope); ++at) {
    tree_.spend(1);
    if (tree_.attribute_of(at, "itemprop") != "name") continue;
    const auto content = tree_.attribute_of(at, "content");
    return content.empty() ? text_in(at) : std::string(content);
  }
  return text_in(scope);
}

/// What a page shows as its byline, where nothing says it for machines.
void reader::collect_byline(node_id id) {
  constexpr std::array<std::string_view, 5> names = {"byline", "author-name", "author_name",
                                                     "p-author", "post-author"};
  constexpr std::size_t longest = 80;
  for (const auto* attribute : {"class", "id"}) {
    const auto value = tree_.attribute_of(id, attribute);
    if (!contains_any(value, names)) continue;
    byline_ = text_in(id);
    // A longer one, or one with a date or a menu in it, is no name.
    if (byline_.size() > longest || byline_.find_first_of("0123456789|") != std::string::npos) {
      byline_.clear();
    }
    return;
  }
}

void reader::collect_property(node_id id) {
  const auto name = base::to_lower_ascii(base::trim(tree_.attribute_of(id, "itemprop")));
  if (name != "headline" && name != "author" && name != "datepublished" && name != "name" &&
      name != "description") {
    return;
  }
  if (properties_.count(name) != 0 || properties_.size() >= max_properties) return;
  auto value = tree_.attribute_of(id, "content");
  if (value.empty()) value = tree_.attribute_of(id, "datetime");
  if (!value.empty()) {
    properties_.emplace(name, value);
  } else {
    properties_.emplace(name, tree_.has_attribute(id, "itemscope") ? name_in(id) : text_in(id));
  }
}

void reader::collect() {
  constexpr std::size_t longest_author = 100;
  const auto end = static_cast<node_id>(page_.size());
  tree_.spend(end);
  for (node_id id = 1; id < end; ++id) {
    if (!tree_.is_element(id)) continue;
    const auto tag = tree_.tag_of(id);
    // Most elements say nothing of the page.
    const bool named = tree_.has_attributes(id);
    if (!named && tag != html::tag_id::title && tag != html::tag_id::h1) continue;
    const auto& one = page_.at(id);
    if (one.space != html::element_space::html) continue;
    if (tag == html::tag_id::meta) {
      collect_meta(id);
    } else if (tag == html::tag_id::html) {
      found_.lang = tree_.attribute_of(id, "lang");
      if (found_.lang.empty()) found_.lang = tree_.attribute_of(id, "xml:lang");
    } else if (tag == html::tag_id::title) {
      if (title_.empty()) title_ = text_in(id);
    } else if (tag == html::tag_id::h1) {
      if (heading_.empty()) heading_ = text_in(id);
    } else if (tag == html::tag_id::time) {
      if (time_.empty()) time_ = tree_.attribute_of(id, "datetime");
    } else if (tag == html::tag_id::link) {
      const auto rel = base::to_lower_ascii(tree_.attribute_of(id, "rel"));
      if (rel == "canonical" && found_.canonical_url.empty()) {
        found_.canonical_url = absolute(tree_.attribute_of(id, "href"));
      }
    } else if (tag == html::tag_id::a && tree_.attribute_of(id, "rel") == "author") {
      if (author_link_.empty()) author_link_ = text_in(id);
      if (author_link_.size() > longest_author) author_link_.clear();
    } else if (tag == html::tag_id::script &&
               tree_.attribute_of(id, "type").find("ld+json") != std::string_view::npos) {
      const auto text = one.first_child;
      if (text != none) read_linked_data(page_.at(text).text);
    }
    if (tree_.has_attribute(id, "itemprop")) collect_property(id);
    if (byline_.empty() && tag != html::tag_id::body) collect_byline(id);
  }
}

void reader::read_linked_data(std::string_view text) {
  text = base::trim(text);
  constexpr std::size_t bytes_per_step = 2;
  tree_.spend(text.size() / bytes_per_step);
  // Some generators wrap it for ancient browsers.
  if (text.starts_with("<![CDATA[") && text.ends_with("]]>")) {
    text = text.substr(9, text.size() - 12);
  }
  const auto parsed = base::parse_json(text);
  if (!parsed) return;
  std::vector<const json::value*> queue = {&*parsed};
  while (!queue.empty() && linked_objects_ < max_linked_objects) {
    const json::value& one = *queue.back();
    queue.pop_back();
    ++linked_objects_;
    const auto& elements = base::array_of(one);
    for (auto at = elements.rbegin(); at != elements.rend(); ++at) queue.push_back(&*at);
    if (!one.is_object()) continue;
    take_types(base::member(one, "@type"));
    if (found_.product.empty() && base::view_of(base::member(one, "@type")) == "Product") {
      found_.product = base::view_of(base::member(one, "description"));
    }
    if (is_main_type(one)) take_object(one);
    const auto& graph = base::member(one, "@graph");
    const auto& main = base::member(one, "mainEntity");
    if (!main.is_null()) queue.push_back(&main);
    if (!graph.is_null()) queue.push_back(&graph);
  }
}

void reader::take_types(const json::value& type) {
  const auto take = [this](const json::value& one) {
    const auto name = base::view_of(one);
    if (name.empty() || found_.types.size() >= max_types) return;
    found_.types.emplace_back(name.substr(name.rfind('/') + 1));
  };
  take(type);
  for (const auto& one : base::array_of(type)) take(one);
}

void reader::add_tag(std::string_view text) {
  if (found_.tags.size() >= max_tags) return;
  tree_.spend(1 + text.size());
  auto tag = base::nfc(base::collapse_spaces(text));
  if (!tag.empty() && tag[0] == '#') tag.erase(0, 1);
  if (tag.empty()) return;
  if (std::ranges::find(found_.tags, tag) == found_.tags.end()) {
    found_.tags.push_back(std::move(tag));
  }
}

void reader::take_tags(const json::value& keywords) {
  if (keywords.is_array()) {
    for (const auto& one : keywords.get_array()) add_tag(base::view_of(one));
    return;
  }
  std::string_view rest = base::view_of(keywords);
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    add_tag(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

/// The people of a byline, each once; an address is that of who is alone in it.
void reader::add_authors(std::string_view byline, std::string_view address) {
  constexpr std::size_t bytes_per_step = 4;
  tree_.spend(1 + byline.size() / bytes_per_step);
  const auto names = base::byline_names(base::nfc(html::decode_entities(byline)));
  for (const auto& name : names) {
    const bool known =
        std::ranges::find(found_.authors, name, &author::display_name) != found_.authors.end();
    if (known || found_.authors.size() >= base::max_byline_names) continue;
    found_.authors.push_back({"", "", name, names.size() == 1 ? absolute(address) : "", ""});
  }
}

/// A person or an organisation, however it is written, or a list of them.
void reader::take_authors(const json::value& people) {
  if (!found_.authors.empty()) return;
  const auto take = [this](const json::value& one) {
    add_authors(name_of(one), base::view_of(base::member(one, "url")));
  };
  if (!people.is_array()) return take(people);
  for (const auto& one : people.get_array()) take(one);
}

void reader::take_object(const json::value& object) {
  const bool page_type = base::view_of(first_or_self(base::member(object, "@type"))) == "WebPage";
  fill(linked_headline_, base::text_of(base::member(object, "headline")));
  if (!page_type) fill(linked_name_, base::text_of(base::member(object, "name")));
  fill(found_.description, base::text_of(base::member(object, "description")));
  take_authors(base::member(object, "author"));
  fill(found_.site_name, name_of(first_or_self(base::member(object, "publisher"))));
  fill(found_.image_url, absolute(image_of(base::member(object, "image"))));
  if (found_.lang.empty()) fill(found_.lang, base::view_of(base::member(object, "inLanguage")));
  if (!found_.published) {
    found_.published = base::parse_time(base::text_of(base::member(object, "datePublished")));
  }
  take_tags(base::member(object, "keywords"));
  for (const auto* const name : {"articleBody", "text"}) {
    if (found_.body.empty()) found_.body = base::view_of(base::member(object, name));
  }
}

/// A headline is the title, unless only the name beside it stands in <title>: encyclopedias put a
/// description there.
void reader::choose_title() {
  const auto stands_in_title = [&](const std::string& text) {
    return !text.empty() && title_.find(text) != std::string::npos;
  };
  const bool name_first = stands_in_title(linked_name_) && !stands_in_title(linked_headline_);
  found_.title = name_first || linked_headline_.empty() ? linked_name_ : linked_headline_;
}

void reader::take_named() {
  choose_title();
  fill(found_.title, first_of(meta_, {"og:title", "dc:title", "dcterm:title", "dc.title",
                                      "dcterms.title", "weibo:article:title", "twitter:title",
                                      "parsely-title", "citation_title"}));
  fill(found_.title, first_of(properties_, {"headline"}));
  fill(found_.description,
       first_of(meta_, {"og:description", "description", "dc:description", "dc.description",
                        "dcterms.description", "twitter:description"}));
  fill(found_.description, first_of(properties_, {"description"}));
  // og:site_name is the site's own name; a publisher may be the company behind it.
  if (const auto name = first_of(meta_, {"og:site_name"}); !name.empty()) {
    found_.site_name.clear();
    fill(found_.site_name, name);
  }
  fill(found_.site_name, first_of(meta_, {"application-name", "apple-mobile-web-app-title"}));
  const auto author =
      first_of(meta_, {"author", "dc:creator", "dc.creator", "dcterms.creator", "parsely-author",
                       "sailthru.author", "citation_author", "article:author", "byl"});
  for (const std::string_view byline :
       {author, first_of(properties_, {"author"}), std::string_view(author_link_),
        std::string_view(byline_)}) {
    if (found_.authors.empty()) add_authors(byline, "");
  }
  fill(found_.image_url,
       absolute(first_of(meta_, {"og:image", "og:image:url", "og:image:secure_url", "twitter:image",
                                 "twitter:image:src", "image"})));
  if (found_.canonical_url.empty()) found_.canonical_url = absolute(first_of(meta_, {"og:url"}));
  if (!found_.published) {
    found_.published = base::parse_time(first_of(
        meta_, {"article:published_time", "og:article:published_time", "parsely-pub-date",
                "datepublished", "date", "dc.date", "dc.date.issued", "dcterms.created",
                "sailthru.date", "publishdate", "publish-date", "pubdate", "citation_date"}));
  }
  if (!found_.published)
    found_.published = base::parse_time(first_of(properties_, {"datepublished"}));
  if (!found_.published) found_.published = base::parse_time(time_);
  if (!found_.published) found_.published = date_in_path(found_.canonical_url);
  if (!found_.published && base_) found_.published = date_in_path(base_->path);
  if (found_.lang.empty()) {
    found_.lang = first_of(meta_, {"og:locale", "dc.language", "language", "content-language"});
  }
  if (found_.tags.empty()) take_tags(json::value(first_of(meta_, {"keywords", "news_keywords"})));
}

/// "The article - The site" is "The article": the name of the site stands elsewhere.
void reader::clean_title() {
  if (found_.title.empty()) found_.title = title_;
  if (found_.title.empty()) found_.title = heading_;
  for (const std::string_view separator : {" | ", " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ",
                                           " \xC2\xBB ", " \xC2\xB7 ", " / ", ": "}) {
    const auto at = found_.title.rfind(separator);
    if (at == std::string::npos || at == 0) continue;
    const auto last = std::string_view(found_.title).substr(at + separator.size());
    const auto first = std::string_view(found_.title).substr(0, at);
    const bool site =
        !found_.site_name.empty() && base::equals_ignoring_ascii_case(last, found_.site_name);
    if (site || (!heading_.empty() && base::equals_ignoring_ascii_case(first, heading_))) {
      found_.title.resize(at);
      return;
    }
  }
}

metadata reader::run() {
  collect();
  take_named();
  found_.kind = base::to_lower_ascii(first_of(meta_, {"og:type"}));
  found_.generator = first_of(meta_, {"generator"});
  const auto own = base::parse_url(found_.canonical_url);
  if (own) found_.path = own->path;
  // Some sites name their home page as the address of every page.
  if (base_ && base_->path.size() > found_.path.size()) found_.path = base_->path;
  clean_title();
  if (found_.site_name.find("://") != std::string::npos) found_.site_name.clear();
  found_.title = base::nfc(found_.title);
  found_.description = base::nfc(found_.description);
  std::ranges::replace(found_.lang, '_', '-');
  constexpr std::size_t longest_lang = 35;
  if (found_.lang.size() > longest_lang || found_.lang.find(' ') != std::string::npos) {
    found_.lang.clear();
  }
  return std::move(found_);
}

}  // namespace

metadata read_metadata(const page_tree& tree, const std::optional<base::url>& base) {
  return reader(tree, base).run();
}

std::optional<base::url> base_of(const html::document& page, std::string_view address) {
  const auto own = base::parse_url(address);
  for (node_id id = 1; id < page.size(); ++id) {
    if (!page.is_element(id, html::tag_id::base) || !page.has_attribute(id, "href")) continue;
    const auto reference = page.attribute_of(id, "href");
    const auto resolved = own ? base::resolve_url(*own, reference) : base::parse_url(reference);
    // Only the first one counts, and only if it leads to the web.
    return resolved && resolved->is_http() ? resolved : own;
  }
  return own;
}

}  // namespace freshet::markdown

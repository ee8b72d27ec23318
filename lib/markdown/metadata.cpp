// Metadata from its sources, the most deliberate first: JSON-LD, then OpenGraph and <meta>, then
// microdata, then the elements themselves. A value that one source has is not overwritten.
#include <algorithm>
#include <array>
#include <base/byline.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <markdown/about/author_boxes.hpp>
#include <markdown/about/closing_days.hpp>
#include <markdown/about/linked_data.hpp>
#include <markdown/about/page_authors.hpp>
#include <markdown/about/page_headings.hpp>
#include <markdown/about/page_moment.hpp>
#include <markdown/about/page_title.hpp>
#include <markdown/about/posts.hpp>
#include <markdown/about/site_name.hpp>
#include <markdown/about/visible_claims.hpp>
#include <markdown/about/written_date.hpp>
#include <markdown/metadata.hpp>
#include <unordered_map>

namespace freshet::markdown {
namespace {

using html::node_id;
using html::none;

constexpr std::size_t max_tags = 50;
/// Properties of one kind that are remembered; a page names some dozens.
constexpr std::size_t max_properties = 2000;

using named_values = std::unordered_map<std::string, std::string, base::text_hash>;

void fill(std::string& out, std::string_view value) {
  if (!out.empty()) return;
  out = base::nfc(base::collapse_spaces(html::decode_entities(value)));
}

std::string_view first_of(const named_values& values, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    const auto found = values.find(name);
    if (found != values.end() && !found->second.empty()) return found->second;
  }
  return {};
}

class reader {
 public:
  reader(const page_tree& tree, const std::optional<base::url>& base)
      : tree_(tree), page_(tree.page()), base_(base), boxes_(tree), headings_(tree) {}
  metadata run();

 private:
  void collect();
  void collect_meta(node_id id);
  void collect_property(node_id id);
  void take_named();
  void add_tag(std::string_view text);
  void clean_title();
  void take_title();
  void find_title_place(const title_evidence& said);
  void take_visible();
  void take_people();
  void take_moment();
  void take_linked();
  void collect_time(node_id id);
  [[nodiscard]] const std::string& linked_title() const;
  [[nodiscard]] day_order order() const { return day_order_of(found_.lang); }
  [[nodiscard]] std::vector<std::string> site_names() const;
  [[nodiscard]] std::string name_in(node_id scope) const;
  [[nodiscard]] std::string text_in(node_id id) const;
  [[nodiscard]] std::string absolute(std::string_view reference) const;

  const page_tree& tree_;
  const html::document& page_;
  const std::optional<base::url>& base_;
  metadata found_;
  named_values meta_, properties_;
  std::string title_, time_, time_of_change_, time_in_remarks_, author_link_;
  author_boxes boxes_;
  page_headings headings_;
  linked_data linked_;
  author_evidence::pairs authors_in_meta_;
  moment_evidence moments_;
  visible_claims shown_;
  node_id heading_of_title_ = none;
  bool has_looked_ = false;
  bool has_several_days_ = false;  ///< of microdata
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
  for (const auto attribute : {"property", "name", "itemprop", "http-equiv"}) {
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
      if (names_author(name) && authors_in_meta_.size() < base::max_byline_names) {
        authors_in_meta_.emplace_back(name, content);
      }
      const auto kind = meta_moment_of(name);
      auto& moment = kind == meta_moment::edited ? moments_.named_edit : moments_.alike;
      if (kind != meta_moment::none && !moment) moment = moment_said(content, order());
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

void reader::collect_property(node_id id) {
  auto name = base::to_lower_ascii(base::trim(tree_.attribute_of(id, "itemprop")));
  const bool is_abbreviation = tree_.is_element(id, html::tag_id::abbr);
  // As blogs have it for hAtom.
  if (name.empty() && tree_.attribute_of(id, "class") == "published") name = "datepublished";
  // Threads are created; the first is what the page is about.
  if (name == "datecreated") name = "datepublished";
  if (name != "headline" && name != "author" && name != "datepublished" && name != "name" &&
      name != "description") {
    return;
  }
  const auto known = properties_.find(name);
  const bool is_new = known == properties_.end();
  if (properties_.size() >= max_properties || (!is_new && name != "datepublished")) return;
  auto value = tree_.attribute_of(id, "content");
  if (value.empty()) value = tree_.attribute_of(id, "datetime");
  if (value.empty() && is_abbreviation) value = tree_.attribute_of(id, "title");
  if (!is_new) {
    if (!value.empty() && value != known->second) has_several_days_ = true;
  } else if (!value.empty()) {
    properties_.emplace(name, value);
  } else {
    properties_.emplace(name, tree_.has_attribute(id, "itemscope") ? name_in(id) : text_in(id));
  }
}

void reader::collect_time(node_id id) {
  const bool is_change = names_change(tree_.attribute_of(id, "class")) ||
                         tree_.attribute_of(id, "itemprop") == "dateModified";
  auto& into = is_change ? time_of_change_ : time_;
  if (!into.empty() || !time_in_remarks_.empty()) return;
  const auto said = tree_.attribute_of(id, "datetime");
  if (said.empty()) return;
  (is_in_remarks(tree_, id) ? time_in_remarks_ : into) = said;
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
    const bool is_heading = page_headings::has(tag);
    if (!named && tag != html::tag_id::title && !is_heading) continue;
    const auto& one = page_.at(id);
    if (one.space != html::element_space::html) continue;
    if (tag == html::tag_id::meta) {
      collect_meta(id);
    } else if (tag == html::tag_id::html) {
      found_.lang = tree_.attribute_of(id, "lang");
      if (found_.lang.empty()) found_.lang = tree_.attribute_of(id, "xml:lang");
    } else if (tag == html::tag_id::title) {
      if (title_.empty()) title_ = text_in(id);
    } else if (is_heading) {
      headings_.add(id);
      boxes_.pass_heading();
    } else if (tag == html::tag_id::time) {
      collect_time(id);
    } else if (tag == html::tag_id::link) {
      const auto rel = base::to_lower_ascii(tree_.attribute_of(id, "rel"));
      if (rel == "canonical" && found_.canonical_url.empty()) {
        found_.canonical_url = absolute(tree_.attribute_of(id, "href"));
      }
    } else if (tag == html::tag_id::a && tree_.attribute_of(id, "rel") == "author") {
      if (author_link_.empty()) author_link_ = text_in(id);
      if (author_link_.size() > longest_author) author_link_.clear();
    } else if (tag == html::tag_id::script &&
               base::to_lower_ascii(tree_.attribute_of(id, "type")).find("ld+json") !=
                   std::string::npos) {
      const auto text = one.first_child;
      if (text != none) read_linked_data(page_.at(text).text, tree_, linked_);
    }
    if (tag == html::tag_id::abbr || tree_.has_attribute(id, "itemprop")) collect_property(id);
    boxes_.look_at(id);
  }
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

void reader::take_linked() {
  found_.description = linked_.description;
  found_.site_name = linked_.publisher;
  found_.image_url = absolute(linked_.image);
  if (found_.lang.empty()) found_.lang = linked_.lang;
  found_.product = std::move(linked_.product);
  found_.body = std::move(linked_.body);
  found_.types = std::move(linked_.types);
  for (const auto& word : linked_.keywords) add_tag(word);
}

/// A headline is the title, unless only the name beside it stands in <title>: encyclopedias put a
/// description there.
const std::string& reader::linked_title() const {
  const auto stands_in_title = [&](const std::string& text) {
    return !text.empty() && title_.find(text) != std::string::npos;
  };
  const bool name_first = stands_in_title(linked_.name) && !stands_in_title(linked_.headline);
  return name_first || linked_.headline.empty() ? linked_.name : linked_.headline;
}

void reader::take_named() {
  found_.title = linked_title();
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
  fill(found_.image_url,
       absolute(first_of(meta_, {"og:image", "og:image:url", "og:image:secure_url", "twitter:image",
                                 "twitter:image:src", "image"})));
  if (found_.canonical_url.empty()) found_.canonical_url = absolute(first_of(meta_, {"og:url"}));
  moments_.named = moment_said(
      first_of(meta_, {"article:published_time", "og:article:published_time", "og:published_time",
                       "parsely-pub-date", "datepublished", "dc.date.issued", "dcterms.created",
                       "sailthru.date", "publishdate", "publish-date", "pubdate", "citation_date"}),
      order());
  moments_.property = moment_said(first_of(properties_, {"datepublished"}), order());
  moments_.general = moment_said(first_of(meta_, {"date", "dc.date"}), order());
  // Days of several things are those of teasers, too.
  if (has_several_days_ && !moments_.named) moments_.named = moments_.general;
  if (found_.lang.empty()) {
    found_.lang = first_of(meta_, {"og:locale", "dc.language", "language", "content-language"});
  }
  if (!found_.tags.empty()) return;
  for (const auto word : parts_of_list(first_of(meta_, {"keywords", "news_keywords"})))
    add_tag(word);
}

/// "The article - The site" is "The article": the name of the site stands elsewhere.
void reader::clean_title() {
  if (found_.title.empty()) found_.title = title_;
  if (found_.title.empty()) found_.title = headings_.first();
  for (const std::string_view separator : {" | ", " - ", " \xE2\x80\x93 ", " \xE2\x80\x94 ",
                                           " \xC2\xBB ", " \xC2\xB7 ", " / ", ": "}) {
    const auto at = found_.title.rfind(separator);
    if (at == std::string::npos || at == 0) continue;
    const auto last = std::string_view(found_.title).substr(at + separator.size());
    const auto first = std::string_view(found_.title).substr(0, at);
    const bool site =
        !found_.site_name.empty() && base::equals_ignoring_ascii_case(last, found_.site_name);
    const auto& heading = headings_.first();
    if (site || (!heading.empty() && base::equals_ignoring_ascii_case(first, heading))) {
      found_.title.resize(at);
      return;
    }
  }
}

/// The site's and its publisher's, which may differ.
std::vector<std::string> reader::site_names() const {
  std::vector<std::string> out;
  for (const auto* name : {&found_.site_name, &linked_.publisher}) {
    if (!name->empty()) out.push_back(*name);
  }
  return out;
}

void reader::take_title() {
  constexpr std::size_t longest = 500;
  title_evidence said;
  said.headings = headings_.texts();
  said.lower_headings = headings_.lower_texts();
  said.cores = headings_.cores();
  const auto add = [&said](std::string_view text) {
    std::string one;
    fill(one, text);
    // Most pages say the same in several places.
    if (one.empty() || one.size() > longest) return;
    if (std::ranges::find(said.named, one) == said.named.end()) said.named.push_back(one);
  };
  for (const auto name :
       {first_of(meta_, {"og:title"}), std::string_view(linked_title()),
        first_of(properties_, {"headline"}),
        first_of(meta_, {"twitter:title", "dc:title", "dcterm:title", "dc.title", "dcterms.title",
                         "weibo:article:title", "parsely-title", "citation_title"}),
        std::string_view(linked_.name)}) {
    add(name);
  }
  fill(said.title, title_);
  if (said.title.size() > longest) said.title.clear();
  said.sites = site_names();
  if (base_) said.host = base_->host;
  said.path = base_ ? base_->path : "/?";
  said.is_article = found_.kind == "article" || linked_.is_article;
  found_.title = base::nfc(page_title(said));
  if (found_.title.empty()) found_.title = found_.declared_title;
  find_title_place(said);
}

/// Which of those that say it says the title: several do, and the heading is what people see.
void reader::find_title_place(const title_evidence& said) {
  const auto title = comparable(found_.title);
  if (title.empty()) return;
  const auto is_title = [&title](std::string_view text) { return comparable(text) == title; };
  if (std::ranges::any_of(said.headings, is_title) ||
      std::ranges::any_of(said.lower_headings, is_title)) {
    found_.title_place = "heading";
  } else if (is_title(first_of(meta_, {"og:title"}))) {
    found_.title_place = "opengraph";
  } else if (is_title(linked_title()) || is_title(linked_.name)) {
    found_.title_place = "json-ld";
  } else if (is_title(first_of(properties_, {"headline"}))) {
    found_.title_place = "microdata";
  } else if (std::ranges::any_of(said.named, is_title)) {
    found_.title_place = "meta";
  } else {
    found_.title_place = comparable(said.title).find(title) != std::string::npos ? "title" : "page";
  }
}

/// What is shown to people, where machines are told nothing, or only the site's name.
void reader::take_visible() {
  if (std::exchange(has_looked_, true)) return;
  heading_of_title_ = headings_.place_of(found_.title);
  shown_ = visible_claims_of(tree_, heading_of_title_, order(), base_ ? base_->host : "");
}

void reader::take_people() {
  author_evidence said;
  for (const auto& [name, address] : linked_.authors) {
    tree_.spend(1 + name.size());
    said.linked.emplace_back(name, absolute(address));
  }
  said.by_organisation = linked_.by_organisation;
  said.named = std::move(authors_in_meta_);
  for (const auto& [label, data] : {std::pair{"twitter:label1", "twitter:data1"},
                                    std::pair{"twitter:label2", "twitter:data2"}}) {
    said.labelled.emplace_back(first_of(meta_, {label}), first_of(meta_, {data}));
  }
  said.property = first_of(properties_, {"author"});
  said.linked_by_rel = std::move(author_link_);
  said.boxed_name = boxes_.name();
  said.boxed = boxes_.any();
  const site_name site(site_names(), base_ ? base_->host : "");
  take_visible();
  said.shown = std::move(shown_.byline);
  said.linked_to = std::move(shown_.linked);
  said.beside_day = std::move(shown_.beside_day);
  found_.authors = page_authors(said, site);
  const bool of_site = std::ranges::all_of(
      found_.authors, [&](const author& one) { return site.is(one.display_name); });
  if (of_site && heading_of_title_ != none) {
    said.closing = closing_byline(tree_, heading_of_title_);
    if (!said.closing.empty()) found_.authors = page_authors(said, site);
  }
  found_.authors_place = authors_place(said, found_.authors);
}

void reader::take_moment() {
  moments_.linked = linked_.published;
  moments_.linked_edit = linked_.edited;
  moments_.uploaded = linked_.uploaded;
  if (!moments_.linked && !moments_.named && !moments_.property && !moments_.general &&
      !moments_.alike) {
    take_visible();
    moments_.shown = shown_.day;
    // A thread has its day where its first post has it.
    if (!shown_.day) {
      if (const auto posts = post_bodies(tree_);
          !posts.empty() && !is_in_remarks(tree_, posts.front())) {
        moments_.shown = day_of_post(tree_, posts.front(), order());
      }
    }
    moments_.shown_edit = shown_.edit;
  }
  moments_.in_time = moment_said(time_.empty() ? time_of_change_ : time_, order());
  moments_.in_remarks = moment_said(time_in_remarks_, order());
  moments_.in_address = day_in_path(found_.canonical_url);
  if (!moments_.in_address && base_) moments_.in_address = day_in_path(base_->path);
  const bool is_said = is_declared(moments_) || moments_.alike || moments_.shown;
  if (!is_said) {
    const auto closing = closing_days_of(tree_, heading_of_title_, order());
    moments_.closing = closing.published;
    moments_.closing_edit = closing.edited;
    moments_.boxed = closing.boxed;
  }
  found_.published = page_moment(moments_);
  found_.published_place = page_moment_place(moments_);
  found_.is_dated = is_declared(moments_);
  found_.edited = page_edit(moments_);
}

metadata reader::run() {
  collect();
  take_linked();
  take_named();
  found_.kind = base::to_lower_ascii(first_of(meta_, {"og:type"}));
  found_.generator = first_of(meta_, {"generator"});
  if (const auto own = base::parse_url(found_.canonical_url)) found_.path = own->path;
  // Some sites name their home page as the address of every page.
  if (base_ && base_->path.size() > found_.path.size()) found_.path = base_->path;
  clean_title();
  found_.declared_title = base::nfc(found_.title);
  take_title();
  take_moment();
  take_people();
  if (found_.site_name.find("://") != std::string::npos) found_.site_name.clear();
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
    const bool is_place =
        resolved && resolved->is_http() && resolved->text().size() <= max_base_bytes;
    return is_place ? resolved : own;
  }
  return own;
}

}  // namespace freshet::markdown

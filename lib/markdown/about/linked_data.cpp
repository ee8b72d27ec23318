// A script holds an object, a list of them or a graph; all are walked without recursion, up to a
// number of objects for the whole page.
#include <algorithm>
#include <array>
#include <base/json.hpp>
#include <base/text_hash.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/about/linked_data.hpp>
#include <markdown/about/script_json.hpp>
#include <markdown/about/written_date.hpp>
#include <markdown/tree/type_signals.hpp>
#include <unordered_map>

namespace freshet::markdown {

namespace {

namespace json = base::json;

constexpr std::size_t max_linked_objects = 2000, max_types = 50, max_keywords = 50,
                      max_linked_authors = 50;

/// Types of schema.org whose objects are what a page is about, beside articles and threads.
constexpr std::array<std::string_view, 5> other_main_types = {
    "Product", "VideoObject", "SoftwareApplication", "Event", "WebPage"};

const json::value& first_or_self(const json::value& value) {
  if (!value.is_array() || value.get_array().empty()) return value;
  return value.get_array().front();
}

void fill_text(std::string& out, std::string_view value) {
  if (out.empty()) out = base::nfc(base::collapse_spaces(html::decode_entities(value)));
}

/// The name of a person or an organisation, however it is written.
std::string name_of(const json::value& who) {
  return base::text_of(first_or_self(who.is_string() ? who : base::member(who, "name")));
}

/// Objects with a name by their "@id", which others name them by.
using named_objects = std::unordered_map<std::string_view, const json::value*, base::text_hash>;

const json::value& meant_by(const json::value& who, const named_objects& known) {
  if (!who.is_object() || !base::member(who, "name").is_null()) return who;
  const auto found = known.find(base::view_of(base::member(who, "@id")));
  return found == known.end() ? who : *found->second;
}

/// "http://schema.org/Article", "schema:Article" and "Article" are one.
std::string_view type_name(const json::value& type) {
  const auto name = base::view_of(type);
  return name.substr(name.find_last_of("/#:") + 1);
}

std::string image_of(const json::value& image) {
  const auto& one = first_or_self(image);
  return one.is_object() ? base::text_of(base::member(one, "url"))
                         : std::string(base::view_of(one));
}

/// Whether one of the types of an object, which may have several, is meant.
template <class Test>
bool has_type(const json::value& object, Test is_meant) {
  const auto& type = base::member(object, "@type");
  return is_meant(type_name(type)) ||
         std::ranges::any_of(base::array_of(type),
                             [&](const json::value& one) { return is_meant(type_name(one)); });
}

bool is_main_type(const json::value& object) {
  return has_type(object, [](std::string_view name) {
    const auto is_among = [&](const auto& types) {
      return std::ranges::find(types, name) != std::end(types);
    };
    // Instructions are articles, but their object is that of the steps.
    return (is_among(signals::article_types) && name != "HowTo") ||
           is_among(signals::thread_types) || is_among(other_main_types);
  });
}

bool is_organisation(const json::value& who) {
  return has_type(who, [](std::string_view name) {
    return name.ends_with("Organization") || name == "Corporation";
  });
}

void take_types(const json::value& type, linked_data& data) {
  const auto take = [&data](const json::value& one) {
    const auto name = type_name(one);
    if (name.empty() || data.types.size() >= max_types) return;
    data.types.emplace_back(name);
  };
  take(type);
  for (const auto& one : base::array_of(type)) take(one);
}

void take_keywords(const json::value& keywords, linked_data& data) {
  const auto add = [&data](std::string_view word) {
    if (data.keywords.size() < max_keywords) data.keywords.emplace_back(word);
  };
  for (const auto& one : base::array_of(keywords)) add(base::view_of(one));
  for (const auto word : parts_of_list(base::view_of(keywords))) add(word);
}

/// A person or an organisation, however it is written, or a list of them.
void take_people(const json::value& people, const named_objects& known, linked_data& data) {
  if (!data.authors.empty()) return;
  const auto take = [&](const json::value& reference) {
    const auto& one = meant_by(reference, known);
    auto name = name_of(one);
    if (name.empty() || data.authors.size() >= max_linked_authors) return;
    data.by_organisation = is_organisation(one) && (data.authors.empty() || data.by_organisation);
    data.authors.emplace_back(std::move(name), base::view_of(base::member(one, "url")));
  };
  if (!people.is_array()) return take(people);
  for (const auto& one : people.get_array()) take(one);
}

void take_time(std::optional<time_point>& out, const json::value& value) {
  if (out) return;
  const auto& one = first_or_self(value);
  const auto& said = one.is_object() ? base::member(one, "@value") : one;
  out = moment_said(base::text_of(said), day_order::day_first);
}

void take_object(const json::value& object, const named_objects& known, linked_data& data) {
  const bool is_page = type_name(first_or_self(base::member(object, "@type"))) == "WebPage";
  fill_text(data.headline, base::text_of(base::member(object, "headline")));
  if (!is_page) fill_text(data.name, base::text_of(base::member(object, "name")));
  fill_text(data.description, base::text_of(base::member(object, "description")));
  take_people(base::member(object, "author"), known, data);
  fill_text(data.publisher,
            name_of(meant_by(first_or_self(base::member(object, "publisher")), known)));
  if (data.image.empty()) data.image = image_of(base::member(object, "image"));
  fill_text(data.lang, base::view_of(base::member(object, "inLanguage")));
  take_time(data.published, base::member(object, "datePublished"));
  take_time(data.published, base::member(object, "dateCreated"));
  take_time(data.uploaded, base::member(object, "uploadDate"));
  take_time(data.edited, base::member(object, "dateModified"));
  take_keywords(base::member(object, "keywords"), data);
  for (const auto* const name : {"articleBody", "text"}) {
    if (data.body.empty()) data.body = base::view_of(base::member(object, name));
  }
}

void take(const json::value& one, const named_objects& known, linked_data& data) {
  take_types(base::member(one, "@type"), data);
  const auto is_product = [](std::string_view name) { return name == "Product"; };
  if (data.product.empty() && has_type(one, is_product)) {
    data.product = base::view_of(base::member(one, "description"));
  }
  data.is_article =
      data.is_article || has_type(one, [](std::string_view name) {
        return std::ranges::find(signals::article_types, name) != std::end(signals::article_types);
      });
  if (is_main_type(one)) take_object(one, known, data);
}

}  // namespace

std::vector<std::string_view> parts_of_list(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    out.push_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

void read_linked_data(std::string_view script, const page_tree& tree, linked_data& data) {
  script = base::trim(script);
  constexpr std::size_t bytes_per_step = 2;
  tree.spend(script.size() / bytes_per_step);
  const auto parsed = parse_script_json(script);
  if (!parsed) return;
  std::vector<const json::value*> objects;
  named_objects known;
  std::vector<const json::value*> queue = {&*parsed};
  while (!queue.empty() && data.objects < max_linked_objects) {
    const json::value& one = *queue.back();
    queue.pop_back();
    ++data.objects;
    const auto& elements = base::array_of(one);
    for (auto at = elements.rbegin(); at != elements.rend(); ++at) queue.push_back(&*at);
    if (!one.is_object()) continue;
    objects.push_back(&one);
    const auto id = base::view_of(base::member(one, "@id"));
    if (!id.empty() && !base::member(one, "name").is_null()) known.try_emplace(id, &one);
    const auto& graph = base::member(one, "@graph");
    const auto& main = base::member(one, "mainEntity");
    if (!main.is_null()) queue.push_back(&main);
    if (!graph.is_null()) queue.push_back(&graph);
  }
  for (const auto* one : objects) take(*one, known, data);
}

}  // namespace freshet::markdown

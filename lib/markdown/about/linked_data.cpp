// A script holds an object, a list of them or a graph; all are walked without recursion, up to a
// number of objects for the whole page.
#include <algorithm>
#include <array>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <html/document.hpp>
#include <markdown/about/linked_data.hpp>
#include <markdown/about/written_date.hpp>
#include <markdown/tree/type_signals.hpp>

namespace freshet::markdown {

namespace {

namespace json = base::json;

constexpr std::size_t max_linked_objects = 2000, max_types = 50, max_keywords = 50,
                      max_linked_authors = 50;
/// Bytes of a day in words.

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
  return who.is_string() ? base::text_of(who) : base::text_of(base::member(who, "name"));
}

std::string image_of(const json::value& image) {
  const auto& one = first_or_self(image);
  return one.is_object() ? base::text_of(base::member(one, "url"))
                         : std::string(base::view_of(one));
}

/// Generators write line breaks into strings, which JSON forbids.
std::string without_controls(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  }
  return out;
}

bool is_main_type(const json::value& object) {
  const auto is_main = [](const json::value& type) {
    const auto name = base::view_of(type);
    const auto is_among = [&](const auto& types) {
      return std::ranges::find(types, name) != std::end(types);
    };
    // Instructions are articles, but their object is that of the steps.
    return (is_among(signals::article_types) && name != "HowTo") ||
           is_among(signals::thread_types) || is_among(other_main_types);
  };
  const auto& type = base::member(object, "@type");
  return is_main(type) || std::ranges::any_of(base::array_of(type), is_main);
}

void take_types(const json::value& type, linked_data& data) {
  const auto take = [&data](const json::value& one) {
    const auto name = base::view_of(one);
    if (name.empty() || data.types.size() >= max_types) return;
    data.types.emplace_back(name.substr(name.rfind('/') + 1));
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
void take_people(const json::value& people, linked_data& data) {
  if (!data.authors.empty()) return;
  const auto take = [&data](const json::value& one) {
    auto name = name_of(one);
    if (name.empty() || data.authors.size() >= max_linked_authors) return;
    const auto type = base::view_of(base::member(one, "@type"));
    const bool is_organisation = type.ends_with("Organization") || type == "Corporation";
    data.by_organisation = is_organisation && (data.authors.empty() || data.by_organisation);
    data.authors.emplace_back(std::move(name), base::view_of(base::member(one, "url")));
  };
  if (!people.is_array()) return take(people);
  for (const auto& one : people.get_array()) take(one);
}

void take_time(std::optional<time_point>& out, const json::value& value) {
  if (!out) out = moment_said(base::text_of(value), day_order::day_first);
}

void take_object(const json::value& object, linked_data& data) {
  const bool is_page = base::view_of(first_or_self(base::member(object, "@type"))) == "WebPage";
  fill_text(data.headline, base::text_of(base::member(object, "headline")));
  if (!is_page) fill_text(data.name, base::text_of(base::member(object, "name")));
  fill_text(data.description, base::text_of(base::member(object, "description")));
  take_people(base::member(object, "author"), data);
  fill_text(data.publisher, name_of(first_or_self(base::member(object, "publisher"))));
  if (data.image.empty()) data.image = image_of(base::member(object, "image"));
  fill_text(data.lang, base::view_of(base::member(object, "inLanguage")));
  take_time(data.published, base::member(object, "datePublished"));
  take_time(data.published, base::member(object, "dateCreated"));
  take_time(data.edited, base::member(object, "dateModified"));
  take_keywords(base::member(object, "keywords"), data);
  for (const auto* const name : {"articleBody", "text"}) {
    if (data.body.empty()) data.body = base::view_of(base::member(object, name));
  }
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
  // Some generators wrap it for ancient browsers.
  if (script.starts_with("<![CDATA[") && script.ends_with("]]>")) {
    script = script.substr(9, script.size() - 12);
  }
  auto parsed = base::parse_json(script);
  if (!parsed) parsed = base::parse_json(without_controls(script));
  if (!parsed) return;
  std::vector<const json::value*> queue = {&*parsed};
  while (!queue.empty() && data.objects < max_linked_objects) {
    const json::value& one = *queue.back();
    queue.pop_back();
    ++data.objects;
    const auto& elements = base::array_of(one);
    for (auto at = elements.rbegin(); at != elements.rend(); ++at) queue.push_back(&*at);
    if (!one.is_object()) continue;
    take_types(base::member(one, "@type"), data);
    if (data.product.empty() && base::view_of(base::member(one, "@type")) == "Product") {
      data.product = base::view_of(base::member(one, "description"));
    }
    if (is_main_type(one)) take_object(one, data);
    const auto& graph = base::member(one, "@graph");
    const auto& main = base::member(one, "mainEntity");
    if (!main.is_null()) queue.push_back(&main);
    if (!graph.is_null()) queue.push_back(&graph);
  }
}

}  // namespace freshet::markdown

// Gathering, a source each. Objects inside of objects are things of their own, too: a page's only
// offer may stand in its only product.
#include <algorithm>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <extract/evidence.hpp>
#include <extract/linked_data.hpp>
#include <extract/names.hpp>
#include <markdown/metadata.hpp>

namespace freshet::extract {
namespace json = base::json;

namespace {

using html::node_id;
using html::tag_id;

constexpr std::size_t max_meta = 500;

std::vector<std::string> types_of(const json::object& what) {
  std::vector<std::string> out;
  const auto* type = what.if_contains("@type");
  if (type == nullptr) return out;
  const auto add = [&](const json::value& one) {
    auto name = plain_name(base::view_of(one));
    if (!name.empty()) out.push_back(std::move(name));
  };
  add(*type);
  for (const auto& one : base::array_of(*type)) {
    if (out.size() >= max_names) break;
    add(one);
  }
  return out;
}

/// The type as the page writes it, without its vocabulary.
std::string label_of(const json::object& what) {
  const auto* type = what.if_contains("@type");
  if (type == nullptr) return "thing";
  const auto& one =
      type->is_array() && !type->get_array().empty() ? type->get_array().front() : *type;
  auto text = base::view_of(one);
  const auto slash = text.find_last_of("/#");
  if (slash != std::string_view::npos) text.remove_prefix(slash + 1);
  text = base::prefix(text, max_name_bytes);
  return text.empty() ? "thing" : base::repair_utf8(text);
}

void add_value(json::object& object, std::string_view name, std::string_view text) {
  if (name.empty() || name.size() > max_name_bytes || object.size() >= max_meta) return;
  const json::value value(json::string{text});
  auto [at, fresh] = object.emplace(name, value);
  if (fresh) return;
  if (!at->value().is_array()) at->value() = json::array{at->value()};
  at->value().get_array().push_back(value);
}

bool is_open_graph(std::string_view name) {
  for (const auto prefix :
       {"og:", "article:", "product:", "book:", "profile:", "video:", "music:"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

evidence::evidence(const html::document& page, std::string_view address)
    : page_(page), base_(markdown::base_of(page, address)) {
  take_linked_data();
  take_microdata();
  take_meta();
  take_tables();
  take_elements(address);
}

void evidence::take_linked_data() {
  for (auto& one : read_linked_data(page_, broken_scripts)) {
    values_.push_back(std::move(one));
    add_things(values_.back(), "json-ld");
  }
}

void evidence::take_microdata() {
  for (auto& one : read_microdata(page_, base_, room_)) {
    values_.emplace_back(std::move(one.value));
    const auto place = things_.size();
    add_things(values_.back(), "microdata");
    if (things_.size() > place) items_.emplace(one.element, place);
  }
}

/// The object and those in it, in the order in which they stand; what only holds others is none.
void evidence::add_things(const json::value& root, std::string_view origin) {
  struct place {
    const json::value* at;
    bool is_top;
  };
  std::vector<place> waiting{{&root, true}};
  while (!waiting.empty() && things_.size() < max_things) {
    const auto here = waiting.back();
    waiting.pop_back();
    page_.spend(1);
    std::vector<place> below;
    if (const auto* list = here.at->if_array()) {
      for (const auto& one : *list) below.push_back({&one, here.is_top});
    } else if (const auto* object = here.at->if_object()) {
      const auto* graph = object->if_contains("@graph");
      const bool is_thing = graph == nullptr && object->size() > 1;
      if (is_thing || origin == "microdata") {
        things_.push_back({object, origin, label_of(*object), types_of(*object), here.is_top});
      }
      if (const auto id = base::text_of(base::member(*here.at, "@id")); !id.empty()) {
        auto& known = by_id_[id];
        const bool says_more = known == nullptr || object->size() > known->get_object().size();
        if (says_more) known = here.at;
      }
      for (const auto& one : *object) {
        const bool is_compound = one.value().is_object() || one.value().is_array();
        const bool is_main = one.key() == "@graph" || one.key() == "mainEntity";
        if (is_compound) below.push_back({&one.value(), here.is_top && is_main});
      }
    }
    waiting.insert(waiting.end(), below.rbegin(), below.rend());
  }
}

void evidence::add_about(json::object&& object, std::string_view origin, std::string label) {
  if (object.empty()) return;
  values_.emplace_back(std::move(object));
  about_.push_back({&values_.back().get_object(), origin, std::move(label), {}, true});
}

void evidence::take_meta() {
  json::object graph, meta;
  for (node_id at = 1; at < page_.size(); ++at) {
    page_.spend(1);
    if (!page_.is_element(at, tag_id::meta)) continue;
    const auto content = base::trim(page_.attribute_of(at, "content"));
    if (content.empty()) continue;
    for (const auto* attribute : {"property", "name"}) {
      const auto name = base::to_lower_ascii(base::trim(page_.attribute_of(at, attribute)));
      if (!name.empty()) add_value(is_open_graph(name) ? graph : meta, name, content);
    }
  }
  add_about(std::move(graph), "opengraph", "");
  add_about(std::move(meta), "meta", "");
}

void evidence::take_elements(std::string_view address) {
  json::object own;
  const auto once = [&](const char* name, const std::string& text) {
    if (!text.empty() && !own.contains(name)) own[name] = text;
  };
  for (node_id at = 1; at < page_.size(); ++at) {
    page_.spend(1);
    if (page_.at(at).type != html::node_type::element) continue;
    const auto tag = page_.at(at).tag;
    if (tag == tag_id::html) once("lang", std::string(page_.attribute_of(at, "lang")));
    if (tag == tag_id::h1) once("headline", text_of_element(page_, at));
    if (tag == tag_id::title && page_.at(at).space == html::element_space::html) {
      once("title", text_of_element(page_, at));
    }
    if (tag == tag_id::link &&
        base::equals_ignoring_ascii_case(page_.attribute_of(at, "rel"), "canonical")) {
      once("url", std::string(page_.attribute_of(at, "href")));
    }
  }
  once("url", std::string(address));
  add_about(std::move(own), "page", "");
}

const thing* evidence::item_of(node_id element) const {
  const auto found = items_.find(element);
  return found == items_.end() ? nullptr : &things_[found->second];
}

const thing_member* evidence::member(const json::object& object, const std::string& plain) const {
  auto [found, fresh] = members_.try_emplace(&object);
  auto& known = found->second;
  if (fresh) {
    page_.spend(1 + object.size());
    for (const auto& one : object) {
      const std::string_view key(one.key().data(), one.key().size());
      known.try_emplace(plain_name(key), thing_member{key, &one.value()});
    }
  }
  page_.spend(1);
  const auto at = known.find(plain);
  return at == known.end() ? nullptr : &at->second;
}

const json::value& evidence::settled(const json::value& value) const {
  const auto* object = value.if_object();
  if (object == nullptr || object->size() > 2 || !object->contains("@id")) return value;
  const auto found = by_id_.find(base::text_of(object->at("@id")));
  return found == by_id_.end() || found->second == nullptr ? value : *found->second;
}

}  // namespace freshet::extract

// The search. A scope is where one object of the schema is looked for: some objects of the page,
// the best first, and an element that selectors begin at. It descends with the schema, whose depth
// is bounded when it is compiled.
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/json_writer.hpp>
#include <base/part_meter.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <extract/coerce.hpp>
#include <extract/evidence.hpp>
#include <extract/extract.hpp>
#include <extract/names.hpp>
#include <extract/ranking.hpp>
#include <html/queries.hpp>

namespace freshet::extract {
namespace json = base::json;

namespace {

using html::node_id;

constexpr std::size_t max_missing = 200;
/// Of all provenance together.
constexpr std::size_t max_noted_bytes = 2u << 20;
/// Of all values together: more than an answer takes.
constexpr std::size_t max_value_bytes = 8u << 20;
constexpr std::uint64_t steps_of_any_page = 10'000'000, steps_per_byte = 100;

class value_search {
 public:
  value_search(const evidence& page, const schema& schema)
      : page_(page), by_(schema), ranking_(page, schema) {}

  extracted_data run() {
    extracted_data out;
    scope top{{}, html::document::root(), true};
    const auto& root = by_.root();
    if (root.is(kind_object)) top.things = ranking_.best_for(root);
    if (!root.is(kind_object)) top.things = page_.about();
    auto value = find(root, top, "");
    if (value) base::append_json(out.value.text, *value);
    if (!value && root.is(kind_null)) out.value.text = "null";
    out.sources = std::move(sources_);
    out.missing = std::move(missing_);
    if (cut_) out.warnings.emplace_back("extract: the page has more values than are given");
    if (page_.repeats_too_much()) {
      out.warnings.emplace_back("extract: the page repeats itself more than is read");
    }
    if (page_.broken_scripts > 0) {
      out.warnings.emplace_back("extract: " + std::to_string(page_.broken_scripts) +
                                " scripts of JSON-LD cannot be read");
    }
    return out;
  }

 private:
  struct scope {
    std::vector<thing> things;
    node_id element;
    bool is_page = false;  ///< it is the whole page, not one of several objects on it
  };
  /// A value of the page, and the path to it.
  struct sighting {
    const json::value* value;
    std::string_view from;
    std::string path;
  };

  std::optional<json::value> find(const wanted_value& one, const scope& scope,
                                  const std::string& pointer) {
    spend(1 + pointer.size() / 16);
    if (one.is(kind_object)) return find_object(one, scope, pointer);
    if (one.is(kind_array)) return find_list(one, scope, pointer);
    return find_scalar(one, scope, pointer);
  }

  // Scalars.

  std::optional<json::value> find_scalar(const wanted_value& one, const scope& scope,
                                         const std::string& pointer) {
    if (one.where) {
      for (const auto element : elements_of(*one.where, scope.element)) {
        if (auto made = read_element(one, *one.where, element)) {
          note(pointer, "selector", one.where->written);
          return made;
        }
      }
      return std::nullopt;
    }
    for (const auto& seen : sightings_of(one, scope)) {
      if (auto made = first_of(one, seen, pointer)) return made;
    }
    return std::nullopt;
  }

  /// The first value in what was seen that can be one.
  std::optional<json::value> first_of(const wanted_value& one, const sighting& seen,
                                      const std::string& pointer) {
    const auto* list = seen.value->if_array();
    if (list == nullptr) {
      auto made = value_as(one, *seen.value);
      if (made) note(pointer, seen.from, seen.path);
      return made;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      spend(1);
      auto made = value_as(one, (*list)[i]);
      if (!made) continue;
      note(pointer, seen.from, seen.path + '/' + std::to_string(i));
      return made;
    }
    return std::nullopt;
  }

  std::optional<json::value> read_element(const wanted_value& one, const selection& where,
                                          node_id element) {
    const auto& page = page_.page();
    if (!where.attribute.empty()) {
      if (!page.has_attribute(element, where.attribute)) return std::nullopt;
      return value_as(one, json::string(page.attribute_of(element, where.attribute)));
    }
    const bool is_date = one.format == text_format::date || one.format == text_format::date_time;
    const auto tag = page.at(element).tag;
    const bool speaks = one.format == text_format::uri || tag == html::tag_id::meta ||
                        tag == html::tag_id::data || tag == html::tag_id::meter ||
                        (is_date && tag == html::tag_id::time);
    auto text =
        speaks ? value_of_element(page, element, page_.base()) : text_of_element(page, element);
    if (text.empty() && tag == html::tag_id::input) text = page.attribute_of(element, "value");
    return value_as(one, json::string(text));
  }

  // Objects.

  std::optional<json::value> find_object(const wanted_value& one, const scope& place,
                                         const std::string& pointer) {
    if (one.where) {
      for (const auto element : elements_of(*one.where, place.element)) {
        auto made = fill(one, scope_at(element), pointer);
        if (made) return made;
      }
      return std::nullopt;
    }
    if (pointer.empty()) return fill(one, place, pointer);
    for (const auto& seen : sightings_of(one, place)) {
      auto inside = objects_in(seen);
      if (inside.empty()) continue;
      return fill(one, scope{{std::move(inside.front())}, place.element, false}, pointer);
    }
    auto named = names_alone(one, place, pointer);
    if (named || !place.is_page) return named;
    return fill(one, scope{ranking_.best_for(one), place.element, true}, pointer);
  }

  /// A text where an object is wanted is its name: an author, a brand.
  std::optional<json::value> names_alone(const wanted_value& one, const scope& scope,
                                         const std::string& pointer) {
    for (const auto& seen : sightings_of(one, scope)) {
      for (const auto node : one.properties) {
        const auto& property = by_.at(node);
        if (plain_name(property.name) != "name" || property.where) continue;
        auto made = first_of(property, seen, pointer + base::pointer_token(property.name));
        if (made) return json::object{{property.name, std::move(*made)}};
      }
    }
    return std::nullopt;
  }

  /// All properties that can be found; null where there is none.
  std::optional<json::value> fill(const wanted_value& one, const scope& scope,
                                  const std::string& pointer) {
    json::object out;
    const auto sources_before = sources_.size(), missing_before = missing_.size();
    bool is_any_found = false;
    for (const auto node : one.properties) {
      const auto& property = by_.at(node);
      const auto at = pointer + base::pointer_token(property.name);
      auto made = find(property, scope, at);
      is_any_found = is_any_found || made;
      if (!made && property.fallback != nullptr) made = *property.fallback;
      if (!made && property.is(kind_null)) made = json::value(nullptr);
      if (made) {
        out[property.name] = std::move(*made);
      } else if (property.is_required && missing_.size() < max_missing) {
        missing_.push_back(at);
      }
    }
    if (is_any_found) return json::value(std::move(out));
    if (!pointer.empty()) {
      sources_.resize(sources_before);
      missing_.resize(missing_before);
    }
    return std::nullopt;
  }

  // Lists.

  std::optional<json::value> find_list(const wanted_value& one, const scope& scope,
                                       const std::string& pointer) {
    const auto& item = by_.at(*one.items);
    auto out = one.where              ? list_of_elements(one, item, scope, pointer)
               : item.is(kind_object) ? list_of_objects(one, item, scope, pointer)
                                      : list_of_scalars(one, item, scope, pointer);
    if (out.empty() || out.size() < one.least_items) return std::nullopt;
    return json::value(std::move(out));
  }

  json::array list_of_elements(const wanted_value& one, const wanted_value& item,
                               const scope& scope, const std::string& pointer) {
    json::array out;
    for (const auto element : elements_of(*one.where, scope.element)) {
      if (is_full(out, one)) break;
      const auto at = pointer + '/' + std::to_string(out.size());
      std::optional<json::value> made;
      const bool is_own = !item.is(kind_object) && !item.is(kind_array) && !item.where;
      if (is_own) {
        made = read_element(item, *one.where, element);
        if (made) note(at, "selector", one.where->written);
      } else {
        made = item.is(kind_object) && !item.where ? fill(item, scope_at(element), at)
                                                   : find(item, scope_at(element), at);
      }
      if (made) out.push_back(std::move(*made));
    }
    return out;
  }

  json::array list_of_objects(const wanted_value& one, const wanted_value& item, const scope& place,
                              const std::string& pointer) {
    std::vector<thing> found;
    for (const auto& seen : sightings_of(one, place)) {
      found = objects_in(seen);
      if (!found.empty()) break;
    }
    if (found.empty() && (place.is_page || pointer.empty())) found = ranking_.list_for(one, item);
    json::array out;
    for (auto& each : found) {
      if (is_full(out, one)) break;
      const auto at = pointer + '/' + std::to_string(out.size());
      auto made = fill(item, scope{{std::move(each)}, place.element, false}, at);
      if (made) out.push_back(std::move(*made));
    }
    return out;
  }

  json::array list_of_scalars(const wanted_value& one, const wanted_value& item, const scope& scope,
                              const std::string& pointer) {
    for (const auto& seen : sightings_of(one, scope)) {
      json::array out;
      const json::array alone{*seen.value};
      const auto* list = seen.value->if_array();
      const auto parts = parts_of(list == nullptr ? alone : *list, one);
      for (std::size_t i = 0; i < parts.size() && !is_full(out, one); ++i) {
        spend(1);
        auto made = value_as(item, parts[i]);
        if (!made || std::ranges::find(out, *made) != out.end()) continue;
        note(pointer + '/' + std::to_string(out.size()), seen.from,
             list == nullptr ? seen.path : seen.path + '/' + std::to_string(i));
        out.push_back(std::move(*made));
      }
      if (!out.empty()) return out;
    }
    return scope.is_page ? column_of(one, item, pointer) : json::array{};
  }

  /// Keywords are often one text with commas.
  [[nodiscard]] json::array parts_of(const json::array& list, const wanted_value& one) const {
    const auto& ways = ranking_.ways(one);
    const bool is_keywords = std::ranges::find(ways, "keywords") != ways.end();
    if (!is_keywords || list.size() != 1 || !list.front().is_string()) return list;
    json::array out;
    auto rest = base::view_of(list.front());
    while (!rest.empty()) {
      const auto end = std::min(rest.find(','), rest.size());
      out.emplace_back(json::string(rest.substr(0, end)));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }

  /// The column of a table that is headed so.
  json::array column_of(const wanted_value& one, const wanted_value& item,
                        const std::string& pointer) {
    const auto name = plain_name(one.alias.empty() ? one.name : one.alias);
    for (const auto& table : page_.tables()) {
      json::array out;
      for (const auto& row : table) {
        const auto* cell = page_.member(*row.what, name);
        if (cell == nullptr) cell = page_.member(*row.what, singular(name));
        if (cell == nullptr || is_full(out, one)) continue;
        auto made = value_as(item, *cell->value);
        if (!made) continue;
        note(pointer + '/' + std::to_string(out.size()), "table",
             row.label + '/' + std::string(cell->key));
        out.push_back(std::move(*made));
      }
      if (!out.empty()) return out;
    }
    return {};
  }

  // Where things are.

  [[nodiscard]] std::vector<node_id> elements_of(const selection& where, node_id within) const {
    if (where.is_scope) return {within};
    base::meter none;
    auto* counted = page_.page().counted_on();
    return where.elements.select(page_.page(), within, counted == nullptr ? none : *counted);
  }

  [[nodiscard]] scope scope_at(node_id element) const {
    scope out{{}, element, false};
    if (const auto* item = page_.item_of(element)) out.things.push_back(*item);
    return out;
  }

  [[nodiscard]] std::vector<sighting> sightings_of(const wanted_value& one,
                                                   const scope& scope) const {
    std::vector<sighting> out;
    for (const auto& each : scope.things) {
      for (const auto& way : ranking_.ways(one)) {
        if (auto seen = look(each, way)) out.push_back(std::move(*seen));
      }
    }
    return out;
  }

  /// Goes the way from a thing, from object to object; the first of a list stands for it.
  [[nodiscard]] std::optional<sighting> look(const thing& thing, std::string_view way) const {
    const auto* at = thing.what;
    std::string path = thing.label;
    while (true) {
      spend(1);
      const auto end = std::min(way.find('.'), way.size());
      const auto* found = page_.member(*at, std::string(way.substr(0, end)));
      if (found == nullptr) return std::nullopt;
      if (!path.empty()) path += '/';
      path += base::prefix(found->key, max_name_bytes);
      way.remove_prefix(std::min(end + 1, way.size()));
      if (way.empty()) return sighting{found->value, thing.from, std::move(path)};
      const auto* next = &page_.settled(*found->value);
      if (const auto* list = next->if_array(); list != nullptr && !list->empty()) {
        path += "/0";
        next = &page_.settled(list->front());
      }
      at = next->if_object();
      if (at == nullptr) return std::nullopt;
    }
  }

  /// The objects that a value is or holds. An element of an ItemList stands for its item.
  [[nodiscard]] std::vector<thing> objects_in(const sighting& seen) const {
    std::vector<thing> out;
    const auto add = [&](const json::value& one, std::string path) {
      const auto* what = page_.settled(one).if_object();
      if (what == nullptr) return;
      const auto* item = page_.member(*what, "item");
      const bool is_place = item != nullptr && what->contains("position");
      const auto* inner = is_place ? page_.settled(*item->value).if_object() : nullptr;
      if (inner != nullptr && inner->size() > 1 && page_.member(*what, "name") == nullptr) {
        what = inner;
        path += "/item";
      }
      out.push_back({what, seen.from, std::move(path), {}, false});
    };
    const auto* list = seen.value->if_array();
    if (list == nullptr) add(*seen.value, seen.path);
    for (std::size_t i = 0; list != nullptr && i < list->size() && i < max_list_items; ++i) {
      spend(1);
      add((*list)[i], seen.path + '/' + std::to_string(i));
    }
    return out;
  }

  /// A value of the page as what is wanted; a text that is long takes long.
  [[nodiscard]] std::optional<json::value> value_as(const wanted_value& one,
                                                    const json::value& value) {
    const auto& settled = page_.settled(value);
    spend(1 + base::view_of(settled).size() / 8 + one.allowed.size());
    if (value_bytes_ > max_value_bytes) {
      cut_ = true;
      return std::nullopt;
    }
    auto made = coerce(settled, one, page_.base());
    if (made) value_bytes_ += base::view_of(*made).size();
    return made;
  }

  // Bookkeeping.

  void note(const std::string& pointer, std::string_view origin, std::string path) {
    if (sources_.size() >= max_values || noted_bytes_ > max_noted_bytes) {
      cut_ = true;
      return;
    }
    noted_bytes_ += pointer.size() + path.size();
    sources_.push_back({pointer, std::string(origin), std::move(path)});
  }

  [[nodiscard]] bool is_full(const json::array& list, const wanted_value& one) {
    const bool has_all = sources_.size() >= max_values || noted_bytes_ > max_noted_bytes;
    cut_ = cut_ || has_all;
    return has_all || list.size() >= one.most_items;
  }

  void spend(std::uint64_t steps) const { page_.page().spend(steps); }

  const evidence& page_;
  const schema& by_;
  const ranking ranking_;
  std::vector<provenance> sources_;
  std::size_t noted_bytes_ = 0, value_bytes_ = 0;
  std::vector<std::string> missing_;
  bool cut_ = false;
};

}  // namespace

std::uint64_t work_bound(std::size_t bytes) noexcept {
  return steps_of_any_page + steps_per_byte * bytes;
}

extracted_data extract(const source_page& source, const schema& schema, base::meter* counted) {
  base::part_meter own(counted, work_bound(source.utf8.size()));
  auto page = html::parse(source.utf8, &own.steps);
  html::encode_queries(page, source.charset);
  const evidence found(page, source.address);
  auto out = value_search(found, schema).run();
  out.warnings.insert(out.warnings.end(), page.warnings.begin(), page.warnings.end());
  return out;
}

}  // namespace freshet::extract

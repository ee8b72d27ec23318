// Most keys of most items are null or empty: left out, an item takes a third of the space.
#include <algorithm>
#include <archive/item_json.hpp>
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <model/json.hpp>

namespace freshet::archive {
namespace {

bool says_nothing(const base::json::value& value) {
  if (value.is_null()) return true;
  if (const auto* list = value.if_array()) return list->empty();
  const auto* object = value.if_object();
  if (object == nullptr) return false;
  return std::all_of(object->begin(), object->end(),
                     [](const auto& member) { return member.value().is_null(); });
}

}  // namespace

std::string stored_json(const item& what) {
  std::string whole;
  model::append_item(whole, what);
  auto parsed = base::parse_json(whole);
  if (!parsed || !parsed->is_object()) return whole;
  base::json::object kept;
  for (auto& member : parsed->as_object()) {
    auto& value = member.value();
    if (says_nothing(value)) continue;
    if (auto* inner = value.if_object()) {
      base::json::object fuller;
      for (auto& one : *inner) {
        if (!one.value().is_null()) fuller.emplace(one.key(), std::move(one.value()));
      }
      value = std::move(fuller);
    }
    kept.emplace(member.key(), std::move(value));
  }
  return base::json::serialize(kept);
}

}  // namespace freshet::archive

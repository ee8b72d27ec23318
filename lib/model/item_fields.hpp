// The table of include/freshet/item_fields.def as functions that visit the fields of a part or of
// an item, in the order of JSON: what is written and what is read back. It knows nothing of JSON.
#pragma once

#include <concepts>
#include <freshet/item.hpp>
#include <type_traits>
#include <variant>

namespace freshet::model {

/// How the table marks a field: never null, or null where the source did not say.
struct required {};
struct nullable {};

// For each row of the table's part `name`, visit(mark, "key", part.key). What item_common leaves to
// the kind of the item is visit.object() and visit.metrics().
#define FRESHET_PART(name, doc)                      \
  template <class Part, class Visitor>               \
  requires std::same_as < std::remove_const_t<Part>, \
  struct name > void each_field(Part& part, Visitor&& visit) {
#define FRESHET_ITEM(name, doc) FRESHET_PART(name, doc)
#define FRESHET_FIELD(type, key, presence, json, doc) visit(presence{}, #key, part.key);
#define FRESHET_OBJECT(type, key, presence, doc) visit(presence{}, #key, part.key);
#define FRESHET_LIST(type, key, doc) visit(required{}, #key, part.key);
#define FRESHET_DERIVED(key, json, doc) visit.key();
#define FRESHET_END() }
#include <freshet/item_fields.def>

/// Visits what all items have, then what is this kind's own. `any`: an item or a const one.
template <class Item, class Visitor>
requires std::same_as<std::remove_const_t<Item>, item>
void visit_fields(Item& any, Visitor&& visit) {
  std::visit(
      [&](auto& one) {
        std::conditional_t<std::is_const_v<Item>, const item_common, item_common>& shared = one;
        each_field(shared, visit);
        each_field(one, visit);
      },
      any);
}

}  // namespace freshet::model

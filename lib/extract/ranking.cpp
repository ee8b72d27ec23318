// Marks: a property that is there counts most, then that the object stands by itself, then that it
// is of a type that pages are about.
#include <algorithm>
#include <array>
#include <extract/names.hpp>
#include <extract/ranking.hpp>

namespace freshet::extract {

namespace {

constexpr int mark_of_property = 8, mark_of_alias = 6, mark_of_top = 4, mark_of_type = 2;

/// What stands on every page of a site: it is what a schema means only if
/// nothing else has nearly as much.
constexpr std::array<std::string_view, 16> side_types = {
    "website",        "organization", "breadcrumblist",
    "webpage",        "imageobject",  "searchaction",
    "listitem",       "person",       "sitenavigationelement",
    "postaladdress",  "contactpoint", "readaction",
    "collectionpage", "entrypoint",   "wpheader",
    "wpfooter"};

bool shares_type(const thing& a, const thing& b) {
  return std::ranges::any_of(a.types, [&](const std::string& one) {
    return std::ranges::find(b.types, one) != b.types.end();
  });
}

bool has_type(const thing& one, const std::string& type) {
  return std::ranges::find(one.types, type) != one.types.end();
}

}  // namespace

const std::vector<std::string>& ranking::ways(const wanted_value& property) const {
  auto [at, fresh] = ways_.try_emplace(&property);
  if (fresh) at->second = ways_to(property.alias.empty() ? property.name : property.alias);
  return at->second;
}

/// What the properties count that an object has, at least the first step to each.
int ranking::coverage(const thing& one, const wanted_value& object) const {
  int marks = 0;
  for (const auto node : object.properties) {
    const auto& property = by_.at(node);
    if (property.where) continue;
    const auto& known = ways(property);
    const auto found = std::ranges::find_if(known, [&](const std::string& way) {
      return page_.member(*one.what, way.substr(0, way.find('.'))) != nullptr;
    });
    if (found != known.end()) marks += found == known.begin() ? mark_of_property : mark_of_alias;
  }
  return marks;
}

int ranking::score(const thing& one, const wanted_value& object) const {
  const int found = coverage(one, object);
  if (found == 0) return 0;
  const bool is_side = std::ranges::any_of(
      side_types, [&](std::string_view type) { return has_type(one, std::string(type)); });
  const int marks = found + (one.is_top ? mark_of_top : 0);
  return is_side ? marks * 2 / 3 : marks + mark_of_type;
}

std::vector<thing> ranking::best_for(const wanted_value& object) const {
  const auto type = plain_name(object.type);
  const auto named = plain_name(object.name);
  const thing* best = nullptr;
  int best_score = 0;
  for (const auto& one : page_.things()) {
    if (!type.empty() && !has_type(one, type)) continue;
    int marks = score(one, object);
    // A property that is called as the type is means it.
    if (marks > 0 && !named.empty() && has_type(one, named)) marks += 4 * mark_of_property;
    if (marks > best_score) {
      best = &one;
      best_score = marks;
    }
  }
  std::vector<thing> out;
  if (best != nullptr) {
    out.push_back(*best);
    for (const auto& one : page_.things()) {
      if (one.from == best->from || !shares_type(one, *best)) continue;
      out.push_back(one);
      break;
    }
  }
  if (type.empty() || best != nullptr) {
    out.insert(out.end(), page_.about().begin(), page_.about().end());
  }
  return out;
}

std::vector<thing> ranking::rows_for(const wanted_value& item) const {
  const std::vector<thing>* best = nullptr;
  int best_score = 0;
  for (const auto& table : page_.tables()) {
    const int marks = table.empty() ? 0 : coverage(table.front(), item);
    if (marks <= best_score) continue;
    best = &table;
    best_score = marks;
  }
  return best == nullptr ? std::vector<thing>{} : *best;
}

std::vector<thing> ranking::list_for(const wanted_value& list, const wanted_value& item) const {
  auto type = plain_name(!item.type.empty() ? item.type : list.type);
  const bool is_said = !type.empty();
  if (!is_said) type = singular(plain_name(list.alias.empty() ? list.name : list.alias));
  std::vector<thing> out;
  for (const auto& one : page_.things()) {
    if (has_type(one, type) && coverage(one, item) > 0) out.push_back(one);
    if (out.size() >= max_list_items) break;
  }
  // One source says it; the same things in the other form would be there twice.
  if (!out.empty()) {
    const auto from = out.front().from;
    std::erase_if(out, [&](const thing& one) { return one.from != from; });
    return out;
  }
  return is_said ? out : rows_for(item);
}

}  // namespace freshet::extract

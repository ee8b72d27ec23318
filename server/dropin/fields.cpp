// The table, and the checks that need nothing else.
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>
#include <server/dropin/fields.hpp>
#include <server/nearest.hpp>

namespace freshet::server::dropin {
namespace {

namespace json = boost::json;

constexpr peer_field table[] = {
#define DROPIN_FIELD(of, name, value, how, accepted, note) \
  {route::of, #name, field_kind::value, treatment::how, accepted, note},
#include <server/dropin/fields.def>
#undef DROPIN_FIELD
};

bool is_texts(const json::value& value) {
  const json::array* all = value.if_array();
  return all != nullptr && std::all_of(all->begin(), all->end(),
                                       [](const json::value& one) { return one.is_string(); });
}

bool is_of(field_kind wanted, const json::value& value) {
  switch (wanted) {
    case field_kind::text:
      return value.is_string();
    case field_kind::flag:
      return value.is_bool();
    case field_kind::whole:
      return whole_number(value).has_value();
    case field_kind::texts:
      return is_texts(value);
    case field_kind::list:
      return value.is_array();
    case field_kind::object:
      return value.is_object();
    case field_kind::any:
      return true;
  }
  return false;
}

std::string_view article_and_name(field_kind wanted) {
  static constexpr std::array<std::string_view, 7> names{
      "a string", "true or false", "a whole number", "a list of strings",
      "a list",   "an object",     "a value"};
  return names[static_cast<std::size_t>(wanted)];
}

/// How the column `accepted` writes a value; "" for one that it cannot hold.
std::string_view written(const json::value& value) {
  if (value.is_bool()) return value.get_bool() ? "true" : "false";
  if (value.is_array() && value.get_array().empty()) return "[]";
  if (value.is_object() && value.get_object().empty()) return "{}";
  if (!value.is_string()) return {};
  return value.get_string().empty() ? std::string_view("\"\"")
                                    : std::string_view(value.get_string());
}

bool is_accepted(const peer_field& row, const json::value& value) {
  const std::string_view wanted = written(value);
  std::string_view rest = row.accepted;
  while (!wanted.empty() && !rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == wanted) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

std::string unknown_text(route route, std::string_view name) {
  std::vector<std::string_view> known;
  for (const peer_field& row : table) {
    if (row.of == route) known.push_back(row.name);
  }
  return "unknown parameter" + did_you_mean(name, known);
}

}  // namespace

const peer_field* find_field(route route, std::string_view name) {
  const auto* found = std::ranges::find_if(
      table, [&](const peer_field& row) { return row.of == route && row.name == name; });
  return found == std::end(table) ? nullptr : found;
}

std::optional<std::int64_t> whole_number(const json::value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_double()) return std::nullopt;
  constexpr double exact = 9007199254740992.0;  // beyond it a double skips whole numbers
  const double number = value.get_double();
  if (std::trunc(number) != number || std::abs(number) > exact) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

field_reader::field_reader(route route, const json::object& body, field_remarks& said,
                           std::string_view prefix, std::string_view without)
    : route_(route), body_(&body), said_(&said), prefix_(prefix), without_(without) {
  for (const auto& [name, value] : body) {
    if (said.refused.size() >= max_remarks) return;  // a name costs more to correct than to send
    if (!value.is_null()) check(name, value);
  }
}

void field_reader::check(std::string_view name, const json::value& value) const {
  const peer_field* const row = name == without_ ? nullptr : find_field(route_, name);
  if (row == nullptr) return refuse(name, unknown_text(route_, name));
  const bool settled = row->how == treatment::warned || row->how == treatment::refused;
  if (settled && is_accepted(*row, value)) return;
  if (row->how == treatment::refused) return refuse(name, row->note);
  if (!is_of(row->value, value)) {
    return refuse(name, "give " + std::string(article_and_name(row->value)));
  }
  if (row->how == treatment::warned) warn(name, row->note);
}

const json::value* field_reader::find(std::string_view name) const {
  const json::value* const value = body_->if_contains(name);
  const peer_field* const row = find_field(route_, name);
  if (value == nullptr || value->is_null() || row == nullptr || !is_of(row->value, *value)) {
    return nullptr;
  }
  return value;
}

std::string field_reader::text(std::string_view name) const {
  const json::value* const value = find(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

bool field_reader::flag(std::string_view name, bool fallback) const {
  const json::value* const value = find(name);
  return value != nullptr && value->is_bool() ? value->get_bool() : fallback;
}

std::optional<std::int64_t> field_reader::whole(std::string_view name) const {
  const json::value* const value = find(name);
  return value == nullptr ? std::nullopt : whole_number(*value);
}

std::optional<std::int64_t> field_reader::whole(std::string_view name, std::int64_t least,
                                                std::int64_t most) const {
  const std::optional<std::int64_t> value = whole(name);
  if (!value || (*value >= least && *value <= most)) return value;
  refuse(name,
         "give a whole number from " + std::to_string(least) +
             (most == std::numeric_limits<std::int64_t>::max() ? std::string(" on")
                                                               : " to " + std::to_string(most)));
  return std::nullopt;
}

std::optional<std::chrono::milliseconds> field_reader::seconds(std::string_view name,
                                                               std::int64_t least,
                                                               std::int64_t most) const {
  const json::value* const value = find(name);
  if (value == nullptr) return std::nullopt;
  boost::system::error_code failed;
  const auto given = value->to_number<double>(failed);
  if (!failed && given >= static_cast<double>(least) && given <= static_cast<double>(most)) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(given * 1000));
  }
  refuse(name, "give " + std::to_string(least) + " to " + std::to_string(most) + " seconds");
  return std::nullopt;
}

std::vector<std::string> field_reader::texts(std::string_view name) const {
  std::vector<std::string> out;
  const json::value* const value = find(name);
  if (value == nullptr || !value->is_array()) return out;
  for (const json::value& one : value->get_array()) {
    if (one.is_string()) out.emplace_back(one.get_string());
  }
  return out;
}

void field_reader::refuse(std::string_view name, std::string_view text) const {
  if (said_->refused.size() >= max_remarks) return;
  said_->refused.push_back({std::string(prefix_).append(name), std::string(text)});
}

void field_reader::warn(std::string_view name, std::string_view text) const {
  if (said_->warnings.size() >= max_remarks) return;
  said_->warnings.push_back({std::string(prefix_).append(name), std::string(text)});
}

}  // namespace freshet::server::dropin

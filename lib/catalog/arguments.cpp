// The checked parameters of a call: what was given, else the catalogue's default. It checks nothing
// itself: validate() has, and makes them.
#include <algorithm>
#include <array>
#include <base/json.hpp>
#include <base/json_writer.hpp>
#include <base/number.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/validate.hpp>
#include <query/since.hpp>
#include <utility>

namespace freshet::catalog {
namespace {

namespace json = boost::json;

/// They shape or bound the answer, or say where to go on; what is found stays the same.
constexpr std::array<std::string_view, 10> not_identity = {
    "cursor", "limit",       "max_tokens", "max_credits", "dry_run",
    "fields", "deadline_ms", "timeout_ms", "max_age_s",   "highlights"};

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    parts.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

using members = std::vector<std::pair<std::string_view, json::value>>;

/// Members sorted by their names, in every object that is in it. The parser bounds the depth of
/// what callers send, but far beyond what a stack should hold: this keeps one of its own.
json::value sorted(const json::value& root) {
  json::value out = root;
  std::vector<json::value*> waiting{&out};
  while (!waiting.empty()) {
    json::value& at = *waiting.back();
    waiting.pop_back();
    if (auto* list = at.if_array()) {
      for (auto& one : *list) waiting.push_back(&one);
    } else if (auto* object = at.if_object()) {
      std::vector<std::pair<std::string, json::value>> in_order;
      for (auto& one : *object) in_order.emplace_back(one.key(), std::move(one.value()));
      std::ranges::sort(in_order, [](const auto& a, const auto& b) { return a.first < b.first; });
      object->clear();
      for (auto& [name, value] : in_order) object->emplace(name, std::move(value));
      for (auto& one : *object) waiting.push_back(&one.value());
    }
  }
  return out;
}

void append_value(std::string& out, const json::value& value) {
  if (const auto* text = value.if_string()) {
    base::append_json_string(out, *text);
  } else if (const auto* number = value.if_int64()) {
    out += std::to_string(*number);
  } else if (const auto* flag = value.if_bool()) {
    out += *flag ? "true" : "false";
  } else if (const auto* list = value.if_array()) {
    out += '[';
    for (std::size_t at = 0; at < list->size(); ++at) {
      if (at > 0) out += ',';
      base::append_json_string(out, base::view_of((*list)[at]));
    }
    out += ']';
  } else if (value.is_object()) {
    base::append_json(out, sorted(value));
  } else {
    out += "null";  // validate() lets nothing else in
  }
}

std::string sorted_object(members of) {
  std::ranges::sort(of, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string out = "{";
  for (const auto& [name, value] : of) {
    if (out.size() > 1) out += ',';
    base::append_json_string(out, name);
    out += ':';
    append_value(out, value);
  }
  out += '}';
  return out;
}

}  // namespace

json::value fallback_value(const parameter& of) {
  switch (of.type) {
    case value_type::integer:
      return base::parse_number<std::int64_t>(of.fallback).value_or(0);
    case value_type::boolean:
      return of.fallback == "true";
    case value_type::string_list: {
      json::array list;
      for (const auto& one : split(of.fallback)) list.emplace_back(one);
      return list;
    }
    case value_type::object:  // has no default
    case value_type::string:
      break;
  }
  return json::string(of.fallback);
}

arguments::arguments(const endpoint& endpoint, json::object values)
    : of_(&endpoint), values_(std::move(values)) {}

std::string arguments::text(std::string_view name) const {
  if (const auto* found = values_.if_contains(name)) return std::string(base::view_of(*found));
  const auto* known = find_parameter(*of_, name);
  return known != nullptr ? std::string(known->fallback) : std::string();
}

std::int64_t arguments::integer(std::string_view name) const {
  const auto* found = values_.if_contains(name);
  if (found != nullptr) return found->is_int64() ? found->get_int64() : 0;
  const auto* known = find_parameter(*of_, name);
  if (known == nullptr || known->type != value_type::integer) return 0;
  return fallback_value(*known).get_int64();
}

bool arguments::flag(std::string_view name) const {
  const auto* found = values_.if_contains(name);
  if (found != nullptr) return found->is_bool() && found->get_bool();
  const auto* known = find_parameter(*of_, name);
  return known != nullptr && known->fallback == "true";
}

std::vector<std::string> arguments::list(std::string_view name) const {
  std::vector<std::string> out;
  if (const auto* found = values_.if_contains(name)) {
    for (const auto& one : base::array_of(*found)) out.emplace_back(base::view_of(one));
    return out;
  }
  const auto* known = find_parameter(*of_, name);
  return known != nullptr ? split(known->fallback) : out;
}

std::string arguments::object(std::string_view name) const {
  const auto* found = values_.if_contains(name);
  return found != nullptr && found->is_object() ? json::serialize(*found) : std::string();
}

bool arguments::given(std::string_view name) const { return values_.contains(name); }

std::optional<std::chrono::seconds> arguments::duration(std::string_view name) const {
  const auto written = text(name);
  if (written.empty()) return std::nullopt;
  const auto parsed = query::parse_since(written);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

std::string arguments::query_identity() const {
  members deciding;
  for (const auto part : {of_->own, of_->common}) {
    for (const auto& one : part) {
      if (std::ranges::find(not_identity, one.name) != not_identity.end()) {
        continue;
      }
      const auto* found = values_.if_contains(one.name);
      if (found == nullptr && one.fallback.empty()) continue;
      deciding.emplace_back(one.name, found != nullptr ? *found : fallback_value(one));
    }
  }
  std::string out = "[";
  base::append_json_string(out, of_->path);
  out += ',';
  out += sorted_object(std::move(deciding));
  out += ']';
  return out;
}

std::string arguments::canonical_body() const {
  members given;
  for (const auto& one : values_) given.emplace_back(one.key(), one.value());
  return sorted_object(std::move(given));
}

}  // namespace freshet::catalog

// Whether what is in `data` is exactly what the catalogue says: every key, in order, none more, and
// of the right type. Tests of sources, of the engine and of every door hold their answers to it.
#pragma once

#include <algorithm>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <catalog/endpoint.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::test {

namespace schema_check {

using problems = std::vector<std::string>;

inline bool is_written_time(std::string_view text) {
  const auto at = base::parse_time(text);
  return at && base::format_time(*at) == text;
}

inline void check_object(const boost::json::value& value, std::span<const catalog::field> fields,
                         const std::string& where, problems& out);

/// Objects hold no objects of their own kind, so the catalogue's tables bound the depth.
inline void check_field(const boost::json::value& value, const catalog::field& field,
                        const std::string& where, problems& out) {
  using catalog::field_type;
  if (value.is_null()) {
    if (!field.nullable) out.push_back(where + " is null");
    return;
  }
  const auto expect = [&](bool right, const char* what) {
    if (!right) out.push_back(where + " is not " + what);
  };
  switch (field.type) {
    case field_type::string:
      expect(value.is_string(), "a string");
      break;
    case field_type::time:
      expect(value.is_string() && is_written_time(base::view_of(value)), "a time as we write it");
      break;
    case field_type::uri:
      expect(value.is_string() && base::parse_url(base::view_of(value)).has_value(),
             "an absolute URL");
      break;
    case field_type::integer:
      expect(value.is_int64(), "an integer");
      break;
    case field_type::number:
      expect(value.is_number(), "a number");
      break;
    case field_type::boolean:
      expect(value.is_bool(), "true or false");
      break;
    case field_type::string_list:
      expect(value.is_array(), "a list");
      for (const auto& one : base::array_of(value)) expect(one.is_string(), "a list of strings");
      break;
    case field_type::any:
      break;
    case field_type::object:
      check_object(value, field.fields, where, out);
      break;
    case field_type::object_list:
      expect(value.is_array(), "a list");
      for (const auto& one : base::array_of(value))
        check_object(one, field.fields, where + "[]", out);
      break;
  }
}

inline void check_object(const boost::json::value& value, std::span<const catalog::field> fields,
                         const std::string& where, problems& out) {
  const auto* object = value.if_object();
  if (object == nullptr) {
    out.push_back(where + " is not an object");
    return;
  }
  std::size_t at = 0;
  for (const auto& member : *object) {
    const std::string name(member.key().data(), member.key().size());
    if (at >= fields.size() || fields[at].name != name) {
      out.push_back(where + "." + name + " is where " +
                    (at < fields.size() ? std::string(fields[at].name) : "the end") + " should be");
      return;
    }
    check_field(member.value(), fields[at], where + "." + name, out);
    ++at;
  }
  if (at < fields.size()) out.push_back(where + "." + std::string(fields[at].name) + " is missing");
}

}  // namespace schema_check

/// What is wrong with `item` as an object of `schema`; empty if nothing. `fields`: the mask of the
/// call, empty for none.
inline std::vector<std::string> schema_problems(const boost::json::value& item,
                                                const catalog::object_schema& schema,
                                                std::span<const std::string> fields = {}) {
  std::vector<catalog::field> expected;
  for (const auto part : {schema.common, schema.own}) {
    for (const auto& one : part) {
      const bool kept = fields.empty() || one.name == "object" || one.name == "id" ||
                        std::find(fields.begin(), fields.end(), one.name) != fields.end();
      if (kept) expected.push_back(one);
    }
  }
  std::vector<std::string> out;
  const std::string name(schema.name);
  schema_check::check_object(item, expected, name, out);
  if (base::view_of(base::member(item, "object")) != schema.name) {
    out.push_back(name + ".object is not \"" + name + "\"");
  }
  return out;
}

/// What is wrong with the answer of an endpoint: the envelope's own keys, and every item in it.
inline std::vector<std::string> envelope_problems(const boost::json::value& envelope,
                                                  const catalog::endpoint& endpoint,
                                                  std::span<const std::string> fields = {}) {
  std::vector<std::string> out;
  const auto append = [&](const boost::json::value& item) {
    // Of several kinds it is the one that it says.
    const auto kinds = catalog::answers_of(endpoint);
    const auto says = base::view_of(base::member(item, "object"));
    const auto found = std::ranges::find(kinds, says, &catalog::object_schema::name);
    const auto& kind = found == kinds.end() ? *kinds.front() : **found;
    for (auto& one : schema_problems(item, kind, fields)) out.push_back(std::move(one));
  };
  const auto& data = base::member(envelope, "data");
  const bool list = endpoint.shape == catalog::answer_shape::list;
  if (list != data.is_array()) out.push_back("data is not of the endpoint's shape");
  if (list) {
    for (const auto& item : base::array_of(data)) append(item);
  } else {
    append(data);
  }
  std::string keys;
  for (const auto& member : base::object_of(envelope)) {
    keys += std::string(member.key().data(), member.key().size()) + " ";
  }
  const bool right = keys == "data page meta " || (!list && keys == "data meta ");
  if (!right) out.push_back("the envelope has the keys " + keys);
  std::string meta;
  for (const auto& member : base::object_of(base::member(envelope, "meta"))) {
    meta += std::string(member.key().data(), member.key().size()) + " ";
  }
  if (meta != "request_id credits completeness truncated sources warnings ") {
    out.push_back("meta has the keys " + meta);
  }
  return out;
}

}  // namespace freshet::test

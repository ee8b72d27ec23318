// Reading one JSON object that a remote server wrote: the first thing that is not as it should be
// is remembered, and everything after it is read as absent.
#include <base/json_writer.hpp>
#include <base/time_text.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <model/object_reader.hpp>

namespace freshet::model {
namespace {

constexpr double largest_exact_double = 9007199254740992.0;  // 2^53

}  // namespace

object_reader::object_reader(const boost::json::value& value, std::string& problem)
    : from_(value), problem_(problem) {
  if (!value.is_object() && !value.is_null()) fail("", "an object");
}

const boost::json::value* object_reader::find(std::string_view name) const {
  const auto* object = from_.if_object();
  if (object == nullptr) return nullptr;
  const auto* found = object->if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

void object_reader::fail(std::string_view name, std::string_view text) {
  if (!problem_.empty()) return;
  if (name.empty()) {
    problem_ = "a value is not " + std::string(text);
  } else {
    problem_ = "`" + std::string(name) + "` is not " + std::string(text);
  }
}

bool object_reader::has(std::string_view name) const { return find(name) != nullptr; }

std::string object_reader::text(std::string_view name) {
  const auto* found = find(name);
  if (found == nullptr) return {};
  if (!found->is_string()) fail(name, "a string");
  return std::string(base::view_of(*found));
}

json_text object_reader::any(std::string_view name) {
  const auto* found = find(name);
  json_text out;
  if (found != nullptr) base::append_json(out.text, *found);
  return out;
}

template <class Value>
std::optional<Value> object_reader::read(std::string_view name, std::string_view kind,
                                         std::optional<Value> (*of)(const boost::json::value&)) {
  const auto* found = find(name);
  if (found == nullptr) return std::nullopt;
  const auto value = of(*found);
  if (!value) fail(name, kind);
  return value;
}

std::optional<std::int64_t> object_reader::integer(std::string_view name) {
  return read<std::int64_t>(name, "an integer", [](const auto& from) -> count {
    if (from.is_int64()) return from.get_int64();
    const double* real = from.if_double();
    if (real == nullptr || std::trunc(*real) != *real) return std::nullopt;
    if (std::abs(*real) >= largest_exact_double) return std::nullopt;
    return static_cast<std::int64_t>(*real);
  });
}

std::optional<double> object_reader::number(std::string_view name) {
  return read<double>(name, "a number", [](const auto& from) -> std::optional<double> {
    if (!from.is_number()) return std::nullopt;
    return from.template to_number<double>();
  });
}

std::optional<bool> object_reader::flag(std::string_view name) {
  return read<bool>(name, "true or false", base::flag_of);
}

std::optional<time_point> object_reader::time(std::string_view name) {
  return read<time_point>(name, "a time",
                          [](const auto& from) { return base::parse_time(base::view_of(from)); });
}

std::vector<std::string> object_reader::strings(std::string_view name) {
  std::vector<std::string> out;
  for (const auto& one : list(name)) {
    if (!one.is_string()) fail(name, "a list of strings");
    out.emplace_back(base::view_of(one));
  }
  return out;
}

object_reader object_reader::object(std::string_view name) {
  static const boost::json::value nothing;
  const auto* found = find(name);
  if (found == nullptr) return {nothing, problem_};
  if (!found->is_object()) fail(name, "an object");
  return {*found, problem_};
}

const boost::json::array& object_reader::list(std::string_view name) {
  static const boost::json::value nothing;
  const auto* found = find(name);
  if (found == nullptr) return base::array_of(nothing);
  if (!found->is_array()) fail(name, "a list");
  return base::array_of(*found);
}

}  // namespace freshet::model

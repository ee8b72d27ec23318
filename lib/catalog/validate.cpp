// The first step of a call: the caller's JSON against the endpoint's row of the catalogue. Every
// wrong parameter is reported at once; nothing is ignored, guessed or converted from another type.
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/formats.hpp>
#include <catalog/validate.hpp>
#include <cmath>
#include <query/since.hpp>
#include <utility>

namespace freshet::catalog {
namespace {

namespace json = boost::json;

constexpr std::size_t longest_guessed_name = 64;  // beyond it, no parameter is near
constexpr std::size_t errors_in_detail = 3;
constexpr double largest_exact_double = 9007199254740992.0;  // 2^53

const char* type_name(const json::value& value) noexcept {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_:
      return "a number";
    case json::kind::string:
      return "a string";
    case json::kind::array:
      return "an array";
    case json::kind::object:
      break;
  }
  return "an object";
}

const char* type_name(value_type type) noexcept {
  switch (type) {
    case value_type::integer:
      return "an integer";
    case value_type::boolean:
      return "true or false";
    case value_type::string_list:
      return "an array of strings";
    case value_type::object:
      return "an object";
    case value_type::string:
      break;
  }
  return "a string";
}

template <class Names>
std::string join(const Names& names, std::string_view last) {
  std::string out;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) out += at + 1 == names.size() ? last : std::string_view(", ");
    out += names[at];
  }
  return out;
}

std::string between(std::int64_t min, std::int64_t max) {
  if (min == max) return "exactly " + std::to_string(min);
  return std::to_string(min) + " to " + std::to_string(max);
}

/// Checks one body; the errors gather until the end.
class checker {
 public:
  explicit checker(const endpoint& of) : of_(of) {}

  [[nodiscard]] result<arguments> check(const json::object& body);

 private:
  checker(const endpoint& endpoint, const parameter& whole)
      : of_(endpoint), inside_(&whole), within_(base::pointer_token(whole.name)) {}

  void each(const json::object& body);
  void members(const parameter& parameter, const json::object& given);
  void choose_passages();
  void fail(std::string pointer, const char* code, std::string detail);
  void unknown(std::string_view name);
  void one(const parameter& parameter, const json::value& value);
  void string(const parameter& parameter, const json::value& value);
  void integer(const parameter& parameter, const json::value& value);
  void list(const parameter& parameter, const json::value& value);
  void object(const parameter& parameter, const json::value& value);
  void missing(const json::object& body);
  [[nodiscard]] bool element(const parameter& parameter, std::string& value,
                             const std::string& pointer);
  [[nodiscard]] bool parsed(const parameter& parameter, std::string_view value);
  void take_over(const parameter& parameter, const error& problem);
  [[nodiscard]] error failure() const;

  const endpoint& of_;
  const parameter* inside_ = nullptr;  ///< whose members are checked; null: a body
  std::string within_;                 ///< where they stand
  json::object values_;
  std::vector<parameter_error> errors_;
  std::size_t error_count_ = 0;
  query::text_query q_;
  std::optional<std::chrono::seconds> since_;
  std::optional<highlight_choice> passages_;
};

void checker::fail(std::string pointer, const char* code, std::string detail) {
  ++error_count_;
  if (errors_.size() >= max_parameter_errors) return;
  errors_.push_back({within_ + pointer, code, std::move(detail)});
}

void checker::unknown(std::string_view name) {
  // Beyond what is listed they are only counted: a body has room for thousands of names.
  if (errors_.size() >= max_parameter_errors) {
    ++error_count_;
    return;
  }
  std::vector<std::string_view> known;
  const auto own = inside_ != nullptr ? inside_->members : of_.own;
  const auto common = inside_ != nullptr ? std::span<const parameter>() : of_.common;
  for (const auto part : {own, common}) {
    for (const auto& one : part) known.push_back(one.name);
  }
  const auto near =
      name.size() <= longest_guessed_name ? base::nearest(name, known) : std::string_view();
  std::string detail = "unknown parameter; ";
  if (near.empty()) {
    detail += std::string(inside_ != nullptr ? inside_->name : of_.path) + " takes " +
              join(known, " and ");
  } else {
    detail += "did you mean " + quoted(near) + "?";
  }
  fail(base::pointer_token(name), "unknown_parameter", std::move(detail));
}

void checker::one(const parameter& parameter, const json::value& value) {
  switch (parameter.type) {
    case value_type::string:
      return string(parameter, value);
    case value_type::integer:
      return integer(parameter, value);
    case value_type::string_list:
      return list(parameter, value);
    case value_type::object:
      return object(parameter, value);
    case value_type::boolean:
      if (value.is_bool()) {
        values_[parameter.name] = value;
        return;
      }
      break;
  }
  fail(base::pointer_token(parameter.name), "wrong_type",
       std::string("must be ") + type_name(parameter.type) + ", not " + type_name(value));
}

void checker::string(const parameter& parameter, const json::value& value) {
  const auto pointer = base::pointer_token(parameter.name);
  if (!value.is_string()) {
    return fail(pointer, "wrong_type", std::string("must be a string, not ") + type_name(value));
  }
  std::string text(base::view_of(value));
  if (parameter.format == value_format::q || parameter.format == value_format::since) {
    if (const auto wrong = canonicalise(parameter.format, text); !wrong.empty()) {
      return fail(pointer, "invalid_format", wrong);
    }
    if (!parsed(parameter, text)) return;
  } else {
    const auto length = static_cast<std::int64_t>(base::length(text));
    if (parameter.choices.empty() && (length < parameter.min || length > parameter.max)) {
      return fail(pointer, "out_of_bounds",
                  "must be " + between(parameter.min, parameter.max) + " characters long, not " +
                      std::to_string(length));
    }
    if (!element(parameter, text, pointer)) return;
  }
  values_[parameter.name] = text;
}

void checker::integer(const parameter& parameter, const json::value& value) {
  const auto pointer = base::pointer_token(parameter.name);
  std::optional<std::int64_t> number;
  bool whole = value.is_int64() || value.is_uint64();
  if (value.is_int64()) number = value.get_int64();
  if (value.is_double()) {
    const double real = value.get_double();
    whole = std::trunc(real) == real;
    // 20.0 is an integer to JSON Schema, and so it is to us.
    if (whole && std::abs(real) < largest_exact_double) number = static_cast<std::int64_t>(real);
  }
  if (!whole) {
    return fail(pointer, "wrong_type",
                std::string("must be an integer, not ") +
                    (value.is_double() ? "a fraction" : type_name(value)));
  }
  if (!number || *number < parameter.min || *number > parameter.max) {
    return fail(pointer, "out_of_bounds",
                "must be " + between(parameter.min, parameter.max) +
                    (number ? ", not " + std::to_string(*number) : std::string()));
  }
  values_[parameter.name] = *number;
}

void checker::list(const parameter& parameter, const json::value& value) {
  const auto pointer = base::pointer_token(parameter.name);
  const auto* given = value.if_array();
  if (given == nullptr) {
    return fail(pointer, "wrong_type",
                std::string("must be an array of strings, not ") + type_name(value));
  }
  const auto size = static_cast<std::int64_t>(given->size());
  if (size < parameter.min || size > parameter.max) {
    return fail(pointer, "out_of_bounds",
                "must have " + between(parameter.min, parameter.max) + " elements, not " +
                    std::to_string(size));
  }
  json::array kept;
  for (std::size_t at = 0; at < given->size(); ++at) {
    const auto where = pointer + "/" + std::to_string(at);
    const auto* text = (*given)[at].if_string();
    if (text == nullptr) {
      fail(where, "wrong_type", std::string("must be a string, not ") + type_name((*given)[at]));
      continue;
    }
    std::string one(text->data(), text->size());
    const auto length = static_cast<std::int64_t>(base::length(one));
    if (parameter.choices.empty() && (length < 1 || length > max_element_length)) {
      fail(where, "out_of_bounds",
           "must be " + between(1, max_element_length) + " characters long, not " +
               std::to_string(length));
      continue;
    }
    if (!element(parameter, one, where)) continue;
    const json::value as_value(one);
    if (std::ranges::find(kept, as_value) == kept.end()) kept.push_back(as_value);
  }
  values_[parameter.name] = std::move(kept);
}

/// What is in an object that has no known members is judged by who reads it.
void checker::object(const parameter& parameter, const json::value& value) {
  const auto pointer = base::pointer_token(parameter.name);
  if (!value.is_object()) {
    return fail(pointer, "wrong_type", std::string("must be an object, not ") + type_name(value));
  }
  const auto size = static_cast<std::int64_t>(json::serialize(value).size());
  if (size < parameter.min || size > parameter.max) {
    return fail(pointer, "out_of_bounds",
                "must be " + between(parameter.min, parameter.max) + " bytes of JSON, not " +
                    std::to_string(size));
  }
  values_[parameter.name] = value;
  if (!parameter.members.empty()) members(parameter, value.get_object());
}

void checker::members(const parameter& parameter, const json::object& given) {
  checker inside(of_, parameter);
  inside.each(given);
  for (auto& one : inside.errors_) {
    if (errors_.size() < max_parameter_errors) errors_.push_back(std::move(one));
  }
  error_count_ += inside.error_count_;
  passages_.emplace();
  passages_->query = std::move(inside.q_);
  const auto& budget =
      *std::ranges::find(parameter.members, value_type::integer, &catalog::parameter::type);
  const auto* chosen = inside.values_.if_contains(budget.name);
  passages_->max_tokens = (chosen != nullptr ? *chosen : fallback_value(budget)).get_int64();
  const auto* instead = inside.values_.if_contains("instead_of_text");
  passages_->instead_of_text = instead != nullptr && instead->get_bool();
  values_[parameter.name] = std::move(inside.values_);
}

/// Passages answer the call's own query where they have none.
void checker::choose_passages() {
  if (!passages_ || !passages_->query.terms.empty()) return;
  if (q_.terms.empty()) {
    return fail("/highlights/query", "missing", "is required where the call has no `q`");
  }
  passages_->query = q_;
}

/// A string or an element of a list: its choices, its format, and for `fields` the item's keys.
bool checker::element(const parameter& parameter, std::string& value, const std::string& pointer) {
  if (!parameter.choices.empty()) {
    if (std::ranges::find(parameter.choices, value) != parameter.choices.end()) return true;
    fail(pointer, "not_allowed",
         quoted(value) + " is not one of " + join(parameter.choices, " and "));
    return false;
  }
  if (const auto wrong = canonicalise(parameter.format, value); !wrong.empty()) {
    fail(pointer, "invalid_format", wrong);
    return false;
  }
  if (parameter.format != value_format::name) return true;
  const auto keys = item_keys(of_);
  if (std::ranges::find(keys, value) != keys.end()) return true;
  const auto near =
      value.size() <= longest_guessed_name ? base::nearest(value, keys) : std::string_view();
  const auto kinds = answers_of(of_);
  std::string detail = quoted(value) + " is not a key of " +
                       (kinds.size() == 1 ? std::string(kinds.front()->name) : "these items");
  detail +=
      near.empty() ? "; it has " + join(keys, " and ") : "; did you mean " + quoted(near) + "?";
  fail(pointer, "not_allowed", std::move(detail));
  return false;
}

bool checker::parsed(const parameter& parameter, std::string_view value) {
  if (parameter.format == value_format::q) {
    auto query = query::parse_text_query(value);
    if (!query) {
      take_over(parameter, query.error());
      return false;
    }
    q_ = std::move(*query);
    return true;
  }
  const auto span = query::parse_since(value);
  if (!span) {
    take_over(parameter, span.error());
    return false;
  }
  if (parameter.name == "since") since_ = *span;
  return true;
}

/// The grammars of lib/query speak of /q and /since; other parameters are written in them too.
void checker::take_over(const parameter& parameter, const error& problem) {
  if (problem.parameters.empty())
    return fail(base::pointer_token(parameter.name), "invalid_format", problem.detail());
  for (const auto& one : problem.parameters) {
    fail(base::pointer_token(parameter.name), one.code.c_str(), one.detail);
  }
}

void checker::missing(const json::object& body) {
  for (const auto part : {of_.own, of_.common}) {
    for (const auto& one : part) {
      if (one.required && !body.contains(one.name)) {
        fail(base::pointer_token(one.name), "missing", "is required: " + std::string(one.doc));
      }
    }
  }
  if (of_.one_of.empty()) return;
  std::vector<std::string_view> given;
  for (const auto name : of_.one_of) {
    if (body.contains(name)) given.push_back(name);
  }
  if (given.empty()) {
    fail(base::pointer_token(of_.one_of.front()), "missing",
         "give either " + join(of_.one_of, " or "));
  } else if (given.size() > 1) {
    fail(base::pointer_token(given[1]), "not_allowed",
         "give either " + join(of_.one_of, " or ") + ", not both");
  }
}

error checker::failure() const {
  std::string detail;
  for (std::size_t at = 0; at < errors_.size() && at < errors_in_detail; ++at) {
    if (at > 0) detail += "; ";
    // The pointer without its slash is how a person names the parameter.
    const auto name = std::string_view(errors_[at].pointer).substr(1);
    const auto shown = base::prefix(name, longest_guessed_name);
    detail += std::string(shown) + (shown.size() < name.size() ? "…: " : ": ") + errors_[at].detail;
  }
  if (error_count_ > errors_in_detail) {
    detail += "; and " + std::to_string(error_count_ - errors_in_detail) + " more";
  }
  error out(errc::invalid_request, std::move(detail));
  out.parameters = errors_;
  return out;
}

void checker::each(const json::object& body) {
  for (const auto& member : body) {
    const std::string_view name(member.key().data(), member.key().size());
    const auto* known = inside_ == nullptr ? find_parameter(of_, name) : nullptr;
    if (inside_ != nullptr) {
      const auto found = std::ranges::find(inside_->members, name, &parameter::name);
      if (found != inside_->members.end()) known = &*found;
    }
    if (known != nullptr) {
      one(*known, member.value());
    } else {
      unknown(name);
    }
  }
}

result<arguments> checker::check(const json::object& body) {
  each(body);
  missing(body);
  if (error_count_ == 0) choose_passages();
  if (error_count_ > 0) return failure();
  arguments out(of_, std::move(values_));
  out.q = std::move(q_);
  out.since = since_ ? since_ : out.duration("since");
  out.highlights = std::move(passages_);
  return out;
}

}  // namespace

result<arguments> validate(const endpoint& endpoint, std::string_view body) {
  if (base::trim(body).empty()) return checker(endpoint).check({});
  auto parsed = base::parse_json(body, true);
  if (!parsed) return parsed.error();
  const auto* object = parsed->if_object();
  if (object == nullptr) {
    return error(errc::invalid_json,
                 std::string("the body must be one JSON object, not ") + type_name(*parsed));
  }
  return checker(endpoint).check(*object);
}

}  // namespace freshet::catalog

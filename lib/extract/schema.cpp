// One pass over the caller's JSON with a list of what is left to do: no recursion, and a bound on
// what a reference may make of it. What would be silently ignored is refused: a caller who writes
// `pattern` expects it to hold.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/invalid_parameter.hpp>
#include <base/unicode.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <extract/schema.hpp>
#include <utility>

namespace freshet::extract {
namespace json = base::json;

namespace {

struct kind_name {
  std::string_view name;
  value_kind is;
};
constexpr std::array<kind_name, 7> kind_names = {{{"string", kind_string},
                                                  {"number", kind_number},
                                                  {"integer", kind_integer},
                                                  {"boolean", kind_boolean},
                                                  {"object", kind_object},
                                                  {"array", kind_array},
                                                  {"null", kind_null}}};

/// What is kept.
constexpr std::array<std::string_view, 20> read_keywords = {
    "type",   "properties", "required",   "items",       "enum",      "const",    "default",
    "format", "minimum",    "maximum",    "minLength",   "maxLength", "minItems", "maxItems",
    "anyOf",  "oneOf",      "x-selector", "x-attribute", "x-name",    "x-type"};
/// What says nothing of the value that is wanted, or holds by itself.
constexpr std::array<std::string_view, 17> silent_keywords = {
    "$schema",  "$id",         "$ref",     "$defs",   "definitions",          "$comment",
    "title",    "description", "examples", "example", "additionalProperties", "deprecated",
    "readOnly", "writeOnly",   "nullable", "strict",  "propertyOrdering"};

}  // namespace

/// Makes nodes of JSON; the first mistake ends it.
class schema_compiler {
 public:
  explicit schema_compiler(std::string_view at) : at_(at) {}

  result<schema> run(json::value&& root) {
    out_.text_ = std::make_shared<const json::value>(std::move(root));
    root_ = out_.text_.get();
    out_.nodes_.emplace_back();
    tasks_.push_back({root_, 0, 1, ""});
    while (!tasks_.empty() && !failed()) {
      const auto one = std::move(tasks_.back());
      tasks_.pop_back();
      compile(one);
    }
    if (!failed() && !out_.root().is(kind_object) && !out_.root().is(kind_array) &&
        !out_.root().where && out_.root().alias.empty()) {
      fail("/type", "must be object or array, or the value needs an x-selector or an x-name");
    }
    if (failed()) return std::move(*problem_);
    return std::move(out_);
  }

 private:
  /// A place of the schema that is still to be compiled.
  struct task {
    const json::value* from;
    std::size_t node;
    std::size_t depth;
    std::string pointer;
  };

  [[nodiscard]] bool failed() const noexcept { return problem_.has_value(); }

  void fail(const std::string& pointer, const std::string& detail,
            const char* code = "invalid_format") {
    if (failed()) return;
    const auto where = at_ + pointer;
    problem_.emplace(errc::invalid_request,
                     (where.empty() ? "the schema" : where.substr(1)) + ": " + detail);
    problem_->parameters.push_back({where, code, detail});
  }

  /// Follows "$ref", and takes the one schema of an anyOf that is not null.
  const json::value* settle(const json::value* value, std::string& pointer, bool& may_be_null) {
    constexpr int most_steps = 16;
    for (int steps = 0; steps < most_steps; ++steps) {
      if (!value->is_object()) break;
      const auto& reference = base::member(*value, "$ref");
      const auto* either = &base::member(*value, "anyOf");
      const char* name = either->is_null() ? "/oneOf" : "/anyOf";
      if (either->is_null()) either = &base::member(*value, "oneOf");
      if (!reference.is_null()) {
        const auto path = base::view_of(reference);
        value = path.starts_with('#') ? resolve(path.substr(1)) : nullptr;
        if (value == nullptr) {
          fail(pointer + "/$ref", "names nothing in this schema; only `#/$defs/…` is followed");
          return nullptr;
        }
      } else if (!either->is_null()) {
        const auto* only = only_of(*either, may_be_null);
        if (only == nullptr) {
          fail(pointer + name, "must leave one schema beside null: a page cannot choose",
               "not_allowed");
          return nullptr;
        }
        pointer += name;
        value = only;
      } else {
        return value;
      }
    }
    if (value->is_object()) fail(pointer, "refers from one place to the next for too long");
    return value->is_object() ? nullptr : value;
  }

  static const json::value* only_of(const json::value& either, bool& may_be_null) {
    const json::value* only = nullptr;
    for (const auto& one : base::array_of(either)) {
      if (base::view_of(base::member(one, "type")) == "null") {
        may_be_null = true;
      } else if (only != nullptr) {
        return nullptr;
      } else {
        only = &one;
      }
    }
    return only;
  }

  [[nodiscard]] const json::value* resolve(std::string_view path) const {
    const json::value* at = root_;
    while (at != nullptr && path.starts_with('/')) {
      path.remove_prefix(1);
      const auto end = std::min(path.find('/'), path.size());
      const auto* object = at->if_object();
      at = object == nullptr ? nullptr : object->if_contains(path.substr(0, end));
      path.remove_prefix(end);
    }
    return at;
  }

  void compile(const task& one) {
    auto pointer = one.pointer;
    bool may_be_null = false;
    const auto* from = settle(one.from, pointer, may_be_null);
    if (failed()) return;
    if (from == nullptr || !from->is_object())
      return fail(pointer, "must be an object", "wrong_type");
    if (one.depth > max_schema_depth) {
      return fail(pointer, "is deeper than " + std::to_string(max_schema_depth) + " levels");
    }
    check_keywords(*from, pointer);
    wanted_value made;
    made.name = out_.nodes_[one.node].name;
    made.is_required = out_.nodes_[one.node].is_required;
    read_kinds(*from, pointer, made);
    if (may_be_null) made.kinds |= kind_null;
    read_texts(*from, pointer, made);
    read_bounds(*from, pointer, made);
    read_selector(*from, pointer, made);
    if (failed()) return;
    if (made.is(kind_object)) add_properties(*from, pointer, one.depth, made);
    if (made.is(kind_array)) add_items(*from, pointer, one.depth, made);
    out_.nodes_[one.node] = std::move(made);
  }

  void check_keywords(const json::value& value, const std::string& pointer) {
    for (const auto& member : base::object_of(value)) {
      const std::string_view name(member.key().data(), member.key().size());
      const auto is_in = [&](const auto& list) {
        return std::ranges::find(list, name) != list.end();
      };
      if (is_in(read_keywords) || is_in(silent_keywords)) continue;
      const auto near = name.size() > 32
                            ? std::string_view()
                            : base::nearest(name, {read_keywords.begin(), read_keywords.end()});
      return fail(pointer + base::pointer_token(name),
                  "is no keyword that is read here; " +
                      (near.empty() ? std::string("leave it out, and check the value yourself")
                                    : "did you mean '" + std::string(near) + "'?"),
                  "not_allowed");
    }
  }

  void read_kinds(const json::value& given, const std::string& pointer, wanted_value& wanted) {
    const auto& type = base::member(given, "type");
    const auto add = [&](const json::value& one) {
      const auto name = base::view_of(one);
      const auto found = std::ranges::find(kind_names, name, &kind_name::name);
      if (found == kind_names.end()) {
        return fail(pointer + "/type",
                    "must be string, number, integer, boolean, object, array or null");
      }
      wanted.kinds |= found->is;
    };
    if (type.is_array()) {
      for (const auto& one : type.get_array()) add(one);
    } else if (!type.is_null()) {
      add(type);
    } else if (!base::member(given, "properties").is_null()) {
      wanted.kinds = kind_object;
    } else if (!base::member(given, "items").is_null()) {
      wanted.kinds = kind_array;
    } else {
      wanted.kinds = guessed_kind(given);
    }
    if (base::flag_of(base::member(given, "nullable")).value_or(false)) wanted.kinds |= kind_null;
    const unsigned compound = wanted.kinds & (kind_object | kind_array);
    if (compound != 0 && (wanted.kinds & ~(kind_null | compound)) != 0) {
      fail(pointer + "/type", "must not mix object or array with other types", "not_allowed");
    }
    if (compound == (kind_object | kind_array)) {
      fail(pointer + "/type", "must be object or array, not both", "not_allowed");
    }
  }

  /// Without a type, that of its enum or const; else a string.
  static unsigned guessed_kind(const json::value& from) {
    const auto& list = base::array_of(base::member(from, "enum"));
    const auto& one = list.empty() ? base::member(from, "const") : list.front();
    if (one.is_bool()) return kind_boolean;
    return one.is_number() ? kind_number : kind_string;
  }

  void read_texts(const json::value& given, const std::string& pointer, wanted_value& wanted) {
    const auto text = [&](const char* key, std::string& into) {
      const auto& value = base::member(given, key);
      if (value.is_null()) return;
      into = base::view_of(value);
      if (into.empty()) fail(pointer + "/" + key, "must be a string with characters", "wrong_type");
    };
    text("x-name", wanted.alias);
    text("x-type", wanted.type);
    const auto format = base::view_of(base::member(given, "format"));
    if (format == "date-time") wanted.format = text_format::date_time;
    if (format == "date") wanted.format = text_format::date;
    if (format == "uri" || format == "url" || format == "iri") wanted.format = text_format::uri;
    if (format == "email") wanted.format = text_format::email;
    wanted.allowed = base::array_of(base::member(given, "enum"));
    const auto& constant = base::member(given, "const");
    if (!constant.is_null()) wanted.allowed = {&constant, 1};
    wanted.fallback = given.if_object()->if_contains("default");
  }

  void read_bounds(const json::value& given, const std::string& pointer, wanted_value& wanted) {
    wanted.least = base::number_of(base::member(given, "minimum"));
    wanted.most = base::number_of(base::member(given, "maximum"));
    const auto size = [&](const char* key, std::size_t& into, std::size_t most) {
      const auto& value = base::member(given, key);
      if (value.is_null()) return;
      const auto number = value.is_string() ? std::nullopt : base::integer_of(value);
      if (!number || *number < 0) {
        return fail(pointer + "/" + key, "must be a whole number, 0 or more", "wrong_type");
      }
      into = std::min(static_cast<std::size_t>(*number), most);
    };
    constexpr auto no_bound = static_cast<std::size_t>(-1);
    size("minLength", wanted.least_length, no_bound);
    size("maxLength", wanted.most_length, no_bound);
    size("minItems", wanted.least_items, no_bound);
    size("maxItems", wanted.most_items, max_list_items);
  }

  /// "a.price", "img@src", "@href", ".": the last two are of the element that is being read.
  void read_selector(const json::value& value, const std::string& pointer, wanted_value& wanted) {
    const auto& given = base::member(value, "x-selector");
    const auto attribute = base::view_of(base::member(value, "x-attribute"));
    if (given.is_null()) {
      if (!attribute.empty()) fail(pointer + "/x-attribute", "needs an x-selector beside it");
      return;
    }
    auto text = base::trim(base::view_of(given));
    selection made{html::selector{}, false, base::to_lower_ascii(attribute), std::string(text)};
    const auto sign = text.rfind('@');
    const auto name = sign == std::string_view::npos ? std::string_view() : text.substr(sign + 1);
    const bool is_attribute = !name.empty() && std::ranges::all_of(name, [](char c) {
      return base::is_alphanumeric(c) || c == '-' || c == '_' || c == ':' || c == '.';
    });
    if (is_attribute) {
      made.attribute = base::to_lower_ascii(name);
      text = base::trim(text.substr(0, sign));
    }
    if (!made.attribute.empty() && !is_attribute) made.written += '@' + made.attribute;
    made.is_scope = text == "." || (text.empty() && is_attribute);
    if (!made.is_scope) {
      auto compiled = html::selector::compile(text, html::selector_functions::all);
      if (!compiled) return fail(pointer + "/x-selector", compiled.error().detail());
      made.elements = std::move(*compiled);
    }
    wanted.where = std::move(made);
  }

  [[nodiscard]] std::optional<std::size_t> add_node(std::string name, const std::string& pointer) {
    if (out_.nodes_.size() >= max_schema_nodes) {
      fail(pointer, "makes more than " + std::to_string(max_schema_nodes) + " places");
      return std::nullopt;
    }
    out_.nodes_.emplace_back();
    out_.nodes_.back().name = std::move(name);
    return out_.nodes_.size() - 1;
  }

  void add_properties(const json::value& value, const std::string& pointer, std::size_t depth,
                      wanted_value& wanted) {
    const auto& properties = base::member(value, "properties");
    if (!properties.is_object() || properties.get_object().empty()) {
      return fail(pointer + "/properties", "must name at least one property", "missing");
    }
    for (const auto& member : properties.get_object()) {
      const auto below = pointer + "/properties" + base::pointer_token(member.key());
      if (member.key().size() > max_property_name) {
        return fail(pointer + "/properties",
                    "a name has at most " + std::to_string(max_property_name) + " bytes");
      }
      const auto node = add_node(std::string(member.key()), below);
      if (!node) return;
      wanted.properties.push_back(*node);
      tasks_.push_back({&member.value(), *node, depth + 1, below});
    }
    for (const auto& one : base::array_of(base::member(value, "required"))) {
      const auto name = base::view_of(one);
      const auto found = properties.get_object().find(name);
      if (found == properties.get_object().end()) {
        return fail(pointer + "/required",
                    "'" + base::text_of(one) + "' is none of the properties");
      }
      const auto which = static_cast<std::size_t>(found - properties.get_object().begin());
      out_.nodes_[wanted.properties[which]].is_required = true;
    }
  }

  void add_items(const json::value& value, const std::string& pointer, std::size_t depth,
                 wanted_value& wanted) {
    const auto& items = base::member(value, "items");
    if (items.is_null()) return fail(pointer + "/items", "is required of an array", "missing");
    const auto node = add_node(wanted.name, pointer + "/items");
    if (!node) return;
    wanted.items = node;
    tasks_.push_back({&items, *node, depth + 1, pointer + "/items"});
  }

  std::string at_;
  const json::value* root_ = nullptr;
  schema out_;
  std::vector<task> tasks_;
  std::optional<error> problem_;
};

result<schema> schema::compile(std::string_view json, std::string_view pointer) {
  auto parsed = base::parse_json(json);
  if (!parsed) return parsed.error();
  return schema_compiler(pointer).run(std::move(*parsed));
}

}  // namespace freshet::extract

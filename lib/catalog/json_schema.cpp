// The catalogue as JSON Schema: parameters, items and envelopes, with references or written in
// place. OpenAPI and the tools of an MCP server are made from it.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <catalog/json_schema.hpp>
#include <catalog/validate.hpp>
#include <initializer_list>
#include <utility>

namespace freshet::catalog {
namespace {

namespace json = boost::json;

struct format_pattern {
  value_format format;
  std::string_view pattern;
};

/// No platform has these characters in a name.
constexpr std::string_view handle_pattern = "^ *[^\\s\\u0000-\\u001f\\u007f/?#\\\\<>\"'`]+ *$";
constexpr std::string_view name_pattern = "^[a-z0-9_-]+$";

constexpr format_pattern patterns[] = {
    // 1 to 9999 of a unit, and at most 3650 days.
    {value_format::since,
     "^([1-9][0-9]{0,3}[mh]"
     "|([1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650)d"
     "|([1-9][0-9]?|[1-4][0-9]{2}|5[01][0-9]|52[01])w)$"},
    {value_format::country, "^[A-Za-z]{2}$"},
    {value_format::domain, "^ *(\\*?\\.)?([A-Za-z0-9_-]+\\.)*[A-Za-z0-9_-]*[A-Za-z_-]\\.? *$"},
    {value_format::language, "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"},
    {value_format::cursor, "^[A-Za-z0-9._-]+$"},
    {value_format::name, name_pattern},
    {value_format::source, name_pattern},
    {value_format::handle, handle_pattern},
    {value_format::community, handle_pattern},
    {value_format::hashtag, "^ *[#\\uff03]?[^\\s\\u0000-\\u001f\\u007f/?#\\uff03\\\\<>\"'`]+ *$"},
    {value_format::request_id, "^ *[A-Za-z0-9._:-]+ *$"},
    {value_format::call_status,
     "^ *([1-5][0-9][0-9]|[1-5][xX][xX]|[oO][kK]|[fF][aA][iI][lL][eE][dD]) *$"},
    {value_format::ledger_head, "^ *[0-9]{1,18}:[0-9a-f]{64} *$"},
    {value_format::key_id, "^ *key_[A-Za-z0-9]+ *$"},
    // Any text without control characters, but for tabs and line ends.
    {value_format::plain, "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$"},
};

std::string item_id_pattern(std::string_view sources) {
  return "^ *" + std::string(sources) + ":[^\\s\\u0000-\\u001f\\u007f]+ *$";
}

json::array choices_of(const parameter& of) {
  json::array out;
  for (const auto one : of.choices) out.push_back(json_text(one));
  return out;
}

/// What a format adds to the schema of a string.
void add_format(json::object& object, value_format format) {
  if (format == value_format::url) object["format"] = "uri";
  if (format == value_format::item_id) object["pattern"] = item_id_pattern("[a-z0-9_-]+");
  for (const auto& one : patterns) {
    if (one.format == format) object["pattern"] = json_text(one.pattern);
  }
}

/// The catalogue writes an example as it stands in JSON, a string without its quotes.
json::value example_value(const parameter& of) {
  std::string written(of.example);
  if (of.type == value_type::string) written = '"' + written + '"';
  boost::system::error_code failed;
  auto parsed = json::parse(written, failed);
  return failed ? json::value(json_text(of.example)) : parsed;
}

json::object parameter_schema(const parameter& parameter, const endpoint& endpoint);

json::object members_schema(std::span<const parameter> members, const endpoint& endpoint) {
  json::object out;
  for (const auto& one : members) out[one.name] = parameter_schema(one, endpoint);
  return out;
}

json::object parameter_schema(const parameter& parameter, const endpoint& endpoint) {
  json::object out;
  switch (parameter.type) {
    case value_type::string:
      out["type"] = "string";
      if (parameter.choices.empty()) {
        out["minLength"] = parameter.min;
        out["maxLength"] = parameter.max;
        add_format(out, parameter.format);
      } else {
        out["enum"] = choices_of(parameter);
      }
      break;
    case value_type::integer:
      out["type"] = "integer";
      out["minimum"] = parameter.min;
      out["maximum"] = parameter.max;
      break;
    case value_type::boolean:
      out["type"] = "boolean";
      break;
    case value_type::object:
      out["type"] = "object";
      if (parameter.members.empty()) break;
      out["additionalProperties"] = false;
      out["properties"] = members_schema(parameter.members, endpoint);
      break;
    case value_type::string_list: {
      json::object element{{"type", "string"}};
      if (!parameter.choices.empty()) {
        element["enum"] = choices_of(parameter);
      } else if (parameter.format == value_format::name) {
        json::array keys;
        for (const auto key : item_keys(endpoint)) keys.push_back(json_text(key));
        element["enum"] = std::move(keys);
      } else {
        element["minLength"] = 1;
        element["maxLength"] = max_element_length;
        add_format(element, parameter.format);
      }
      out["type"] = "array";
      out["items"] = std::move(element);
      out["minItems"] = parameter.min;
      out["maxItems"] = parameter.max;
      break;
    }
  }
  out["description"] = json_text(parameter.doc);
  if (!parameter.fallback.empty()) out["default"] = fallback_value(parameter);
  // An example of `fields` has to name keys of this very item.
  if (parameter.format == value_format::name) {
    json::array example;
    example.push_back(json_text(answers_of(endpoint).front()->own.front().name));
    out["examples"].emplace_array().push_back(std::move(example));
  } else if (!parameter.example.empty()) {
    // Not array{…}: g++ 12 reads a list of one array as a copy of it.
    out["examples"].emplace_array().push_back(example_value(parameter));
  }
  return out;
}

std::string_view type_name(field_type type) {
  switch (type) {
    case field_type::integer:
      return "integer";
    case field_type::number:
      return "number";
    case field_type::boolean:
      return "boolean";
    case field_type::string_list:
    case field_type::object_list:
      return "array";
    case field_type::object:
      return "object";
    case field_type::any:
      break;
    case field_type::string:
    case field_type::time:
    case field_type::uri:
      break;
  }
  return "string";
}

json::value type_or_null(std::string_view type, bool nullable) {
  if (nullable) return json::array{json_text(type), "null"};
  return json_text(type);
}

json::object object_or_reference(std::span<const field> fields, const schema_style& style) {
  if (!style.reference_prefix.empty()) {
    for (const auto& shared : shared_objects()) {
      if (shared.fields.data() != fields.data() || fields.empty()) continue;
      return {{"$ref", std::string(style.reference_prefix) + std::string(shared.name)}};
    }
  }
  return fields_schema(fields, style);
}

json::object field_schema(const field& field, const schema_style& style) {
  json::object out;
  if (field.type == field_type::object) {
    out = object_or_reference(field.fields, style);
    if (field.nullable) {
      json::array either{std::move(out), json::object{{"type", "null"}}};
      out = json::object{{"anyOf", std::move(either)}};
    }
  } else if (field.type != field_type::any) {
    out["type"] = type_or_null(type_name(field.type), field.nullable);
  }
  if (field.type == field_type::time) out["format"] = "date-time";
  if (field.type == field_type::uri) out["format"] = "uri";
  if (field.type == field_type::string_list) out["items"] = json::object{{"type", "string"}};
  if (field.type == field_type::object_list)
    out["items"] = object_or_reference(field.fields, style);
  out["description"] = json_text(field.doc);
  return out;
}

json::object closed_list(std::initializer_list<std::pair<std::string_view, json::object>> members) {
  json::object properties;
  json::array required;
  for (const auto& [name, schema] : members) {
    properties[name] = schema;
    required.push_back(json_text(name));
  }
  return {{"type", "object"}, {"properties", properties}, {"required", required}};
}

json::object simple(std::string_view type, std::string_view doc, bool nullable = false) {
  return {{"type", type_or_null(type, nullable)}, {"description", json_text(doc)}};
}

json::object reference_or(const schema_style& style, std::string_view name, json::object in_place) {
  if (style.reference_prefix.empty()) return in_place;
  return {{"$ref", std::string(style.reference_prefix) + std::string(name)}};
}

json::object provenance_schema(bool of_document) {
  auto out = closed_list(
      {{"source", simple("string", "The source that gave it")},
       {"instance", simple("string", "At which of its addresses; null where it has one", true)},
       {"request_id", simple("string", "The call that it was given to")},
       {"cached", simple("boolean", "Whether it was read from an answer in memory")}});
  if (of_document) {
    auto& properties = out["properties"].as_object();
    for (const auto* key : {"title", "authors", "created_at"}) {
      properties[key] = simple("string",
                               "Where in the page it was found: `json-ld`, `microdata`, "
                               "`opengraph`, `meta`, `title`, `heading`, `address`, or `page`, "
                               "what people are shown; null where there is none",
                               true);
      out["required"].as_array().push_back(json_text(key));
    }
  }
  out["description"] = "Where it comes from; only where `fields` names it";
  return out;
}

json::object source_report_schema() {
  auto status = simple("string", "What became of this source");
  status["enum"] = json::array{"ok", "error", "not_configured", "skipped"};
  auto cache =
      simple("string", "`miss`, `hit` or `revalidated`; null if nothing was fetched", true);
  auto fetched = simple("string", "When the source answered; RFC 3339, UTC", true);
  fetched["format"] = "date-time";
  return closed_list(
      {{"name", simple("string", "The source's name")},
       {"instance", simple("string",
                           "The address of the instance or feed, of a source that may have "
                           "several; null of the others",
                           true)},
       {"status", status},
       {"code", simple("string", "The error's code, null without one", true)},
       {"items_read", simple("integer", "Items that it gave, before filters and the page's size")},
       {"items", simple("integer", "Those of them that stand in this answer")},
       {"cache", cache},
       {"fetched_at", fetched},
       {"elapsed_ms", simple("integer", "How long it took")},
       {"retry_after_s", simple("integer",
                                "When the source will be asked again, if it failed or is suspended "
                                "and that is known",
                                true)}});
}

}  // namespace

json::object fields_schema(std::span<const field> fields, const schema_style& style) {
  json::object properties;
  json::array required;
  for (const auto& one : fields) {
    properties[one.name] = field_schema(one, style);
    required.push_back(json_text(one.name));
  }
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"required", std::move(required)}};
}

json::object item_schema(const object_schema& schema, const schema_style& style) {
  json::object properties;
  json::array required;
  for (const auto part : {schema.common, schema.own}) {
    for (const auto& one : part) {
      properties[one.name] = field_schema(one, style);
      if (!style.keys_optional || one.name == "object" || one.name == "id") {
        required.push_back(json_text(one.name));
      }
    }
  }
  const bool is_fetched =
      std::ranges::find(schema.common, "fetched_at", &field::name) != schema.common.end();
  // Not required: the key is there only where `fields` names it.
  if (is_fetched && !properties.contains(provenance_key))
    properties[provenance_key] = provenance_schema(schema.name == "document");
  properties["object"].as_object()["const"] = json_text(schema.name);
  return {{"type", "object"},
          {"description", json_text(schema.doc)},
          {"properties", std::move(properties)},
          {"required", std::move(required)}};
}

json::object parameters_schema(const endpoint& of) {
  json::object properties;
  json::array required;
  for (const auto part : {of.own, of.common}) {
    for (const auto& one : part) {
      properties[one.name] = parameter_schema(one, of);
      if (one.required) required.push_back(json_text(one.name));
    }
  }
  json::object out{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) out["required"] = std::move(required);
  if (!of.one_of.empty()) {
    json::array alternatives;
    for (const auto one : of.one_of) {
      alternatives.push_back(json::object{{"required", json::array{json_text(one)}}});
    }
    out["oneOf"] = std::move(alternatives);
  }
  out["additionalProperties"] = false;
  return out;
}

json::object page_schema() {
  return closed_list(
      {{"next_cursor",
        simple("string", "Give it as `cursor` for the next page; null on the last", true)},
       {"has_more", simple("boolean", "Whether there is a next page")}});
}

json::object credits_schema() {
  return closed_list(
      {{"used", simple("integer", "What this call cost")},
       {"remaining",
        simple("integer", "The balance after it; null for a caller who is not metered", true)}});
}

json::object meta_schema(const schema_style& style) {
  auto completeness = simple("string", "`partial` when a source failed");
  completeness["enum"] = json::array{"complete", "partial"};
  auto sources = simple("array", "What each source did");
  sources["items"] = reference_or(style, "SourceReport", source_report_schema());
  auto warnings = simple("array", "What a person should know of this answer");
  warnings["items"] = json::object{{"type", "string"}};
  auto out = closed_list({{"request_id", simple("string", "Names this call")},
                          {"credits", reference_or(style, "Credits", credits_schema())},
                          {"completeness", completeness},
                          {"truncated", simple("boolean", "Whether `max_tokens` cut the answer")},
                          {"sources", sources},
                          {"warnings", warnings}});
  // Not required: the key is there only for a call with `cluster`.
  auto member = closed_list({{"object", simple("string", "What it is")},
                             {"id", simple("string", "Its `id`")},
                             {"source", simple("string", "The source's name")},
                             {"url", simple("string", "Its page", true)},
                             {"title", simple("string", "Its title", true)},
                             {"created_at", simple("string", "RFC 3339, UTC", true)}});
  auto members = simple("array", "What tells the same and does not stand in `data` itself");
  members["items"] = std::move(member);
  auto clusters = simple("array", "With `cluster`: the items of `data` that others tell, too");
  clusters["items"] = closed_list(
      {{"id", simple("string", "Of the item in `data`")}, {"members", std::move(members)}});
  out["properties"].as_object()["clusters"] = std::move(clusters);
  // Not required: the key is there only for a dry run.
  auto quote = closed_list({{"credits", simple("integer", "What the call would cost")}});
  quote["description"] = "The price, of a dry run";
  out["properties"].as_object()["quote"] = std::move(quote);
  return out;
}

json::object envelope_schema(const endpoint& endpoint, const schema_style& style) {
  json::array kinds;
  for (const object_schema* answer : answers_of(endpoint)) {
    kinds.push_back(reference_or(style, schema_name(answer->name), item_schema(*answer, style)));
  }
  json::object data;
  if (kinds.size() == 1) {
    data = std::move(kinds.front().as_object());
  } else {
    data["anyOf"] = std::move(kinds);
  }
  const bool list = endpoint.shape == answer_shape::list;
  if (list) {
    data = {{"type", "array"}, {"items", std::move(data)}};
  } else {
    json::array either{std::move(data), json::object{{"type", "null"}}};
    data = {{"anyOf", std::move(either)}, {"description", "null only for a dry run"}};
  }
  json::object properties{{"data", std::move(data)}};
  json::array required{"data"};
  if (list) required.push_back("page");
  // A document that a budget has cut is a lookup with a page.
  if (list || endpoint.op == operation::scrape_markdown) {
    properties["page"] = reference_or(style, "Page", page_schema());
  }
  properties["meta"] = reference_or(style, "Meta", meta_schema(style));
  required.push_back("meta");
  return {{"type", "object"}, {"properties", std::move(properties)}, {"required", required}};
}

json::object problem_schema(const schema_style& style) {
  auto parameter =
      closed_list({{"pointer", simple("string", "JSON pointer into the request's body")},
                   {"code", simple("string",
                                   "`unknown_parameter`, `missing`, `wrong_type`, `out_of_bounds`, "
                                   "`invalid_format` or `not_allowed`")},
                   {"detail", simple("string", "What the parameter takes")}});
  auto errors = simple("array", "Every wrong parameter; empty for other errors");
  errors["items"] = reference_or(style, "ParameterError", std::move(parameter));
  auto type = simple("string", "`/errors/<code>`: a GET of it says what to do");
  type["format"] = "uri-reference";
  auto out = closed_list(
      {{"type", type},
       {"title", simple("string", "The same for every error of this code")},
       {"status", simple("integer", "The HTTP status")},
       {"detail", simple("string", "What went wrong this time")},
       {"code", simple("string", "Stable; for programs")},
       {"request_id", simple("string", "Names this call")},
       {"retryable", simple("boolean", "Whether the same call can succeed later")},
       {"retry_after_s", simple("integer", "When a retry makes sense, in seconds", true)},
       {"errors", errors},
       {"credits", reference_or(style, "Credits", credits_schema())}});
  out["properties"].as_object()["source_text"] =
      simple("string", "What a source said, verbatim and untrusted; only if it said something");
  return out;
}

std::string schema_name(std::string_view object) {
  std::string out;
  bool capital = true;
  for (const char c : object) {
    if (c == '_') {
      capital = true;
      continue;
    }
    out += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    capital = false;
  }
  return out;
}

void name_sources(json::object& parameters, std::span<const std::string> names) {
  if (names.empty()) return;
  auto& properties = parameters["properties"].as_object();
  if (auto* sources = properties.if_contains("sources")) {
    auto& list = sources->as_object();
    list["examples"] = json::array{json::array{json_text(names.front())}};
    list["items"] =
        json::object{{"type", "string"}, {"enum", json::array(names.begin(), names.end())}};
  }
  if (auto* id = properties.if_contains("id")) {
    std::string either;
    for (const auto& name : names) either += (either.empty() ? "(" : "|") + name;
    id->as_object()["pattern"] = item_id_pattern(either + ')');
  }
}

json::object example_body(const endpoint& of) {
  json::object out;
  for (const auto& one : of.own) {
    const bool first_choice = !of.one_of.empty() && one.name == of.one_of.front();
    if ((one.required || first_choice) && !one.example.empty()) out[one.name] = example_value(one);
  }
  // Few results of the web have a date: with a span of time an example would show next to none.
  const bool dated = of.platform != "web-serp";
  for (const auto& one : of.own) {
    if ((one.name == "since" && dated) || (out.empty() && !one.example.empty())) {
      out[one.name] = example_value(one);
    }
  }
  return out;
}

}  // namespace freshet::catalog

// The catalogue's parameters and items as JSON Schema 2020-12, for the OpenAPI description and the
// tool schemas of MCP. Only a translation: bounds and texts are the catalogue's.
#pragma once

#include <boost/json/object.hpp>
#include <catalog/endpoint.hpp>
#include <span>
#include <string>
#include <string_view>

namespace freshet::catalog {

/// Static text as a JSON value.
[[nodiscard]] inline boost::json::value json_text(std::string_view text) {
  return boost::json::string(text);
}

/// Where schemas refer to one another: "#/components/schemas/" for OpenAPI. Empty: everything is
/// written in place.
struct schema_style {
  std::string_view reference_prefix;
  bool keys_optional = false;  ///< of items: only `object` and `id` are required, as with `fields`
};

/// What an endpoint's body may be: every parameter, none other.
[[nodiscard]] boost::json::object parameters_schema(const endpoint& of);
/// Narrows `sources` and `id` in such a schema to the sources that serve the endpoint. No names: it
/// stays as it is.
void name_sources(boost::json::object& parameters, std::span<const std::string> names);
/// One kind of item. The keys are all required: `fields` in a call is the caller's own exception.
[[nodiscard]] boost::json::object item_schema(const object_schema& schema,
                                              const schema_style& style);
/// Fields that several objects share ("Author").
[[nodiscard]] boost::json::object fields_schema(std::span<const field> fields,
                                                const schema_style& style);
/// `{"data": …, "page": …, "meta": …}` of an endpoint.
[[nodiscard]] boost::json::object envelope_schema(const endpoint& endpoint,
                                                  const schema_style& style);
/// `page` and `meta` of every envelope; the problem document.
[[nodiscard]] boost::json::object page_schema();
[[nodiscard]] boost::json::object meta_schema(const schema_style& style);
[[nodiscard]] boost::json::object credits_schema();
[[nodiscard]] boost::json::object problem_schema(const schema_style& style);

/// The name of an object's schema: "ForumPost" for "forum_post".
[[nodiscard]] std::string schema_name(std::string_view object);
/// A body that the catalogue's examples make: the required parameters, one of an alternative, and,
/// where a call would be bare otherwise, its own optional ones.
[[nodiscard]] boost::json::object example_body(const endpoint& of);

}  // namespace freshet::catalog

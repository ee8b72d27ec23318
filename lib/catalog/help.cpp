// What a terminal shows of an endpoint: the catalogue's row in plain text. It prints nothing
// itself.
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <catalog/openapi.hpp>
#include <freshet/terminal_text.hpp>
#include <string>

namespace freshet::catalog {
namespace {

std::string type_and_bounds(const parameter& of) {
  const auto range = std::to_string(of.min) + " to " + std::to_string(of.max);
  switch (of.type) {
    case value_type::boolean:
      return "true or false";
    case value_type::integer:
      return "integer, " + range;
    case value_type::object:
      return "object, " + range + " bytes of JSON";
    case value_type::string_list:
    case value_type::string:
      break;
  }
  const bool list = of.type == value_type::string_list;
  std::string out = list ? "list of strings" : "string";
  if (!of.choices.empty()) {
    out = list ? "list of" : "";
    for (const auto one : of.choices) {
      if (!out.empty()) out += one == of.choices.front() ? " " : " | ";
      out += one;
    }
    return out;
  }
  return out + ", " + range + (list ? " elements" : " characters");
}

using terminal_text::paragraph;

std::string described(const parameter& parameter, std::size_t columns) {
  constexpr std::size_t text_column = 19;  // "  failing_sources  "
  std::string bounds = type_and_bounds(parameter);
  if (parameter.required) bounds += "; required";
  if (!parameter.fallback.empty()) bounds += "; default " + std::string(parameter.fallback);
  const auto name = "  " + std::string(parameter.name);
  return terminal_text::definition(name, bounds, text_column, columns) +
         terminal_text::definition("", parameter.doc, text_column, columns);
}

/// `text` in single quotes, as a POSIX shell reads it.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

std::string help_text(const endpoint& endpoint, std::size_t columns) {
  std::string out =
      paragraph(std::string(endpoint.path) + ": " + std::string(endpoint.summary), columns);
  out += "\n" + paragraph(endpoint.doc, columns);
  std::string price = endpoint.parts.empty() ? "Price: " : "Price: up to ";
  price += std::to_string(endpoint.credits) + (endpoint.credits == 1 ? " credit" : " credits");
  if (endpoint.render_credits > 0) {
    price += ", " + std::to_string(endpoint.credits + endpoint.render_credits) +
             " when a browser rendered it";
  }
  out += "\n" + paragraph(price, columns);
  if (!endpoint.one_of.empty()) {
    std::string names = "Give exactly one of:";
    for (const auto one : endpoint.one_of) names += " " + std::string(one);
    out += "\n" + paragraph(names, columns);
  }
  if (!endpoint.own.empty()) out += "\nParameters:\n";
  for (const auto& one : endpoint.own) out += described(one, columns);
  out += "\nCommon parameters:\n";
  for (const auto& one : endpoint.common) out += described(one, columns);
  out += "\nExample:\n  freshet call " + std::string(endpoint.path);
  const auto body = example_body(endpoint);
  if (!body.empty()) out += " " + shell_quoted(boost::json::serialize(body));
  out += "\n";
  return out;
}

std::string help_text_of_all(std::size_t columns) {
  constexpr std::size_t text_column = 32;
  std::string out;
  for (const endpoint& one : endpoints()) {
    out += terminal_text::definition(one.path, one.summary, text_column, columns);
  }
  return out;
}

}  // namespace freshet::catalog

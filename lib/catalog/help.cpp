// What a terminal shows of an endpoint: the catalogue's row in plain text. It prints nothing
// itself.
#include <base/json.hpp>
#include <base/unicode.hpp>
#include <boost/json/serialize.hpp>
#include <catalog/json_schema.hpp>
#include <catalog/openapi.hpp>
#include <string>

namespace freshet::catalog {
namespace {

constexpr std::size_t name_column = 18;  // "  respect_robots  "
/// Less room than this for a text beside its name reads worse than a text below it.
constexpr std::size_t least_text = 24;
constexpr std::size_t below_a_name = 4;

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

/// Breaks `text` between words; every line after the first is indented.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent,
                    std::size_t columns) {
  std::size_t column = 0;
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, space);
    if (column > 0 && column + 1 + base::length(word) > columns - indent) {
      out += '\n' + std::string(indent, ' ');
      column = 0;
    }
    if (column > 0) {
      out += ' ';
      ++column;
    }
    out += word;
    column += base::length(word);
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  out += '\n';
}

void append_parameter(std::string& out, const parameter& parameter, std::size_t columns) {
  const bool is_narrow = columns < name_column + least_text;
  const std::size_t indent = is_narrow ? below_a_name : name_column;
  std::string name = "  " + std::string(parameter.name);
  if (is_narrow) {
    name += "\n" + std::string(indent, ' ');
  } else {
    name.resize(std::max(name.size() + 1, name_column), ' ');
  }
  out += name;
  std::string text = type_and_bounds(parameter);
  if (parameter.required) text += "; required";
  if (!parameter.fallback.empty()) text += "; default " + std::string(parameter.fallback);
  append_wrapped(out, text, indent, columns);
  out += std::string(indent, ' ');
  append_wrapped(out, parameter.doc, indent, columns);
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
  std::string out;
  append_wrapped(out, std::string(endpoint.path) + ": " + std::string(endpoint.summary), 0,
                 columns);
  out += "\n";
  append_wrapped(out, endpoint.doc, 0, columns);
  std::string price = endpoint.parts.empty() ? "Price: " : "Price: up to ";
  price += std::to_string(endpoint.credits) + (endpoint.credits == 1 ? " credit" : " credits");
  if (endpoint.render_credits > 0) {
    price += ", " + std::to_string(endpoint.credits + endpoint.render_credits) +
             " when a browser rendered it";
  }
  out += "\n";
  append_wrapped(out, price, 0, columns);
  if (!endpoint.one_of.empty()) {
    out += "\nGive exactly one of:";
    for (const auto one : endpoint.one_of) out += " " + std::string(one);
    out += "\n";
  }
  if (!endpoint.own.empty()) out += "\nParameters:\n";
  for (const auto& one : endpoint.own) append_parameter(out, one, columns);
  out += "\nCommon parameters:\n";
  for (const auto& one : endpoint.common) append_parameter(out, one, columns);
  out += "\nExample:\n  freshet call " + std::string(endpoint.path);
  const auto body = example_body(endpoint);
  if (!body.empty()) out += " " + shell_quoted(boost::json::serialize(body));
  out += "\n";
  return out;
}

std::string help_text_of_all(std::size_t columns) {
  constexpr std::size_t path_column = 32;
  const bool is_narrow = columns < path_column + least_text;
  const std::size_t indent = is_narrow ? below_a_name : path_column;
  std::string out;
  for (const endpoint& one : endpoints()) {
    out += one.path;
    if (is_narrow) {
      out += "\n" + std::string(indent, ' ');
    } else {
      out.append(one.path.size() < path_column ? path_column - one.path.size() : 1, ' ');
    }
    append_wrapped(out, one.summary, indent, columns);
  }
  return out;
}

}  // namespace freshet::catalog

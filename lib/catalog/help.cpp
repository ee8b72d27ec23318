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

constexpr std::size_t width = 100;
constexpr std::size_t name_column = 18;  // "  respect_robots  "

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
void append_wrapped(std::string& out, std::string_view text, std::size_t indent) {
  std::size_t column = 0;
  while (!text.empty()) {
    const auto space = std::min(text.find(' '), text.size());
    const auto word = text.substr(0, space);
    if (column > 0 && column + 1 + base::length(word) > width - indent) {
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

void append_parameter(std::string& out, const parameter& parameter) {
  std::string name = "  " + std::string(parameter.name);
  name.resize(std::max(name.size() + 1, name_column), ' ');
  out += name;
  std::string text = type_and_bounds(parameter);
  if (parameter.required) text += "; required";
  if (!parameter.fallback.empty()) text += "; default " + std::string(parameter.fallback);
  append_wrapped(out, text, name_column);
  out += std::string(name_column, ' ');
  append_wrapped(out, parameter.doc, name_column);
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

std::string help_text(const endpoint& of) {
  std::string out(of.path);
  out += ": ";
  out += of.summary;
  out += "\n\n";
  append_wrapped(out, of.doc, 0);
  out += of.parts.empty() ? "\nPrice: " : "\nPrice: up to ";
  out += std::to_string(of.credits) + (of.credits == 1 ? " credit" : " credits");
  if (of.render_credits > 0) {
    out += ", " + std::to_string(of.credits + of.render_credits) + " when a browser rendered it";
  }
  out += "\n";
  if (!of.one_of.empty()) {
    out += "\nGive exactly one of:";
    for (const auto one : of.one_of) out += " " + std::string(one);
    out += "\n";
  }
  if (!of.own.empty()) out += "\nParameters:\n";
  for (const auto& one : of.own) append_parameter(out, one);
  out += "\nCommon parameters:\n";
  for (const auto& one : of.common) append_parameter(out, one);
  out += "\nExample:\n  freshet call " + std::string(of.path);
  const auto body = example_body(of);
  if (!body.empty()) out += " " + shell_quoted(boost::json::serialize(body));
  out += "\n";
  return out;
}

}  // namespace freshet::catalog

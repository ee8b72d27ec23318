// Keys and strings stay JSON strings where a YAML reader could take them for anything else.
#include <algorithm>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <server/yaml.hpp>
#include <string_view>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// Words that YAML 1.1 readers take for booleans or null.
constexpr std::string_view spoken_for[] = {"y",   "n",    "yes",   "no",  "on",
                                           "off", "true", "false", "null"};

bool is_letter(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_plain(std::string_view text) noexcept {
  if (text.empty() || !is_letter(text.front())) return false;
  const bool word = std::ranges::all_of(text, [](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '/';
  });
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  });
  return word && std::ranges::find(spoken_for, lower) == std::end(spoken_for);
}

std::string quoted(std::string_view text) {
  return is_plain(text) ? std::string(text) : json::serialize(json::value(text));
}

/// A fraction as every reader of YAML takes it for a number: those of 1.1 want no exponent.
std::string number(double value) {
  char digits[400];  // the longest there is has some 330
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed);
  return {digits, end.ptr};
}

std::string scalar(const json::value& one) {
  if (one.is_string()) return quoted(one.get_string());
  return one.is_double() ? number(one.get_double()) : json::serialize(one);
}

bool is_block(const json::value& one) {
  return (one.is_object() && !one.get_object().empty()) ||
         (one.is_array() && !one.get_array().empty());
}

/// Writes what follows "key:" or "-", from the same line on.
void append(std::string& out, const json::value& one, std::size_t indent);

void append_object(std::string& out, const json::object& fields, std::size_t indent, bool first) {
  for (const auto& [key, value] : fields) {
    if (!first) out.append(indent, ' ');
    first = false;
    out += quoted(key) + ':';
    append(out, value, indent + 2);
  }
}

void append_array(std::string& out, const json::array& values, std::size_t indent) {
  for (const json::value& value : values) {
    out.append(indent, ' ') += '-';
    // The first key stands beside the dash, the others below it.
    if (value.is_object() && !value.get_object().empty()) {
      out += ' ';
      append_object(out, value.get_object(), indent + 2, true);
    } else {
      append(out, value, indent + 2);
    }
  }
}

void append(std::string& out, const json::value& one, std::size_t indent) {
  if (!is_block(one)) {
    out += ' ';
    out += scalar(one);
    out += '\n';
    return;
  }
  out += '\n';
  if (one.is_object()) {
    append_object(out, one.get_object(), indent, false);
  } else {
    append_array(out, one.get_array(), indent);
  }
}

}  // namespace

std::string yaml_of(const json::value& document) {
  std::string out;
  if (document.is_object() && !document.get_object().empty()) {
    append_object(out, document.get_object(), 0, false);
  } else if (document.is_array() && !document.get_array().empty()) {
    append_array(out, document.get_array(), 0);
  } else {
    append(out, document, 0);
    out.erase(0, 1);
  }
  return out;
}

}  // namespace freshet::server

// Finds a value's bytes without parsing them: strings are skipped, brackets are counted.
#include "engine/data_span.hpp"

namespace freshet::detail {
namespace {

/// The index after the string that begins at `index` (on its opening quote).
std::size_t after_string(std::string_view text, std::size_t index) noexcept {
  for (++index; index < text.size(); ++index) {
    if (text[index] == '\\') {
      ++index;
    } else if (text[index] == '"') {
      return index + 1;
    }
  }
  return text.size();
}

bool is_space(char c) noexcept { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The index after the value that begins at `index`.
std::size_t after_value(std::string_view text, std::size_t index) noexcept {
  int depth = 0;
  while (index < text.size()) {
    const char c = text[index];
    if (c == '"') {
      index = after_string(text, index);
      if (depth == 0) return index;
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') {
      if (depth == 0) return index;  // the end of the object around a bare value
      if (--depth == 0) return index + 1;
    }
    if (depth == 0 && (c == ',' || is_space(c))) return index;
    ++index;
  }
  return index;
}

}  // namespace

std::pair<std::size_t, std::size_t> find_data(std::string_view body) noexcept {
  auto at = body.find('{');
  if (at == std::string_view::npos) return {0, 0};
  for (++at; at < body.size();) {
    while (at < body.size() && (is_space(body[at]) || body[at] == ',')) ++at;
    if (at >= body.size() || body[at] != '"') break;
    const auto key_end = after_string(body, at);
    const auto key = body.substr(at, key_end - at);
    at = body.find(':', key_end);
    if (at == std::string_view::npos) break;
    for (++at; at < body.size() && is_space(body[at]);) ++at;
    const auto end = after_value(body, at);
    if (key == "\"data\"") return {at, end - at};
    at = end;
  }
  return {0, 0};
}

}  // namespace freshet::detail

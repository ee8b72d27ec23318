// Values as libpq hands them on: they go as texts and come as bytes, the highest first.
#pragma once

#include <base/number.hpp>
#include <simulation/database.hpp>

namespace freshet::simulation {

inline std::int64_t number(const column& text) {
  return base::parse_number<std::int64_t>(text.value_or("")).value_or(0);
}

inline std::string bytes_of(std::int64_t value) {
  std::string bytes(8, '\0');
  for (std::size_t i = 8; i-- > 0; value >>= 8) bytes[i] = static_cast<char>(value & 0xff);
  return bytes;
}

inline columns numbers(std::initializer_list<std::int64_t> values) {
  columns row;
  for (const std::int64_t one : values) row.emplace_back(bytes_of(one));
  return row;
}

inline void give(answer& result, columns row) {
  result.gives_rows = true;
  result.rows.push_back(std::move(row));
}

inline std::string from_hex(std::string_view digits) {
  std::string bytes;
  const auto value = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    bytes += static_cast<char>(value(digits[i]) * 16 + value(digits[i + 1]));
  return bytes;
}

/// The parts of "{1,"a\"b",NULL}".
inline std::vector<std::string> parts_of(const column& array) {
  std::vector<std::string> parts;
  const std::string text = array.value_or("{}");
  for (std::size_t at = 1; at + 1 < text.size(); ++at) {
    std::string& part = parts.emplace_back();
    const bool is_quoted = text[at] == '"';
    if (is_quoted) ++at;
    for (; at + 1 < text.size() && text[at] != (is_quoted ? '"' : ','); ++at) {
      if (is_quoted && text[at] == '\\') ++at;
      part += text[at];
    }
    if (is_quoted) ++at;
    if (part.starts_with("\\x")) part = from_hex(std::string_view(part).substr(2));
  }
  return parts;
}

}  // namespace freshet::simulation

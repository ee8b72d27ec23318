// The inputs of the target of sources: the call, and behind it the answers, each as headers and a
// body, with a line between two of them. Read by the target, written by write_seeds.
#pragma once

#include <base/number.hpp>
#include <fuzz/headed_input.hpp>
#include <http/message.hpp>
#include <sources/sandbox.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::fuzz {

inline constexpr std::string_view between_parts = "\n--- answer ---\n";
inline constexpr std::size_t max_parts = 12;

/// The call, and the answers; at least the call.
[[nodiscard]] inline std::vector<std::string_view> parts_of(std::string_view bytes) {
  std::vector<std::string_view> out;
  while (out.size() < max_parts) {
    const auto end = bytes.find(between_parts);
    out.push_back(bytes.substr(0, end));
    if (end == std::string_view::npos) break;
    bytes.remove_prefix(end + between_parts.size());
  }
  return out;
}

[[nodiscard]] inline http::response read_answer(std::string_view part) {
  const headed_input from(part);
  http::response answer;
  answer.status = base::parse_number(from.text("status", "200"), 100, 599).value_or(200);
  answer.final_url = from.text("final-url", "https://example.org/");
  if (!base::parse_url(answer.final_url)) answer.final_url = "https://example.org/";
  for (const auto& [name, value] : from.lines()) {
    if (name != "status" && name != "final-url")
      answer.headers.push_back({std::string(name), value});
  }
  answer.body = from.body();
  answer.fetched_at = sources::sandbox_now;
  return answer;
}

/// "name: value" and a line's end; nothing for "".
inline void append_line(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out += name;
  out += ": ";
  for (const char c : value) {
    if (c == '%' || c == '\n' || c == '\r') {
      base::append_encoded(out, c, base::percent_set::all_but_unreserved);
    } else {
      out += c;
    }
  }
  out += '\n';
}

inline void append_answer(std::string& out, const http::response& answer) {
  out += between_parts;
  append_line(out, "status", std::to_string(answer.status));
  append_line(out, "final-url", answer.final_url);
  for (const auto& [name, value] : answer.headers) append_line(out, name, value);
  out += '\n';
  out += answer.body;
}

}  // namespace freshet::fuzz

// A query is taken apart once: its values as text, then by the rules. Sizes and formats that
// scripts fill in ("{width}") are no data of a reader.
#include <algorithm>
#include <array>
#include <base/ascii.hpp>
#include <base/digest.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <markdown/safety/addresses.hpp>
#include <markdown/safety/instructions.hpp>
#include <string>

namespace freshet::markdown {

namespace {

/// No address of a picture says more than this.
constexpr std::size_t longest_judged_address = 8192;

/// What a placeholder asks for, in lower case, as part of its name.
constexpr std::array<std::string_view, 21> data_words = {
    "data",       "secret", "history", "conversation", "message", "prompt",  "password",
    "credential", "apikey", "api_key", "token",        "email",   "context", "content",
    "summary",    "answer", "chat",    "userinfo",     "your_",   "memory",  "key"};

/// Percent-escapes decoded, "+" as a space.
std::string decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const auto byte = base::escape_at(text, at)) {
      out += *byte;
      at += 2;
    } else {
      out += text[at] == '+' ? ' ' : text[at];
    }
  }
  return out;
}

bool speaks_of_data(std::string_view name) {
  const auto small = base::to_lower_ascii(name);
  return std::ranges::any_of(
      data_words, [&](std::string_view word) { return small.find(word) != std::string::npos; });
}

/// "{{history}}", "${key}", "[DATA]", "<secret>", "YOUR_API_KEY".
bool has_placeholder(std::string_view value) {
  constexpr std::size_t longest_name = 64;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char open = value[at];
    if (open != '{' && open != '[' && open != '<') continue;
    const char close = open == '{' ? '}' : open == '[' ? ']' : '>';
    const auto end = value.substr(0, at + longest_name).find(close, at);
    if (end == std::string_view::npos) continue;
    if (speaks_of_data(value.substr(at + 1, end - at - 1))) return true;
    at = end;
  }
  const bool shouted = value.size() > 4 && std::ranges::all_of(value, [](char c) {
                         return (c >= 'A' && c <= 'Z') || c == '_' || c == ' ';
                       });
  return shouted && value.find_first_of("_ ") != std::string_view::npos && speaks_of_data(value);
}

/// Text that is written as base64: words with spaces between them.
bool is_encoded_text(std::string_view value) {
  constexpr std::size_t least = 32;
  if (value.size() < least) return false;
  auto bytes = base::base64_decode(value);
  if (!bytes) bytes = base::base64url_decode(value);
  if (!bytes) return false;
  const auto printable = [](char c) { return c >= ' ' && c < 0x7F; };
  if (!std::ranges::all_of(*bytes, printable)) return false;
  constexpr std::ptrdiff_t least_spaces = 3;
  return std::ranges::count(*bytes, ' ') >= least_spaces && bytes->find('{') == std::string::npos;
}

}  // namespace

std::string_view rule_of_image(std::string_view address) {
  if (!address.starts_with("http") || address.size() > longest_judged_address) return {};
  const auto question = address.find('?');
  if (question == std::string_view::npos) return {};
  auto query = address.substr(question + 1);
  while (!query.empty()) {
    const auto end = std::min(query.find('&'), query.size());
    const auto one = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const auto value = decoded(one.substr(std::min(one.find('='), one.size() - 1) + 1));
    if (has_placeholder(value)) return "placeholder.1";
    if (is_encoded_text(value)) return "encoded_text.1";
    if (!find_instructions(value, 1).empty()) return "instruction.1";
  }
  return {};
}

}  // namespace freshet::markdown

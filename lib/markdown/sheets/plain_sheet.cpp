// One pass copies what lies between the few bytes that mean something here.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/digest.hpp>
#include <base/percent.hpp>
#include <markdown/sheets/plain_sheet.hpp>
#include <markdown/sheets/sheet_text.hpp>
#include <markdown/sheets/value_text.hpp>

namespace freshet::markdown {

namespace {

/// Whether a comment cannot begin at `position`, because an address without quotes stands there.
bool is_in_address(std::string_view text, std::size_t position) noexcept {
  constexpr std::size_t longest = 256;
  const auto near =
      text.substr(position - std::min(position, longest), std::min(position, longest));
  const auto open = near.rfind("url(");
  return open != near.npos && near.find_first_of(")\"'", open) == near.npos;
}

/// The letter or hyphen that an escape stands for, with the bytes that it takes; 0 where it stands
/// for something else, which keeps its escape.
std::pair<char, std::size_t> letter_at(std::string_view text, std::size_t position) noexcept {
  constexpr std::size_t most_digits = 6;
  auto end = position + 1;
  unsigned point = 0;
  while (end < text.size() && end <= position + most_digits && base::hex_value(text[end]) >= 0) {
    point = point * 16 + static_cast<unsigned>(base::hex_value(text[end++]));
  }
  if (end == position + 1) {
    if (end >= text.size()) return {0, 1};
    point = static_cast<unsigned char>(text[end++]);
  } else if (end < text.size() && css_spaces.find(text[end]) != css_spaces.npos) {
    ++end;
  }
  const bool is_letter =
      point < 0x80 && (base::is_letter(static_cast<char>(point)) || point == '-');
  return {is_letter ? static_cast<char>(point) : '\0', end - position};
}

bool is_plain(std::string_view text) noexcept {
  return text.find("/*") == text.npos && !holds_byte(text, '\\') &&
         text.find("<!--") == text.npos && text.find("-->") == text.npos;
}

}  // namespace

std::optional<std::string> plain_sheet(std::string_view text) {
  if (is_plain(text)) return std::nullopt;
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0, fresh = 0;  // what stands before `fresh` means something else
  const auto leave_out = [&](std::size_t begin, std::size_t end) {
    out += text.substr(copied, begin - copied);
    copied = std::min(end, text.size());
  };
  // Names are full of hyphens: "-->" is known by its end.
  for (std::size_t at = 0; (at = next_of<'"', '\'', '/', '\\', '<', '>'>(text, at)) < text.size();
       fresh = ++at) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
    } else if (c == '>') {
      if (at >= fresh + 2 && text[at - 1] == '-' && text[at - 2] == '-') leave_out(at - 2, at + 1);
    } else if (c == '/' && text.substr(at, 2) == "/*" && !is_in_address(text, at)) {
      const auto found = text.find("*/", at + 2);
      const auto end = found == text.npos ? text.size() : found + 2;
      leave_out(at, end);
      // Words on both sides stay two.
      const bool parts =
          !out.empty() && is_name_byte(out.back()) && end < text.size() && is_name_byte(text[end]);
      if (parts) out += "/**/";
      at = end - 1;
    } else if (c == '\\') {
      const auto [letter, size] = letter_at(text, at);
      if (letter != 0) {
        leave_out(at, at + size);
        out += letter;
      }
      at += size - 1;
    } else if (text.substr(at, 4) == "<!--") {
      leave_out(at, at + 4);
    }
  }
  out += text.substr(copied);
  return out;
}

std::optional<std::string> sheet_in_address(std::string_view address) {
  constexpr std::string_view scheme = "data:";
  address = base::trim(address);
  if (!begins_with(address, scheme)) return std::nullopt;
  const auto comma = address.find(',');
  if (comma == address.npos) return std::nullopt;
  const auto type = address.substr(scheme.size(), comma - scheme.size());
  if (!begins_with(type, "text/css")) return std::nullopt;
  const auto rest = address.substr(comma + 1);
  std::string decoded;
  decoded.reserve(rest.size());
  for (std::size_t at = 0; at < rest.size(); ++at) {
    const auto escaped = base::escape_at(rest, at);
    decoded += escaped.value_or(rest[at]);
    if (escaped) at += 2;
  }
  constexpr std::string_view coded = ";base64";
  return type.ends_with(coded) ? base::base64_decode(decoded) : decoded;
}

std::string nested_selectors(std::string_view outer, std::string_view inner) {
  constexpr std::size_t longest = 4096;
  std::string out;
  bool fits = true;
  each_selector(inner, [&](std::string_view child) {
    if (child.empty()) return;
    each_selector(outer, [&](std::string_view parent) {
      if (!fits || parent.empty()) return;
      if (!out.empty()) out += ',';
      if (!holds_byte(child, '&')) {
        out += parent;
        if (child.front() != '>' && child.front() != '+' && child.front() != '~') out += ' ';
        out += child;
      } else {
        for (const char c : child) {
          if (c == '&') {
            out += parent;
          } else {
            out += c;
          }
          fits = fits && out.size() <= longest;
          if (!fits) break;
        }
      }
      fits = fits && out.size() <= longest;
    });
  });
  return fits ? out : std::string();
}

}  // namespace freshet::markdown

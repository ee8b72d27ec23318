// Percent-encoding and its reverse. Bytes are encoded as they are: what is not UTF-8 stays what it
// was, so that an old link in Latin-1 still leads where it led.
#include <array>
#include <base/percent.hpp>
#include <base/url.hpp>
#include <cstdint>

namespace freshet::base {
namespace {

constexpr bool is_unreserved(unsigned char c) noexcept {
  return is_alphanumeric(static_cast<char>(c)) || c == '-' || c == '.' || c == '_' || c == '~';
}

constexpr std::string_view members_of(percent_set set) noexcept {
  switch (set) {
    case percent_set::fragment:
      return " \"<>`";
    case percent_set::query:
      return " \"#<>";
    case percent_set::special_query:
      return " \"#<>'";
    case percent_set::path:
      return " \"#<>?^`{}";
    case percent_set::userinfo:
      return " \"#<>?^`{}/:;=@[\\]|";
    default:
      return "";
  }
}

constexpr bool has(percent_set set, unsigned char byte) noexcept {
  if (byte < 0x20 || byte > 0x7E) return true;
  if (set == percent_set::all_but_unreserved) return !is_unreserved(byte);
  return members_of(set).find(static_cast<char>(byte)) != std::string_view::npos;
}

/// For each byte the sets that have it, as bits: every byte of every address is asked for.
constexpr auto sets_by_byte = [] {
  std::array<std::uint8_t, 256> out{};
  for (std::size_t byte = 0; byte < out.size(); ++byte) {
    for (unsigned set = 0; set <= static_cast<unsigned>(percent_set::all_but_unreserved); ++set) {
      const bool is_member = has(static_cast<percent_set>(set), static_cast<unsigned char>(byte));
      out[byte] = static_cast<std::uint8_t>(out[byte] | (is_member ? 1U << set : 0U));
    }
  }
  return out;
}();

}  // namespace

bool is_in(percent_set set, unsigned char byte) noexcept {
  return ((sets_by_byte[byte] >> static_cast<unsigned>(set)) & 1U) != 0;
}

void append_encoded(std::string& out, char byte, percent_set set) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  if (!is_in(set, value)) {
    out += byte;
    return;
  }
  out += '%';
  out += digits[value >> 4];
  out += digits[value & 15U];
}

void append_encoded(std::string& out, std::string_view text, percent_set set) {
  std::size_t plain = 0;  // what needs nothing is appended at once
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (!is_in(set, static_cast<unsigned char>(text[at]))) continue;
    out.append(text, plain, at - plain);
    append_encoded(out, text[at], set);
    plain = at + 1;
  }
  out.append(text, plain);
}

std::string percent_encode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  append_encoded(out, text, percent_set::all_but_unreserved);
  return out;
}

std::string percent_decode(std::string_view text, bool plus_is_space) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (const auto byte = escape_at(text, at)) {
      out += *byte;
      at += 2;
      continue;
    }
    out += text[at] == '+' && plus_is_space ? ' ' : text[at];
  }
  return out;
}

}  // namespace freshet::base

// The grammar of level 1, section 3, with what level 2 says of flags and of later versions.
#include "telemetry/trace_context.hpp"

#include <algorithm>
#include <base/ascii.hpp>
#include <vector>

namespace freshet::telemetry {
namespace {

constexpr std::size_t parent_size = 55;  ///< of version 00; what follows is of a later one
constexpr std::size_t trace_at = 3, span_at = 36, flags_at = 53;
constexpr std::size_t max_simple_key = 256, max_tenant = 241, max_system = 14, max_value = 256;
constexpr char hex_digits[] = "0123456789abcdef";

/// Of a lower case digit; -1 for anything else: the standard knows no other.
int digit(char c) {
  if (base::is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// The bytes of `text`, two digits each; false if one is no digit.
template <class Take>
bool read_hex(std::string_view text, const Take& take) {
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    const int high = digit(text[i]);
    const int low = digit(text[i + 1]);
    if (high < 0 || low < 0) return false;
    take(i / 2, static_cast<std::uint8_t>(high * 16 + low));
  }
  return true;
}

bool is_key_part(std::string_view text, std::size_t longest, bool may_begin_with_digit) {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  if (text.empty() || text.size() > longest) return false;
  if (!is_small(text[0]) && !(may_begin_with_digit && base::is_digit(text[0]))) return false;
  return std::ranges::all_of(text, [&](char c) {
    return is_small(c) || base::is_digit(c) || c == '_' || c == '-' || c == '*' || c == '/';
  });
}

bool is_key(std::string_view text) {
  const auto at = text.find('@');
  if (at == std::string_view::npos) return is_key_part(text, max_simple_key, false);
  return is_key_part(text.substr(0, at), max_tenant, true) &&
         is_key_part(text.substr(at + 1), max_system, false);
}

bool is_value(std::string_view text) {
  if (text.empty() || text.size() > max_value || text.back() == ' ') return false;
  return std::ranges::all_of(text,
                             [](char c) { return c >= ' ' && c <= '~' && c != ',' && c != '='; });
}

std::string_view without_spaces(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

/// As it is sent on: the members without what stands around them; "" if it is no tracestate.
std::string read_state(std::string_view text) {
  if (text.size() > max_tracestate_bytes) return {};
  std::string out;
  std::vector<std::string_view> keys;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const auto member = without_spaces(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    if (member.empty()) continue;  // the standard has senders that leave them
    const auto equals = member.find('=');
    if (equals == std::string_view::npos) return {};
    const auto key = member.substr(0, equals);
    if (!is_key(key) || !is_value(member.substr(equals + 1))) return {};
    if (std::ranges::find(keys, key) != keys.end()) return {};
    if (keys.size() == max_tracestate_members) return {};
    keys.push_back(key);
    out.append(out.empty() ? "" : ",").append(member);
  }
  return out;
}

}  // namespace

std::optional<trace_context> read_trace_context(std::string_view traceparent,
                                                std::string_view tracestate) {
  if (traceparent.size() < parent_size) return std::nullopt;
  std::uint8_t version = 0;
  const bool has_version =
      read_hex(traceparent.substr(0, 2), [&](std::size_t, std::uint8_t byte) { version = byte; });
  if (!has_version || version == 0xff) return std::nullopt;
  // A later version may say more, behind a further hyphen.
  const bool is_longer = traceparent.size() > parent_size;
  if (is_longer && (version == 0 || traceparent[parent_size] != '-')) return std::nullopt;
  for (const auto at : {trace_at, span_at, flags_at}) {
    if (traceparent[at - 1] != '-') return std::nullopt;
  }
  trace_context out;
  const bool is_hex =
      read_hex(traceparent.substr(trace_at, 32),
               [&](std::size_t at, std::uint8_t byte) { out.trace[at] = byte; }) &&
      read_hex(traceparent.substr(span_at, 16),
               [&](std::size_t, std::uint8_t byte) { out.parent = out.parent << 8 | byte; }) &&
      read_hex(traceparent.substr(flags_at, 2),
               [&](std::size_t, std::uint8_t byte) { out.flags = byte; });
  if (!is_hex || out.trace == trace_id{} || out.parent == 0) return std::nullopt;
  out.flags &= sampled_flag | random_flag;
  out.state = read_state(tracestate);
  return out;
}

std::string write_traceparent(const trace_id& trace, span_id span, std::uint8_t flags) {
  std::string out = "00-";
  append_hex(out, trace);
  out += '-';
  append_hex(out, span);
  out += '-';
  out += hex_digits[flags >> 4];
  out += hex_digits[flags & 15u];
  return out;
}

void append_hex(std::string& out, const trace_id& trace) {
  for (const std::uint8_t byte : trace) {
    out += hex_digits[byte >> 4];
    out += hex_digits[byte & 15u];
  }
}

void append_hex(std::string& out, span_id span) {
  for (int shift = 60; shift >= 0; shift -= 4) out += hex_digits[span >> shift & 15u];
}

}  // namespace freshet::telemetry

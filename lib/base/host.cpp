// Hosts as browsers read them. Domains go through UTS 46 (ICU), non-transitional, without the
// limits on length that only the DNS sets; everything a browser refuses is refused.
#include <unicode/uidna.h>

#include <array>
#include <base/ascii.hpp>
#include <base/host.hpp>
#include <base/percent.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <cstdint>
#include <limits>

namespace freshet::base {
namespace {

constexpr std::size_t max_domain_length = 2048;  // bytes before IDNA; the DNS has 253
using ipv6_pieces = std::array<std::uint16_t, 8>;

constexpr auto forbidden_in_host = [] {
  std::array<bool, 256> out{};
  for (const char c : std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17)) {
    out[static_cast<unsigned char>(c)] = true;
  }
  return out;
}();

bool is_forbidden_in_host(unsigned char c) noexcept { return forbidden_in_host[c]; }

bool is_forbidden_in_domain(unsigned char c) noexcept {
  return is_forbidden_in_host(c) || c < 0x20 || c == '%' || c == 0x7F;
}

/// One part of an IPv4 address: decimal, 0x hexadecimal or 0 octal. Values beyond 32 bits stay
/// beyond 32 bits.
std::optional<std::uint64_t> read_ipv4_part(std::string_view part) {
  if (part.empty()) return std::nullopt;
  int radix = 10;
  if (part.starts_with("0x") || part.starts_with("0X")) {
    radix = 16;
    part.remove_prefix(2);
  } else if (part.size() >= 2 && part.front() == '0') {
    radix = 8;
    part.remove_prefix(1);
  }
  std::uint64_t value = 0;
  for (const char c : part) {
    const int digit = hex_value(c);
    if (digit < 0 || digit >= radix) return std::nullopt;
    if (value <= std::numeric_limits<std::uint32_t>::max()) {
      value = value * static_cast<unsigned>(radix) + static_cast<unsigned>(digit);
    }
  }
  return value;
}

std::string_view last_label(std::string_view domain) {
  if (domain.ends_with('.')) domain.remove_suffix(1);
  const std::size_t dot = domain.rfind('.');
  return dot == std::string_view::npos ? domain : domain.substr(dot + 1);
}

/// Whether the domain must be an IPv4 address or nothing.
bool ends_in_number(std::string_view domain) {
  const std::string_view last = last_label(domain);
  if (last.empty()) return false;
  if (last.find_first_not_of("0123456789") == std::string_view::npos) return true;
  return (last.starts_with("0x") || last.starts_with("0X")) && read_ipv4_part(last).has_value();
}

std::optional<std::string> parse_ipv4(std::string_view text) {
  constexpr std::size_t max_parts = 4;
  if (text.ends_with('.')) text.remove_suffix(1);
  std::array<std::uint64_t, max_parts> parts{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == max_parts) return std::nullopt;
    const std::size_t dot = text.find('.');
    const auto part = read_ipv4_part(text.substr(0, dot));
    if (!part) return std::nullopt;
    parts[count] = *part;
    more = dot != std::string_view::npos;
    if (more) text.remove_prefix(dot + 1);
  }
  // The last part fills all the bytes that the others leave.
  const std::uint64_t last_end = std::uint64_t{1} << (8 * (max_parts + 1 - count));
  if (parts[count - 1] >= last_end) return std::nullopt;
  std::uint64_t address = parts[count - 1];
  for (std::size_t i = 0; i + 1 < count; ++i) {
    if (parts[i] > 255) return std::nullopt;
    address |= parts[i] << (8 * (max_parts - 1 - i));
  }
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    out += std::to_string(address >> shift & 255U);
    if (shift > 0) out += '.';
  }
  return out;
}

/// The dotted decimals at the end of an IPv6 address, strict: four parts, no leading zeros.
bool read_embedded_ipv4(std::string_view text, ipv6_pieces& pieces, std::size_t index) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    unsigned value = 0;
    std::size_t digits = 0;
    for (; digits < text.size() && is_digit(text[digits]); ++digits) {
      if (digits > 0 && value == 0) return false;
      value = value * 10 + static_cast<unsigned>(text[digits] - '0');
      if (value > 255) return false;
    }
    if (digits == 0) return false;
    text.remove_prefix(digits);
    auto& piece = pieces[index + static_cast<std::size_t>(part) / 2];
    piece = static_cast<std::uint16_t>(piece << 8 | value);
  }
  return text.empty();
}

std::optional<ipv6_pieces> parse_ipv6(std::string_view text) {
  ipv6_pieces pieces{};
  std::size_t count = 0;
  std::optional<std::size_t> gap;  // where "::" stands
  std::size_t at = 0;
  if (text.starts_with("::")) {
    at = 2;
    gap = 0;
  } else if (text.starts_with(':')) {
    return std::nullopt;
  }
  while (at < text.size()) {
    if (count == pieces.size()) return std::nullopt;
    if (text[at] == ':') {
      if (gap) return std::nullopt;
      ++at;
      gap = count;
      continue;
    }
    const std::size_t from = at;
    unsigned value = 0;
    for (; at < text.size() && at - from < 4 && hex_value(text[at]) >= 0; ++at) {
      value = value * 16 + static_cast<unsigned>(hex_value(text[at]));
    }
    if (at < text.size() && text[at] == '.') {
      if (at == from || count > pieces.size() - 2) return std::nullopt;
      if (!read_embedded_ipv4(text.substr(from), pieces, count)) return std::nullopt;
      count += 2;
      break;
    }
    if (at < text.size()) {
      if (text[at] != ':') return std::nullopt;
      if (++at == text.size()) return std::nullopt;
    }
    pieces[count++] = static_cast<std::uint16_t>(value);
  }
  if (!gap) return count == pieces.size() ? std::optional(pieces) : std::nullopt;
  if (count == pieces.size()) return std::nullopt;  // "::" stands for one piece at least
  const std::size_t behind = count - *gap;
  for (std::size_t i = 0; i < behind; ++i) {
    std::swap(pieces[pieces.size() - 1 - i], pieces[count - 1 - i]);
  }
  return pieces;
}

std::string write_ipv6(const ipv6_pieces& pieces) {
  std::size_t longest = 0;
  std::size_t longest_at = pieces.size();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t run = 0;
    while (i + run < pieces.size() && pieces[i + run] == 0) ++run;
    if (run > longest && run > 1) {
      longest = run;
      longest_at = i;
    }
    if (run > 0) i += run - 1;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "[";
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i == longest_at) {
      out += i == 0 ? "::" : ":";
      i += longest - 1;
      continue;
    }
    bool leading = true;
    for (int shift = 12; shift >= 0; shift -= 4) {
      const unsigned digit = pieces[i] >> shift & 15U;
      leading = leading && digit == 0 && shift > 0;
      if (!leading) out += digits[digit];
    }
    if (i + 1 < pieces.size()) out += ':';
  }
  return out + ']';
}

/// ASCII without punycode needs no tables: lower case is all that UTS 46 would do to it.
bool is_plain_ascii(std::string_view lower) {
  for (std::size_t at = 0; at < lower.size(); ++at) {
    if (static_cast<unsigned char>(lower[at]) >= 0x80) return false;
    const bool starts_label = at == 0 || lower[at - 1] == '.';
    if (starts_label && lower.substr(at).starts_with("xn--")) return false;
  }
  return true;
}

/// ICU's object for UTS 46; immutable, and safe from any thread.
const UIDNA* uts46() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    const UIDNA* opened = uidna_openUTS46(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &status);
    return U_SUCCESS(status) != 0 ? opened : nullptr;
  }();
  return instance;
}

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  std::string lower = to_lower_ascii(domain);
  if (is_plain_ascii(lower)) return lower;
  if (!is_utf8(domain) || uts46() == nullptr) return std::nullopt;
  // The standard asks for no CheckHyphens and no VerifyDnsLength.
  constexpr std::uint32_t tolerated =
      UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
      UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode status = U_ZERO_ERROR;
  // A code point becomes at most a few characters of punycode or of its compatibility mapping.
  std::string out(domain.size() * 8 + 64, '\0');
  std::int32_t size = 0;
  for (bool fits = false; !fits;) {
    status = U_ZERO_ERROR;
    info = UIDNA_INFO_INITIALIZER;
    size =
        uidna_nameToASCII_UTF8(uts46(), domain.data(), static_cast<std::int32_t>(domain.size()),
                               out.data(), static_cast<std::int32_t>(out.size()), &info, &status);
    fits = status != U_BUFFER_OVERFLOW_ERROR;
    if (!fits) out.resize(static_cast<std::size_t>(size));
  }
  if (U_FAILURE(status) != 0 || (info.errors & ~tolerated) != 0) return std::nullopt;
  out.resize(static_cast<std::size_t>(size));
  return out;
}

std::optional<std::string> opaque_host(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (is_forbidden_in_host(static_cast<unsigned char>(c))) return std::nullopt;
    append_encoded(out, c, percent_set::control);
  }
  return out;
}

}  // namespace

std::optional<std::string> parse_host(std::string_view text, bool special) {
  if (text.starts_with('[')) {
    if (text.size() < 2 || !text.ends_with(']')) return std::nullopt;
    const auto pieces = parse_ipv6(text.substr(1, text.size() - 2));
    return pieces ? std::optional(write_ipv6(*pieces)) : std::nullopt;
  }
  if (!special) return opaque_host(text);
  const std::string domain = percent_decode(text);
  if (domain.size() > max_domain_length) return std::nullopt;
  auto ascii = domain_to_ascii(domain);
  if (!ascii || ascii->empty()) return std::nullopt;
  for (const char c : *ascii) {
    if (is_forbidden_in_domain(static_cast<unsigned char>(c))) return std::nullopt;
  }
  return ends_in_number(*ascii) ? parse_ipv4(*ascii) : ascii;
}

bool is_of_domain(std::string_view host, std::string_view domain) noexcept {
  if (domain.empty() || !host.ends_with(domain)) return false;
  return host.size() == domain.size() || host[host.size() - domain.size() - 1] == '.';
}

}  // namespace freshet::base

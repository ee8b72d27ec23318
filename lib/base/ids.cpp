// Identifiers: ULIDs made from a moment and the CSPRNG, and the reading of item ids. It keeps no
// state, so two ids of one millisecond are ordered by chance.
#include <array>
#include <base/ascii.hpp>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <cstdint>

namespace freshet::base {
namespace {

constexpr std::string_view crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::uint8_t not_crockford = 0xFF;
constexpr std::array<std::uint8_t, 256> values_of_digits = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(not_crockford);
  for (std::size_t i = 0; i < crockford.size(); ++i) {
    values[static_cast<std::uint8_t>(crockford[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();
constexpr std::size_t ulid_time_digits = 10;  // 50 bits, of which 48 are used
constexpr std::size_t ulid_digits = 26;
constexpr std::size_t ulid_random_bytes = 10;  // 80 bits, 16 digits
constexpr std::size_t max_request_id_length = 128;
constexpr std::uint64_t ulid_time_mask = (std::uint64_t{1} << 48) - 1;

/// Appends the random digits of one id, of a supply of bytes that a thread has drawn: to draw costs
/// the same for few. No secret is made of them.
void append_random(std::string& id) {
  constexpr std::size_t ids_at_once = 64;
  thread_local std::string supply;
  if (supply.size() < ulid_random_bytes) supply = random_bytes(ids_at_once * ulid_random_bytes);
  const std::size_t rest = supply.size() - ulid_random_bytes;
  std::array<char, ulid_digits - ulid_time_digits> digits;
  for (std::size_t byte = rest, digit = 0; byte < supply.size(); byte += 5) {
    std::uint64_t group = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      group = group << 8 | static_cast<std::uint8_t>(supply[byte + i]);
    }
    for (int shift = 35; shift >= 0; shift -= 5) digits[digit++] = crockford[group >> shift & 31U];
  }
  id.append(digits.data(), digits.size());
  supply.resize(rest);
}

}  // namespace

std::string make_id(std::string_view prefix, time_point time) {
  std::string id;
  id.reserve(prefix.size() + ulid_digits);
  id += prefix;
  const auto since_epoch = time.time_since_epoch().count();
  const std::uint64_t ms =
      since_epoch < 0 ? 0 : static_cast<std::uint64_t>(since_epoch) & ulid_time_mask;
  std::array<char, ulid_time_digits> digits;
  for (std::size_t digit = 0; digit < digits.size(); ++digit) {
    digits[digit] = crockford[ms >> (5 * (digits.size() - 1 - digit)) & 31U];
  }
  id.append(digits.data(), digits.size());
  append_random(id);
  return id;
}

std::optional<time_point> time_of_id(std::string_view prefix, std::string_view id) noexcept {
  if (id.size() != prefix.size() + ulid_digits || !id.starts_with(prefix)) return std::nullopt;
  std::uint64_t ms = 0;
  for (std::size_t digit = 0; digit < ulid_digits; ++digit) {
    const auto value = values_of_digits[static_cast<std::uint8_t>(id[prefix.size() + digit])];
    if (value == not_crockford) return std::nullopt;
    if (digit < ulid_time_digits) ms = ms << 5 | value;
  }
  if (ms > ulid_time_mask) return std::nullopt;
  return time_point(std::chrono::milliseconds(static_cast<std::int64_t>(ms)));
}

bool is_valid_request_id(std::string_view text) noexcept {
  if (text.empty() || text.size() > max_request_id_length) return false;
  for (const char c : text) {
    if (!is_alphanumeric(c) && c != '.' && c != '_' && c != ':' && c != '-') return false;
  }
  // An id is stored with its call, and a key never: whoever has mixed them up gets another id.
  return text.find("frs_live_") == text.npos && text.find("frs_test_") == text.npos;
}

std::optional<item_id> parse_item_id(std::string_view text) noexcept {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon + 1 == text.size()) {
    return std::nullopt;
  }
  const std::string_view source = text.substr(0, colon);
  for (const char c : source) {
    // "https://..." and free text are no ids: a source's name is lower case and digits.
    const bool in_name = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!in_name) return std::nullopt;
  }
  return item_id{source, text.substr(colon + 1)};
}

}  // namespace freshet::base

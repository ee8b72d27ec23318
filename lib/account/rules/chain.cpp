// The canonical serialisation of rows. It is part of the stored format: a change of it would make
// every existing ledger fail its verification.
#include <account/rules/chain.hpp>
#include <algorithm>
#include <array>
#include <base/number.hpp>
#include <bit>
#include <cstring>

namespace freshet::account {
namespace {

void append(std::string& out, std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number);
  if constexpr (std::endian::native == std::endian::little) bits = __builtin_bswap64(bits);
  std::array<char, sizeof bits> bytes;
  std::memcpy(bytes.data(), &bits, sizeof bits);
  out.append(bytes.data(), bytes.size());
}

void append(std::string& out, std::string_view text) {
  append(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

template <class... Values>
void append_all(std::string& out, const Values&... values) {
  (append(out, values), ...);
}

std::optional<base::sha256_digest> read_digest(std::string_view hex) {
  constexpr std::string_view digits = "0123456789abcdef";
  base::sha256_digest digest{};
  if (hex.size() != 2 * digest.size()) return std::nullopt;
  for (std::size_t i = 0; i < digest.size(); ++i) {
    const auto high = digits.find(hex[2 * i]), low = digits.find(hex[2 * i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    digest[i] = static_cast<std::uint8_t>(high * digits.size() + low);
  }
  return digest;
}

}  // namespace

base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row) {
  thread_local std::string bytes;
  bytes.clear();
  bytes += base::as_text(previous);
  const bool is_refund = row.kind == "refund";
  if (row.number != 0) append(bytes, row.number);
  append_all(bytes, row.seq, row.movement, row.book, row.amount, row.balance, row.monthly_left,
             row.kind, row.reason, row.endpoint, row.request_id,
             is_refund ? row.refund_of : row.sources, row.period, row.key_id,
             std::int64_t{row.at.time_since_epoch().count()});
  const std::string_view other = is_refund ? row.sources : row.refund_of;
  if (!other.empty()) append(bytes, other);
  return base::sha256(bytes);
}

base::sha256_digest extend(const base::sha256_digest& head, const base::sha256_digest& row) {
  std::array<char, 2 * std::tuple_size_v<base::sha256_digest>> bytes;
  const auto rest = std::copy(head.begin(), head.end(), bytes.begin());
  std::copy(row.begin(), row.end(), rest);
  return base::sha256({bytes.data(), bytes.size()});
}

base::sha256_digest seal(const chain_head& head, std::string_view pepper) {
  std::string bytes = "freshet ledger head";
  append_all(bytes, head.seq, head.movement);
  bytes += base::as_text(head.hash);
  return base::hmac_sha256(pepper, bytes);
}

std::string head_name(const chain_head& head) {
  return std::to_string(head.seq) + ":" + base::hex(base::as_text(head.hash));
}

std::optional<chain_head> read_head_name(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto seq = base::parse_number<std::int64_t>(text.substr(0, colon));
  const auto hash = read_digest(text.substr(colon + 1));
  if (!seq || *seq < 0 || !hash) return std::nullopt;
  return chain_head{*seq, 0, *hash};
}

std::string sealed_text(const chain_head& head, const base::sha256_digest& mac) {
  return head_name(head) + " " + std::to_string(head.movement) + " " +
         base::hex(base::as_text(mac));
}

std::optional<chain_head> read_sealed_text(std::string_view text, std::string_view pepper) {
  const std::size_t first = text.find(' '), last = text.rfind(' ');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  auto head = read_head_name(text.substr(0, first));
  const auto movement = base::parse_number<std::int64_t>(text.substr(first + 1, last - first - 1));
  const auto mac = read_digest(text.substr(last + 1));
  if (!head || !movement || !mac) return std::nullopt;
  head->movement = *movement;
  if (!base::equal_in_constant_time(base::as_text(seal(*head, pepper)), base::as_text(*mac)))
    return std::nullopt;
  return head;
}

}  // namespace freshet::account

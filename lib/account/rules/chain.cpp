// The canonical serialisation of rows. It is part of the stored format: a change of it would make
// every existing ledger fail its verification.
#include <account/rules/chain.hpp>
#include <string>

namespace freshet::account {
namespace {

void append(std::string& out, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>((bits >> shift) & 0xff);
}

void append(std::string& out, std::string_view text) {
  append(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

template <class... Values>
void append_all(std::string& out, const Values&... values) {
  (append(out, values), ...);
}

}  // namespace

base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row) {
  constexpr std::size_t usual_size = 384;
  std::string bytes;
  bytes.reserve(usual_size);
  bytes += base::as_text(previous);
  const bool is_refund = row.kind == "refund";
  append_all(bytes, row.seq, row.movement, row.book, row.amount, row.balance, row.monthly_left,
             row.kind, row.reason, row.endpoint, row.request_id,
             is_refund ? row.refund_of : row.sources, row.period, row.key_id,
             std::int64_t{row.at.time_since_epoch().count()});
  const std::string_view other = is_refund ? row.sources : row.refund_of;
  if (!other.empty()) append(bytes, other);
  return base::sha256(bytes);
}

base::sha256_digest seal(const chain_head& head, std::string_view pepper) {
  std::string bytes = "freshet ledger head";
  append_all(bytes, head.seq, head.movement);
  bytes += base::as_text(head.hash);
  return base::hmac_sha256(pepper, bytes);
}

}  // namespace freshet::account

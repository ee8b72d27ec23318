// The canonical serialisation of rows. It is part of the stored format: a change of it would make
// every existing ledger fail its verification.
#include <account/rules/chain.hpp>
#include <string>

namespace freshet::account {
namespace {

void append_number(std::string& out, std::int64_t number) {
  const auto bits = static_cast<std::uint64_t>(number);
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>((bits >> shift) & 0xff);
}

void append_text(std::string& out, std::string_view text) {
  append_number(out, static_cast<std::int64_t>(text.size()));
  out += text;
}

}  // namespace

base::sha256_digest link(const base::sha256_digest& previous, const chain_row& row) {
  constexpr std::size_t usual_size = 384;
  std::string bytes;
  bytes.reserve(usual_size);
  bytes += base::as_text(previous);
  append_number(bytes, row.seq);
  append_number(bytes, row.movement);
  append_text(bytes, row.book);
  append_number(bytes, row.amount);
  append_number(bytes, row.balance);
  append_number(bytes, row.monthly_left);
  append_text(bytes, row.kind);
  append_text(bytes, row.reason);
  append_text(bytes, row.endpoint);
  append_text(bytes, row.request_id);
  const bool is_refund = row.kind == "refund";
  append_text(bytes, is_refund ? row.refund_of : row.sources);
  append_text(bytes, row.period);
  append_number(bytes, row.key_id);
  append_number(bytes, row.at_ms);
  const std::string_view other = is_refund ? row.sources : row.refund_of;
  if (!other.empty()) append_text(bytes, other);
  return base::sha256(bytes);
}

base::sha256_digest seal(const chain_head& head, std::string_view pepper) {
  std::string bytes = "freshet ledger head";
  append_number(bytes, head.seq);
  append_number(bytes, head.movement);
  bytes += base::as_text(head.hash);
  return base::hmac_sha256(pepper, bytes);
}

}  // namespace freshet::account

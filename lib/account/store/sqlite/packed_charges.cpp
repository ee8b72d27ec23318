// A charge after another: its texts as what they share with those of the one before and the rest,
// its numbers as their difference. Its hash follows, but for the last one's, which has a column.
// What can be counted from the row's columns is not written: numbers in the chains, the balance.
#include <account/store/sqlite/packed_charges.hpp>
#include <algorithm>
#include <base/ids.hpp>

namespace freshet::account {
namespace {

using base::put_number;
using base::put_signed;

/// Sums and differences that wrap: the bytes may be anybody's.
std::int64_t plus(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

std::int64_t milliseconds_of(time_point at) noexcept { return at.time_since_epoch().count(); }

void put_after(std::string& out, std::string& before, std::string_view text) {
  const auto differ = std::mismatch(text.begin(), text.end(), before.begin(), before.end());
  const auto shared = static_cast<std::size_t>(differ.first - text.begin());
  put_number(out, shared);
  base::put_text(out, text.substr(shared));
  before.replace(shared, std::string::npos, text.substr(shared));
}

}  // namespace

bool charge_packer::can_take(const chain_row& row, time_point newest) noexcept {
  const bool is_plain_charge = row.kind == "usage" && row.amount < 0 && row.number != 0 &&
                               row.reason.empty() && row.refund_of.empty() && row.period.empty();
  // What the table's rules refuse they must see.
  const bool is_sound = row.monthly_left >= 0 && row.monthly_left <= row.balance;
  if (!is_plain_charge || !is_sound || row.at + packed_drift < newest) return false;
  const auto began = base::time_of_id("req_", row.request_id);
  return began && *began <= row.at && row.at - *began <= longest_packed_way;
}

bool charge_packer::continues(const chain_row& row) const noexcept {
  return count_ < max_packed_charges && row.book == book_ && row.seq == last_.seq + 1 &&
         row.number == last_.number + 1 && row.movement == last_.movement + 1 &&
         row.balance == last_.balance + row.amount;
}

void charge_packer::add(const chain_row& row, const base::sha256_digest& hash) {
  if (count_ == 0) book_ = row.book;
  if (count_ > 0) bytes_ += base::as_text(hash_);
  put_after(bytes_, request_id_, row.request_id);
  put_after(bytes_, endpoint_, row.endpoint);
  put_after(bytes_, sources_, row.sources);
  put_signed(bytes_, row.key_id - last_.key_id);
  put_signed(bytes_, milliseconds_of(row.at) - milliseconds_of(last_.at));
  put_signed(bytes_, row.amount);
  put_signed(bytes_, row.monthly_left - last_.monthly_left);
  const auto amount = columns_.amount + row.amount;
  const auto newest = count_ == 0 ? row.at : std::max(columns_.at, row.at);
  columns_ = last_ = row;
  columns_.book = book_;
  columns_.kind = "usage";
  columns_.amount = amount;
  columns_.at = newest;
  columns_.request_id = columns_.endpoint = columns_.sources = {};
  columns_.key_id = 0;
  hash_ = hash;
  ++count_;
}

void charge_packer::clear() noexcept {
  for (std::string* const each : {&bytes_, &request_id_, &endpoint_, &sources_}) each->clear();
  columns_ = last_ = {};
  count_ = 0;
}

bool charge_unpacker::is_whole() const {
  charge_unpacker all = *this;
  chain_row row;
  std::string_view hash;
  std::int64_t amount = 0;
  auto newest = time_point::min();
  while (all.next(row, hash)) {
    if (row.amount >= 0) return false;
    amount = plus(amount, row.amount);
    newest = std::max(newest, row.at);
  }
  const chain_row& said = *columns_;
  return !all.is_broken_ && all.left_.left().empty() && all.taken_ == count_ &&
         amount == said.amount && newest == said.at && row.monthly_left == said.monthly_left &&
         said.kind == "usage" && said.reason.empty() && said.endpoint.empty() &&
         said.request_id.empty() && said.sources.empty() && said.refund_of.empty() &&
         said.period.empty() && said.key_id == 0;
}

void charge_unpacker::take_text(std::string& text) {
  const auto shared = left_.number();
  const auto rest = left_.text();
  is_broken_ = is_broken_ || left_.is_broken() || shared > text.size();
  if (!is_broken_) text.replace(shared, std::string::npos, rest);
}

bool charge_unpacker::next(chain_row& row, std::string_view& hash) {
  if (taken_ >= count_ || is_broken_) return false;
  for (std::string* const text : {&request_id_, &endpoint_, &sources_}) take_text(*text);
  key_id_ = plus(key_id_, left_.signed_number());
  at_ = plus(at_, left_.signed_number());
  const auto amount = left_.signed_number();
  monthly_left_ = plus(monthly_left_, left_.signed_number());
  const bool is_last = taken_ + 1 == count_;
  hash = is_last ? hash_ : left_.bytes(std::tuple_size_v<base::sha256_digest>);
  is_broken_ = is_broken_ || left_.is_broken();
  if (is_broken_) return false;
  balance_ = plus(balance_, amount);
  ++taken_;
  const auto behind = count_ - taken_;
  row = {};
  row.kind = "usage";
  row.book = columns_->book;
  row.request_id = request_id_;
  row.endpoint = endpoint_;
  row.sources = sources_;
  row.key_id = key_id_;
  row.at = time_point(std::chrono::milliseconds(at_));
  row.seq = plus(columns_->seq, -behind);
  row.number = plus(columns_->number, -behind);
  row.movement = plus(columns_->movement, -behind);
  row.amount = amount;
  row.balance = balance_;
  row.monthly_left = monthly_left_;
  return true;
}

}  // namespace freshet::account

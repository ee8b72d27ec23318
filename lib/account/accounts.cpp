// Opening and closing, and what is read of the accounts: balances of memory, rows from the store,
// beside the writing. Nothing here writes, except a secret and the month's grant, which are made
// when they are first asked for.
#include <account/owners.hpp>
#include <algorithm>
#include <base/unicode.hpp>

namespace freshet::account {
namespace {

constexpr int max_rows_at_once = 1'000;

/// Everything that is numbered below; 0 stands for the newest.
std::int64_t below(std::int64_t number) {
  return number > 0 ? number : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

error no_caller(const error& why) {
  if (why.code() != errc::not_found) return why;
  return error(errc::internal, "no such account or key");
}

accounts::accounts(std::unique_ptr<owners> opened) : owners_(std::move(opened)) {}

accounts::~accounts() = default;

void accounts::stop_waiting() noexcept { owners_->books->stop_waiting(); }

void accounts::on_deletion(std::function<void(const std::string&)> told) {
  owners_->on_deletion(std::move(told));
}

result<std::unique_ptr<accounts>> accounts::open(accounts_options options) {
  auto opened = owners::open(std::move(options));
  if (!opened) return opened.error();
  return std::unique_ptr<accounts>(new accounts(std::move(*opened)));
}

result<std::string> accounts::secret(std::string_view name) { return owners_->secrets.get(name); }

bool accounts::healthy() const noexcept {
  return owners_->queue.is_writable() && owners_->books->answers();
}

std::function<bool()> accounts::is_shared() const {
  return [known = owners_->accounts] { return known->load(std::memory_order_relaxed) > 1; };
}

accounts_stats accounts::stats() const {
  std::optional<redis_stats> redis;
  if (const owners& in = *owners_; in.rates != nullptr) {
    const auto now = in.rates->count();
    redis = {now.link.is_here, now.link.runs, now.link.losses, now.alone};
  }
  const auto guard = owners_->queue.lock();
  const commit_queue::figures counted = owners_->queue.count();
  const owners& in = *owners_;
  return {in.key_lookups, counted.batches,     counted.failed_batches, in.ledger.last_movement(),
          counted.queued, in.directory.size(), in.keyring.size(),      in.residents.reads(),
          counted.sizes,  std::move(redis)};
}

result<balance> accounts::balance_of(const principal& who) {
  owners& in = *owners_;
  const std::int64_t id = who.account.id;
  const auto kept = in.residents.admit(id);
  if (!kept) return no_caller(kept.error());
  if (who.key.mode == key_mode::live)
    if (auto made = in.balances.ensure_month(id); !made) return made.error();
  const auto guard = in.queue.lock();
  return in.balances.balance_of(id);
}

std::optional<balance> accounts::balance_at_once(const principal& who) {
  owners& in = *owners_;
  // What another server has just committed is heard of later.
  if (in.books->is_shared()) return std::nullopt;
  const std::int64_t id = who.account.id;
  const auto guard = in.queue.lock();
  if (!in.residents.has(id, 0)) return std::nullopt;
  if (who.key.mode == key_mode::live && in.balances.must_wait(id, 0)) return std::nullopt;
  return in.balances.balance_of(id);
}

result<balance> accounts::stored_balance_of(const principal& who) {
  auto known = balance_of(who);
  owners& in = *owners_;
  if (!known || !in.books->is_shared()) return known;
  const auto found = in.books->find_account(who.account.id);
  if (!found) return found.error();
  if (*found) known->posted = {(*found)->book.book.balance};
  return known;
}

result<std::vector<ledger_row>> accounts::ledger(std::int64_t account_id, std::int64_t before_seq,
                                                 int limit, const ledger_filter& only) const {
  const std::string book = account_book_name(account_id);
  const int rows = std::clamp(limit, 1, max_rows_at_once);
  return owners_->books->read_ledger({book, below(before_seq), rows, only.kind, only.since});
}

namespace {

/// Under the lock.
account_summary summary_of(const owners& inside, listed_account one) {
  const std::int64_t id = one.stored.record.id;
  // Of one that is not in memory nothing is held, and what was read is what is.
  const bool is_here = inside.directory.find(id) != nullptr;
  balance now{{one.stored.book.book.balance}, {0}};
  if (is_here && inside.books->is_shared())
    now.reserved = inside.balances.balance_of(id).reserved;
  else if (is_here)
    now = inside.balances.balance_of(id);
  return {std::move(one.stored.record), now, one.keys};
}

}  // namespace

result<account_summary> accounts::show_account(std::int64_t account_id) const {
  const owners& in = *owners_;
  auto found = in.books->find_account(account_id);
  if (!found) return found.error();
  if (!*found) return error(errc::not_found, "no such account");
  const auto keys = in.books->count_keys(account_id);
  if (!keys) return keys.error();
  const auto guard = in.queue.lock();
  return summary_of(in, {std::move(**found), *keys});
}

result<std::vector<account_summary>> accounts::list_accounts(std::string_view part,
                                                             std::int64_t before_id,
                                                             int limit) const {
  const owners& in = *owners_;
  auto listed = in.books->list_accounts(base::to_lower_ascii(part), below(before_id),
                                        std::clamp(limit, 1, max_rows_at_once));
  if (!listed) return listed.error();
  std::vector<account_summary> found;
  const auto guard = in.queue.lock();
  for (listed_account& one : *listed) found.push_back(summary_of(in, std::move(one)));
  return found;
}

}  // namespace freshet::account

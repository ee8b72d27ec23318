// Opening and closing, and what is asked of the accounts as a whole.
#include <account/owners.hpp>

namespace freshet::account {

accounts::accounts(std::unique_ptr<owners> opened) : owners_(std::move(opened)) {}

accounts::~accounts() = default;

result<std::unique_ptr<accounts>> accounts::open(accounts_options options) {
  auto opened = owners::open(std::move(options));
  if (!opened) return opened.error();
  return std::unique_ptr<accounts>(new accounts(std::move(*opened)));
}

result<std::string> accounts::secret(std::string_view name) { return owners_->secrets.get(name); }

bool accounts::healthy() const noexcept {
  return owners_->queue.is_writable() && owners_->books->answers();
}

accounts_stats accounts::stats() const {
  const auto guard = owners_->queue.lock();
  const commit_queue::figures counted = owners_->queue.count();
  return {owners_->key_lookups, counted.batches, counted.failed_batches,
          owners_->ledger.last_movement(), counted.queued};
}

}  // namespace freshet::account

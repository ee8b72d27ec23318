// The rule stands in fits() alone: it is asked what there would be, and changes nothing.
#include <server/mcp/event_space.hpp>

namespace freshet::server::mcp {

std::size_t event_space::used() const {
  const std::lock_guard guard(mutex_);
  return used_;
}

bool account_space::fits(std::size_t of_all, std::size_t of_account, std::size_t of_session) const {
  const event_limits& most = limits();
  if (of_all > most.bytes_of_all || of_account > most.bytes_of_account) return false;
  if (of_session > most.bytes) return false;
  return of_account <= most.bytes_of_all - of_all &&
         of_session <= most.bytes_of_account - of_account;
}

bool account_space::take(std::size_t held, std::size_t bytes) {
  const std::lock_guard guard(all_->mutex_);
  if (!fits(all_->used_ + bytes, used_ + bytes, held + bytes)) return false;
  all_->used_ += bytes;
  used_ += bytes;
  return true;
}

bool account_space::could_take(std::size_t held, std::size_t bytes) const {
  const std::lock_guard guard(all_->mutex_);
  return fits(all_->used_ - held + bytes, used_ - held + bytes, bytes);
}

void account_space::give_back(std::size_t bytes) noexcept {
  const std::lock_guard guard(all_->mutex_);
  all_->used_ -= bytes;
  used_ -= bytes;
}

std::size_t account_space::used() const {
  const std::lock_guard guard(all_->mutex_);
  return used_;
}

}  // namespace freshet::server::mcp

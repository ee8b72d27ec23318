// Callbacks are called without the lock, by copies of their owners: whoever ends a watch never
// waits for one.
#include "requests/call_watchers.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

namespace freshet::requests {

struct call_watchers::state {
  using list = std::vector<std::weak_ptr<watcher>>;

  std::mutex mutex;  ///< guards the following
  std::map<std::string, list, std::less<>> of_accounts;
  std::size_t all = 0;
};

struct call_watchers::watcher {
  watcher(std::shared_ptr<state> its_state, std::string its_account, std::function<bool()> call)
      : in(std::move(its_state)), account(std::move(its_account)), written(std::move(call)) {}
  /// Nobody holds it any more: its place is free.
  ~watcher() {
    const std::lock_guard lock(in->mutex);
    --in->all;
    const auto found = in->of_accounts.find(account);
    if (found == in->of_accounts.end()) return;
    std::erase_if(found->second, [](const auto& one) { return one.expired(); });
    if (found->second.empty()) in->of_accounts.erase(found);
  }
  watcher(const watcher&) = delete;
  watcher& operator=(const watcher&) = delete;

  const std::shared_ptr<state> in;
  const std::string account;
  const std::function<bool()> written;
};

call_watchers::call_watchers() : state_(std::make_shared<state>()) {}
call_watchers::~call_watchers() = default;

result<call_watch> call_watchers::add(std::string account, std::function<bool()> written) {
  const std::lock_guard lock(state_->mutex);
  auto& list = state_->of_accounts[account];
  // The last quarter is for accounts that nobody watches yet.
  const std::size_t most = max_watches - (list.empty() ? 0 : max_watches / 4);
  if (list.size() >= max_watches_of_account || state_->all >= most) {
    if (list.empty()) state_->of_accounts.erase(account);
    error full(errc::overloaded, "as many pages watch as there may be; ask now and then instead");
    constexpr std::chrono::seconds later{30};
    full.retry_after = later;
    return full;
  }
  // What may run out of memory comes first: a watcher that is made is in the list.
  list.reserve(list.size() + 1);
  const auto made = std::make_shared<watcher>(state_, std::move(account), std::move(written));
  list.push_back(made);
  ++state_->all;
  return call_watch(made);
}

void call_watchers::tell(std::string_view account) {
  std::vector<std::shared_ptr<watcher>> told;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->of_accounts.find(account);
    if (found == state_->of_accounts.end()) return;
    for (const auto& one : found->second) {
      if (auto held = one.lock()) told.push_back(std::move(held));
    }
  }
  for (const auto& one : told) {
    if (one->written()) continue;
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->of_accounts.find(account);
    if (found == state_->of_accounts.end()) continue;
    std::erase_if(found->second, [&](const auto& other) { return other.lock() == one; });
    if (found->second.empty()) state_->of_accounts.erase(found);
  }
}

std::vector<std::string> call_watchers::accounts() const {
  const std::lock_guard lock(state_->mutex);
  std::vector<std::string> all;
  for (const auto& [account, watches] : state_->of_accounts) all.push_back(account);
  return all;
}

bool call_watchers::empty() const {
  const std::lock_guard lock(state_->mutex);
  return state_->all == 0;
}

}  // namespace freshet::requests

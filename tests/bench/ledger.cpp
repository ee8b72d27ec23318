// How much committing in groups gains: durable debits a second when many calls are under way,
// against one transaction each. Prints both and their ratio; run it on a quiet machine.
#include <account/accounts.hpp>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>

namespace {

using namespace freshet;
using namespace freshet::account;

constexpr std::size_t calls_under_way = 256;
constexpr std::chrono::seconds measured_time{3};

/// Lets `limit` calls be under way at once.
class window {
 public:
  explicit window(std::size_t limit) : limit_(limit) {}
  void enter() {
    std::unique_lock guard(mutex_);
    freed_.wait(guard, [&] { return inside_ < limit_; });
    ++inside_;
  }
  void leave() {
    const std::lock_guard guard(mutex_);
    --inside_;
    freed_.notify_one();
  }
  void drain() {
    std::unique_lock guard(mutex_);
    freed_.wait(guard, [&] { return inside_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  std::size_t limit_, inside_ = 0;
};

double debits_per_second(const std::string& folder, std::size_t max_batch, std::size_t at_once) {
  accounts_options options;
  options.database_path = folder + "/ledger-" + std::to_string(max_batch) + ".db";
  options.max_batch = max_batch;
  options.plans["free"].monthly = {1'000'000'000};
  auto store = accounts::open(options).value();
  const auto account = store->create_account("bench@example.com", "free").value();
  const auto who = store->authenticate(store->create_key(account.id, {}).value().secret).value();
  std::atomic<long> charged{0};
  window calls(at_once);
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < measured_time) {
    calls.enter();
    usage what;
    what.endpoint = "microblog/search";
    what.request_id = "req_01KATZ00000000000000000000";
    what.sources = "bluesky,mastodon";
    store->settle(store->reserve(who, {1}).value(), {1}, std::move(what),
                  [&](const result<balance>& after) {
                    if (after) ++charged;
                    calls.leave();
                  });
  }
  calls.drain();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  return static_cast<double>(charged) / took.count();
}

}  // namespace

int main() {
  std::string folder = (std::filesystem::temp_directory_path() / "freshet-bench-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;
  const double one_by_one = debits_per_second(folder, 1, calls_under_way);
  const double grouped = debits_per_second(folder, 1024, calls_under_way);
  std::filesystem::remove_all(folder);
  std::printf("one transaction each  %9.0f durable debits/s\n", one_by_one);
  std::printf("group commit          %9.0f durable debits/s (%zu calls under way)\n", grouped,
              calls_under_way);
  std::printf("ratio                 %9.1f\n", grouped / one_by_one);
  return grouped > one_by_one ? 0 : 1;
}

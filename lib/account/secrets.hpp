// The server's own secrets, by name, made at first use. They are kept with the accounts and belong
// to none of them.
#pragma once

#include <account/commit_queue.hpp>
#include <map>

namespace freshet::account {

/// Thread-safe.
class secrets {
 public:
  explicit secrets(commit_queue& queue) : queue_(queue) {}
  [[nodiscard]] result<void> load(account_store& books);
  /// 32 random bytes. Waits for a commit where they are made. Error: storage_unavailable.
  [[nodiscard]] result<std::string> get(std::string_view name);

 private:
  commit_queue& queue_;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace freshet::account

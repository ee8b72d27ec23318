// Which origins of web pages may use some key: what a browser asks before it sends one.
#pragma once

#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace freshet::account {

/// Those of all keys, by their hashes: one that is taken for another only lets a browser ask, and
/// the key decides. None goes while the process lives. Thread-safe.
class known_origins {
 public:
  void add(const std::vector<std::string>& origins);
  [[nodiscard]] bool has(std::string_view origin) const;

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_set<std::size_t> hashes_;
};

}  // namespace freshet::account

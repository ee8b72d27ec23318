// The origins of web pages that may use a key: what they look like, how they are stored, and which
// there are at all.
#pragma once

#include <freshet/result.hpp>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace freshet::account {

inline constexpr std::size_t max_origins_per_key = 4;

/// Each as a browser sends it: scheme://host, with a port that is not the scheme's own, nothing
/// behind. Error: invalid_request.
[[nodiscard]] result<void> check_origins(const std::vector<std::string>& origins);
/// As one text, and back.
[[nodiscard]] std::string join_origins(const std::vector<std::string>& origins);
[[nodiscard]] std::vector<std::string> split_origins(std::string_view joined);

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

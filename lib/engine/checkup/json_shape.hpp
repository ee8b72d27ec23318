// What JSON answers look like: which keys they have, how often and of what types. Two shapes are
// held against each other in words; no value of an answer is kept.
#pragma once

#include <base/json.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace freshet::detail {

/// Bounded, however large the answers are.
class json_shape {
 public:
  void add(const base::json::value& answer);
  [[nodiscard]] bool empty() const noexcept { return paths_.empty(); }

  /// What of `recorded` is other here, a sentence each: keys that every recorded object has and
  /// none of these, and keys of another type. At most max_differences.
  [[nodiscard]] std::vector<std::string> differences_from(const json_shape& recorded) const;
  static constexpr std::size_t max_differences = 20;

 private:
  struct path_facts {
    std::size_t times = 0;
    unsigned types = 0;  ///< a bit each
  };
  void walk(const base::json::value& node, const std::string& path, int depth);

  /// By the names on the way, "posts[].author.handle"; objects themselves under "posts[]".
  std::map<std::string, path_facts> paths_;
};

}  // namespace freshet::detail

// The room for bodies that are arriving, shared by accounts.
#pragma once

#include <base/fair_queue.hpp>
#include <cstddef>
#include <freshet/error.hpp>
#include <unordered_map>

namespace freshet::http {

/// What the bodies that are arriving take, by account and in all. For the engine's thread.
class arriving_bytes {
 public:
  /// False if there is no room: `code` says for whom.
  [[nodiscard]] bool take(base::owner_id owner, std::size_t size, errc& code);
  void give_back(base::owner_id owner, std::size_t size) noexcept;
  void clear() noexcept;

 private:
  [[nodiscard]] static std::size_t share_of(std::size_t left) noexcept;

  static constexpr std::size_t most = 512u << 20;
  static constexpr std::size_t most_of_owner = 128u << 20;  ///< the engine's own have no such limit
  std::unordered_map<base::owner_id, std::size_t> of_owner_;
  std::size_t all_ = 0;
};

}  // namespace freshet::http

// Fetches the pictures of answers for those who look at them, by the engine's own stack and its
// guard, within bounds, and keeps them on the disk. What is no picture by its bytes is refused.
#pragma once

#include <engine/runtime/core.hpp>
#include <memory>
#include <mutex>
#include <pictures/picture_store.hpp>
#include <set>
#include <string>

#include "engine/dashboard/picture_addresses.hpp"

namespace freshet::detail {

/// Thread-safe. Built after the core's other parts, gone before them.
class picture_service {
 public:
  explicit picture_service(core& shared) : core_(shared) {}

  struct shown_picture {
    std::string bytes;
    std::string_view media_type;
  };
  /// For who signed in; waits for the network. Errors: unsupported_content, cancelled, and those of
  /// a fetch.
  [[nodiscard]] result<shown_picture> show(const picture_addresses::picture& picture,
                                           const account::account_record& who);
  /// All that an account has fetched goes.
  void forget(std::string_view account);
  /// Ends what is being fetched; nothing can be asked any more.
  void stop() noexcept;

 private:
  [[nodiscard]] result<std::string> fetch(const std::string& url, std::int64_t owner);

  /// Opened when it is first needed; null: nothing is kept.
  [[nodiscard]] pictures::picture_store* kept();

  core& core_;
  std::once_flag opened_;
  std::unique_ptr<pictures::picture_store> kept_;
  std::mutex mutex_;
  std::set<std::uint64_t> under_way_;
  bool is_stopped_ = false;
};

}  // namespace freshet::detail

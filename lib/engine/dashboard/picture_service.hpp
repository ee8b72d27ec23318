// Fetches the pictures of answers for those who look at them, by the engine's own stack and its
// guard, within bounds, and keeps them on the disk. What is no picture by its bytes is refused.
#pragma once

#include <atomic>
#include <condition_variable>
#include <engine/runtime/core.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <pictures/picture_store.hpp>
#include <string>

#include "engine/dashboard/dashboard_lane.hpp"
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
  using taker = std::function<void(result<shown_picture>)>;
  /// For who signed in, on a thread of the lane, which does not wait: what has to be fetched is
  /// given later, from another thread. Errors: unsupported_content, cancelled, and those of a
  /// fetch. The lane has to be there until stop() has returned.
  void show(const picture_addresses::picture& picture, const account::account_record& who,
            dashboard_lane& lane, taker give);
  /// As the sandbox draws it, for whom nothing is kept.
  [[nodiscard]] static result<shown_picture> draw(const picture_addresses::picture& picture);
  /// All that an account has fetched goes.
  void forget(std::string_view account);
  /// Ends what is being fetched, and waits until nothing is; nothing can be asked any more.
  void stop() noexcept;

 private:
  /// A fetch with whom it is for.
  struct fetching;
  void fetch(std::shared_ptr<fetching> wanted);
  void take(std::shared_ptr<fetching> ended, result<http::response>&& got);
  [[nodiscard]] bool enter(std::uint64_t fetch);
  void leave(std::uint64_t fetch) noexcept;
  void keep(std::string_view account, const std::string& name, std::string_view bytes);

  /// Opened when it is first needed; null: nothing is kept.
  [[nodiscard]] pictures::picture_store* kept();

  core& core_;
  std::once_flag opened_;
  std::unique_ptr<pictures::picture_store> kept_;
  std::mutex mutex_;
  std::condition_variable none_left_;
  std::map<std::uint64_t, std::uint64_t> under_way_;  ///< fetches, and their tickets; 0: not yet
  std::atomic<std::uint64_t> last_fetch_ = 0;
  bool is_stopped_ = false;
};

}  // namespace freshet::detail

// The one connection of a server to Redis: scripts go out as they come, many in one write, and are
// answered in their order, on a thread of its own. Whoever asks never waits for the network. What
// is not answered in time is told so, and with it everything that is under way: the connection is
// then made anew, more and more seldom. No other module and no header sees hiredis.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <redis/redis_address.hpp>
#include <thread>
#include <vector>

struct redisContext;

namespace freshet::redis {

/// What a script gave: a whole number, a text, or several of these, each kind in its order.
struct redis_reply {
  std::vector<std::int64_t> numbers;
  std::vector<std::string> texts;
};

struct link_options {
  redis_address where;
  /// How long an answer may take; also how long whoever asked waits at most.
  std::chrono::milliseconds timeout{100};
  std::vector<std::string> scripts;  ///< in Lua, each over one key
  /// Told when Redis is there or has gone away, and why. Once for each change, on the link's
  /// thread; it must neither wait nor throw. May be null.
  std::function<void(bool is_here, std::string_view why)> changed;
  /// Called on the link's thread some time after answers came, and again as long as it says so.
  /// May be null.
  std::function<bool()> tick;
  std::chrono::milliseconds tick_pause{50};  ///< that time
};

/// Thread-safe.
class redis_link {
 public:
  /// Told what a script gave, or null: then nobody knows whether it ran. On the link's thread,
  /// without a lock; it must neither wait nor throw.
  using handler = std::function<void(const redis_reply* given)>;
  struct figures {
    bool is_here = false;
    std::uint64_t runs = 0;    ///< of scripts that were answered
    std::uint64_t losses = 0;  ///< of the connection
    std::string why;           ///< it is away
  };

  explicit redis_link(link_options options);
  ~redis_link();
  redis_link(const redis_link&) = delete;
  redis_link& operator=(const redis_link&) = delete;

  /// Waits until the first try to connect has ended, for a second or two at most.
  void start();
  /// Everybody who still waits is told null.
  void stop();
  [[nodiscard]] bool is_here() const noexcept { return is_here_; }
  [[nodiscard]] figures count() const;
  /// Runs a script by its place in the options. `words`: its key, then its arguments. False where
  /// Redis is away, or too much waits for it: `done` is then not told.
  [[nodiscard]] bool run(std::size_t script, std::vector<std::string> words, handler done);

 private:
  using moment = std::chrono::steady_clock::time_point;
  struct command {
    std::vector<std::string> words;
    handler done;
    moment until;
  };
  struct closer {
    void operator()(redisContext* context) const noexcept;
  };

  void loop();
  /// Serves over one connection; says why it is over.
  [[nodiscard]] std::string serve();
  [[nodiscard]] std::string connect();
  void greet();
  void take_queued();
  [[nodiscard]] std::string await();
  [[nodiscard]] std::string read();
  /// The next answer. Error text, or "".
  [[nodiscard]] std::string take(void* answer);
  void run_tick();
  void show(bool is_here, std::string why) noexcept;
  void drop_all() noexcept;
  [[nodiscard]] bool pause(std::chrono::milliseconds wait) const;
  void wake() const noexcept;
  void clear_wake() const noexcept;
  [[nodiscard]] std::string too_late() const;

  const link_options options_;
  std::unique_ptr<redisContext, closer> context_;
  std::deque<command> under_way_;    ///< sent, in their order
  std::vector<std::string> hashes_;  ///< of the scripts, while they are made known
  std::size_t greetings_ = 0;        ///< answers that come before the first script's
  moment tick_at_ = moment::max();
  int wake_ = -1;
  std::atomic<bool> is_here_{false}, is_ending_{false};
  mutable std::mutex mutex_;
  std::condition_variable tried_;
  bool has_tried_ = false;     ///< these and the next under the mutex
  std::deque<command> queue_;  ///< to be sent
  std::uint64_t runs_ = 0, losses_ = 0;
  std::string why_;
  std::thread thread_;
};

}  // namespace freshet::redis

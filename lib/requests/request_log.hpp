// The way of calls into the log: a bounded queue, in which every account has its share, and a
// thread that writes what is in it. Whoever adds to it never waits: where there is no room, or the
// disk is full or gone, calls are left out of the log and counted. For a database that others
// share, and that may be away, they wait while there is room; then an account's oldest go.
#pragma once

#include <base/clock.hpp>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <freshet/result.hpp>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <requests/call_watchers.hpp>
#include <requests/request_store.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace freshet::requests {

struct log_options {
  std::string database;  ///< a file, whose folder must exist, or "postgresql://…"
  /// As request_store::make() has it.
  std::shared_ptr<postgres::read_replica> replica = {};
  store_limits limits;
  std::size_t max_body_bytes = 64 << 10;  ///< a longer body or answer is not kept
  /// Bytes that wait for the thread. An account may have as many waiting as there is room left, so
  /// that one that floods leaves room for every other.
  std::size_t max_waiting_bytes = 8 << 20;
  std::chrono::milliseconds batch_delay{250};    ///< the longest that a call waits for others
  std::chrono::milliseconds retry_pause{1'000};  ///< after a failure
  std::chrono::milliseconds purge_pause{30'000};
  /// Between looks for what other servers wrote, while somebody watches.
  std::chrono::milliseconds news_pause{1'000};
  const base::clock* clock = nullptr;  ///< null: the machine's
  std::function<void(std::string_view level, std::string_view line)> tell;
  std::function<bool(std::string_view)> fail = {};  ///< for tests
};

struct log_figures {
  std::uint64_t written = 0;
  std::uint64_t dropped = 0;  ///< there was no room for them
  std::uint64_t failed = 0;   ///< they could not be written
  std::size_t waiting_bytes = 0;
};

/// Thread-safe. Its destructor writes what waits.
class request_log {
 public:
  /// Never fails: what is wrong with the file is told, and tried again.
  [[nodiscard]] static std::unique_ptr<request_log> open(log_options options);
  ~request_log();
  request_log(const request_log&) = delete;
  request_log& operator=(const request_log&) = delete;

  /// A call has ended.
  void add(const call_facts& call) noexcept { add(call, {}); }
  /// The same with its bodies, which are views; they are copied only where they are kept.
  struct bodies_view {
    std::string_view sent, answer_lead, answer;
  };
  void add(const call_facts& call, const bodies_view& bodies) noexcept;
  [[nodiscard]] bool keeps_bodies() const noexcept {
    return options_.limits.keep_bodies.count() > 0;
  }
  /// What was added before is in what these give, unless the disk takes its time. Errors: those of
  /// the store.
  [[nodiscard]] result<std::vector<call_record>> list(const call_query& query);
  [[nodiscard]] result<shown_call> show(std::string_view account, std::string_view id);
  /// Calls `written` on the log's thread whenever calls of the account have been written, by
  /// another server within a second or so; see call_watchers::add.
  [[nodiscard]] result<call_watch> watch(std::string account, std::function<bool()> written);
  /// Removes all calls of an account, soon, and takes none of it any more: some may be under way.
  void forget(std::string account);
  [[nodiscard]] log_figures figures() const;

 private:
  struct waiting_calls {
    std::vector<chunk> chunks;
    std::size_t bytes = 0;
  };
  using queue = std::map<std::string, waiting_calls, std::less<>>;
  /// What one transaction writes.
  struct taken_calls {
    batch what;
    std::uint64_t calls = 0;
  };

  explicit request_log(log_options options);
  void run();
  [[nodiscard]] bool has_work() const;
  [[nodiscard]] bool has_calls() const;
  [[nodiscard]] bool is_gone(std::string_view account) const;
  [[nodiscard]] std::chrono::steady_clock::time_point next_look() const;
  void write(std::unique_lock<std::mutex>& lock);
  void take_waiting();
  [[nodiscard]] bool make_room(waiting_calls& waiting, std::size_t bytes);
  void drop_oldest(waiting_calls& of);
  void put_back();
  void put_away(std::unique_lock<std::mutex>& lock);
  void look_for_news(std::unique_lock<std::mutex>& lock);
  [[nodiscard]] bool open_store();
  void close_store(bool is_broken);
  void await_written();
  void warn(std::string_view effect, std::string_view why);
  void tell_dropped(std::uint64_t dropped);

  log_options options_;
  const std::unique_ptr<request_store> store_;  ///< of the thread, but for its readers
  const bool is_shared_;
  bool is_open_ = false;
  taken_calls taken_;               ///< of the thread: under way
  bool is_unsure_ = false;          ///< whether they were written nobody knows yet
  std::uint64_t told_dropped_ = 0;  ///< of the thread
  newest_numbers seen_;             ///< of the thread: of who is watched
  std::chrono::steady_clock::time_point retry_at_{};  ///< of the thread
  std::optional<std::chrono::steady_clock::time_point> warned_;

  mutable std::mutex mutex_;  ///< guards the following
  std::condition_variable wake_, written_;
  queue queue_;
  std::vector<std::string> forgotten_;
  std::deque<std::string> gone_;  ///< the last that were forgotten
  std::chrono::steady_clock::time_point purge_at_{}, news_at_{};
  log_figures figures_;
  std::uint64_t asked_ = 0, done_ = 0;  ///< turns of the thread: asked for by readers, ended
  bool stopping_ = false;
  call_watchers watchers_;
  std::thread thread_;
};

}  // namespace freshet::requests

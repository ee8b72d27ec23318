// The sign of life of a node: a row of its own, renewed every second by the clock of the database.
// Who renews it also sees how many others there are, and retires those that have not been seen for
// a while (stopped, or their machine is gone).
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <postgres/postgres.hpp>
#include <thread>

namespace freshet::account::on_postgres {

/// On a thread and a connection of its own.
class heartbeat {
 public:
  heartbeat() = default;
  heartbeat(const heartbeat&) = delete;
  heartbeat& operator=(const heartbeat&) = delete;
  ~heartbeat() { stop(); }
  /// `peers`: how many others there were when the node was added.
  void start(postgres::connection_options where, std::int64_t node, int peers);
  void stop();
  /// Told once, on its thread, that the node was retired, or at once where it was before. Null:
  /// nobody is told, once this has returned. Any thread.
  void on_loss(std::function<void()> told);
  /// How many others are in service. Any thread.
  [[nodiscard]] int peers() const noexcept { return peers_; }
  /// There is one at least. Any thread.
  void meet_peer() noexcept;
  /// Whether the database has let a beat wait for so long that it stands still, or can no more be
  /// reached. Beats wait for no disk and for nobody's transaction. Any thread.
  [[nodiscard]] bool is_unheard() const noexcept;
  /// Whether the last beat was answered, and this one need not be despaired of. Any thread.
  [[nodiscard]] bool is_answered() const noexcept { return is_answered_ && !is_unheard(); }

 private:
  void loop();
  [[nodiscard]] bool connect();
  /// Whether the node is in service, as far as can be known.
  [[nodiscard]] bool renew();
  /// What the database says of this node, where it answers.
  [[nodiscard]] std::optional<bool> beat();

  postgres::connection_options where_;
  std::int64_t node_ = 0;
  postgres::pg_connection on_;
  int beats_ = 0;  ///< over this connection, one soon after the other
  std::chrono::steady_clock::time_point answered_at_{};
  std::atomic<std::chrono::steady_clock::rep> asked_at_{0};  ///< 0: no beat waits for an answer
  std::atomic<bool> is_answered_{true};
  std::atomic<int> peers_{0};
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ending_ = false, is_lost_ = false;  ///< these and the next under the mutex
  std::function<void()> told_;
  std::thread thread_;
};

/// How many nodes are in service but this one. Error: storage_unavailable.
[[nodiscard]] result<std::int64_t> count_peers(postgres::pg_connection& connection,
                                               std::int64_t node);

}  // namespace freshet::account::on_postgres

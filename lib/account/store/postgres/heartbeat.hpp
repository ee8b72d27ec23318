// The sign of life of the server that writes: a row of its own, renewed every second, by the clock
// of the database. A server that wants to write ends the connection of one that has not been seen
// for a while (stopped, or its machine is gone), and its lock and its transaction with it: a clock
// decides who is let in, never what is in the book.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <postgres/postgres.hpp>
#include <thread>

namespace freshet::account::on_postgres {

/// Gives a new node its number and its first sign of life, over the connection with which it will
/// write, and makes it the one that writes. Only with the writer's lock. Error:
/// storage_unavailable.
[[nodiscard]] result<std::int64_t> add_writer(postgres::pg_connection& connection,
                                              const std::string& name);
/// The node writes over another connection now: this one. Whether that is stored.
[[nodiscard]] bool move_writer(postgres::pg_connection& connection, std::int64_t node);
/// Ends the connection of the server that writes where it has not been seen for a while, or where
/// it is `node` itself, by a connection that it has lost. Error: storage_unavailable.
[[nodiscard]] result<void> end_lost_writer(postgres::pg_connection& connection, std::int64_t node);

/// Renews the sign, on a thread and a connection of its own.
class heartbeat {
 public:
  heartbeat() = default;
  heartbeat(const heartbeat&) = delete;
  heartbeat& operator=(const heartbeat&) = delete;
  ~heartbeat();
  void start(postgres::connection_options where, std::int64_t node);
  /// Told once, on its thread, that another server has taken the node's place, or at once where it
  /// has before. Null: nobody is told, once this has returned. Any thread.
  void on_loss(std::function<void()> told);

 private:
  void loop();
  [[nodiscard]] bool connect();
  /// Whether the node is still the one that writes, as far as can be known.
  [[nodiscard]] bool renew();

  postgres::connection_options where_;
  std::int64_t node_ = 0;
  postgres::pg_connection on_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_ending_ = false, is_lost_ = false;  ///< these and the next under the mutex
  std::function<void()> told_;
  std::thread thread_;
};

}  // namespace freshet::account::on_postgres

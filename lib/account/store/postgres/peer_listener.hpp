// What the other servers tell of their commits, as it comes: PostgreSQL carries it, to who listens.
// Where the connection was lost nobody knows what was missed, and that is told, too.
#pragma once

#include <account/store/records.hpp>
#include <functional>
#include <mutex>
#include <postgres/postgres.hpp>
#include <thread>
#include <vector>

namespace freshet::account::on_postgres {

/// The text of some news of a node, and the news in a text that is not the node's own.
[[nodiscard]] std::string news_text(std::int64_t node, const std::vector<peer_news>& told);
[[nodiscard]] std::vector<peer_news> read_news(std::string_view text, std::int64_t node);

/// On a thread and a connection of its own, once somebody is to be told.
class peer_listener {
 public:
  peer_listener() = default;
  peer_listener(const peer_listener&) = delete;
  peer_listener& operator=(const peer_listener&) = delete;
  ~peer_listener() { stop(); }
  /// From here on nothing is missed without a word. Error: storage_unavailable.
  [[nodiscard]] result<void> start(postgres::connection_options where, std::int64_t node);
  void stop();
  /// Null: nobody is told any more, once this has returned.
  void on_news(std::function<void(const peer_news&)> told);

 private:
  void loop();
  [[nodiscard]] result<void> connect();
  void tell(const peer_news& what);

  postgres::connection_options where_;
  std::int64_t node_ = 0;
  postgres::pg_connection on_;
  int wake_ = -1;  ///< can be read when it ends
  std::mutex mutex_;
  std::function<void(const peer_news&)> told_;  ///< under the mutex
  std::thread thread_;
};

}  // namespace freshet::account::on_postgres

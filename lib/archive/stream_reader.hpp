// One stream, from the position that its store remembers, as long as the collector works. Private
// to the collector.
#pragma once

#include <archive/collector.hpp>
#include <http/websocket_stream.hpp>
#include <random>
#include <sources/stream.hpp>
#include <string>

namespace freshet::archive {

/// Changes that are written together at most, and how long one waits for others.
inline constexpr std::size_t max_batch = 500;
inline constexpr std::chrono::milliseconds batch_time{500};
/// How long a stream that wants a credential, or refuses us, is left alone.
inline constexpr std::chrono::minutes refused_wait{15};

/// How long an instance may take to say where its stream is.
inline constexpr std::chrono::seconds address_time{20};

/// The changes that one message makes.
void append_news(changes& out, sources::news&& news);

/// For one thread, except stop().
class collector::stream_reader {
 public:
  stream_reader(collector& collector, const watched_source& watched);
  /// Reads until the collector stops.
  void run();
  void stop() { socket_.stop(); }

 private:
  bool begin_tenure();
  [[nodiscard]] bool is_over() const { return of_.into->tenure() != tenure_; }
  error read_until_error();
  void look_for_address();
  bool flush();
  std::chrono::milliseconds wait_after(const error& why);

  collector& in_;
  const watched_source& of_;
  const sources::settings& with_;
  std::string cursor_name_;
  http::websocket_stream socket_;
  std::string address_;         ///< that the instance names; "": its stream is where plan() says
  bool knows_address_ = false;  ///< it has been asked for, and nothing has failed since
  changes batch_;
  std::string cursor_;          ///< behind what is in the batch
  std::string written_cursor_;  ///< behind what is in the store
  std::int64_t tenure_ = 0;     ///< under which it is read; 0: not yet
  bool greeted_ = false;        ///< this connection has given a message
  int failures_ = 0;            ///< since one has
  std::uint64_t unread_ = 0;    ///< messages that made no sense
  std::minstd_rand random_;
};

}  // namespace freshet::archive

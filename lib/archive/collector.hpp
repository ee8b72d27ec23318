// Fills the archives: reads the streams of sources and polls their feeds, and writes what they say
// into the stores, with the position from which to go on. It decides when to connect again, and
// when what is old must go; what a message means is the source's to say.
#pragma once

#include <archive/store.hpp>
#include <atomic>
#include <base/clock.hpp>
#include <condition_variable>
#include <functional>
#include <http/transport.hpp>
#include <http/websocket_stream.hpp>
#include <memory>
#include <mutex>
#include <set>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace freshet::archive {

/// A source that is kept.
struct watched_source {
  const sources::descriptor* of = nullptr;  ///< with a stream, or polled
  catalog::operation op{};                  ///< whose feeds are polled
  /// Of a stream the first is read, of feeds every one.
  std::vector<sources::settings> instances;
  std::shared_ptr<item_store> into;
  std::chrono::seconds every{900};  ///< between two looks at a feed
};

struct collector_options {
  http::websocket_options stream;  ///< user agent, guard and bounds
  const base::clock* clock = nullptr;
  /// Called with "warning"/"info" and one line, from any thread.
  std::function<void(std::string_view, std::string_view)> log;
  std::chrono::milliseconds least_wait{1'000};  ///< before a stream is opened again
  std::chrono::milliseconds most_wait{120'000};
  std::chrono::milliseconds upkeep_interval{10'000};  ///< between two looks for what is too old
  /// Between two renewals of a tenure, and half of it between two tries to take one.
  std::chrono::milliseconds hold_interval{2'000};
};

/// Works from its construction to its destruction, on threads of its own: one a stream, one for
/// each source that is polled, one for upkeep, and one that holds the tenures of shared stores: of
/// several servers one fills each of those. `over` must outlive it.
class collector {
 public:
  collector(collector_options options, http::transport& transport,
            std::vector<watched_source> list);
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;
  /// Writes what has been read, closes the streams and waits for its threads.
  ~collector();

 private:
  class stream_reader;
  class feed_reader;

  /// False if it ends before.
  bool sleep(std::chrono::milliseconds time);
  /// Fetches over the engine's own transport, and waits for it no longer than until the end.
  result<http::response> fetch(http::request request, std::chrono::milliseconds time);
  /// Writes, again and again until it succeeds, the changes' tenure is over or the collector ends.
  bool write(const watched_source& watched, const changes& changes);
  void say(std::string_view level, const std::string& line) const;
  /// The tenure of a store, waiting for it; 0 at the end.
  std::int64_t await_tenure(const watched_source& watched);
  [[nodiscard]] std::set<item_store*> stores() const;
  void keep_up();
  void hold_on();

  collector_options options_;
  http::transport& over_;
  std::vector<watched_source> watched_;
  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  std::condition_variable stopped_;
  std::vector<std::unique_ptr<stream_reader>> streams_;
  std::vector<std::unique_ptr<feed_reader>> feeds_;
  std::vector<std::thread> threads_;
};

}  // namespace freshet::archive

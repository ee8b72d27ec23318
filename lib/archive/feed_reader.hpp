// The feeds of one source, looked at in turn. Private to the collector.
#pragma once

#include <archive/collector.hpp>
#include <string>
#include <vector>

namespace freshet::archive {

/// How long one feed may take.
inline constexpr std::chrono::seconds feed_time{30};

/// For one thread.
class collector::feed_reader {
 public:
  feed_reader(collector& collector, const watched_source& watched);
  /// Looks until the collector stops.
  void run();

 private:
  struct feed {
    const sources::settings* with = nullptr;
    std::chrono::steady_clock::time_point due;
    std::string cursor_name;
  };
  std::chrono::milliseconds look(const feed& at);
  result<void> keep(const feed& feed, const http::response& answer);

  collector& in_;
  const watched_source& of_;
  const sources::capability* how_;
  std::vector<feed> feeds_;
  std::int64_t tenure_ = 0;  ///< under which a feed is looked at
};

}  // namespace freshet::archive

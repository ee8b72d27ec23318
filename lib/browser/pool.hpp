// The browsers and the pages that wait for one: one thread that owns all of them. Browsers are
// started when they are needed, have one page at a time, and are replaced when they have had many,
// hang, die or take too much.
#pragma once

#include <browser/options.hpp>
#include <browser/page_load.hpp>
#include <http/transport.hpp>
#include <memory>

namespace freshet::browser {

/// Thread-safe. Its destructor answers what is pending with `cancelled` and ends every browser.
class pool {
 public:
  /// `network` answers the requests of pages and must outlive it.
  pool(options options, http::transport& network);
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;
  ~pool();

  /// Renders a page. `done` is called exactly once, on the pool's thread or before submit returns.
  /// Errors: source_timeout (its scripts do not end), source_error (it crashes or takes too much),
  /// target_forbidden and others of the network (it leads on to a page that gives them),
  /// overloaded (too many wait, or no browser was free in time), internal (no browser starts),
  /// cancelled. Returns a ticket for cancel().
  std::uint64_t submit(page_order order, http::transport::handler done);
  void cancel(std::uint64_t ticket);

 private:
  class loop;
  std::shared_ptr<loop> loop_;
};

}  // namespace freshet::browser

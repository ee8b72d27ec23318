// The clock of the endpoint: what is over ends while nobody asks for anything, too.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <server/mcp/http_endpoint.hpp>

namespace freshet::server::mcp {

/// Sweeps the endpoint, which must outlive it, on the context's thread. The context has something
/// to do until stop().
class sweeping {
 public:
  sweeping(boost::asio::io_context& io, http_endpoint& endpoint) : timer_(io), what_(endpoint) {
    wait();
  }
  /// On the context's thread.
  void stop();

 private:
  void wait();

  boost::asio::steady_timer timer_;
  http_endpoint& what_;
  bool stopped_ = false;
};

}  // namespace freshet::server::mcp

// The next sweep is set when one is done, so that they never heap up.
#include <chrono>
#include <server/mcp/sweeping.hpp>

namespace freshet::server::mcp {
namespace {

constexpr std::chrono::milliseconds interval{250};

}  // namespace

void sweeping::wait() {
  timer_.expires_after(interval);
  timer_.async_wait([this](boost::system::error_code failed) {
    if (failed || stopped_) return;
    what_.sweep();
    wait();
  });
}

void sweeping::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace freshet::server::mcp

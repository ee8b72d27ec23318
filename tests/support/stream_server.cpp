// The streams of stream_server, over a websocket_server.
#include "support/stream_server.hpp"

#include <atomic>

#include "support/websocket_server.hpp"

namespace freshet::test {

struct stream_server::listener {
  handler what;
  std::atomic<bool> stopping = false;
  websocket_server server;

  explicit listener(handler then)
      : what(std::move(then)),
        server([this](const websocket_server::request& asked, websocket_server::stream& to) {
          what(asked.target, [&to](std::string_view text) { to.send(text); });
        }) {}
  ~listener() { stopping = true; }
};

stream_server::stream_server(handler what)
    : listener_(std::make_unique<listener>(std::move(what))) {}
stream_server::~stream_server() = default;

std::string stream_server::url(const std::string& path) const {
  return listener_->server.url(path);
}
bool stream_server::stopping() const { return listener_->stopping; }

}  // namespace freshet::test

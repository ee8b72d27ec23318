// Partial writes and partial reads.
#include <sys/socket.h>

#include <algorithm>
#include <browser/message_pipe.hpp>
#include <browser/options.hpp>
#include <cerrno>

namespace freshet::browser {
namespace {

constexpr std::size_t chunk = 256u << 10;
/// Read at one go, so that one browser does not keep the others waiting.
constexpr std::size_t most_at_once = 8u << 20;

}  // namespace

void message_pipe::send(std::string message) {
  message += '\0';
  unsent_.push_back(std::move(message));
  flush();
}

bool message_pipe::flush() {
  while (!unsent_.empty() && !broken_) {
    const std::string& first = unsent_.front();
    const ssize_t put =
        ::send(writing_.number(), first.data() + sent_, first.size() - sent_, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0 && errno == EAGAIN) return true;
    if (put < 0) {
      broken_ = true;
      break;
    }
    sent_ += static_cast<std::size_t>(put);
    if (sent_ < first.size()) continue;
    unsent_.pop_front();
    sent_ = 0;
  }
  return !broken_;
}

bool message_pipe::receive(std::vector<std::string>& into) {
  std::string buffer(chunk, '\0');
  std::size_t taken = 0;
  while (!broken_ && taken < most_at_once) {
    const ssize_t got = recv(reading_.number(), buffer.data(), buffer.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return true;
    if (got <= 0) {
      broken_ = true;
      break;
    }
    taken += static_cast<std::size_t>(got);
    std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    for (auto end = text.find('\0'); end != std::string_view::npos; end = text.find('\0')) {
      partial_ += text.substr(0, end);
      into.push_back(std::exchange(partial_, {}));
      text.remove_prefix(end + 1);
    }
    partial_ += text;
    if (partial_.size() > max_message_bytes) broken_ = true;
  }
  return !broken_;
}

}  // namespace freshet::browser

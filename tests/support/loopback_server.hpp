// A small HTTP/1.1 server on 127.0.0.1 and a free port, for tests: raw sockets, one thread a
// connection, handlers that may answer properly, slowly, endlessly or not at all. It is exact about
// nothing but what a test asks it to send.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/loopback_listener.hpp"

namespace freshet::test {

class loopback_server {
 public:
  using header_list = std::vector<std::pair<std::string, std::string>>;

  /// What has come in.
  struct seen {
    std::string method, target;  ///< target: path and query
    std::string head;            ///< request line and headers, as sent
    std::string body;
    /// The value of a header, name in any case; "" if absent.
    [[nodiscard]] std::string header(std::string name) const {
      const auto lower = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return text;
      };
      const std::string wanted = "\r\n" + lower(std::move(name)) + ": ";
      const auto at = lower(head).find(wanted);
      if (at == std::string::npos) return {};
      const auto from = at + wanted.size();
      return head.substr(from, head.find("\r\n", from) - from);
    }
  };

  /// Where an answer goes.
  class connection {
   public:
    explicit connection(int socket) : socket_(socket) {}
    /// False once the other side or the server is gone.
    bool send(std::string_view bytes) {
      while (!bytes.empty() && open_) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0)
          open_ = false;
        else
          bytes.remove_prefix(static_cast<std::size_t>(sent));
      }
      return open_;
    }
    /// Ends the connection after the handler, in order or by a reset.
    void close() { open_ = false; }
    void reset() {
      const linger hard{1, 0};
      setsockopt(socket_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
      open_ = false;
    }
    [[nodiscard]] bool is_open() const { return open_; }

   private:
    int socket_;
    bool open_ = true;
  };

  using handler = std::function<void(const seen&, connection&)>;

  [[nodiscard]] int port() const { return listener_.port(); }
  /// "http://127.0.0.1:PORT" + path
  [[nodiscard]] std::string url(const std::string& path = "/") const {
    return "http://127.0.0.1:" + std::to_string(port()) + path;
  }
  /// True once the server is being destroyed: endless handlers ask it.
  [[nodiscard]] bool stopping() const { return listener_.stopping(); }

  /// Sets what a path (without query) is answered with; "*" is every other path. 404 by default.
  void on(const std::string& path, handler handler) {
    const std::lock_guard lock(mutex_);
    handlers_[path] = std::move(handler);
  }
  /// The same with a fixed answer.
  void reply(const std::string& path, int status, std::string body, header_list headers = {}) {
    on(path,
       [text = answer(status, body, headers)](const seen&, connection& to) { to.send(text); });
  }
  /// A whole answer with Content-Length.
  [[nodiscard]] static std::string answer(int status, const std::string& body,
                                          const header_list& headers = {}) {
    std::string out = "HTTP/1.1 " + std::to_string(status) + " X\r\n";
    for (const auto& [name, value] : headers) out += name + ": " + value + "\r\n";
    return out + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  /// `text` as a gzip stream.
  [[nodiscard]] static std::string gzip(const std::string& text) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
  }

  /// Requests so far: all of them, or to one path (without query).
  [[nodiscard]] int count() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(requests_.size());
  }
  [[nodiscard]] int count(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(std::count_if(
        requests_.begin(), requests_.end(),
        [&](const seen& each) { return each.target.substr(0, each.target.find('?')) == path; }));
  }
  /// Connections accepted so far.
  [[nodiscard]] int connections() const { return listener_.accepted(); }
  /// The last request to a path; empty if there was none.
  [[nodiscard]] seen last(const std::string& path) const {
    const std::lock_guard lock(mutex_);
    for (auto at = requests_.rbegin(); at != requests_.rend(); ++at) {
      if (at->target.substr(0, at->target.find('?')) == path) return *at;
    }
    return {};
  }

 private:
  void serve(int socket) {
    std::string buffer;
    connection to(socket);
    while (to.is_open() && !stopping()) {
      seen request;
      if (!read(socket, buffer, request)) break;
      find(request)(request, to);
    }
    shutdown(socket, SHUT_RDWR);
    const linger now{0, 0};
    linger set{};
    socklen_t size = sizeof set;
    getsockopt(socket, SOL_SOCKET, SO_LINGER, &set, &size);
    if (set.l_onoff != 0) {
      const sockaddr nobody{AF_UNSPEC, {}};
      connect(socket, &nobody, sizeof nobody);  // drops the connection with a reset
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    }
  }

  handler find(const seen& request) {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    const auto at = handlers_.find(request.target.substr(0, request.target.find('?')));
    if (at != handlers_.end()) return at->second;
    const auto any = handlers_.find("*");
    if (any != handlers_.end()) return any->second;
    return [](const seen&, connection& to) { to.send(answer(404, "no such page")); };
  }

  static bool more(int socket, std::string& buffer) {
    char chunk[16384];
    const auto got = recv(socket, chunk, sizeof chunk, 0);
    if (got <= 0) return false;
    buffer.append(chunk, static_cast<std::size_t>(got));
    return true;
  }

  static bool read(int socket, std::string& buffer, seen& out) {
    std::size_t end = 0;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
      if (!more(socket, buffer)) return false;
    }
    out.head = buffer.substr(0, end + 2);
    const auto space = out.head.find(' ');
    out.method = out.head.substr(0, space);
    out.target = out.head.substr(space + 1, out.head.find(' ', space + 1) - space - 1);
    const std::string length = out.header("Content-Length");
    const std::size_t wanted = length.empty() ? 0 : std::stoul(length);
    buffer.erase(0, end + 4);
    while (buffer.size() < wanted) {
      if (!more(socket, buffer)) return false;
    }
    out.body = buffer.substr(0, wanted);
    buffer.erase(0, wanted);
    return true;
  }

  mutable std::mutex mutex_;
  std::map<std::string, handler> handlers_;
  std::vector<seen> requests_;
  // The last: it ends first, for its threads use what is above.
  loopback_listener listener_{[this](int socket) { serve(socket); }};
};

}  // namespace freshet::test

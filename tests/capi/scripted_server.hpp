// A server that speaks the contract as a test scripts it: pages of numbered items, faults between.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "support/loopback_server.hpp"

namespace freshet::test {

/// A page whose items are the numbers from `first`; `next` is its cursor, "" on the last one.
inline std::string envelope(int first, int count, const std::string& next) {
  std::string data = "[";
  for (int i = 0; i < count; ++i) data += (i == 0 ? "" : ",") + std::to_string(first + i);
  const auto cursor = next.empty() ? std::string("null") : '"' + next + '"';
  return R"({"data":)" + data + R"(],"page":{"next_cursor":)" + cursor + R"(,"has_more":)" +
         (next.empty() ? "false" : "true") + R"(},"meta":{}})";
}

inline std::string problem(const std::string& code, int status) {
  return R"({"type":"/errors/)" + code + R"(","status":)" + std::to_string(status) +
         R"(,"detail":"as scripted","code":")" + code + R"("})";
}

/// Answers each request to /v1/news/search by the next step of its script, the last one for ever.
class scripted_server {
 public:
  using step = std::function<void(const loopback_server::seen&, loopback_server::connection&)>;

  explicit scripted_server(std::vector<step> script) : script_(std::move(script)) {
    server_.on("/v1/news/search",
               [this](const loopback_server::seen& what, loopback_server::connection& to) {
                 step now;
                 {
                   const std::lock_guard lock(mutex_);
                   seen_.push_back(what);
                   now = script_[std::min(seen_.size(), script_.size()) - 1];
                 }
                 now(what, to);
               });
  }

  [[nodiscard]] std::string url() const { return server_.url(""); }
  [[nodiscard]] std::vector<loopback_server::seen> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

  static step answers(int status, std::string body, loopback_server::header_list headers = {}) {
    headers.emplace_back("Content-Type", "application/json");
    return [text = loopback_server::answer(status, body, headers)](
               const loopback_server::seen&, loopback_server::connection& to) { to.send(text); };
  }
  static step resets() {
    return [](const loopback_server::seen&, loopback_server::connection& to) { to.reset(); };
  }
  /// Begins an answer and goes away. (Where nothing has come back yet, curl sends a request anew.)
  static step breaks_off() {
    return [](const loopback_server::seen&, loopback_server::connection& to) {
      to.send("HTTP/1.1 200 X\r\nContent-Length: 90\r\n\r\n{\"data\":[");
      to.reset();
    };
  }

 private:
  mutable std::mutex mutex_;
  std::vector<step> script_;
  std::vector<loopback_server::seen> seen_;
  loopback_server server_;  ///< last: its threads end before what they use
};

}  // namespace freshet::test

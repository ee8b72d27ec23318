// The DevTools protocol without I/O: numbers the commands, pairs the replies, hands on the events.
// Specification: https://chromedevtools.github.io/devtools-protocol/.
#pragma once

#include <base/json.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace freshet::browser {

/// For one thread.
class devtools {
 public:
  using sender = std::function<void(std::string message)>;
  /// The `result` of a reply; null if the browser answered with an error.
  using reply_handler = std::function<void(const base::json::value* result)>;
  using event_handler = std::function<void(std::string_view session, std::string_view method,
                                           const base::json::value& parameters)>;

  devtools(sender send, event_handler event) : send_(std::move(send)), event_(std::move(event)) {}

  /// Sends a command. `parameters` is a JSON object; `session` "" is the browser itself. `done` may
  /// be null.
  void call(std::string_view session, std::string_view method, std::string_view parameters,
            reply_handler done = nullptr);
  /// A message of the browser. False if it is none of the protocol.
  bool take(std::string_view message);
  /// Forgets the commands that wait for a reply.
  void forget() { waiting_.clear(); }

 private:
  sender send_;
  event_handler event_;
  std::int64_t last_ = 0;
  std::unordered_map<std::int64_t, reply_handler> waiting_;
};

/// A JSON object out of names and values that are JSON already.
[[nodiscard]] std::string json_object(
    std::initializer_list<std::pair<std::string_view, std::string>> members);
[[nodiscard]] std::string json_string(std::string_view text);

}  // namespace freshet::browser

// Who looks at an account's calls just now, and is told when there are new ones: a page that is
// open in a browser. They are told that there are some, not which: what is new they ask the log.
#pragma once

#include <cstddef>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::requests {

/// A watch; it ends when this goes. A callback that is under way may end after it.
using call_watch = std::shared_ptr<const void>;

inline constexpr std::size_t max_watches_of_account = 16;
inline constexpr std::size_t max_watches = 1024;

/// Thread-safe. Watches may outlive it.
class call_watchers {
 public:
  call_watchers();
  ~call_watchers();
  call_watchers(const call_watchers&) = delete;
  call_watchers& operator=(const call_watchers&) = delete;

  /// `written` is called by tell() until it answers false; it must not wait, nor call this. Error:
  /// overloaded (there are as many as there may be; a quarter is for accounts without any).
  [[nodiscard]] result<call_watch> add(std::string account, std::function<bool()> written);
  void tell(std::string_view account);
  /// Who is watched.
  [[nodiscard]] std::vector<std::string> accounts() const;
  [[nodiscard]] bool empty() const;

 private:
  struct watcher;
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace freshet::requests

// Work that takes long for a thread of connections, such as a handshake of TLS: a piece at a time,
// and between any two whatever else is ready. Hosts take turns, so that one that brings much of it
// waits behind itself.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>

namespace freshet::server {

/// For one thread. What waits when it ends is not done. Work that throws takes nobody's turn.
class turns {
 public:
  using piece = std::function<void()>;

  explicit turns(boost::asio::io_context::executor_type executor)
      : executor_(std::move(executor)) {}

  void post(const std::string& host, piece work) {
    auto& own = of_host_[host];
    own.push_back(std::move(work));
    if (own.size() == 1) order_.push_back(host);
    if (!is_posted_) go_on();
  }
  /// Forgets what waits, with all that it holds.
  void clear() {
    order_.clear();
    of_host_.clear();
  }
  [[nodiscard]] std::size_t hosts() const noexcept { return of_host_.size(); }

 private:
  /// Sees to the next piece, if there is one. Without memory it waits for one more to be posted.
  void go_on() noexcept {
    is_posted_ = false;
    if (order_.empty()) return;
    try {
      boost::asio::post(executor_, [this, alive = std::weak_ptr(alive_)] {
        if (!alive.expired()) run_next();
      });
      is_posted_ = true;
    } catch (const std::bad_alloc&) {
    }
  }

  void run_next() {
    if (order_.empty()) {  // it was forgotten
      is_posted_ = false;
      return;
    }
    const std::string host = std::move(order_.front());
    order_.pop_front();
    const auto own = of_host_.find(host);
    const piece work = std::move(own->second.front());
    own->second.pop_front();
    own->second.empty() ? static_cast<void>(of_host_.erase(own)) : order_.push_back(host);
    // Behind what the work has posted, and also where it throws.
    struct onward {
      turns& of;
      ~onward() { of.go_on(); }
    } const next{*this};
    work();
  }

  boost::asio::io_context::executor_type executor_;
  std::unordered_map<std::string, std::deque<piece>> of_host_;  ///< none is empty
  std::deque<std::string> order_;                               ///< each host once
  bool is_posted_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace freshet::server

// Work that takes long for a thread of connections, such as a handshake of TLS: a piece at a time,
// and between any two whatever else is ready. Hosts take turns, so that one that brings much of it
// waits behind itself; and before them the networks they are in, for some have thousands of hosts.
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

  /// Of somebody in no network.
  void post(const std::string& host, piece work) { post(host, host, std::move(work)); }
  void post(const std::string& network, const std::string& host, piece work) {
    auto& own = lines_[network];
    if (own.order.empty()) order_.push_back(network);
    auto& waiting = own.of_host[host];
    waiting.push_back(std::move(work));
    if (waiting.size() == 1) own.order.push_back(host);
    if (!is_posted_) go_on();
  }
  /// Forgets what waits, with all that it holds.
  void clear() {
    order_.clear();
    lines_.clear();
  }
  [[nodiscard]] std::size_t networks() const noexcept { return lines_.size(); }

 private:
  /// Of one network.
  struct line {
    std::unordered_map<std::string, std::deque<piece>> of_host;  ///< none is empty
    std::deque<std::string> order;                               ///< each host once

    [[nodiscard]] piece take() {
      const std::string host = std::move(order.front());
      order.pop_front();
      const auto own = of_host.find(host);
      piece work = std::move(own->second.front());
      own->second.pop_front();
      own->second.empty() ? static_cast<void>(of_host.erase(own)) : order.push_back(host);
      return work;
    }
  };

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
    const std::string network = std::move(order_.front());
    order_.pop_front();
    const auto own = lines_.find(network);
    const piece work = own->second.take();
    own->second.order.empty() ? static_cast<void>(lines_.erase(own)) : order_.push_back(network);
    // Behind what the work has posted, and also where it throws.
    struct onward {
      turns& of;
      ~onward() { of.go_on(); }
    } const next{*this};
    work();
  }

  boost::asio::io_context::executor_type executor_;
  std::unordered_map<std::string, line> lines_;  ///< none is empty
  std::deque<std::string> order_;                ///< each network once
  bool is_posted_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace freshet::server

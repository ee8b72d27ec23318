// Work that takes long for a thread of connections, such as a handshake of TLS: a piece at a time,
// and between any two whatever else is ready. Hosts take turns, so that one that brings much of it
// waits behind itself; and before them the networks they are in, for some have thousands of hosts.
// Who has left has no turn: those who come and leave without end would fill the lines.
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
    add(network, host, {{}, false, std::move(work)});
  }
  /// Of an owner who stays while it is done, and without whom it is not.
  void post(const std::string& network, const std::string& host, std::weak_ptr<const void> owner,
            piece work) {
    add(network, host, {std::move(owner), true, std::move(work)});
  }
  /// Forgets what waits, with all that it holds.
  void clear() {
    order_.clear();
    lines_.clear();
  }
  [[nodiscard]] std::size_t networks() const noexcept { return lines_.size(); }

 private:
  /// So many whose owners have left go in one turn of the loop.
  static constexpr int most_left_at_once = 64;

  struct owned_piece {
    std::weak_ptr<const void> owner;
    bool has_owner = false;
    piece work;
  };
  /// Of one network.
  struct line {
    std::unordered_map<std::string, std::deque<owned_piece>> of_host;  ///< none is empty
    std::deque<std::string> order;                                     ///< each host once

    [[nodiscard]] owned_piece take() {
      const std::string host = std::move(order.front());
      order.pop_front();
      const auto own = of_host.find(host);
      owned_piece taken = std::move(own->second.front());
      own->second.pop_front();
      own->second.empty() ? static_cast<void>(of_host.erase(own)) : order.push_back(host);
      return taken;
    }
  };

  void add(const std::string& network, const std::string& host, owned_piece one) {
    auto& own = lines_[network];
    if (own.order.empty()) order_.push_back(network);
    auto& waiting = own.of_host[host];
    waiting.push_back(std::move(one));
    if (waiting.size() == 1) own.order.push_back(host);
    if (!is_posted_) go_on();
  }

  [[nodiscard]] owned_piece take() {
    const std::string network = std::move(order_.front());
    order_.pop_front();
    const auto own = lines_.find(network);
    owned_piece taken = own->second.take();
    own->second.order.empty() ? static_cast<void>(lines_.erase(own)) : order_.push_back(network);
    return taken;
  }

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
    // Behind what the work has posted, and also where it throws.
    struct onward {
      turns& of;
      ~onward() { of.go_on(); }
    } const next{*this};
    for (int left = 0; left < most_left_at_once && !order_.empty(); ++left) {
      const owned_piece one = take();
      const auto owner = one.owner.lock();
      if (one.has_owner && owner == nullptr) continue;
      return one.work();
    }
  }

  boost::asio::io_context::executor_type executor_;
  std::unordered_map<std::string, line> lines_;  ///< none is empty
  std::deque<std::string> order_;                ///< each network once
  bool is_posted_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace freshet::server

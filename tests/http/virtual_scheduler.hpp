// A scheduler whose time moves only when a test says so, and a transport that answers as a test
// says: so that pace, breaker, retries and robots are tested without waiting.
#pragma once

#include <base/clock.hpp>
#include <deque>
#include <functional>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <map>
#include <utility>
#include <vector>

namespace freshet::test {

class virtual_scheduler final : public http::scheduler {
 public:
  void post(task what) override { posted_.push_back(std::move(what)); }
  [[nodiscard]] time now() const override { return now_; }
  std::uint64_t at(time when, task task) override {
    timers_.emplace(std::pair(when, ++last_), std::move(task));
    return last_;
  }
  void drop(std::uint64_t timer) override {
    std::erase_if(timers_, [&](const auto& each) { return each.first.second == timer; });
  }

  /// Runs what has been posted, and every timer up to `by` from now, in order.
  void advance(std::chrono::milliseconds by) {
    const time until = now_ + by;
    run_posted();
    while (!timers_.empty() && timers_.begin()->first.first <= until) {
      now_ = std::max(now_, timers_.begin()->first.first);
      const task due = std::move(timers_.begin()->second);
      timers_.erase(timers_.begin());
      due();
      run_posted();
    }
    now_ = until;
  }
  [[nodiscard]] std::size_t timers() const { return timers_.size(); }

 private:
  void run_posted() {
    while (!posted_.empty()) {
      const task each = std::move(posted_.front());
      posted_.pop_front();
      each();
    }
  }

  time now_{std::chrono::hours(1)};
  std::uint64_t last_ = 0;
  std::map<std::pair<time, std::uint64_t>, task> timers_;
  std::deque<task> posted_;
};

/// Clocks that go with the scheduler's time, from a fixed date on.
class virtual_clock final : public base::clock {
 public:
  explicit virtual_clock(const virtual_scheduler& loop) : loop_(loop) {}
  [[nodiscard]] time_point now() const override {
    return time_point(std::chrono::days(20'000)) +
           std::chrono::duration_cast<std::chrono::milliseconds>(loop_.now().time_since_epoch());
  }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return loop_.now();
  }

 private:
  const virtual_scheduler& loop_;
};

/// Answers at once with what `answer` says, or, where that is null, when a test calls reply().
class scripted_transport final : public http::transport {
 public:
  struct pending {
    http::request what;
    handler done;
  };
  std::function<result<http::response>(const http::request&)> answer;
  std::map<std::uint64_t, pending> open;
  std::vector<http::request> asked;
  int cancelled = 0;

  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    asked.push_back(wanted);
    const std::uint64_t ticket = ++last_;
    if (answer) {
      done(answer(wanted));
    } else {
      open.emplace(ticket, pending{std::move(wanted), std::move(done)});
    }
    return ticket;
  }
  void cancel(std::uint64_t ticket) override {
    if (!open.contains(ticket)) return;
    ++cancelled;
    reply(ticket, error(errc::cancelled));
  }
  void reply(std::uint64_t ticket, result<http::response> got) {
    auto node = open.extract(ticket);
    node.mapped().done(std::move(got));
  }
  /// Answers the oldest that is open.
  void reply(result<http::response> got) { reply(open.begin()->first, std::move(got)); }

 private:
  std::uint64_t last_ = 0;
};

inline http::response status(int code, std::string body = {}, http::headers headers = {}) {
  http::response out;
  out.status = code;
  out.body = std::move(body);
  out.headers = std::move(headers);
  return out;
}

}  // namespace freshet::test

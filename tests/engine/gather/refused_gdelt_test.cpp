// A default news call while GDELT lets it wait, on a clock that the test moves: how long that takes
// is what the clock says, not the machine.
#include <base/clock.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/gather/gatherer.hpp>
#include <mutex>
#include <support/eventually.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

class moved_clock final : public base::clock {
 public:
  [[nodiscard]] time_point now() const override { return time_point(1795348800s); }
  [[nodiscard]] std::chrono::steady_clock::time_point steady() const override {
    return std::chrono::steady_clock::time_point(at_.load());
  }
  void move_to(std::chrono::steady_clock::time_point to) { at_ = to.time_since_epoch(); }

 private:
  // From now on: who reads an answer looks at the machine's own clock for whether it is too late.
  std::atomic<std::chrono::steady_clock::duration> at_{
      std::chrono::steady_clock::now().time_since_epoch()};
};

/// A feed answers at once, GDELT never.
class held_transport final : public http::transport {
 public:
  std::uint64_t submit(http::request&& wanted, deadline deadline, handler done) override {
    if (wanted.url.find("gdelt") != std::string::npos) {
      const std::lock_guard lock(mutex_);
      gdelt_by = deadline;
      held_ = std::move(done);
      return 1;
    }
    http::response answer;
    answer.status = 200;
    answer.headers = {{"Content-Type", "application/rss+xml"}};
    answer.body =
        "<rss version='2.0'><channel><title>Port paper</title><item><title>Tide gauge</title>"
        "<link>https://paper.example/1</link><pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate>"
        "</item></channel></rss>";
    done(std::move(answer));
    return 2;
  }
  void cancel(std::uint64_t) override {}
  void let_go() {
    handler done;
    {
      const std::lock_guard lock(mutex_);
      done.swap(held_);
    }
    if (done) done(error(errc::source_unavailable, "429"));
  }

  deadline gdelt_by{};

 private:
  std::mutex mutex_;
  handler held_;
};

}  // namespace

TEST_CASE("a default news call takes less than four seconds while GDELT lets it wait") {
  moved_clock clock;
  const auto began = clock.steady();
  environment in;
  in.clock = &clock;
  auto made = std::make_unique<held_transport>();
  auto& network = *made;
  in.transport = std::move(made);
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> alarm;
  std::chrono::steady_clock::time_point when;
  in.wake_at = [&](auto at, std::function<void()> ring) {
    const std::lock_guard lock(mutex);
    when = at;
    alarm = std::move(ring);
    changed.notify_all();
  };
  sources::settings paper, gdelt;
  paper.base_url = "https://paper.example/feed";
  gdelt.base_url = "https://api.gdeltproject.example";
  const configured_source feeds{&sources::feeds::source, true, {}, {paper}};
  const configured_source slow{&sources::gdelt::source, true, {}, {gdelt}};
  gather_request plan;
  plan.parts[0].what.op = catalog::operation::news_search;
  plan.parts[0].what.q = *query::parse_text_query("tide");
  plan.parts[0].what.now = clock.now();
  plan.parts[0].order = merge_order::by_time;
  plan.by = began + 1h;     // so that no machine is too slow for it
  plan.fair_time = 3000ms;  // network.fair_time_ms, as it is without a configuration
  std::vector<source_report> unready;
  std::vector<branch> branches;
  add_branches({&feeds, &slow}, {plan.parts[0].what.op}, branches, unready);
  workers pool{2};
  std::optional<result<page_outcome>> got;
  const auto one = std::make_shared<gatherer>(in, pool, std::move(plan), std::move(branches),
                                              [&](result<page_outcome> outcome) {
                                                const std::lock_guard lock(mutex);
                                                got.emplace(std::move(outcome));
                                                changed.notify_all();
                                              });
  one->start();
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return alarm != nullptr; });
  }
  CHECK(when - began < 4s);
  clock.move_to(when);
  alarm();
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return got.has_value(); });
  }
  CHECK(clock.steady() - began < 4s);
  REQUIRE(got->has_value());
  CHECK((*got)->items.size() == 1);
  CHECK((*got)->partial);
  CHECK(network.gdelt_by - began <= 12s);  // alone, too, it is not waited for to the deadline
  network.let_go();
}

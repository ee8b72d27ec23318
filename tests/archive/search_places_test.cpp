// Searches on threads of their own: each is answered once, accounts have turns, what waits can be
// left, and the end answers all.
#include "archive/search_places.hpp"

#include <archive/archive_layer.hpp>
#include <atomic>
#include <base/clock.hpp>
#include <catch2/catch.hpp>
#include <future>
#include <memory>
#include <sources/archive/wire.hpp>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::archive;
using namespace std::chrono_literals;

namespace {

/// Searches that wait until they are let go, and what became of all.
struct held_places {
  std::promise<void> gate;
  std::shared_future<void> opened{gate.get_future()};
  std::atomic<int> begun = 0, done = 0, cancelled = 0, overloaded = 0, late = 0;
  search_places places;

  std::uint64_t add(base::owner_id owner, std::chrono::milliseconds time = 60s) {
    const auto run = [this](const search_course& course) -> result<http::response> {
      ++begun;
      while (course.goes_on()) {
        if (opened.wait_for(1ms) == std::future_status::ready) return http::response();
      }
      return course.ending();
    };
    return places.submit(owner, std::chrono::steady_clock::now() + time, run,
                         [this](const result<http::response>& got) {
                           if (got) return void(++done);
                           const auto code = got.error().code();
                           if (code == errc::cancelled) ++cancelled;
                           if (code == errc::overloaded) ++overloaded;
                           if (code == errc::source_timeout) ++late;
                         });
  }
};

}  // namespace

TEST_CASE("an account never has all places, and others come before its next searches") {
  held_places here;
  for (int i = 0; i < 20; ++i) here.add(1);
  CHECK(freshet::test::eventually([&] { return here.begun == 2; }));
  here.add(2);
  CHECK(freshet::test::eventually([&] { return here.begun == 3; }));
  here.add(3);
  CHECK(freshet::test::eventually([&] { return here.begun == 4; }));
  here.gate.set_value();
  CHECK(freshet::test::eventually([&] { return here.done == 22; }));
}

TEST_CASE("what waits can be left") {
  held_places here;
  for (int i = 0; i < 2; ++i) here.add(1);
  CHECK(freshet::test::eventually([&] { return here.begun == 2; }));
  const auto waiting = here.add(1);
  here.places.cancel(waiting);
  here.places.cancel(waiting);
  CHECK(here.cancelled == 1);
  here.gate.set_value();
  CHECK(freshet::test::eventually([&] { return here.done == 2; }));
}

TEST_CASE("a search that runs is told when nobody waits for it any more, and when its time is up") {
  held_places here;
  const auto left = here.add(1);
  here.add(2, 50ms);
  CHECK(freshet::test::eventually([&] { return here.late == 1; }));
  CHECK(here.begun == 2);
  CHECK(here.cancelled == 0);
  here.places.cancel(left);
  CHECK(freshet::test::eventually([&] { return here.cancelled == 1; }));
  CHECK(here.done == 0);
}

TEST_CASE("what waits is told when its time is up, though no place becomes free") {
  held_places here;
  for (int i = 0; i < 2; ++i) here.add(1), here.add(2);
  CHECK(freshet::test::eventually([&] { return here.begun == 4; }));
  here.add(1);
  here.add(2, 20ms);
  here.add(1, -1s);
  here.add(3, 10ms);
  CHECK(freshet::test::eventually([&] { return here.late == 3; }));
  CHECK(here.done == 0);
  here.gate.set_value();
  CHECK(freshet::test::eventually([&] { return here.done == 5; }));
  CHECK(here.begun == 5);
}

TEST_CASE("who fills the queue gives way to others, and is told to come again") {
  held_places here;
  for (int i = 0; i < 2; ++i) here.add(1), here.add(3);
  CHECK(freshet::test::eventually([&] { return here.begun == 4; }));
  for (std::size_t i = 0; i < max_waiting_searches + 10; ++i) here.add(1);
  CHECK(here.overloaded == 10);
  for (int i = 0; i < 5; ++i) here.add(2);
  CHECK(here.overloaded == 15);
  here.gate.set_value();
}

namespace {

/// A file whose searches take until they are let go.
class slow_file final : public item_store {
 public:
  explicit slow_file(std::shared_future<void> opened) : opened_(std::move(opened)) {}
  result<void> write(const changes&) override { return {}; }
  result<bool> expire() override { return false; }
  result<archive::page> find(const search&) override {
    opened_.wait();
    return archive::page();
  }
  result<std::string> cursor(std::string_view) override { return std::string(); }
  result<statistics> measure() override { return statistics(); }
  [[nodiscard]] bool writes() const noexcept override { return false; }

 private:
  std::shared_future<void> opened_;
};

}  // namespace

TEST_CASE("a search of a file holds up no thread that has asked for it") {
  std::promise<void> gate;
  const base::clock& clock = base::system_clock();
  stores kept;
  kept["microblog"] = std::make_shared<slow_file>(gate.get_future().share());
  std::atomic<bool> is_done = false;
  archive_layer layer(nullptr, std::move(kept), clock);
  http::request what;
  what.url = std::string(sources::archive::base_url) + "/microblog/search?q=tide";
  std::promise<void> asked;
  std::thread caller([&] {
    layer.submit(std::move(what), std::chrono::steady_clock::now() + 60s,
                 [&](const result<http::response>&) { is_done = true; });
    asked.set_value();
  });
  const bool is_free = asked.get_future().wait_for(10s) == std::future_status::ready;
  CHECK(is_free);
  CHECK_FALSE(is_done);
  gate.set_value();
  caller.join();
  CHECK(freshet::test::eventually([&] { return is_done.load(); }));
}

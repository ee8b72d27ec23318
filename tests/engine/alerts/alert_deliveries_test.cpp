// Which alerts are kept and which are sent while webhooks do not answer.
#include <catch2/catch.hpp>
#include <engine/alerts/alert_deliveries.hpp>
#include <memory>
#include <string>
#include <vector>

namespace freshet::detail {
namespace {

using namespace std::chrono_literals;

struct delivery_rig {
  alert_deliveries all;
  alert_deliveries::time now{1h};
  std::shared_ptr<const alert_delivery> left_out;

  bool add(base::owner_id account, std::string id = "evt") {
    return all.add(account, {{"https://hooks.example/", "whsec_"}, std::move(id), "{}"}, left_out);
  }
  std::vector<alert_deliveries::attempt> start() {
    std::vector<alert_deliveries::attempt> started;
    while (auto next = all.next(now)) started.push_back(std::move(*next));
    return started;
  }
  /// All attempts end without an answer, again and again until nothing is to be sent now.
  void fail_all() {
    for (auto going = start(); !going.empty(); going = start()) {
      now += 1ms;
      for (const auto& one : going) all.failed(one.ticket, now, 300s);
    }
  }
};

const delivery_limits limits;

}  // namespace

TEST_CASE("an alert of an account has room beside any number that wait for dead webhooks") {
  delivery_rig rig;
  std::size_t of_one = 0;
  while (rig.add(1)) ++of_one;
  CHECK(of_one == limits.kept_of_account);
  std::size_t kept = of_one;
  for (base::owner_id account = 2; kept < limits.kept; ++account) {
    for (std::size_t i = 0; i < limits.kept_of_account && kept < limits.kept; ++i, ++kept)
      REQUIRE(rig.add(account));
  }
  // Nobody has failed yet: there is nothing of which it is known that it waits for nothing.
  CHECK(!rig.add(1'000'000));
  rig.fail_all();
  REQUIRE(rig.add(1'000'000, "evt_late"));
  REQUIRE(rig.left_out != nullptr);
  CHECK(!rig.add(1'000'000));  // only the first of an account takes another's place
  const auto going = rig.start();
  REQUIRE(going.size() == 1);
  CHECK(going[0].what->id == "evt_late");
  CHECK(going[0].patience == limits.patience);
}

TEST_CASE("what is given up for another is what has failed most often") {
  delivery_rig rig;
  REQUIRE(rig.add(1, "evt_often"));
  rig.fail_all();
  rig.now += 300s;
  rig.fail_all();
  REQUIRE(rig.add(2, "evt_once"));
  rig.fail_all();
  for (std::size_t kept = 2; kept <= limits.kept; ++kept)
    REQUIRE(rig.add(static_cast<base::owner_id>(1 + kept)));
  REQUIRE(rig.left_out != nullptr);
  CHECK(rig.left_out->id == "evt_often");
}

TEST_CASE("what waits for its next attempt holds no place, and who failed has few of them") {
  delivery_rig rig;
  for (base::owner_id account = 1; account <= 300; ++account) REQUIRE(rig.add(account));
  auto going = rig.start();
  CHECK(going.size() == limits.prompt.sent);
  CHECK(going[limits.prompt.with_patience - 1].patience == limits.patience);
  CHECK(going[limits.prompt.with_patience].patience == limits.patience_of_many);
  for (const auto& one : going) rig.all.failed(one.ticket, rig.now, 5s);
  rig.fail_all();
  rig.now += 5min;
  CHECK(rig.start().size() == limits.faltering.sent);
  // Of those that failed none holds a place of the others.
  REQUIRE(rig.add(1));
  REQUIRE(rig.add(500));
  going = rig.start();
  REQUIRE(going.size() == 1);
  CHECK(going[0].patience == limits.patience);
  rig.all.taken(going[0].ticket, rig.now);
}

TEST_CASE("who failed once waits for none who failed again and again") {
  delivery_rig rig;
  for (base::owner_id account = 1; account <= 300; ++account) {
    while (rig.add(account)) continue;
  }
  rig.fail_all();
  rig.now += 300s;
  // All their places are taken: each will fail when its time is up.
  const auto dead = rig.start();
  CHECK(dead.size() == limits.failing.sent);
  REQUIRE(rig.add(1'000, "evt_honest"));
  auto going = rig.start();
  REQUIRE(going.size() == 1);
  rig.all.failed(going[0].ticket, rig.now, 5s);
  rig.now += 5s;
  going = rig.start();
  REQUIRE(going.size() == 1);
  CHECK(going[0].what->id == "evt_honest");
  CHECK(going[0].patience == limits.patience);
}

TEST_CASE("what was sent together and failed has failed once") {
  delivery_rig rig;
  for (std::size_t i = 1; i <= limits.faltering.sent; ++i) {
    while (rig.add(static_cast<base::owner_id>(i))) continue;
  }
  for (const auto& one : rig.start()) rig.all.failed(one.ticket, rig.now, 5s);
  CHECK(rig.start().size() == limits.faltering.sent);
}

TEST_CASE("of one account few are sent at once, and of one that failed a single one") {
  delivery_rig rig;
  while (rig.add(1)) continue;
  auto going = rig.start();
  REQUIRE(going.size() == limits.prompt.of_account);
  for (const auto& one : going) rig.all.failed(one.ticket, rig.now, 300s);
  going = rig.start();
  REQUIRE(going.size() == 1);
  // It works again: the others go on with it.
  rig.all.taken(going[0].ticket, rig.now);
  CHECK(rig.start().size() == limits.prompt.of_account);
}

TEST_CASE("one is told once when the next attempt is due, and it comes with its failures") {
  delivery_rig rig;
  REQUIRE(rig.add(1, "evt_a"));
  CHECK(!rig.all.wake_time());
  rig.all.failed(rig.start().at(0).ticket, rig.now, 300s);
  CHECK(rig.all.wake_time() == rig.now + 300s);
  CHECK(!rig.all.wake_time());
  REQUIRE(rig.add(2, "evt_b"));
  rig.all.failed(rig.start().at(0).ticket, rig.now, 5s);
  CHECK(rig.all.wake_time() == rig.now + 5s);
  rig.now += 5s;
  rig.all.woken();
  const auto going = rig.start();
  REQUIRE(going.size() == 1);
  CHECK(going[0].what->id == "evt_b");
  CHECK(going[0].failures == 1);
  CHECK(rig.all.wake_time() == rig.now + 295s);
  // What is over is ignored.
  rig.all.taken(going[0].ticket, rig.now);
  rig.all.failed(going[0].ticket, rig.now, 5s);
  CHECK(rig.start().empty());
}

}  // namespace freshet::detail

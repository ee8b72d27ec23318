// What a call holds while it waits for its sources counts among the bytes of its account, and is no
// more than it may give.
#include <base/clock.hpp>
#include <catch2/catch.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/gather/made_up_source.hpp>
#include <vector>

using namespace freshet;
using namespace freshet::detail;

namespace {

constexpr std::size_t state_bytes = 1'000;
constexpr gate_limits limits{.bytes = 1'500};

/// Answers at once, and notes whether the account has room for another answer then.
class noting_transport final : public http::transport {
 public:
  explicit noting_transport(gates& all) : all_(all) {}
  std::uint64_t submit(http::request&&, deadline, handler done) override {
    const auto other = all_.enter(1, gate_kind::live, limits).value();
    has_room.push_back(other->hold_bytes(state_bytes).has_value());
    http::response answer;
    answer.status = 200;
    answer.body = "what";
    done(std::move(answer));
    return 1;
  }
  void cancel(std::uint64_t) override {}

  std::vector<bool> has_room;

 private:
  gates& all_;
};

result<http::request> plan_part(const sources::call&, const sources::settings& where,
                                std::string_view) {
  http::request what;
  what.url = where.base_url;
  return what;
}

/// Asks once more, with what it knows in the state.
result<sources::step> read_part(const sources::exchange& exchange) {
  if (!exchange.state.empty()) return sources::step(sources::listing());
  auto request = plan_part(exchange.call, exchange.settings, "");
  return sources::step(
      sources::follow{std::move(*request), std::string(exchange.call.limit * state_bytes, 'x')});
}

constexpr sources::capability in_parts[] = {
    {catalog::operation::microblog_search, sources::native_none, plan_part, read_part}};
constexpr auto stateful = test::made_up_source("stateful", "microblog", in_parts);

/// A page whose source knows so many thousand bytes when it asks once more.
result<page_outcome> page_with_state(gates& all, environment& world, int thousands) {
  workers pool{2};
  world.clock = &base::system_clock();
  configured_source source{&stateful, true, {}, {}};
  sources::settings one;
  one.base_url = "https://one.example";
  source.instances.push_back(one);
  gather_request plan;
  plan.parts[0].what.op = catalog::operation::microblog_search;
  plan.parts[0].what.limit = thousands;
  plan.pass = all.enter(1, gate_kind::live, limits).value();
  return test::gather(world, pool, std::move(plan), {&source});
}

item post_of(std::size_t bytes) {
  post made;
  made.text.assign(bytes, 'x');
  return made;
}

}  // namespace

TEST_CASE("the state of a call that waits counts among the bytes of its account") {
  gates all;
  environment in;
  auto made = std::make_unique<noting_transport>(all);
  auto& noted = *made;
  in.transport = std::move(made);
  REQUIRE(page_with_state(all, in, 1).has_value());
  CHECK(noted.has_room == std::vector<bool>{true, false});
  CHECK(all.enter(1, gate_kind::live, limits).value()->hold_bytes(limits.bytes).has_value());
}

TEST_CASE("a state that the account has no room for ends the source's part of the call") {
  gates all;
  environment in;
  in.transport = std::make_unique<noting_transport>(all);
  const auto page = page_with_state(all, in, 2);
  REQUIRE_FALSE(page.has_value());
  CHECK(page.error().code() == errc::rate_limited);
}

TEST_CASE("a page of which little is kept is let go") {
  constexpr std::size_t large = 2u << 20;
  const auto is_let_go = [](std::vector<std::size_t> sizes, std::vector<std::size_t> places) {
    auto made = std::make_shared<sources::listing>();
    for (const auto size : sizes) made->items.push_back(post_of(size));
    const std::shared_ptr<const sources::listing> page = std::move(made);
    std::vector<candidate> kept(places.size());
    for (std::size_t i = 0; i < places.size(); ++i)
      kept[i].what = shared_item(page, page->items[places[i]], true);
    let_go_of_rest(*page, kept);
    for (std::size_t i = 0; i < places.size(); ++i)
      CHECK(common(kept[i].what).text.size() == sizes[places[i]]);
    return page.use_count() == 1;
  };
  CHECK(is_let_go({10, large}, {0}));
  CHECK(is_let_go({10, large, 20, large}, {0, 2}));
  CHECK_FALSE(is_let_go({10, large}, {1}));     // what it has beside that is small
  CHECK_FALSE(is_let_go({10, large}, {0, 1}));  // all of it is kept
  CHECK_FALSE(is_let_go({10, 20}, {0}));
}

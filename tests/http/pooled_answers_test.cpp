// Answers that servers keep for each other: what is looked for, kept and waited for, over a pool
// that a test plays.
#include <catch2/catch.hpp>
#include <deque>
#include <http/pooled_answers.hpp>
#include <map>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

using pool_state = pooled_answer::state;

/// One memory for several servers, which answers when the loop runs.
class answers_pool final : public answer_pool {
 public:
  explicit answers_pool(virtual_scheduler& loop) : loop_(loop) {}

  bool is_here = true, is_silent = false;
  std::map<std::string, answer_to_keep> kept;
  std::map<std::string, std::string> leases;  ///< the token's, by key; "" where it is unfit
  int found = 0;

  [[nodiscard]] std::size_t max_bytes() const override { return 4'096; }
  bool find(const answer_question& question, handler done) override {
    if (!is_here) return false;
    ++found;
    if (!is_silent) loop_.post([this, question, done] { done(look(question)); });
    return true;
  }
  void keep(answer_to_keep what) override {
    leases.erase(what.key);
    kept[what.key] = std::move(what);
  }
  void leave(const std::string& key, const std::string& token, bool is_unfit) override {
    if (const auto at = leases.find(key); at == leases.end() || at->second != token) return;
    leases.erase(key);
    if (is_unfit) leases[key] = "";
  }

 private:
  std::optional<pooled_answer> look(const answer_question& what) {
    if (const auto at = kept.find(what.key); at != kept.end())
      return pooled_answer{pool_state::kept, at->second.age + 7s, 7s, at->second.bytes};
    const auto [lease, is_new] = leases.try_emplace(what.key, what.token);
    if (is_new) return pooled_answer{pool_state::ours, {}, {}, {}};
    return pooled_answer{lease->second.empty() ? pool_state::unfit : pool_state::taken, {}, {}, {}};
  }

  virtual_scheduler& loop_;
};

struct two_servers {
  virtual_scheduler loop;
  virtual_clock clock{loop};
  answers_pool pool{loop};
  scripted_transport one_network, other_network;
  pooled_answers one{one_network, loop, clock, pool, "secret"};
  pooled_answers other{other_network, loop, clock, pool, "secret"};

  std::future<result<response>> ask(pooled_answers& server, request wanted,
                                    std::chrono::seconds within = 60s) {
    auto promise = std::make_shared<std::promise<result<response>>>();
    auto out = promise->get_future();
    server.submit(std::move(wanted), loop.now() + within,
                  [promise](result<response> got) { promise->set_value(std::move(got)); });
    loop.advance(0ms);
    return out;
  }
  static bool is_ready(const std::future<result<response>>& of) {
    return of.wait_for(0s) == std::future_status::ready;
  }
};

response keepable(std::string body, http::headers more = {}) {
  more.insert(more.begin(), {"Cache-Control", "max-age=600"});
  auto made = status(200, std::move(body), std::move(more));
  made.final_url = "https://one.example/x";
  return made;
}

const std::string page_address = "https://one.example/x";

}  // namespace

TEST_CASE("what one server fetched another is given, as old as it is") {
  two_servers of;
  auto first = of.ask(of.one, get(page_address));
  REQUIRE(of.one_network.open.size() == 1);
  of.one_network.reply(keepable("a\n\nb", {{"Age", "5"}, {"X-One", "1: 2"}}));
  CHECK(first.get().value().body == "a\n\nb");
  auto second = of.ask(of.other, get(page_address));
  REQUIRE(two_servers::is_ready(second));
  const auto got = second.get().value();
  CHECK(got.body == "a\n\nb");
  CHECK(got.status == 200);
  CHECK(got.final_url == page_address);
  CHECK(got.cache == cache_state::hit);
  CHECK(find_header(got.headers, "Age") == "12");
  CHECK(find_header(got.headers, "X-One") == "1: 2");
  CHECK(got.fetched_at == of.clock.now() - 7s);
  CHECK(of.other_network.asked.empty());
  CHECK(of.other.count().hits == 1);
}

TEST_CASE("nobody is given what was asked for in other words") {
  two_servers of;
  auto first = of.ask(of.one, get(page_address));
  of.one_network.reply(keepable("a"));
  REQUIRE(of.pool.kept.size() == 1);
  const auto other = [&](auto change) {
    auto what = get(page_address);
    change(what);
    const auto before = of.other_network.asked.size();
    of.ask(of.other, std::move(what));
    return of.other_network.asked.size() == before + 1;
  };
  CHECK(other([](request& each) { each.url += "y"; }));
  CHECK(other([](request& each) { each.headers.push_back({"Authorization", "Bearer hush"}); }));
  CHECK(other([](request& each) { each.headers.push_back({"X-Api-Key", "hush"}); }));
  CHECK(other([](request& each) { each.headers.push_back({"Cookie", "hush"}); }));
  CHECK(other([](request& each) { each.headers.push_back({"Accept-Language", "de"}); }));
  CHECK(other([](request& each) { each.chosen_by = target_choice::configuration; }));
  CHECK(other([](request& each) { each.obey_robots = true; }));
  CHECK(other([](request& each) { each.body_limit = 100; }));
  CHECK(other([](request& each) { each.redirect_limit = 0; }));
  CHECK(other([](request& each) { each.pace_key = "one"; }));
  CHECK(other([](request& each) { each.method = "POST"; }));
  CHECK(other([](request& each) { each.cacheable = false; }));
  CHECK(other([](request& each) { each.max_age = 0s; }));
  CHECK(other([](request& each) { each.headers.push_back({"Range", "bytes=0-1"}); }));
  CHECK(other([](request& each) { each.headers.push_back({"Cache-Control", "no-cache"}); }));
  for (const auto& [key, kept] : of.pool.kept) CHECK(key.find("one.example") == std::string::npos);
  // What only asks whether something is good still is answered by what is.
  CHECK_FALSE(other([](request& each) { each.headers.push_back({"If-None-Match", "\"1\""}); }));
  CHECK_FALSE(other([](request& each) { each.traceparent = "00-1"; }));
}

TEST_CASE("what the cache does not keep is kept for nobody, and nobody waits for the next") {
  const auto is_kept = [](response got, request wanted = get(page_address)) {
    two_servers of;
    of.ask(of.one, wanted);
    of.one_network.reply(std::move(got));
    CHECK((of.pool.kept.empty() == !of.pool.leases.empty()));
    if (of.pool.kept.empty()) CHECK(of.pool.leases.begin()->second.empty());
    return !of.pool.kept.empty();
  };
  auto with_key = get(page_address);
  with_key.headers = {{"Authorization", "Bearer hush"}};
  auto accepting = get(page_address);
  accepting.max_age = 60s;
  CHECK(is_kept(keepable("a")));
  CHECK_FALSE(is_kept(status(200, "a")));
  CHECK(is_kept(status(200, "a"), accepting));
  CHECK_FALSE(is_kept(status(200, "a", {{"Cache-Control", "must-revalidate"}}), accepting));
  CHECK_FALSE(is_kept(status(200, "a", {{"Cache-Control", "no-store"}}), accepting));
  CHECK_FALSE(is_kept(status(200, "a", {{"Cache-Control", "no-cache, max-age=9"}}), accepting));
  CHECK_FALSE(is_kept(keepable("a", {{"Vary", "*"}})));
  CHECK(is_kept(keepable("a", {{"Vary", "Accept"}})));
  CHECK_FALSE(is_kept(keepable("a", {{"Age", "600"}})));
  CHECK_FALSE(is_kept(keepable("a"), with_key));
  CHECK(is_kept(status(200, "a", {{"Cache-Control", "public, max-age=9"}}), with_key));
  CHECK_FALSE(is_kept(keepable(std::string(5'000, 'x'))));
  auto moved = keepable("a");
  moved.final_url = "https://two.example/";
  CHECK_FALSE(is_kept(std::move(moved)));
  CHECK_FALSE(is_kept(keepable("a", {{"X-Two", "lines\nof"}})));
}

TEST_CASE("while one server fetches the others wait, and then have its answer") {
  two_servers of;
  auto first = of.ask(of.one, get(page_address));
  auto second = of.ask(of.other, get(page_address));
  auto third = of.ask(of.other, get(page_address));
  of.loop.advance(1s);
  CHECK(of.other_network.asked.empty());
  of.one_network.reply(keepable("a"));
  of.loop.advance(1s);
  CHECK(second.get().value().body == "a");
  CHECK(third.get().value().body == "a");
  CHECK(of.other_network.asked.empty());
  CHECK(of.other.count().waits == 2);
}

TEST_CASE("who fetches in vain leaves it to the next, who is gone is waited for in bounds") {
  two_servers of;
  of.ask(of.one, get(page_address));
  auto second = of.ask(of.other, get(page_address));
  of.one_network.reply(error(errc::source_unavailable));
  of.loop.advance(1s);
  REQUIRE(of.other_network.open.size() == 1);
  of.other_network.reply(keepable("b"));
  CHECK(second.get().value().body == "b");

  two_servers silent;
  silent.ask(silent.one, get(page_address));
  auto waits = silent.ask(silent.other, get(page_address));
  auto hurried = silent.ask(silent.other, get(page_address), 1s);
  silent.loop.advance(501ms);
  CHECK(silent.other_network.asked.size() == 1);  // half of its time is over
  silent.loop.advance(2s);
  CHECK(silent.other_network.asked.size() == 2);
  // The lease is that of the first one still.
  silent.other_network.reply(error(errc::source_error));
  CHECK(silent.pool.leases.size() == 1);
  // One that is not wanted any more leaves it.
  silent.one.cancel(1);
  CHECK(silent.pool.leases.empty());
}

TEST_CASE("without the pool each fetches, and who waits for its answer has a deadline") {
  two_servers of;
  of.pool.is_here = false;
  of.ask(of.one, get(page_address));
  CHECK(of.one_network.asked.size() == 1);
  of.pool.is_here = of.pool.is_silent = true;
  auto lost = of.ask(of.other, get(page_address), 5s);
  of.loop.advance(5s);
  CHECK(code_of(lost.get()) == "source_timeout");
  auto gone = of.ask(of.other, get(page_address), 5s);
  of.other.cancel(2);
  CHECK(code_of(gone.get()) == "cancelled");
  CHECK(of.loop.timers() == 0);
}

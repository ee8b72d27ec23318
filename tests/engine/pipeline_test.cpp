#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <engine/pipeline.hpp>
#include <latch>
#include <thread>

#include "support/eventually.hpp"

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

namespace books = freshet::account::test;

const time_point december{std::chrono::sys_days{std::chrono::year{2026} / 12 / 1}};

/// What calls share, over the sandbox's exchanges for live keys too, with a ledger that stops at a
/// gate before each transaction and fails where it is told to.
struct gated_engine {
  /// With so many accounts and keys in memory, and such a share of the processor for an account.
  explicit gated_engine(std::size_t memory = 1000, double processor_share = 1e6) {
    inside.settings = config();
    inside.log = [](std::string_view, std::string_view) {};
    inside.cursor_secret = "secret";
    inside.live = make_sandbox_environment().value();
    inside.sandbox = make_sandbox_environment().value();
    auto options = books::options_for(":memory:", clock, 10);
    options.accounts_in_memory = options.keys_in_memory = memory;
    options.plans["free"].processor_share = processor_share;
    options.fail = [this](std::string_view stage) {
      if (stage == "begin") entrance.pass();
      return stage == "commit" && fails;
    };
    inside.accounts = books::open_or_throw(options);
    const auto account = inside.accounts->create_account("a@example.com", "free").value();
    key = inside.accounts->create_key(account.id, {}).value().secret;
    inside.pool = std::make_unique<workers>(2);
    inside.readers = std::make_unique<workers>(2);
  }
  ~gated_engine() { entrance.open(); }

  /// Begins a charged call of somebody who is signed in.
  void begin_with_session(const std::string& session) {
    request asked;
    asked.endpoint = "news/search";
    asked.body = R"({"q": "climate", "limit": 1})";
    asked.session = session;
    asked.csrf_token = inside.users->csrf_token(session);
    std::make_shared<pipeline>(inside, std::move(asked), [this](response made) {
      const std::lock_guard lock(mutex);
      answers.push_back(std::move(made));
      arrived.notify_all();
    })->run();
  }
  /// Begins a charged call, as the server's I/O thread would.
  std::shared_ptr<pipeline> begin(std::string idempotency_key,
                                  std::shared_ptr<answering_thread> there) {
    return begin(std::move(idempotency_key), "news/search", R"({"q": "climate", "limit": 1})",
                 std::move(there));
  }
  std::shared_ptr<pipeline> begin(std::string idempotency_key = {},
                                  std::string endpoint = "news/search",
                                  std::string body = R"({"q": "climate", "limit": 1})",
                                  std::shared_ptr<answering_thread> there = nullptr) {
    request asked;
    asked.answered_on = std::move(there);
    asked.endpoint = std::move(endpoint);
    asked.body = std::move(body);
    asked.api_key = key;
    asked.idempotency_key = std::move(idempotency_key);
    auto call = std::make_shared<pipeline>(inside, std::move(asked), [this](response made) {
      const std::lock_guard lock(mutex);
      answers.push_back(std::move(made));
      arrived.notify_all();
    });
    call->run();
    return call;
  }
  std::vector<response> await(std::size_t count) {
    std::unique_lock lock(mutex);
    arrived.wait_for(lock, test::patience, [&] { return answers.size() >= count; });
    return answers;
  }
  std::size_t answered() {
    const std::lock_guard lock(mutex);
    return answers.size();
  }

  books::manual_clock clock;
  books::gate entrance;
  std::atomic<bool> fails = false;
  std::string key;
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<response> answers;
  core inside;  ///< last, so that its threads are gone before what they use
};

}  // namespace

TEST_CASE("the first call of a month does not hold its caller's thread") {
  gated_engine on;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  on.clock.set(december);
  on.entrance.close();
  on.begin();  // would never return if it waited for the commit behind the gate
  on.begin();
  on.entrance.await();
  CHECK(on.answered() == 1);
  on.entrance.open();
  const auto answers = on.await(3);
  REQUIRE(answers.size() == 3);
  for (const auto& one : answers) CHECK(one.status == 200);
  CHECK(answers.back().credits_used == 1);
}

namespace {

/// Steps that the test runs, or that nobody takes.
struct noted_steps : answering_thread {
  bool post(std::function<void()> step) override {
    const std::lock_guard lock(mutex);
    if (takes) steps.push_back(std::move(step));
    changed.notify_all();
    return takes;
  }
  std::function<void()> next() {
    std::unique_lock lock(mutex);
    changed.wait_for(lock, test::patience, [&] { return !steps.empty(); });
    return steps.empty() ? nullptr : std::exchange(steps, {}).front();
  }
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::function<void()>> steps;
  bool takes = true;
};

}  // namespace

TEST_CASE("a charged call ends where its caller wants it to, once it is committed") {
  gated_engine on;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  const auto there = std::make_shared<noted_steps>();
  on.entrance.close();
  on.begin({}, there);
  on.entrance.await();
  CHECK(there->steps.empty());
  on.entrance.open();
  const auto step = there->next();
  REQUIRE(step);
  CHECK(on.answered() == 1);
  step();
  REQUIRE(on.answered() == 2);
  CHECK(on.await(2).back().credits_used == 1);
  SECTION("a commit that fails, too") {
    on.fails = true;
    on.begin({}, there);
    const auto refusal = there->next();
    REQUIRE(refusal);
    refusal();
    CHECK(on.await(3).back().code == errc::storage_unavailable);
  }
  SECTION("or here, where that thread takes nothing more") {
    there->takes = false;
    on.begin({}, there);
    CHECK(on.await(3).back().credits_used == 1);
  }
}

TEST_CASE("a call whose account has to be read does not hold its caller's thread") {
  gated_engine on(1);
  account::accounts& store = *on.inside.accounts;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  const auto other = books::new_principal(store, "b@example.com");
  REQUIRE(store.balance_of(other).has_value());
  REQUIRE_FALSE(store.authenticate_at_once(on.key).has_value());
  // In memory the one connection is the writer's, who is behind the gate with it.
  on.entrance.close();
  std::thread writes([&] { static_cast<void>(store.grant(other.account.id, {1}, "gift")); });
  on.entrance.await();
  on.begin();  // would never return if it read by itself
  CHECK(on.answered() == 1);
  on.entrance.open();
  writes.join();
  const auto answers = on.await(2);
  REQUIRE(answers.size() == 2);
  CHECK(answers.back().status == 200);
  CHECK(answers.back().credits_used == 1);
  // Whom nobody knows is told at once, wherever the writer is.
  on.key = account::generate_key(account::key_mode::live);
  on.entrance.close();
  std::thread again([&] { static_cast<void>(store.grant(other.account.id, {1}, "gift")); });
  on.entrance.await();
  on.begin();
  CHECK(on.answered() == 3);
  on.entrance.open();
  again.join();
  CHECK(on.await(3).back().code == errc::invalid_api_key);
}

TEST_CASE("a call whose month cannot begin is refused, and lets go of its idempotency key") {
  gated_engine on;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  on.clock.set(december);
  on.fails = true;
  on.begin("again");
  const auto refused = on.await(2).back();
  CHECK(refused.code == errc::storage_unavailable);
  CHECK(refused.credits_used == 0);
  on.fails = false;
  // The database is tried again in a while.
  REQUIRE(test::eventually([&] { return on.inside.accounts->healthy(); }));
  on.begin("again");
  CHECK(on.await(3).back().status == 200);
}

TEST_CASE("a call that is cancelled while its month begins ends without a charge") {
  gated_engine on;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  on.clock.set(december);
  on.entrance.close();
  const auto call = on.begin();
  call->cancel();
  on.entrance.open();
  const auto answers = on.await(2);
  REQUIRE(answers.size() == 2);
  CHECK(answers.back().code == errc::cancelled);
  CHECK(answers.back().credits_used == 0);
}

TEST_CASE("an account call and an empty success are answered once for an idempotency key") {
  gated_engine on;
  const auto keys = [&] { return on.inside.accounts->list_keys(1).value().size(); };
  const auto before = keys();
  for (int i = 0; i < 8; ++i) on.begin("make", "account/keys/create", R"({"name": "once"})");
  const auto made = on.await(8);
  std::size_t first = 0, replayed = 0;
  std::string body;
  for (const auto& one : made) {
    if (one.status != 200) {
      CHECK(one.code == errc::idempotency_in_progress);
      continue;
    }
    ++(one.idempotency_replayed ? replayed : first);
    if (body.empty()) body = one.body;
    CHECK(one.body == body);
  }
  CHECK(first == 1);
  CHECK(keys() == before + 1);
  CHECK(body.find("frs_live_") != std::string::npos);
  on.clock.advance(10s);
  on.begin("make", "account/keys/create", R"({"name": "once"})");
  auto again = on.await(9).back();
  CHECK(again.idempotency_replayed);
  CHECK(again.body == body);
  on.begin("make", "account/keys/create", R"({"name": "twice"})");
  CHECK(on.await(10).back().code == errc::idempotency_mismatch);
  CHECK(keys() == before + 1);

  const std::string nothing = R"({"q": "climate -climate"})";
  on.begin("empty", "microblog/search", nothing);
  const auto empty = on.await(11).back();
  REQUIRE(empty.status == 200);
  CHECK(empty.credits_used == 0);
  on.begin("empty", "microblog/search", nothing);
  again = on.await(12).back();
  CHECK(again.idempotency_replayed);
  CHECK(again.body == empty.body);
}

TEST_CASE("what an account call takes of the processor is booked with the account") {
  // A share that the first call uses up, however fast it is.
  gated_engine on(1000, 1e-12);
  for (const auto* endpoint : {"account/usage", "account/alerts/show"}) {
    std::size_t asked = on.answered();
    INFO(endpoint);
    REQUIRE(test::eventually([&] {
      on.clock.advance(10s);  // no rate is in the way
      on.begin({}, endpoint, "{}");
      const auto last = on.await(++asked).back();
      return last.code == errc::rate_limited &&
             last.body.find("used more processor time") != std::string::npos;
    }));
    on.inside.gate.use(1, gate_kind::account_calls, -1h);
  }
}

TEST_CASE("a report does not wait among what is short, nor what is short behind reports") {
  gated_engine on;
  REQUIRE((on.begin({}, "account/show", "{}"), on.await(1)).front().status == 200);
  const auto hold_up = [](workers& pool, books::gate& until) {
    until.close();
    const auto held = std::make_shared<std::latch>(2);
    for (int i = 0; i < 2; ++i) {
      pool.post([&until, held] {
        held->count_down();
        until.pass();
      });
    }
    held->wait();
  };
  books::gate reports, others;
  hold_up(*on.inside.pool, others);
  on.begin({}, "account/usage", "{}");
  on.begin({}, "account/ledger", "{}");
  on.begin({}, "account/ledger/verify", "{}");
  on.begin({}, "account/keys/list", "{}");
  on.begin({}, "account/show", "{}");  // waits for nobody
  const auto told = on.await(6);
  others.open();
  REQUIRE(told.size() == 6);
  for (const auto& one : told) CHECK(one.status == 200);
  hold_up(*on.inside.readers, reports);
  on.begin({}, "account/usage", "{}");
  on.begin({}, "account/alerts/show", "{}");
  const auto shown = on.await(7);
  reports.open();
  REQUIRE(shown.size() == 7);
  CHECK(shown.back().body.find("\"webhook") != std::string::npos);
  CHECK(on.await(8).size() == 8);
}

TEST_CASE("what is long is judged by a worker, whatever it is, and not by its caller's thread") {
  gated_engine on;
  REQUIRE((on.begin(), on.await(1)).front().status == 200);
  std::string strange = R"({"q": "climate")";
  for (int i = 0; i < 2'000; ++i) strange += ", \"p" + std::to_string(i) + "\": 1";
  on.inside.pool.reset();  // finishes what has queued
  on.inside.pool = std::make_unique<workers>(1);
  books::gate until;
  until.close();
  on.inside.pool->post([&] { until.pass(); });
  until.await();
  on.begin({}, "news/search", strange + "}");
  on.begin({}, "news/search", R"({"unknown": 1})");
  const auto first = on.await(2);
  CHECK(first.back().body.find("/unknown") != std::string::npos);
  until.open();
  const auto both = on.await(3);
  REQUIRE(both.size() == 3);
  CHECK(both.back().code == errc::invalid_request);
  CHECK(both.back().body.find("/p0") != std::string::npos);
}

TEST_CASE("pictures are looked for where pages are read, not by the thread that commits") {
  gated_engine on;
  auto& accounts = *on.inside.accounts;
  on.inside.users = account::users::open(accounts, books::quick_hashing()).value();
  const auto token = on.inside.users->begin_sign_up("b@example.com", {}).value().token.value();
  const auto session =
      on.inside.users->confirm_sign_up(token, "a tide of gauges", "free", {}, "").value().token;
  on.inside.pictures = picture_addresses("secret");
  on.begin_with_session(session);
  REQUIRE(on.await(1).front().status == 200);
  // The page is kept by now: nothing but the pictures needs a reader.
  books::gate reading;
  const auto held = std::make_shared<std::latch>(2);
  reading.close();
  for (int i = 0; i < 2; ++i) {
    on.inside.readers->post([&reading, held] {
      held->count_down();
      reading.pass();
    });
  }
  held->wait();
  on.begin_with_session(session);
  on.begin();
  CHECK(on.await(2)[1].credits_remaining == 9);  // of the key's account, though it came later
  reading.open();
  const auto all = on.await(3);
  REQUIRE(all.size() == 3);
  CHECK(all.back().status == 200);
  CHECK(all.back().credits_used == 1);
}

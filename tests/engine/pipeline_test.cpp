#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <engine/pipeline.hpp>
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
  /// With so many accounts and keys in memory.
  explicit gated_engine(std::size_t memory = 1000) {
    inside.settings = config();
    inside.log = [](std::string_view, std::string_view) {};
    inside.cursor_secret = "secret";
    inside.live = make_sandbox_environment().value();
    inside.sandbox = make_sandbox_environment().value();
    auto options = books::options_for(":memory:", clock, 10);
    options.accounts_in_memory = options.keys_in_memory = memory;
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

  /// Begins a charged call, as the server's I/O thread would.
  std::shared_ptr<pipeline> begin(std::string idempotency_key = {},
                                  std::string endpoint = "news/search",
                                  std::string body = R"({"q": "climate", "limit": 1})") {
    request asked;
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

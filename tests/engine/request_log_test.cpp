// What calls leave in the request log: each of them one row, with its bodies where they are kept;
// neither a log that is full nor one that cannot be written is felt by a call.
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/pipeline.hpp>
#include <filesystem>
#include <fstream>
#include <future>

#include "support/eventually.hpp"
#include "support/print_result.hpp"

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

namespace books = freshet::account::test;

/// Calls over the sandbox's exchanges, for live keys too, and a log of them.
struct logging_engine {
  explicit logging_engine(requests::log_options options = {}) {
    inside.settings = config();
    inside.log = [](std::string_view, std::string_view) {};
    inside.cursor_secret = "secret";
    inside.live = make_sandbox_environment().value();
    inside.sandbox = make_sandbox_environment().value();
    inside.accounts = books::open_or_throw(books::options_for(":memory:", clock, 1'000'000));
    if (options.database.empty()) options.database = folder.file("requests.db");
    options.batch_delay = options.retry_pause = 1ms;
    inside.requests = requests::request_log::open(std::move(options));
    owner = inside.accounts->create_account("a@example.com", "free").value();
    key = make_key(owner.id);
    inside.pool = std::make_unique<workers>(2);
    inside.readers = std::make_unique<workers>(2);
  }

  [[nodiscard]] std::string make_key(std::int64_t account) const {
    return inside.accounts->create_key(account, {}).value().secret;
  }
  response call(const std::string& text, std::string endpoint, std::string body,
                std::string idempotency_key = {}) {
    clock.advance(1min);  // a full bucket
    request asked;
    asked.endpoint = std::move(endpoint);
    asked.body = std::move(body);
    asked.api_key = text;
    asked.in_process = false;
    asked.idempotency_key = std::move(idempotency_key);
    std::promise<response> told;
    auto answer = told.get_future();
    std::make_shared<pipeline>(inside, std::move(asked), [&](response made) {
      told.set_value(std::move(made));
    })->run();
    return answer.get();
  }
  [[nodiscard]] std::vector<requests::call_record> rows(const std::string& of) const {
    const auto found = inside.requests->list({.account = of, .limit = 100'000});
    return found ? *found : std::vector<requests::call_record>();
  }

  books::manual_clock clock;
  books::temporary_folder folder;
  account::account_record owner;
  std::string key;
  core inside;  ///< last, so that its threads are gone before what they use
};

constexpr auto climate = R"({"q": "climate", "limit": 1})";

}  // namespace

TEST_CASE("each call leaves one row, whatever came of it") {
  logging_engine on;
  std::vector<response> answers;
  answers.push_back(on.call(on.key, "news/search", climate));
  answers.push_back(on.call(on.key, "news/search", climate));  // a kept page
  answers.push_back(on.call(on.key, "news/search", R"({"q": "climate", "dry_run": true})"));
  answers.push_back(on.call(on.key, "news/search", R"({"sinse": "1h"})"));
  answers.push_back(on.call(on.key, "news/search", "{"));
  answers.push_back(on.call(on.key, "web-serp/search", R"({"q": "quota", "sources": ["brave"]})"));
  answers.push_back(on.call(on.key, "microblog/users/lookup", R"({"username": "nobody.test"})"));
  answers.push_back(on.call(on.key, "account/show", "{}"));
  answers.push_back(on.call(on.key, "news/search", climate, "once"));
  answers.push_back(on.call(on.key, "news/search", climate, "once"));
  CHECK(on.call("frs_live_nonsense", "news/search", climate).status == 401);
  CHECK(on.call(on.key, "news/serch", climate).status == 404);
  const auto rows = on.rows(on.owner.public_id);
  REQUIRE(rows.size() == answers.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& row = rows[rows.size() - 1 - i];
    INFO(i);
    CHECK(row.request_id == answers[i].request_id);
    CHECK(row.status == answers[i].status);
    CHECK(row.code == (answers[i].ok() ? "" : describe(answers[i].code).name));
    CHECK(row.is_replayed == answers[i].idempotency_replayed);
    CHECK(row.credits == (answers[i].idempotency_replayed ? 0 : answers[i].credits_used));
  }
  const auto row = [&](std::size_t i) { return rows[rows.size() - 1 - i]; };
  CHECK(row(0).items == 1);
  CHECK(row(0).credits == 1);
  CHECK(row(0).completeness == row(1).completeness);
  CHECK(row(1).items == 1);
  CHECK(row(0).sources.size() == row(1).sources.size());
  CHECK_FALSE(row(2).items);
  REQUIRE_FALSE(row(5).sources.empty());
  CHECK(row(5).sources.front().status == "error");
  CHECK(row(5).sources.front().code == row(5).code);
  CHECK(row(9).is_replayed);
}

TEST_CASE("a call that runs out of memory or is cancelled leaves its row too") {
  logging_engine on;
  request asked;
  asked.endpoint = "news/search";
  asked.body = climate;
  asked.api_key = on.key;
  std::promise<response> told;
  auto answer = told.get_future();
  auto call = std::make_shared<pipeline>(on.inside, std::move(asked),
                                         [&](response made) { told.set_value(std::move(made)); });
  call->cancel();
  call->run();
  const auto made = answer.get();
  REQUIRE_FALSE(made.ok());
  const auto rows = on.rows(on.owner.public_id);
  REQUIRE(rows.size() == 1);
  CHECK(rows.front().status == made.status);
  CHECK(rows.front().code == "cancelled");
}

TEST_CASE("bodies are kept as they were sent and answered, from a kept page too") {
  requests::log_options options;
  options.limits.keep_bodies = std::chrono::hours(24);
  logging_engine on(options);
  for (int i = 0; i < 2; ++i) {
    const auto made = on.call(on.key, "news/search", climate);
    const auto shown = on.inside.requests->show(on.owner.public_id, made.request_id);
    REQUIRE(shown);
    CHECK(shown->bodies.sent == climate);
    CHECK(shown->bodies.answered == made.body);
  }
  const auto made = on.call(on.key, "account/keys/create", "{}");
  REQUIRE(made.status == 200);
  const auto shown = on.inside.requests->show(on.owner.public_id, made.request_id);
  REQUIRE(shown);
  CHECK(shown->bodies.sent == "{}");
  CHECK(shown->bodies.answered.empty());
}

TEST_CASE("a flood while the disk stands still costs its account rows, and nobody a call") {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_shut = true, is_reached = false;
  requests::log_options options;
  options.max_waiting_bytes = 8'000;
  options.fail = [&](std::string_view stage) {
    std::unique_lock lock(mutex);
    if (stage != "insert") return false;
    is_reached = true;
    changed.notify_all();
    changed.wait(lock, [&] { return !is_shut; });
    return false;
  };
  logging_engine on(options);
  const auto other = on.inside.accounts->create_account("b@example.com", "free").value();
  const auto others_key = on.make_key(other.id);
  CHECK(on.call(on.key, "account/show", "{}").status == 200);
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_reached; });
  }
  constexpr int flood = 300;
  for (int i = 0; i < flood; ++i) CHECK(on.call(on.key, "account/show", "{}").status == 200);
  for (int i = 0; i < 5; ++i) CHECK(on.call(others_key, "account/show", "{}").status == 200);
  const auto dropped = on.inside.requests->figures().dropped;
  CHECK(dropped > 0);
  {
    const std::lock_guard lock(mutex);
    is_shut = false;
    changed.notify_all();
  }
  REQUIRE(test::eventually([&] { return on.inside.requests->figures().waiting_bytes == 0; }));
  CHECK(on.rows(other.public_id).size() == 5);
  CHECK(on.rows(on.owner.public_id).size() == 1 + flood - dropped);
}

TEST_CASE("calls go on where the log cannot be written at all") {
  requests::log_options options;
  options.fail = [](std::string_view) { return true; };
  logging_engine on(options);
  for (int i = 0; i < 3; ++i) CHECK(on.call(on.key, "news/search", climate).status == 200);
  CHECK(test::eventually([&] { return on.inside.requests->figures().failed == 3; }));
  CHECK(on.inside.accounts->verify()->ok);
}

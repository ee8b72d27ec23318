// Read once: what is asked again is answered from memory, charged and counted like any call, and
// asked anew as soon as anything that it was made of is not fresh any more.
#include <account/fixture.hpp>
#include <atomic>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <engine/gather/made_up_source.hpp>
#include <engine/pipeline.hpp>
#include <http/cache.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

namespace books = freshet::account::test;

std::atomic<int> plans = 0, reads = 0;
std::atomic<bool> is_short = false;  ///< what is listed says that it is not all

result<http::request> plan_listed(const sources::call& asked, const sources::settings& where,
                                  std::string_view position) {
  ++plans;
  http::request what;
  what.url = where.base_url + "/" + std::string(position);
  what.max_age = asked.max_age;
  return what;
}

result<sources::step> read_listed(const sources::exchange& exchange) {
  ++reads;
  sources::listing page;
  for (int i = 0; i < 20; ++i) {
    const auto name = std::string(exchange.position) + std::to_string(i);
    forum_post one;
    one.source = "listed";
    one.id = "listed:" + name;
    one.url = "https://origin.example/" + name;
    one.title = "A tide gauge, " + exchange.answer.body;
    one.created_at = exchange.call.now - 1h;
    page.items.push_back(std::move(one));
  }
  if (exchange.position.empty()) page.next = "more";
  page.partial = is_short;
  return sources::step(std::move(page));
}

result<sources::step> read_failed(const sources::exchange&) {
  return error(errc::source_error, "the answer says nothing");
}

time_point next_quarter(const sources::call& asked) {
  using quarters = std::chrono::duration<int, std::ratio<900>>;
  return std::chrono::floor<quarters>(asked.now) + quarters{1};
}

constexpr sources::capability listing_capabilities[] = {
    {catalog::operation::forum_search, sources::native_words, plan_listed, read_listed}};
constexpr sources::capability moving_capabilities[] = {{catalog::operation::forum_search,
                                                        sources::native_words, plan_listed,
                                                        read_listed, next_quarter}};
constexpr sources::capability failing_capabilities[] = {
    {catalog::operation::forum_search, sources::native_words, plan_listed, read_failed}};
constexpr auto failing = test::made_up_source("failing", "forum", failing_capabilities);
constexpr auto moving = test::made_up_source("moving", "forum", moving_capabilities);
constexpr auto listed = test::made_up_source("listed", "forum", listing_capabilities);

/// The network: one answer for every address.
class counting_transport final : public http::transport {
 public:
  explicit counting_transport(const base::clock& clock) : clock_(clock) {}
  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    http::response answer;
    answer.status = 200;
    answer.final_url = wanted.url;
    answer.fetched_at = clock_.now();
    answer.headers = {{"Cache-Control", cache_control}};
    answer.body = "edition " + std::to_string(++asked);
    done(std::move(answer));
    return 1;
  }
  void cancel(std::uint64_t) override {}

  std::string cache_control = "max-age=60";
  std::atomic<int> asked = 0;

 private:
  const base::clock& clock_;
};

struct reading_engine {
  explicit reading_engine(std::int64_t monthly = 1'000'000) : network(clock) {
    plans = reads = 0;
    is_short = false;
    // Deadlines are the machine's.
    clock.set_steady(std::chrono::steady_clock::now().time_since_epoch());
    inside.settings = config();
    inside.log = [](std::string_view, std::string_view) {};
    inside.cursor_secret = "secret";
    inside.sandbox = make_sandbox_environment().value();
    inside.live.clock = &clock;
    inside.live.keep_on(8 << 20);
    inside.live.transport = std::make_unique<http::cache>(network, inside.live.shelf, clock);
    sources::settings where;
    where.base_url = "https://listed.example";
    inside.live.sources.push_back({&listed, true, {}, {where}});
    auto options = books::options_for(":memory:", clock, monthly);
    options.plans["free"].processor_share = 1e6;
    inside.accounts = books::open_or_throw(options);
    key = new_key("a@example.com");
    inside.pool = std::make_unique<workers>(2);
    inside.readers = std::make_unique<workers>(2);
  }
  std::string new_key(const std::string& email) {
    const auto account = inside.accounts->create_account(email, "free").value();
    return inside.accounts->create_key(account.id, {}).value().secret;
  }

  response ask(std::string body = R"({"q": "tide"})", std::string idempotency_key = {},
               bool takes_lead = false) {
    clock.advance(tick);  // the bucket fills
    request asked;
    asked.endpoint = "forum/search";
    asked.body = std::move(body);
    asked.api_key = key;
    asked.idempotency_key = std::move(idempotency_key);
    asked.takes_lead = takes_lead;
    std::promise<response> told;
    auto answer = told.get_future();
    auto one = std::make_shared<pipeline>(inside, std::move(asked),
                                          [&](response made) { told.set_value(std::move(made)); });
    one->run();
    return answer.get();
  }
  static std::string cache_of(const response& answer) {
    const auto parsed = base::parse_json(answer.body).value();
    const auto& source = base::member(base::member(parsed, "meta"), "sources").at(0);
    return base::text_of(base::member(source, "cache"));
  }
  static std::string cursor_of(const response& answer) {
    const auto parsed = base::parse_json(answer.body).value();
    return base::text_of(base::member(base::member(parsed, "page"), "next_cursor"));
  }

  books::manual_clock clock;
  counting_transport network;
  std::chrono::nanoseconds tick = 1ms;
  std::string key;
  core inside;  ///< last, so that its threads are gone before what they use
};

}  // namespace

TEST_CASE("an item says when it was fetched, also where it is answered from memory") {
  reading_engine on;
  const auto fetched = [](const response& answer) {
    const auto parsed = base::parse_json(answer.body).value();
    return base::parse_time(base::text_of(base::member(parsed, "data").at(0).at("fetched_at")));
  };
  const auto first = on.ask();
  const auto then = on.clock.now();
  CHECK(fetched(first) == then);
  on.clock.advance(10s);
  CHECK(fetched(on.ask()) == then);                                // the page that is kept
  CHECK(fetched(on.ask(R"({"q": "tide", "limit": 3})")) == then);  // what was read is kept
  CHECK(on.network.asked == 1);
  CHECK(reads == 1);
  on.clock.advance(60s);
  const auto later = on.ask();
  CHECK(fetched(later) == on.clock.now());
  CHECK(on.network.asked == 2);
}

TEST_CASE("ten thousand hits ask nobody, read nothing, and are each charged", "[alone]") {
  reading_engine on;
  on.network.cache_control = "max-age=1000000";
  const auto first = on.ask();
  REQUIRE(first.status == 200);
  CHECK(on.cache_of(first) == "miss");
  REQUIRE(first.credits_used == 1);
  const std::int64_t balance = *first.credits_remaining;
  on.tick = 1s;
  const int hits = 10'000;
  int wrong = 0;
  for (int i = 1; i <= hits; ++i) {
    const auto again = on.ask();
    const bool fine = again.status == 200 && again.data() == first.data() &&
                      again.credits_used == 1 && again.credits_remaining == balance - i;
    if (!fine) ++wrong;
  }
  CHECK(wrong == 0);
  CHECK(on.network.asked == 1);
  CHECK(plans == 1);
  CHECK(reads == 1);
  CHECK(on.cache_of(on.ask()) == "hit");
  const auto counted = on.inside.live.pages->count();
  CHECK(counted.hits == hits + 1);
  CHECK(on.inside.accounts->verify().value().ok);
}

TEST_CASE("a page is kept as long as what it was made of is fresh") {
  reading_engine on;
  const auto first = on.ask();
  on.clock.advance(50s);
  CHECK(on.ask().data() == first.data());
  on.clock.advance(10s);
  const auto later = on.ask();
  CHECK(later.status == 200);
  CHECK(later.data() != first.data());
  CHECK(on.cache_of(later) == "miss");
  CHECK(reads == 2);
  // Nothing made of what may not be kept is kept.
  on.network.cache_control = "no-store";
  on.clock.advance(60s);
  CHECK(on.ask().data() != on.ask().data());
  CHECK(reads == 4);
}

TEST_CASE("a hit is another account's, and is charged to that account") {
  reading_engine on;
  const auto first = on.ask();
  on.key = on.new_key("b@example.com");
  const auto other = on.ask();
  CHECK(other.data() == first.data());
  CHECK(other.credits_used == 1);
  CHECK(other.credits_remaining == first.credits_remaining);
  CHECK(on.network.asked == 1);
}

TEST_CASE("a hit without credits is refused") {
  reading_engine on(5);
  auto last = on.ask();
  while (last.status == 200) last = on.ask();
  CHECK(last.code == errc::insufficient_credits);
  CHECK(on.network.asked == 1);
}

TEST_CASE("what a page says less of is read from the same reading") {
  reading_engine on;
  const auto whole = on.ask();
  const auto some = on.ask(R"({"q": "tide", "fields": ["url"]})");
  CHECK(some.data().size() < whole.data().size());
  const auto few = on.ask(R"({"q": "tide", "limit": 3, "max_tokens": 500})");
  CHECK(few.status == 200);
  CHECK(on.network.asked == 1);
  CHECK(reads == 1);
  // Another question has a reading of its own.
  CHECK(on.ask(R"({"q": "gauge"})").status == 200);
  CHECK(reads == 2);
}

TEST_CASE("a kept page's cursor goes on as the first one does") {
  reading_engine on;
  const auto first = on.ask(R"({"q": "tide", "limit": 20})");
  const auto again = on.ask(R"({"q": "tide", "limit": 20})");
  REQUIRE(on.cache_of(again) == "hit");
  const auto next = [&](const response& of) {
    return on.ask(R"({"q": "tide", "limit": 20, "cursor": ")" + on.cursor_of(of) + "\"}");
  };
  const auto second = next(first), second_again = next(again);
  REQUIRE(second.status == 200);
  CHECK(second.data() == second_again.data());
  CHECK(second.data() != first.data());
  CHECK(reads == 2);
}

TEST_CASE("a page that is short of what its sources have is kept, and goes on saying so") {
  reading_engine on;
  is_short = true;
  const auto first = on.ask();
  const auto again = on.ask();
  for (const auto& one : {first, again}) {
    CHECK(one.body.find(R"("completeness":"partial")") != std::string::npos);
  }
  CHECK(on.cache_of(again) == "hit");
  CHECK(plans == 1);
}

TEST_CASE("a page that lacks a source that failed is asked anew") {
  reading_engine on;
  sources::settings where;
  where.base_url = "https://failing.example";
  on.inside.live.sources.push_back({&failing, true, {}, {where}});
  for (int calls = 1; calls <= 2; ++calls) {
    CHECK(on.ask().body.find(R"("completeness":"partial")") != std::string::npos);
    CHECK(plans == 2 * calls);
  }
}

TEST_CASE("what moves with the time is asked anew") {
  reading_engine on;
  const std::string body = R"({"q": "tide", "since": "1d"})";
  CHECK(on.ask(body).status == 200);
  CHECK(on.ask(body).status == 200);
  CHECK(plans == 2);
}

TEST_CASE("a source that looks at the clock is asked anew when it makes something else of a call") {
  reading_engine on;
  on.network.cache_control = "max-age=3600";
  on.inside.live.sources.front().of = &moving;
  sources::call asked;
  asked.now = on.clock.now();
  const auto quarter = next_quarter(asked) - asked.now;
  CHECK(on.ask().status == 200);
  on.clock.advance(quarter - 1s);
  CHECK(on.ask().status == 200);
  CHECK(plans == 1);
  on.clock.advance(1s);
  CHECK(on.ask().status == 200);
  CHECK(plans == 2);
  CHECK(reads == 2);
  CHECK(on.network.asked == 1);  // the answer itself is fresh
}

TEST_CASE("pages are forgotten with the answers") {
  reading_engine on;
  const auto first = on.ask();
  on.inside.live.shelf->drop();
  CHECK(on.ask().data() != first.data());
  CHECK(plans == 2);
}

TEST_CASE("a hit is repeated by its idempotency key as any call") {
  reading_engine on;
  static_cast<void>(on.ask());
  const auto hit = on.ask(R"({"q": "tide"})", "once");
  REQUIRE(hit.status == 200);
  CHECK(hit.credits_used == 1);
  const auto replay = on.ask(R"({"q": "tide"})", "once");
  CHECK(replay.idempotency_replayed);
  CHECK(replay.body == hit.body);
  CHECK(replay.credits_used == 0);
  CHECK(on.ask(R"({"q": "gauge"})", "once").code == errc::idempotency_mismatch);
  CHECK(reads == 1);
}

TEST_CASE("who takes the lead apart is spared the copy") {
  reading_engine on;
  const auto first = on.ask();
  const auto whole = on.ask();
  const auto apart = on.ask(R"({"q": "tide"})", "", true);
  const auto other = on.ask(R"({"q": "tide"})", "", true);
  REQUIRE(apart.lead);
  CHECK(apart.lead == other.lead);
  CHECK(apart.data() == whole.data());
  CHECK(apart.data().data() == other.data().data());
  CHECK(whole.lead == nullptr);
}

TEST_CASE("several threads ask the same while it grows old") {
  reading_engine on;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  const auto ask_often = [&on, &wrong](const std::string& key) {
    for (int i = 0; i < 200; ++i) {
      request asked;
      asked.endpoint = "forum/search";
      asked.body = R"({"q": "tide"})";
      asked.api_key = key;
      std::promise<response> told;
      auto answer = told.get_future();
      auto one = std::make_shared<pipeline>(
          on.inside, std::move(asked), [&](response made) { told.set_value(std::move(made)); });
      one->run();
      const auto status = answer.get().status;
      if (status != 200 && status != 429) ++wrong;
    }
  };
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back(ask_often, on.new_key("t" + std::to_string(t) + "@example.com"));
  }
  for (int i = 0; i < 20; ++i) {
    on.clock.advance(10s);
    std::this_thread::sleep_for(2ms);
  }
  for (auto& each : threads) each.join();
  CHECK(wrong == 0);
}

// Each exchange of a call fails once, with each error that a transport has and with answers that
// are none, and then each with all that follow it; and so does each step of the ledger that a call
// takes. The call is answered once, is never charged for an error nor twice, holds nothing when it
// is over, and the next one is served as ever. tests/capi does the same to allocations.
#include <account/fixture.hpp>
#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <engine/pipeline.hpp>
#include <support/sanitized.hpp>
#include <thread>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

namespace books = freshet::account::test;

/// What comes in the place of an answer.
struct fault {
  std::string name;
  result<http::response> instead;
};

http::response answer_of(int status, std::string body) {
  http::response made;
  made.status = status;
  made.headers = {{"Content-Type", "application/json"}, {"Retry-After", "3"}};
  made.body = std::move(body);
  made.final_url = "https://example.org/";
  return made;
}

/// All that a transport may answer, and what servers answer that have lost their way.
std::vector<fault> all_faults() {
  std::vector<fault> out;
  for (const auto code : {errc::source_unavailable, errc::source_timeout, errc::source_error,
                          errc::target_forbidden, errc::robots_disallowed, errc::overloaded}) {
    out.push_back({std::string(describe(code).name), error(code, "made to fail")});
  }
  for (const int status : {200, 204, 401, 404, 429, 500})
    out.push_back({std::to_string(status), answer_of(status, "")});
  out.push_back({"half an object", answer_of(200, "{\"a\": [")});
  return out;
}

/// Counts the exchanges of a call, and puts a fault in the place of one of them or of all from it.
class faulty_transport final : public http::transport {
 public:
  explicit faulty_transport(std::unique_ptr<http::transport> whole) : whole_(std::move(whole)) {}

  std::uint64_t submit(http::request&& wanted, deadline deadline, handler done) override {
    const int n = ++count_;
    if (instead_ == nullptr || n < at_ || (n > at_ && !onwards_))
      return whole_->submit(std::move(wanted), deadline, std::move(done));
    struck_ = true;
    done(*instead_);
    return 1;
  }
  void cancel(std::uint64_t ticket) override { whole_->cancel(ticket); }

  void arm(const result<http::response>* instead, int call, bool onwards) {
    instead_ = instead;
    at_ = call;
    onwards_ = onwards;
    count_ = 0;
    struck_ = false;
  }
  [[nodiscard]] bool has_struck() const { return struck_; }

 private:
  std::unique_ptr<http::transport> whole_;
  const result<http::response>* instead_ = nullptr;
  int at_ = 0;
  bool onwards_ = false;
  std::atomic<int> count_ = 0;
  std::atomic<bool> struck_ = false;
};

/// What calls share, over the sandbox's exchanges for live keys too, with a ledger whose steps fail
/// where they are told to.
class faulty_engine {
 public:
  faulty_engine() {
    inside_.settings = config();
    inside_.log = [](std::string_view, std::string_view) {};
    inside_.cursor_secret = "secret";
    inside_.live = make_sandbox_environment().value();
    inside_.sandbox = make_sandbox_environment().value();
    auto made = std::make_unique<faulty_transport>(std::move(inside_.live.transport));
    network = made.get();
    inside_.live.transport = std::move(made);
    auto options = books::options_for(":memory:", clock_, 1'000'000);
    options.plans["free"].processor_share = 1e6;
    options.fail = [this](std::string_view stage) { return strikes(stage); };
    inside_.accounts = books::open_or_throw(options);
    who_ = books::new_principal(*inside_.accounts);
    account::key_options with;
    key_ = inside_.accounts->create_key(who_.account.id, with).value().secret;
    CHECK(inside_.accounts->balance_of(who_).has_value());
    inside_.pool = std::make_unique<workers>(2);
    inside_.readers = std::make_unique<workers>(2);
  }

  response call(const char* endpoint, const char* body, std::string idempotency_key = {}) {
    clock_.advance(1min);  // a full bucket, whatever failed before
    request asked;
    asked.endpoint = endpoint;
    asked.body = body;
    asked.api_key = key_;
    asked.idempotency_key = std::move(idempotency_key);
    std::promise<response> told;
    auto answer = told.get_future();
    std::atomic<int> answers = 0;
    auto one = std::make_shared<pipeline>(inside_, std::move(asked), [&](response made) {
      if (++answers == 1) told.set_value(std::move(made));
    });
    one->run();
    auto made = answer.get();
    // Whoever still holds the call is about to let it go, and could answer again until then.
    const std::weak_ptr<pipeline> left = one;
    one.reset();
    while (!left.expired()) std::this_thread::yield();
    CHECK(answers == 1);
    return made;
  }
  /// Every call is to meet its exchanges.
  void keep_no_pages() {
    inside_.live.keep_on(0);
    inside_.sandbox.keep_on(0);
  }
  /// What was taken and what is held.
  account::balance books_now() { return inside_.accounts->balance_of(who_).value(); }
  void verify() {
    const auto report = inside_.accounts->verify();
    CHECK((report.has_value() && report->ok));
  }
  /// The n-th step of the ledger fails from now on; 0 for none.
  void arm(int step) { countdown_ = step; }
  /// Whether a step has failed since; the ledger is as ever when this returns.
  bool disarm() {
    const bool struck = countdown_ < 1 && struck_.exchange(false);
    countdown_ = 0;
    // After a failed transaction the database is tried again in a while.
    while (!inside_.accounts->healthy()) std::this_thread::sleep_for(5ms);
    return struck;
  }

  faulty_transport* network = nullptr;

 private:
  bool strikes(std::string_view stage) {
    // Nothing is known after a failed sync: the process ends. A probe is only repeated.
    if (stage == "sync" || stage == "probe") return false;
    int left = countdown_;
    while (left > 0 && !countdown_.compare_exchange_weak(left, left - 1)) {
    }
    if (left == 1) struck_ = true;
    return left == 1;
  }

  books::manual_clock clock_;
  std::atomic<int> countdown_ = 0;
  std::atomic<bool> struck_ = false;
  account::principal who_;
  std::string key_;
  core inside_;  ///< last, so that its threads are gone before what they use
};

/// Calls of every kind: merged, one of several, with further requests, a page.
constexpr std::pair<const char*, const char*> calls[] = {
    {"news/search", R"({"q": "climate", "limit": 3})"},
    {"web-serp/search", R"({"q": "climate"})"},
    {"microblog/users/posts", R"({"username": "alice.test", "limit": 30})"},
    {"shortvideo/profiles/videos", R"({"username": "coastlab", "limit": 50})"},
    {"forum/posts/comments", R"({"id": "hackernews:9000003"})"},
    {"scrape/markdown", R"({"url": "https://example.com/tide-gauges"})"}};

/// What a call may meet when others fail.
bool is_excuse(errc code) {
  return code == errc::source_unavailable || code == errc::source_timeout ||
         code == errc::source_error || code == errc::source_blocked ||
         code == errc::source_auth_required || code == errc::target_forbidden ||
         code == errc::robots_disallowed || code == errc::overloaded || code == errc::not_found ||
         code == errc::unsupported_content;
}

void check_outcome(const response& answer, const account::balance& before,
                   const account::balance& after) {
  CHECK(before.posted - after.posted == account::credits{answer.credits_used});
  CHECK(after.reserved == account::credits{});
  if (answer.status == 200) return;
  CHECK(answer.credits_used == 0);
  CHECK(base::parse_json(answer.body).has_value());
}

}  // namespace

TEST_CASE("each exchange of a call fails, in each way", "[alone]") {
  faulty_engine on;
  on.keep_no_pages();
  const auto faults = all_faults();
  // With sanitizers each way meets two of the six calls.
  const std::size_t every = test::cases<std::size_t>(1, 1, 3);
  std::size_t at = 0;
  for (const auto& [endpoint, body] : calls) {
    const auto whole = on.call(endpoint, body);
    REQUIRE(whole.status == 200);
    int failures = 0, tried = 0;
    for (const auto& one : faults) {
      if (at++ % every != 0) continue;
      ++tried;
      for (const bool onwards : {false, true}) {
        for (int n = 1;; ++n) {
          INFO(endpoint << ", exchange " << n << (onwards ? " and on: " : ": ") << one.name);
          REQUIRE(n < 200);
          const auto before = on.books_now();
          on.network->arm(&one.instead, n, onwards);
          const auto answer = on.call(endpoint, body);
          const bool struck = on.network->has_struck();
          on.network->arm(nullptr, 0, false);
          check_outcome(answer, before, on.books_now());
          if (answer.status != 200) CHECK(is_excuse(answer.code));
          if (!struck) break;
          ++failures;
        }
      }
    }
    CHECK(tried >= 4);
    CHECK(failures >= 2 * tried);
    CHECK(on.call(endpoint, body).data() == whole.data());
  }
  on.verify();
}

TEST_CASE("each step of the ledger fails that a call takes, and its repetition is charged once") {
  faulty_engine on;
  const auto [endpoint, body] = calls[0];
  const auto whole = on.call(endpoint, body);
  REQUIRE(whole.status == 200);
  const account::credits price{whole.credits_used};
  int failures = 0;
  for (int n = 1;; ++n) {
    INFO("step " << n);
    REQUIRE(n < 200);
    const auto key = "again " + std::to_string(n);
    const auto before = on.books_now();
    on.arm(n);
    const auto answer = on.call(endpoint, body, key);
    const bool struck = on.disarm();
    check_outcome(answer, before, on.books_now());
    if (answer.status != 200) CHECK(answer.code == errc::storage_unavailable);
    const auto again = on.call(endpoint, body, key);
    CHECK(again.status == 200);
    CHECK(again.data() == whole.data());
    CHECK(before.posted - on.books_now().posted == price);
    if (!struck) break;
    ++failures;
  }
  CHECK(failures > 3);
  on.verify();
}

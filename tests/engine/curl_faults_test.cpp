// Each call of curl that a call of the engine takes fails once: the caller has one answer, is
// charged for nothing but a page, holds no credits when it is over, and is served the next time. In
// tests/http the same is done to an exchange alone, and in call_faults_test to exchanges.
#include <account/fixture.hpp>
#include <base/json.hpp>
#include <boost/json/serialize.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <set>
#include <support/failing_curl.hpp>
#include <support/loopback_server.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using freshet::test::loopback_server;

namespace {

/// An engine with accounts, one of which asks for pages of a site on loopback.
class curl_user {
 public:
  curl_user() {
    site_.on("/robots.txt", [](const auto&, loopback_server::connection& to) {
      to.send("HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /no");
    });
    engine_options options;
    options.with_accounts = true;
    const std::pair<const char*, std::string> settings[] = {
        {"storage.data_dir", folder_.file("")},
        {"scrape.allow_private", "127.0.0.0/8"},
        {"plans.free.rate", "100000"},
        {"plans.free.burst", "100000"},
        {"plans.free.monthly_credits", "100000"}};
    for (const auto& [key, value] : settings) REQUIRE(options.config.set(key, value));
    inside_ = std::move(engine::open(std::move(options)).value());
    REQUIRE(inside_->run_admin_command("accounts.create", R"({"email": "a@example.org"})"));
    const auto made = inside_->run_admin_command("keys.create", R"({"email": "a@example.org"})");
    key_ = base::text_of(base::member(base::parse_json(made.value()).value(), "key"));
    REQUIRE(key_.starts_with("frs_live_"));
  }

  /// A page that nobody has asked for before.
  response ask() {
    const std::string path = "/page" + std::to_string(++pages_);
    site_.reply(path, 200, "<title>Tides</title><main><p>High water at noon.</p></main>");
    return call("scrape/markdown",
                boost::json::serialize(boost::json::object{{"url", site_.url(path)}}));
  }

  struct books {
    std::int64_t balance = 0, reserved = 0;
  };
  books books_now() {
    const auto shown = base::parse_json(call("account/show", "{}").body).value();
    const auto number = [&](std::string_view name) {
      return base::integer_of(base::member(shown, "data", name)).value();
    };
    return {number("balance"), number("reserved")};
  }

  void verify() { CHECK(inside_->run_admin_command("ledger.verify", "{}").has_value()); }

 private:
  response call(std::string endpoint, std::string body) {
    request what;
    what.endpoint = std::move(endpoint);
    what.body = std::move(body);
    what.api_key = key_;
    return inside_->call(std::move(what));
  }

  account::test::temporary_folder folder_;
  loopback_server site_;
  int pages_ = 0;
  std::string key_;
  std::unique_ptr<engine> inside_;
};

}  // namespace

TEST_CASE("each call of curl fails that a call takes, and none of them is charged") {
  curl_user on;
  REQUIRE(on.ask().status == 200);
  std::set<std::string> failed;
  int refused = 0;
  for (int n = 1;; ++n) {
    REQUIRE(n < 300);
    const auto before = on.books_now();
    test::fail_curl_call(n);
    const auto answer = on.ask();
    const std::string which = test::failed_curl_call();
    INFO("call " << n << ", " << which << ": " << answer.body);
    const auto after = on.books_now();
    CHECK(before.balance - after.balance == answer.credits_used);
    CHECK(after.reserved == 0);
    if (answer.status != 200) {
      ++refused;
      CHECK(answer.credits_used == 0);
      CHECK((answer.status == 502 || answer.status == 503));
    }
    const auto next = on.ask();
    INFO(next.body);
    REQUIRE(next.status == 200);
    CHECK(next.credits_used == 1);
    if (which.empty()) {
      CHECK(answer.status == 200);
      break;
    }
    failed.insert(which);
  }
  // Some are tried again below, and no caller hears of them.
  CHECK(refused > 0);
  for (const char* each : {"curl_easy_setopt", "curl_multi_add_handle", "curl_multi_perform"}) {
    INFO(each);
    CHECK(failed.contains(each));
  }
  on.verify();
}

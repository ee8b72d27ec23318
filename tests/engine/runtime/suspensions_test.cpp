// Suspensions by themselves, and pages gathered where sources refuse.
#include <catch2/catch.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/gather/made_up_source.hpp>
#include <map>
#include <sources/read_answer.hpp>
#include <support/manual_clock.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;
using catalog::operation;

namespace {

http::response status(int code, std::string body = {}, http::headers headers = {}) {
  http::response out;
  out.status = code;
  out.body = std::move(body);
  out.headers = std::move(headers);
  return out;
}

constexpr std::string_view captcha_page =
    "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>";

http::response captcha(int code = 200) {
  return status(code, std::string(captcha_page), {{"Content-Type", "text/html"}});
}

result<http::request> plan_one(const sources::call&, const sources::settings& where,
                               std::string_view) {
  http::request what;
  what.url = where.base_url + "/search";
  return what;
}

result<sources::step> read_one(const sources::exchange& exchange) {
  if (auto failed = sources::check_status(exchange.answer)) return std::move(*failed);
  sources::listing page;
  post one;
  one.source = "one";
  one.id = "one:" + exchange.answer.body;
  one.url = "https://origin.example/" + exchange.answer.body;
  one.text = exchange.answer.body;
  page.items.push_back(std::move(one));
  return sources::step(std::move(page));
}

constexpr sources::capability capabilities[] = {
    {operation::microblog_search, sources::native_none, plan_one, read_one},
    {operation::microblog_users_posts, sources::native_none, plan_one, read_one}};

constexpr auto one_source = test::made_up_source("one", "microblog", capabilities);
constexpr auto other_source = test::made_up_source("other", "microblog", capabilities);

sources::call search() {
  sources::call what;
  what.op = operation::microblog_search;
  return what;
}

/// How long `failed` suspends for an answer; zero if it does not.
std::chrono::seconds suspended_for(const http::response& answer,
                                   const sources::call& asked = search()) {
  suspensions of;
  const std::chrono::steady_clock::time_point now{1h};
  const auto read = read_one({asked, {}, answer, "", ""});
  REQUIRE(read.has_error());
  of.failed(one_source, asked, "https://one.example/x", read.error(), &answer, now);
  const auto refused = of.refusal(one_source, asked.op, "https://one.example/y", now);
  if (!refused) return 0s;
  CHECK(refused->code() == read.error().code());
  return *refused->retry_after;
}

/// Answers by host, and counts.
class hosts final : public http::transport {
 public:
  std::map<std::string, std::function<result<http::response>()>> answers;
  std::map<std::string, int> asked;

  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    const auto base = wanted.url.substr(0, wanted.url.rfind('/'));
    ++asked[base];
    done(answers.at(base)());
    return 1;
  }
  void cancel(std::uint64_t) override {}
};

/// Two sources, and one call after another.
struct rig {
  test::manual_clock clock;
  environment in;
  hosts* network = nullptr;
  workers pool{2};
  configured_source first{&one_source, true, {}, {{"https://one.example", {}}}};
  configured_source second{&other_source, true, {}, {{"https://other.example", {}}}};

  rig() {
    auto made = std::make_unique<hosts>();
    network = made.get();
    in.transport = std::move(made);
    in.clock = &clock;
    in.suspended = std::make_unique<suspensions>();
    network->answers["https://one.example"] = [] { return status(200, "a"); };
    network->answers["https://other.example"] = [] { return status(200, "b"); };
  }

  result<page_outcome> call(operation op = operation::microblog_search, base::owner_id who = 0) {
    gather_request plan;
    plan.owner = who;
    plan.parts[0].what.op = op;
    return test::gather(in, pool, std::move(plan), {&first, &second});
  }
  int asked(const std::string& base) { return network->asked[base]; }
};

}  // namespace

TEST_CASE("each kind of refusal suspends for its time") {
  CHECK(suspended_for(status(500)) == 5s);
  CHECK(suspended_for(status(502)) == 5s);
  CHECK(suspended_for(status(504)) == 5s);
  CHECK(suspended_for(status(402)) == 180s);
  CHECK(suspended_for(status(403)) == 180s);
  CHECK(suspended_for(status(401)) == 180s);
  CHECK(suspended_for(status(429)) == 180s);
  CHECK(suspended_for(captcha(200)) == 3600s);
  CHECK(suspended_for(captcha(403)) == 3600s);
  CHECK(suspended_for(captcha(503)) == 3600s);
  // What the source asks for goes first; a block page's is at least the table's.
  CHECK(suspended_for(status(429, "", {{"Retry-After", "7"}})) == 7s);
  CHECK(suspended_for(status(503, "", {{"Retry-After", "120"}})) == 120s);
  auto page = captcha(429);
  page.headers.push_back({"Retry-After", "7"});
  CHECK(suspended_for(page) == 3600s);
  CHECK(suspended_for(status(429, "", {{"Retry-After", "999999"}})) == sources::max_retry_after);
  // These say nothing of the source's will.
  CHECK(suspended_for(status(404)) == 0s);
  CHECK(suspended_for(status(400)) == 0s);
  CHECK(suspended_for(status(451)) == 0s);
  for (const auto& rule : suspension_rules()) {
    CHECK(!rule.why.empty());
    CHECK(rule.time.count() > 0);
  }
}

TEST_CASE("a refusal of one thing is not everybody's") {
  auto timeline = search();
  timeline.op = operation::microblog_users_posts;
  CHECK(suspended_for(status(403), timeline) == 0s);
  CHECK(suspended_for(status(401), timeline) == 0s);
  CHECK(suspended_for(status(429), timeline) == 180s);
  CHECK(suspended_for(captcha(), timeline) == 3600s);
  auto community = search();
  community.op = operation::forum_search;
  community.community = "private";
  CHECK(suspended_for(status(403), community) == 0s);
  community.community = "all";
  CHECK(suspended_for(status(403), community) == 180s);
}

TEST_CASE("a suspension is of one source at one host, a denial of one operation") {
  suspensions of;
  const std::chrono::steady_clock::time_point now{1h};
  const auto at = "https://one.example:8443/a";
  const auto limited = status(429);
  of.failed(one_source, search(), at, error(errc::source_unavailable), &limited, now);
  const auto op = operation::microblog_search;
  CHECK(of.refusal(one_source, op, "https://one.example:8443/b", now).has_value());
  CHECK(of.refusal(one_source, operation::microblog_users_posts, at, now).has_value());
  CHECK_FALSE(of.refusal(one_source, op, "https://one.example/b", now).has_value());
  CHECK_FALSE(of.refusal(other_source, op, at, now).has_value());
  CHECK_FALSE(of.refusal(one_source, op, at, now + 180s).has_value());
  REQUIRE(of.list(now + 10s).size() == 1);
  CHECK(of.list(now + 10s)[0].left == 170s);
  CHECK(of.list(now + 180s).empty());
  of.succeeded(one_source, op, at);
  CHECK_FALSE(of.refusal(one_source, op, at, now).has_value());

  const auto denied = status(403);
  of.failed(one_source, search(), at, error(errc::source_blocked), &denied, now);
  CHECK(of.refusal(one_source, op, at, now).has_value());
  CHECK_FALSE(of.refusal(one_source, operation::microblog_users_posts, at, now).has_value());
}

TEST_CASE("feeds are suspended each by its address") {
  auto papers = test::made_up_source("papers", "microblog", capabilities);
  papers.instances_key = "urls";
  suspensions of;
  const std::chrono::steady_clock::time_point now{1h};
  const auto op = operation::microblog_search;
  const auto dead = "https://anna:pw@one.example/dead?feed=hush";
  const auto broken = status(500);
  of.failed(papers, search(), dead, error(errc::source_error), &broken, now);
  const auto refused = of.refusal(papers, op, dead, now);
  REQUIRE(refused.has_value());
  CHECK(refused->detail().starts_with("https://one.example/dead is suspended"));
  CHECK_FALSE(of.refusal(papers, op, "https://one.example/alive", now).has_value());
  of.succeeded(papers, op, "https://one.example/alive");
  CHECK(of.refusal(papers, op, dead, now).has_value());
}

TEST_CASE("what we did not ask ourselves suspends nobody, a silent host shortly") {
  suspensions of;
  const std::chrono::steady_clock::time_point now{1h};
  const auto at = "https://one.example/";
  error paced(errc::source_unavailable, "the pace leaves no room");
  paced.retry_after = 30s;
  of.failed(one_source, search(), at, paced, nullptr, now);
  of.failed(one_source, search(), at, error(errc::cancelled), nullptr, now);
  of.failed(one_source, search(), at, error(errc::target_forbidden), nullptr, now);
  CHECK(of.list(now).empty());
  of.failed(one_source, search(), at, error(errc::source_timeout), nullptr, now);
  REQUIRE(of.list(now).size() == 1);
  CHECK(of.list(now)[0].left == 5s);
  // A source that asks whatever address the call names is never suspended.
  auto anywhere = test::made_up_source("anywhere", "microblog", capabilities);
  anywhere.default_base_url = "";
  suspensions none;
  none.failed(anywhere, search(), at, error(errc::source_timeout), nullptr, now);
  CHECK(none.list(now).empty());
}

TEST_CASE("what comes of accounts' queries is their own, however many have seen the like") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  std::vector<suspension_news> told;
  of.on_change([&](const suspension_news& news) { told.push_back(news); });
  std::vector<source_doubt> doubts;
  of.on_doubt([&](const source_doubt& about) {
    doubts.push_back(about);
    return true;
  });
  const std::chrono::steady_clock::time_point now{1h};
  const auto op = operation::microblog_search;
  const std::string at = "https://one.example/";
  const auto is_left_alone = [&](base::owner_id who, std::chrono::seconds later = 0s) {
    return of.refusal(one_source, op, at, {now + later, who}).has_value();
  };
  const auto see = [&](base::owner_id who, const http::response& answer) {
    const auto read = read_one({search(), {}, answer, "", ""});
    of.failed(one_source, search(), at, read.error(), &answer, {now, who});
  };
  for (const auto& answer : {captcha(403), status(403), status(500)}) see(7, answer);
  of.opened(one_source, at, 60s, {now, 7});
  CHECK(is_left_alone(7));
  CHECK_FALSE(is_left_alone(8));
  CHECK_FALSE(is_left_alone(0));
  CHECK(of.list(now).at(0).accounts == 1);
  // The source answers others: whoever fails after that is the first anew.
  of.succeeded(one_source, op, at, 8);
  CHECK(is_left_alone(7));
  see(9, captcha());
  CHECK(is_left_alone(9));
  CHECK(doubts.empty());
  // What many see may be what they all ask; the engine is to find out.
  for (base::owner_id who = 10; who < 40; ++who) see(who, captcha());
  CHECK_FALSE(is_left_alone(8));
  CHECK(is_left_alone(20, 3599s));
  CHECK(of.list(now).at(0).accounts == 32);
  CHECK(told.empty());
  REQUIRE(doubts.size() == 30);
  CHECK(doubts[0].source == &one_source);
  CHECK(doubts[0].op == op);
  CHECK(doubts[0].place == suspension_place(one_source, at));
  // What the engine has seen holds for all.
  see(0, captcha());
  CHECK(is_left_alone(8, 3599s));
  CHECK(of.list(now).size() == 1);
  CHECK(told.size() == 1);
  of.succeeded(one_source, op, at, 8);
  CHECK_FALSE(is_left_alone(8));
  CHECK(told.size() == 2);
}

TEST_CASE("a limit that one account meets is all others' where the engine or another meets it") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  std::vector<suspension_news> told;
  of.on_change([&](const suspension_news& news) { told.push_back(news); });
  const std::chrono::steady_clock::time_point now{1h};
  const auto op = operation::microblog_search;
  const std::string at = "https://one.example/";
  const auto is_left_alone = [&](base::owner_id who, std::chrono::seconds later = 0s) {
    return of.refusal(one_source, op, at, {now + later, who}).has_value();
  };
  const auto see = [&](base::owner_id who, const http::response& answer) {
    const auto read = read_one({search(), {}, answer, "", ""});
    of.failed(one_source, search(), at, read.error(), &answer, {now, who});
  };
  const auto limited = status(429, "", {{"Retry-After", "3000"}});
  int doubts = 0;
  bool is_found_out = true;
  const auto be_asked = [&](const source_doubt&) {
    ++doubts;
    return is_found_out;
  };
  of.on_doubt(be_asked);
  // One is enough to ask, and several decide nothing while the engine finds out.
  see(7, limited);
  CHECK(doubts == 1);
  see(8, limited);
  CHECK(doubts == 2);
  CHECK(is_left_alone(7, 2999s));
  CHECK_FALSE(is_left_alone(9));
  CHECK(told.empty());
  // It has been answered: what they ask is limited, not we.
  of.succeeded(one_source, op, at);
  is_found_out = false;
  see(10, limited);
  CHECK_FALSE(is_left_alone(9));
  // Where it cannot ask, a second account's limit is everybody's, for the table's time at most.
  see(11, limited);
  CHECK(is_left_alone(9, 179s));
  CHECK_FALSE(is_left_alone(9, 180s));
  CHECK(is_left_alone(11, 2999s));
  REQUIRE(told.size() == 1);
  CHECK(told[0].left == 180s);
  // Whom it answers ends that for all; what it says to the engine is meant for all, as it says.
  of.succeeded(one_source, op, at, 9);
  CHECK_FALSE(is_left_alone(9));
  see(0, limited);
  CHECK(is_left_alone(9, 2999s));
}

TEST_CASE("a limit and a failure are not two accounts' limits") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  const std::chrono::steady_clock::time_point now{1h};
  const std::string at = "https://one.example/";
  const auto see = [&](base::owner_id who, int code, bool is_sources = true) {
    const auto answer = status(code);
    const auto read = read_one({search(), {}, answer, "", ""});
    of.failed(one_source, search(), at, read.error(), &answer, {now, who, is_sources});
  };
  const auto is_left_alone = [&] {
    return of.refusal(one_source, operation::microblog_search, at, {now, 9}).has_value();
  };
  see(7, 500);
  see(8, 429);
  CHECK_FALSE(is_left_alone());
  // Nor is what a host says to which calls have led.
  see(10, 429, false);
  CHECK_FALSE(is_left_alone());
  of.succeeded(one_source, operation::microblog_search, at);
  see(12, 429, false);
  see(13, 429);
  CHECK_FALSE(is_left_alone());
  see(11, 429);
  CHECK(is_left_alone());
}

TEST_CASE("a source whose host is not there is left alone by all at once") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  const std::chrono::steady_clock::time_point now{1h};
  const std::string at = "https://one.example/";
  of.unreached(one_source, at, now);
  const auto refused = of.refusal(one_source, operation::microblog_search, at, {now, 9});
  REQUIRE(refused.has_value());
  CHECK(refused->retry_after == 5s);
  REQUIRE(of.list(now).size() == 1);
  CHECK(of.list(now)[0].accounts == 0);
  of.succeeded(one_source, operation::microblog_search, at, 8);
  CHECK(of.list(now).empty());
}

TEST_CASE("what was kept of a source says nothing of it") {
  rig on;
  on.in.suspended->ask_for_accounts([] { return true; });
  const auto ask = [&](base::owner_id who, http::response answer) {
    on.network->answers["https://one.example"] = [answer] { return answer; };
    static_cast<void>(on.call(operation::microblog_search, who));
  };
  const auto kept = [](http::response answer) {
    answer.cache = http::cache_state::hit;
    return answer;
  };
  const auto list = [&] { return on.in.suspended->list(on.clock.steady()); };
  ask(7, kept(captcha()));
  ask(8, kept(captcha()));
  CHECK(list().empty());
  // Others read on what was kept before it failed for one, and refute nothing by that.
  int doubts = 0;
  on.in.suspended->on_doubt([&](const source_doubt&) {
    ++doubts;
    return true;
  });
  ask(7, status(500));
  ask(8, kept(status(200, "a")));
  ask(9, status(500));
  CHECK(doubts == 1);
  REQUIRE(list().size() == 1);
  CHECK(list()[0].accounts == 2);
}

TEST_CASE("the operator sees what is suspended for some accounts alone") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  const std::chrono::steady_clock::time_point now{1h};
  const auto blocked = captcha();
  const error why(errc::source_blocked);
  of.failed(one_source, search(), "https://one.example/", why, &blocked, {now, 7});
  for (int host = 0; host < 100; ++host)
    of.failed(one_source, search(), "https://h" + std::to_string(host) + ".example/", why, &blocked,
              {now, 7, false});
  REQUIRE(of.list(now).size() == 1);
  CHECK(of.list(now)[0].accounts == 1);
  CHECK(of.list(now)[0].left == 3600s);
  of.failed(one_source, search(), "https://one.example/", why, &blocked, {now, 8});
  REQUIRE(of.list(now).size() == 1);
  CHECK(of.list(now)[0].accounts == 2);
  of.failed(one_source, search(), "https://one.example/", why, &blocked, now);
  REQUIRE(of.list(now).size() == 1);
  CHECK(of.list(now)[0].accounts == 0);
}

TEST_CASE("what an account has had suspended for itself takes no room from what holds for all",
          "[alone]") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  const std::chrono::steady_clock::time_point now{1h};
  const auto blocked = captcha();
  const auto see = [&](base::owner_id who, int host) {
    of.failed(one_source, search(), "https://h" + std::to_string(host) + ".example/",
              error(errc::source_blocked), &blocked, {now, who});
  };
  const auto is_left_alone = [&](base::owner_id who, int host) {
    const auto at = "https://h" + std::to_string(host) + ".example/";
    return of.refusal(one_source, operation::microblog_search, at, {now, who}).has_value();
  };
  for (int host = 0; host < 1'000; ++host) see(7, host);
  const auto held = [&] {
    int count = 0;
    for (int host = 0; host < 1'000; ++host) count += is_left_alone(7, host) ? 1 : 0;
    return count;
  };
  CHECK(held() == 256);
  for (int who = 8; who < 40; ++who) {
    for (int host = 0; host < 256; ++host) see(who, who * 1'000 + host);
  }
  see(0, 5);
  CHECK(is_left_alone(100, 5));
}

TEST_CASE("what an instance that a caller has named says of its rate is that caller's alone") {
  suspensions of;
  of.ask_for_accounts([] { return true; });
  const std::chrono::steady_clock::time_point now{1h};
  const auto limited = status(429);
  error why(errc::source_unavailable);
  why.retry_after = 24h;
  const auto at = [](int host) { return "https://h" + std::to_string(host) + ".example/"; };
  for (int host = 0; host < 5'000; ++host)
    of.failed(one_source, search(), at(host), why, &limited, {now, 7, false});
  CHECK(of.list(now).empty());
  of.failed(one_source, search(), "https://one.example/", why, &limited, {now, 8});
  CHECK(of.list(now).size() == 1);
}

TEST_CASE("a suspended source is not asked, says so, and is asked again when its time is over") {
  rig of;
  of.network->answers["https://one.example"] = [] { return captcha(); };
  auto got = of.call();
  REQUIRE(got);
  CHECK(got->partial);
  CHECK(got->items.size() == 1);
  REQUIRE(got->sources.size() == 2);
  CHECK(got->sources[0].code == "source_blocked");
  CHECK_FALSE(got->sources[0].retry_after_s.has_value());  // the source named no time

  of.clock.advance(600s);
  got = of.call();
  REQUIRE(got);
  CHECK(of.asked("https://one.example") == 1);
  CHECK(of.asked("https://other.example") == 2);
  CHECK(got->sources[0].status == "error");
  CHECK(got->sources[0].code == "source_blocked");
  CHECK(got->sources[0].retry_after_s == 3000);
  REQUIRE(got->warnings.size() == 1);
  CHECK(got->warnings[0].find("suspended after a captcha") != std::string::npos);

  of.clock.advance(3000s);
  of.network->answers["https://one.example"] = [] { return status(200, "a"); };
  got = of.call();
  REQUIRE(got);
  CHECK(of.asked("https://one.example") == 2);
  CHECK_FALSE(got->partial);
  CHECK(got->items.size() == 2);
  CHECK(of.in.suspended->list(of.clock.steady()).empty());
}

TEST_CASE("when all are suspended the call fails with the soonest time and asks nobody") {
  rig of;
  of.network->answers["https://one.example"] = [] { return captcha(); };
  of.network->answers["https://other.example"] = [] { return status(429); };
  CHECK_FALSE(of.call().has_value());
  const auto got = of.call();
  REQUIRE_FALSE(got.has_value());
  CHECK(got.error().code() == errc::source_blocked);
  CHECK(got.error().retry_after == 180s);
  CHECK(of.asked("https://one.example") == 1);
  CHECK(of.asked("https://other.example") == 1);
}

TEST_CASE("an environment without suspensions, the sandbox, asks every time") {
  rig of;
  of.in.suspended.reset();
  of.network->answers["https://one.example"] = [] { return captcha(); };
  REQUIRE(of.call().has_value());
  REQUIRE(of.call().has_value());
  CHECK(of.asked("https://one.example") == 2);
}

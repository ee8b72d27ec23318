// What the engine asks by itself where accounts have trouble with a source, and whom that concerns.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <engine/checkup/neutral_questions.hpp>
#include <engine/checkup/source_probes.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/gather/made_up_source.hpp>
#include <sources/read_answer.hpp>
#include <support/eventually.hpp>
#include <support/manual_clock.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;
using catalog::operation;
using freshet::test::eventually;

namespace {

/// Keeps what it is asked by the engine until a test answers it; of who asks for an attacker it
/// knows what to do.
class asked_transport final : public http::transport {
 public:
  std::uint64_t submit(http::request&& wanted, deadline, handler done) override {
    if (wanted.owner != 0) {
      done(answer_of_callers);
      return 0;
    }
    const std::lock_guard lock(mutex_);
    open_.emplace_back(++last_, std::move(done));
    urls_.push_back(wanted.url);
    return last_;
  }
  void cancel(std::uint64_t ticket) override {
    handler done;
    {
      const std::lock_guard lock(mutex_);
      const auto found =
          std::ranges::find(open_, ticket, &std::pair<std::uint64_t, handler>::first);
      if (found == open_.end()) return;
      done = std::move(found->second);
      open_.erase(found);
    }
    done(error(errc::cancelled));
  }
  void answer(result<http::response> what) {
    REQUIRE(eventually([&] { return count_open() > 0; }));
    handler done;
    {
      const std::lock_guard lock(mutex_);
      done = std::move(open_.front().second);
      open_.erase(open_.begin());
    }
    done(std::move(what));
  }
  std::size_t count_open() {
    const std::lock_guard lock(mutex_);
    return open_.size();
  }
  std::vector<std::string> urls() {
    const std::lock_guard lock(mutex_);
    return urls_;
  }
  result<http::response> answer_of_callers = error(errc::internal);

 private:
  std::mutex mutex_;
  std::uint64_t last_ = 0;
  std::vector<std::pair<std::uint64_t, handler>> open_;
  std::vector<std::string> urls_;
};

result<http::request> plan_words(const sources::call& asked, const sources::settings& where,
                                 std::string_view) {
  http::request made;
  made.url = where.base_url + "/search?q=" + asked.q.raw;
  return made;
}

result<sources::step> read_words(const sources::exchange& exchange) {
  if (auto failed = sources::check_status(exchange.answer)) return std::move(*failed);
  if (exchange.answer.body == "further" && exchange.state.empty()) {
    http::request more;
    more.url = exchange.settings.base_url + "/more";
    return sources::step(sources::follow{std::move(more), "more"});
  }
  return sources::step(sources::listing{});
}

constexpr sources::capability with_words[] = {
    {operation::microblog_users_posts, sources::native_none, plan_words, read_words},
    {operation::microblog_search, sources::native_none, plan_words, read_words}};
constexpr sources::capability without_words[] = {
    {operation::microblog_users_posts, sources::native_none, plan_words, read_words}};

constexpr auto probed_source = test::made_up_source("one", "microblog", with_words);
constexpr auto mute_source = test::made_up_source("mute", "microblog", without_words);
constexpr auto spread_source = test::made_up_source("spread", "microblog", with_words, "instances");

http::response with_status(int code, std::string body = {}) {
  http::response out;
  out.status = code;
  out.body = std::move(body);
  return out;
}

struct probe_rig {
  test::manual_clock clock;
  environment in;
  asked_transport* network = nullptr;
  std::optional<workers> pool;
  std::optional<source_probes> probes;

  explicit probe_rig(const sources::descriptor& source = probed_source, std::int64_t a_day = 0) {
    auto made = std::make_unique<asked_transport>();
    network = made.get();
    in.transport = std::move(made);
    in.clock = &clock;
    in.suspended = std::make_unique<suspensions>();
    in.suspended->ask_for_accounts([] { return true; });
    in.sources.push_back({&source, true, {}, {{"https://one.example", {}}}, a_day});
    pool.emplace(2);
    probes.emplace(in, *pool);
  }

  /// A call of an account fails.
  void fail(base::owner_id who, int code = 500, const std::string& url = "https://one.example/x") {
    sources::call asked;
    asked.op = operation::microblog_search;
    const auto answer = with_status(code);
    const auto why = sources::check_status(answer);
    REQUIRE(why);
    in.suspended->failed(*in.sources[0].of, asked, url, *why, &answer, {clock.steady(), who});
  }
  [[nodiscard]] bool is_left_alone(base::owner_id who) const {
    return in.suspended
        ->refusal(*in.sources[0].of, operation::microblog_search, "https://one.example/y",
                  {clock.steady(), who})
        .has_value();
  }
  /// Has two accounts fail, and says whether that made the engine ask; nothing is under way before.
  bool is_asked_after_two() {
    const auto before = network->urls().size();
    fail(7);
    fail(8);
    drain();
    return network->urls().size() > before;
  }
  /// Until what was posted before has run: on every thread, for each takes one.
  void drain() const {
    std::mutex mutex;
    std::condition_variable change;
    int here = 0;
    for (int i = 0; i < 2; ++i) {
      const_cast<workers&>(*pool).post([&] {
        std::unique_lock lock(mutex);
        ++here;
        change.notify_all();
        change.wait(lock, [&] { return here >= 2; });
        ++here;
        change.notify_all();
      });
    }
    std::unique_lock lock(mutex);
    change.wait(lock, [&] { return here == 4; });
  }
  void answer(result<http::response> what) {
    network->answer(std::move(what));
    drain();
  }
};

}  // namespace

TEST_CASE("two accounts whose queries fail stop a source for nobody else") {
  probe_rig of;
  const int code = GENERATE(500, 403);
  of.fail(7, code);
  CHECK(of.network->urls().empty());
  of.fail(8, code);
  // The engine asks something that nobody has chosen, and the source answers it.
  CHECK_FALSE(of.is_left_alone(9));
  of.answer(with_status(200));
  CHECK_FALSE(of.is_left_alone(9));
  CHECK(of.is_left_alone(7));
  CHECK(of.is_left_alone(8));
  REQUIRE(of.network->urls().size() == 1);
  CHECK(of.network->urls()[0] == "https://one.example/search?q=climate");
}

TEST_CASE("a source that refuses the engine, too, is left alone by all, as long as it said to it") {
  probe_rig of;
  of.fail(7, 403);
  of.fail(8, 403);
  of.answer(with_status(500));
  CHECK(of.is_left_alone(9));
  CHECK(of.in.suspended->list(of.clock.steady()).at(0).accounts == 0);
  of.clock.advance(6s);
  CHECK_FALSE(of.is_left_alone(9));
  CHECK(of.is_left_alone(7));
  // It is asked again when others have trouble, for it was not well.
  CHECK(of.is_asked_after_two());
  of.answer(error(errc::source_timeout));
  CHECK(of.is_left_alone(9));
}

TEST_CASE("a query that a source answers with a limit keeps nobody else from it") {
  probe_rig of;
  of.fail(7, 429);
  CHECK_FALSE(of.is_left_alone(9));
  of.answer(with_status(200));
  // Nor do two who take turns, for the engine has been answered.
  for (int i = 0; i < 10; ++i) {
    of.clock.advance(2s);
    of.fail(10 + i, 429);
    of.fail(30 + i, 429);
    CHECK_FALSE(of.is_left_alone(9));
  }
  of.drain();
  CHECK(of.network->urls().size() == 1);
  CHECK(of.is_left_alone(7));
}

TEST_CASE("a source that limits the engine, too, is left alone by all as long as it says") {
  probe_rig of;
  of.fail(7, 429);
  auto limited = with_status(429);
  limited.headers.push_back({"Retry-After", "3000"});
  of.answer(limited);
  of.clock.advance(2999s);
  CHECK(of.is_left_alone(9));
  of.clock.advance(1s);
  CHECK_FALSE(of.is_left_alone(9));
}

TEST_CASE("of a source that the engine may not ask now two accounts' limits hold for all") {
  probe_rig of(probed_source, 40);  // a question a day
  CHECK(of.is_asked_after_two());
  of.answer(with_status(200));
  of.clock.advance(60s);  // what it has answered says nothing of now
  of.fail(8, 429);
  CHECK_FALSE(of.is_left_alone(9));
  of.fail(7, 429);
  of.drain();
  CHECK(of.network->urls().size() == 1);
  CHECK(of.is_left_alone(9));
}

TEST_CASE("a question is one at a time, and seldom where it was answered in vain", "[alone]") {
  probe_rig of;
  of.fail(7);
  for (base::owner_id who = 8; who < 100; ++who) of.fail(who);
  of.drain();
  CHECK(of.network->urls().size() == 1);
  of.answer(with_status(200));
  // For a day two accounts fail every five seconds.
  int asked = 0;
  for (int i = 0; i < 86'400 / 5; ++i) {
    of.clock.advance(5s);
    if (!of.is_asked_after_two()) continue;
    of.answer(with_status(200));
    ++asked;
  }
  CHECK(asked > 90);
  CHECK(asked < 100);
}

TEST_CASE("of a day's requests a fortieth is the engine's questions at most") {
  probe_rig of(probed_source, 400);
  int asked = 0;
  for (int i = 0; i < 86'400 / 60; ++i) {
    of.clock.advance(60s);
    if (!of.is_asked_after_two()) continue;
    of.answer(with_status(500));
    ++asked;
  }
  CHECK(asked >= 9);
  CHECK(asked <= 10);
}

TEST_CASE("what is ours says nothing of a source") {
  probe_rig of;
  error paced(errc::source_timeout, "the deadline came while waiting");
  paced.retry_after = 1s;
  const auto nothing = std::array{paced, error(errc::overloaded), error(errc::cancelled)}.at(
      static_cast<std::size_t>(GENERATE(0, 1, 2)));
  of.fail(7);
  of.fail(8);
  of.answer(nothing);
  CHECK_FALSE(of.is_left_alone(9));
  of.clock.advance(31s);
  CHECK(of.is_asked_after_two());
}

TEST_CASE("a question is followed to its end") {
  probe_rig of;
  of.fail(7);
  of.fail(8);
  of.answer(with_status(200, "further"));
  REQUIRE(of.network->urls().size() == 2);
  CHECK(of.network->urls()[1] == "https://one.example/more");
  of.answer(with_status(500));
  CHECK(of.is_left_alone(9));
}

TEST_CASE("a source that can be asked nothing neutral is left alone by those alone who failed") {
  probe_rig of(mute_source);
  for (base::owner_id who = 7; who < 20; ++who) of.fail(who, 500);
  of.drain();
  CHECK(of.network->urls().empty());
  CHECK_FALSE(of.is_left_alone(20));
  CHECK(of.is_left_alone(19));
}

TEST_CASE("of instances only the operator's are asked, never one that a caller has named") {
  probe_rig of(spread_source);
  of.fail(7, 500, "https://callers.example/x");
  of.fail(8, 500, "https://callers.example/x");
  of.drain();
  CHECK(of.network->urls().empty());
  CHECK(of.is_asked_after_two());
}

TEST_CASE("who ends waits for no source", "[alone]") {
  probe_rig of;
  of.fail(7);
  of.fail(8);
  REQUIRE(eventually([&] { return of.network->count_open() == 1; }));
  of.probes.reset();
  CHECK(of.network->count_open() == 0);
  of.fail(9);
  of.drain();
  CHECK(of.network->urls().size() == 1);
}

TEST_CASE("most sources can be asked something that no caller has chosen") {
  std::vector<std::string_view> mute;
  for (const auto* source : sources::all_sources()) {
    const auto can_be = [](const sources::capability& how) {
      return !neutral_questions(how.op, {}).empty();
    };
    if (!std::ranges::any_of(source->capabilities, can_be)) mute.push_back(source->name);
  }
  CHECK(mute == std::vector<std::string_view>{"web"});
}

// Requests of a day: counted over restarts, by name and path, until the day ends where it ends.
#include <algorithm>
#include <base/time_text.hpp>
#include <base/whole_file.hpp>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <http/politeness.hpp>
#include <support/eventually.hpp>
#include <support/print_result.hpp>
#include <support/temporary_folder.hpp>

#include "virtual_scheduler.hpp"
#include "waiting.hpp"

using namespace freshet;
using namespace freshet::http;
using namespace freshet::test;
using namespace std::chrono_literals;

namespace {

time_point at(std::string_view text) { return *base::parse_time(text); }

constexpr const char* where = "https://api.example/search?q=x";

int take_all(quota_counter& counter, const std::vector<daily_limit>& limits, time_point now) {
  int taken = 0;
  while (taken < 1'000'000 && !counter.take(limits, {where}, now)) ++taken;
  return taken;
}

}  // namespace

TEST_CASE("a day is as long as it is where it is counted") {
  const auto left = [](std::string_view now, day_start starts) {
    return std::chrono::duration_cast<std::chrono::minutes>(day_of(at(now), starts).next - at(now))
        .count();
  };
  CHECK(left("2026-11-21T00:00:00Z", day_start::utc_midnight) == 24 * 60);
  CHECK(left("2026-11-21T23:59:00Z", day_start::utc_midnight) == 1);
  const auto pacific = day_start::pacific_midnight;
  CHECK(left("2026-01-10T07:59:00Z", pacific) == 1);  // winter: midnight is 8 o'clock in UTC
  CHECK(left("2026-01-10T08:00:00Z", pacific) == 24 * 60);
  CHECK(left("2026-07-10T06:59:00Z", pacific) == 1);  // summer: 7 o'clock
  // The clocks change on 8 March and 1 November 2026: days of 23 and of 25 hours.
  CHECK(left("2026-03-08T08:00:00Z", pacific) == 23 * 60);
  CHECK(left("2026-03-09T06:59:00Z", pacific) == 1);
  CHECK(left("2026-11-01T07:00:00Z", pacific) == 25 * 60);
  CHECK(left("2026-11-02T07:59:00Z", pacific) == 1);
  CHECK(day_of(at("2026-01-10T07:59:00Z"), pacific).number + 1 ==
        day_of(at("2026-01-10T08:00:00Z"), pacific).number);
}

TEST_CASE("a day's requests end, and begin again at midnight") {
  quota_counter of("");
  const std::vector<daily_limit> limits = {{"newsapi", 100, "", day_start::utc_midnight}};
  const auto noon = at("2026-11-21T12:00:00Z");
  CHECK(take_all(of, limits, noon) == 100);
  CHECK(of.take(limits, {where}, noon) == 12h);
  CHECK(of.used(limits[0], noon) == 100);
  CHECK(take_all(of, limits, at("2026-11-22T00:00:00Z")) == 100);
}

TEST_CASE("limits are counted by name, and by path where they say so") {
  quota_counter of("");
  const auto now = at("2026-11-21T12:00:00Z");
  const std::vector<daily_limit> limits = {{"youtube", 5, "", day_start::utc_midnight},
                                           {"youtube/search", 2, "/search", {}}};
  CHECK(take_all(of, limits, now) == 2);
  int rest = 0;
  while (!of.take(limits, {"https://api.example/videos?id=1"}, now)) ++rest;
  CHECK(rest == 3);
  const std::vector<daily_limit> other = {{"youtube#key", 5, "", {}}};
  CHECK(take_all(of, other, now) == 5);
  CHECK(take_all(of, {}, now) == 1'000'000);
}

TEST_CASE("whoever asks, something of the day is left for who comes next") {
  quota_counter of("");
  const std::vector<daily_limit> limits = {{"newsapi", 100, "", day_start::utc_midnight}};
  const auto noon = at("2026-11-21T12:00:00Z");
  const auto take_as = [&](std::int64_t owner, time_point now) {
    int taken = 0;
    while (!of.take(limits, {where, owner}, now)) ++taken;
    return taken;
  };
  CHECK(take_as(1, noon) == 50);
  CHECK(take_as(2, noon) == 25);
  CHECK(take_as(3, noon) == 13);
  CHECK(take_as(1, noon) == 0);
  CHECK(of.take(limits, {where, 1}, noon) == 12h);
  CHECK(take_as(0, noon) == 12);  // the server's own
  CHECK(take_as(4, noon) == 0);
  CHECK(take_as(1, at("2026-11-22T00:00:00Z")) == 50);
}

TEST_CASE("a restart goes on with what was used") {
  const temporary_folder here;
  const std::vector<daily_limit> limits = {{"stackexchange", 300, "", {}}};
  const auto now = at("2026-11-21T12:00:00Z");
  {
    quota_counter of(here.file("quotas"));
    for (int i = 0; i < 7; ++i) CHECK_FALSE(of.take(limits, {where}, now));
  }
  CHECK(base::read_whole(here.file("quotas")).ends_with(" 7 stackexchange\n"));
  {
    quota_counter again(here.file("quotas"));
    CHECK(again.used(limits[0], now) == 7);
    CHECK(take_all(again, limits, now) == 293);
  }
  quota_counter spent(here.file("quotas"));
  CHECK(take_all(spent, limits, now) == 0);
  CHECK(take_all(spent, limits, now + 24h) == 300);
}

TEST_CASE("what the accounts have had of a day outlives a restart") {
  const temporary_folder here;
  const std::vector<daily_limit> limits = {{"newsapi", 100, "", day_start::utc_midnight}};
  const auto noon = at("2026-11-21T12:00:00Z");
  const auto take_as = [&](quota_counter& of, std::int64_t owner, time_point now) {
    int taken = 0;
    while (!of.take(limits, {where, owner}, now)) ++taken;
    return taken;
  };
  {
    quota_counter of(here.file("quotas"));
    CHECK(take_as(of, 1, noon) == 50);
    CHECK(take_as(of, 2, noon) == 25);
  }
  quota_counter again(here.file("quotas"));
  CHECK(again.used(limits[0], noon) == 75);
  CHECK(take_as(again, 1, noon) == 0);
  CHECK(take_as(again, 2, noon) == 0);
  CHECK(take_as(again, 3, noon) == 13);
  CHECK(take_as(again, 1, noon + 24h) == 50);
}

TEST_CASE("of very many accounts those are kept that have had the most") {
  const temporary_folder here;
  const std::vector<daily_limit> limits = {{"youtube", 100'000, "", day_start::utc_midnight}};
  const auto noon = at("2026-11-21T12:00:00Z");
  {
    quota_counter of(here.file("quotas"));
    for (std::int64_t owner = 1; owner <= 3'000; ++owner) {
      for (int i = 0; i < (owner == 3'000 ? 9 : 1); ++i)
        REQUIRE_FALSE(of.take(limits, {where, owner}, noon));
    }
  }
  const auto text = base::read_whole(here.file("quotas"));
  CHECK(std::ranges::count(text, '\n') == 2 + 1'024);
  CHECK(text.find(" 9 youtube\t3000\n") != std::string::npos);
}

TEST_CASE("a disk is waited for by the first request of a day, and by none after it") {
  const temporary_folder here;
  quota_file of(here.file("quotas"), {});
  const auto first = of.put("one\n");
  CHECK(of.has_written(first, test::patience));
  CHECK(of.read() == "one\n");
  const auto second = of.put("two\n");
  CHECK(second > first);
  CHECK(of.has_written(second, test::patience));
  CHECK_FALSE(of.has_written(second + 1, 1ms));
  quota_file nowhere("/nowhere/at/all", {});
  const auto lost = nowhere.put("x");
  CHECK_FALSE(nowhere.has_written(lost, test::patience));  // at once, once that is known
}

TEST_CASE("a crash never gives requests back, and loses a hundredth of the day at most") {
  const temporary_folder here;
  const auto copy = here.file("quotas") + ".copy";
  const std::vector<daily_limit> limits = {{"big", 10'000, "", {}}};
  const auto now = at("2026-11-21T12:00:00Z");
  quota_counter of(here.file("quotas"));
  for (int used = 1; used <= 250; ++used) {
    REQUIRE_FALSE(of.take(limits, {where}, now));
    std::filesystem::copy_file(here.file("quotas"), copy,
                               std::filesystem::copy_options::overwrite_existing);
    const quota_counter after(copy);
    REQUIRE(after.used(limits[0], now) >= used);
    REQUIRE(after.used(limits[0], now) < used + 100);
  }
}

TEST_CASE("a file that is damaged is begun anew, line by line") {
  const temporary_folder here;
  const auto now = at("2026-11-21T12:00:00Z");
  const auto today = std::to_string(day_of(now, day_start::utc_midnight).number);
  std::ofstream(here.file("quotas")) << "\n \nx y z\n"
                                     << today << " -5 a\n"
                                     << today << " 5 b\n"
                                     << today << " 99999999999999999999 c\n"
                                     << std::string(5000, '1');
  const quota_counter of(here.file("quotas"));
  CHECK(of.used({"a", 9, "", {}}, now) == 0);
  CHECK(of.used({"b", 9, "", {}}, now) == 5);
  CHECK(of.used({"c", 9, "", {}}, now) == 0);
  std::vector<std::string> said;
  quota_counter nowhere("/nowhere/at/all",
                        [&](std::string_view, std::string_view line) { said.emplace_back(line); });
  const std::vector<daily_limit> limits = {{"b", 3, "", {}}};
  CHECK(take_all(nowhere, limits, now) == 3);
  CHECK(said.size() == 1);
}

TEST_CASE("a source whose day is used up is not asked, and says until when") {
  virtual_scheduler loop;
  virtual_clock clock{loop};
  scripted_transport below;
  below.answer = [](const request&) { return result<response>(status(200)); };
  politeness_options options;
  options.clock = &clock;
  options.random = [] { return 0.5; };
  options.paces["newsapi"] = {0ms, 4, 0ms, {{"newsapi", 2, "", day_start::utc_midnight}}};
  politeness layer(below, loop, std::move(options));
  std::vector<result<response>> answers;
  for (int i = 0; i < 4; ++i) {
    auto what = get("http://a.test/" + std::to_string(i));
    what.pace_key = i == 3 ? "" : "newsapi";
    layer.submit(request(what), loop.now() + 60s,
                 [&](result<response> got) { answers.push_back(std::move(got)); });
    loop.advance(1s);
  }
  REQUIRE(answers.size() == 4);
  CHECK(answers[1].has_value());
  REQUIRE_FALSE(answers[2].has_value());
  CHECK(answers[2].error().code() == errc::source_unavailable);
  const auto midnight = day_of(clock.now(), day_start::utc_midnight).next;
  REQUIRE(answers[2].error().retry_after.has_value());
  CHECK(*answers[2].error().retry_after <= midnight - clock.now() + 5s);
  CHECK(*answers[2].error().retry_after > midnight - clock.now() - 5s);
  CHECK(answers[3].has_value());  // another's pace
  CHECK(below.asked.size() == 3);
}

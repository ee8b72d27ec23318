#include <catch2/catch.hpp>
#include <engine/alerts/alert_watch.hpp>

using namespace freshet;
using namespace freshet::detail;
using namespace std::chrono_literals;

namespace {

source_report report(std::string name, std::string status, std::string code = "",
                     std::string instance = "") {
  source_report made;
  made.name = std::move(name);
  made.status = std::move(status);
  made.code = std::move(code);
  made.instance = std::move(instance);
  return made;
}

struct watched {
  alert_watch watch{3600s};
  noted_at now{std::chrono::steady_clock::time_point(1h), time_point(1h)};

  std::string note(std::vector<source_report> sources, std::int64_t account = 1) {
    std::string names;
    for (const auto& one : watch.note(account, sources, now))
      names += one.name + " " + one.code + " since " +
               std::to_string(
                   std::chrono::floor<std::chrono::minutes>(one.since).time_since_epoch() / 1min) +
               "; ";
    return names;
  }
  void pass(std::chrono::minutes time) {
    now.steady += time;
    now.at += time;
  }
};

const auto failed = report("x", "error", "source_blocked");

}  // namespace

TEST_CASE("a source that gave nothing for long is told, and again only after a while") {
  watched in;
  CHECK(in.note({failed}).empty());
  in.pass(30min);
  CHECK(in.note({failed}).empty());
  in.pass(29min);
  CHECK(in.note({failed}).empty());
  in.pass(1min);
  CHECK(in.note({failed, report("bluesky", "ok")}) == "x source_blocked since 60; ");
  CHECK(in.note({failed}).empty());
  in.pass(10min);
  CHECK(in.note({failed}) == "x source_blocked since 60; ");
}

TEST_CASE("an answer ends it, and so does an instance that has one") {
  watched in;
  const auto other = report("x", "error", "source_timeout", "https://two.example");
  const auto answered = report("x", "ok", "", "https://one.example");
  for (int i = 0; i < 10; ++i, in.pass(60min)) {
    CHECK(in.note({other, answered}).empty());
    CHECK(in.note({answered, other}).empty());
  }
  for (int i = 0; i < 10; ++i, in.pass(20min))
    CHECK(in.note({i % 3 == 2 ? answered : failed}).empty());
}

TEST_CASE("one call does not make many, whatever it asks") {
  watched in;
  const auto other = report("x", "error", "source_timeout", "https://two.example");
  CHECK(in.note({failed, other, failed}).empty());
  in.pass(120min);
  CHECK(in.note({failed, other}).empty());
  in.pass(1min);
  CHECK(in.note({failed}) == "x source_blocked since 60; ");
}

TEST_CASE("what is no failure of a source, and what was long ago, says nothing") {
  watched in;
  for (int i = 0; i < 5; ++i, in.pass(60min)) {
    CHECK(in.note({report("x", "not_configured"), report("y", "skipped"),
                   report("z", "error", "invalid_request")})
              .empty());
  }
  for (int i = 0; i < 5; ++i, in.pass(25h)) CHECK(in.note({failed}).empty());
}

TEST_CASE("accounts are watched apart, and so many of them", "[alone]") {
  watched in;
  for (int i = 0; i < 3; ++i, in.pass(40min)) {
    for (std::int64_t account = 1; account <= 5000; ++account) {
      const bool is_told = !in.note({failed}, account).empty();
      CHECK(is_told == (i == 2 && account <= 4096));
    }
  }
}

TEST_CASE("what was looked into a moment ago need not be again") {
  watched in;
  CHECK(in.watch.is_new(1, "key_1", in.now.steady));
  CHECK_FALSE(in.watch.is_new(1, "key_1", in.now.steady + 9min));
  CHECK(in.watch.is_new(2, "key_1", in.now.steady));
  CHECK(in.watch.is_new(1, "key_2", in.now.steady));
  CHECK(in.watch.is_new(1, "key_1", in.now.steady + 10min));
}

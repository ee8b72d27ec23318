#include <catch2/catch.hpp>
#include <freshet/error.hpp>
#include <freshet/result.hpp>
#include <set>

using namespace freshet;

TEST_CASE("Every row of errc.def is found by code and by name") {
  struct {
    errc code;
    int number;
    std::string_view name;
  } const rows[] = {
#define FRESHET_ERRC(number, name, status, retryable, title, help) {errc::name, number, #name},
#include <freshet/errc.def>
#undef FRESHET_ERRC
  };
  std::set<std::string_view> titles;
  for (const auto& row : rows) {
    INFO(row.name);
    CHECK(static_cast<int>(row.code) == row.number);
    const errc_info& info = describe(row.code);
    CHECK(info.code == row.code);
    CHECK(info.name == row.name);
    CHECK(find_errc(row.name) == &info);
    CHECK(info.http_status >= 400);
    CHECK(info.http_status < 600);
    CHECK_FALSE(info.title.empty());
    CHECK(info.help.ends_with('.'));
    titles.insert(info.title);
  }
  CHECK(titles.size() == std::size(rows));
}

TEST_CASE("The pinned numbers stay") {
  // Some of each group; a number that moves breaks programs that are already built.
  CHECK(static_cast<int>(errc::invalid_json) == 1);
  CHECK(static_cast<int>(errc::invalid_request) == 2);
  CHECK(static_cast<int>(errc::missing_api_key) == 10);
  CHECK(static_cast<int>(errc::insufficient_credits) == 20);
  CHECK(static_cast<int>(errc::target_forbidden) == 31);
  CHECK(static_cast<int>(errc::not_found) == 41);
  CHECK(static_cast<int>(errc::rate_limited) == 70);
  CHECK(static_cast<int>(errc::internal) == 80);
  CHECK(static_cast<int>(errc::source_timeout) == 96);
}

TEST_CASE("Statuses of the contract") {
  CHECK(describe(errc::invalid_cursor).http_status == 400);
  CHECK(describe(errc::revoked_api_key).http_status == 401);
  CHECK(describe(errc::key_budget_exceeded).http_status == 402);
  CHECK(describe(errc::robots_disallowed).http_status == 403);
  CHECK(describe(errc::unsupported_content).http_status == 422);
  CHECK(describe(errc::source_blocked).http_status == 502);
  CHECK(describe(errc::overloaded).retryable);
  CHECK_FALSE(describe(errc::invalid_request).retryable);
}

TEST_CASE("An unknown number is internal, an unknown name nothing") {
  CHECK(describe(static_cast<errc>(9999)).code == errc::internal);
  CHECK(describe(static_cast<errc>(0)).code == errc::internal);
  CHECK(find_errc("no_such_error") == nullptr);
  CHECK(find_errc("") == nullptr);
  CHECK(find_errc("Internal") == nullptr);
}

TEST_CASE("A result is a value or an error, and value() of a failure throws") {
  const result<int> good = 7;
  const result<int> bad = error(errc::not_found, "no such user");
  CHECK(*good == 7);
  CHECK(bad.has_error());
  CHECK(bad.error().code() == errc::not_found);
  CHECK(bad.error().detail() == "no such user");
  CHECK_THROWS_AS(bad.value(), std::logic_error);
}

// The dialects of rate limit headers, as sources send them.
#include <base/time_text.hpp>
#include <catch2/catch.hpp>
#include <http/rate_headers.hpp>
#include <support/print_result.hpp>

using namespace freshet;
using namespace freshet::http;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

const time_point now = base::parse_time("2026-11-01T12:00:00Z").value();  // 1793534400

std::optional<milliseconds> quota(headers in) { return quota_wait(in, now); }

}  // namespace

TEST_CASE("Retry-After is seconds or a date, bounded") {
  const auto wait = [](const char* value) { return retry_after({{"retry-after", value}}, now); };
  CHECK(wait("7") == seconds(7));
  CHECK(wait(" 0 ") == seconds(0));
  CHECK(wait("1.5") == milliseconds(1500));
  CHECK(wait("-5") == seconds(0));
  CHECK(wait("Sun, 01 Nov 2026 12:00:30 GMT") == seconds(30));
  CHECK(wait("Sun, 01 Nov 2026 11:00:00 GMT") == seconds(0));
  CHECK(wait("99999999") == longest_wait);
  CHECK(wait("soon") == std::nullopt);
  CHECK(wait("") == std::nullopt);
  CHECK(wait("1e999") == std::nullopt);
}

TEST_CASE("a used-up quota says when it is filled again") {
  CHECK(quota({{"RateLimit-Remaining", "0"}, {"RateLimit-Reset", "1793534460"}}) == seconds(60));
  CHECK(quota({{"X-RateLimit-Remaining", "0"}, {"X-RateLimit-Reset", "1793534410000"}}) ==
        seconds(10));
  CHECK(quota({{"x-rate-limit-remaining", "0"}, {"x-rate-limit-reset", "1793534405"}}) ==
        seconds(5));
  CHECK(quota({{"x-ratelimit-remaining", "0.0"}, {"x-ratelimit-reset", "42"}}) == seconds(42));
  CHECK(quota({{"X-RateLimit-Remaining", "0"},
               {"X-RateLimit-Reset", "2026-11-01T12:00:20.000000Z"}}) == seconds(20));
  CHECK(quota({{"X-RateLimit-Remaining", "0, 1980"}, {"X-RateLimit-Reset", "1, 1419704"}}) ==
        seconds(1));
  CHECK(quota({{"X-RateLimit-Remaining", "5, 0"}, {"X-RateLimit-Reset", "1, 90"}}) == seconds(90));
  CHECK(quota({{"RateLimit", "\"default\";r=0;t=30"}}) == seconds(30));
  CHECK(quota({{"RateLimit", "\"a\";r=3;t=5, \"day\";r=0;t=600"}}) == seconds(600));
}

TEST_CASE("a quota that is left, or unreadable, says nothing") {
  CHECK_FALSE(quota({}));
  CHECK_FALSE(quota({{"x-ratelimit-remaining", "599.0"}, {"x-ratelimit-reset", "42"}}));
  CHECK_FALSE(quota({{"X-RateLimit-Remaining", "0"}}));
  CHECK_FALSE(quota({{"X-RateLimit-Remaining", "none"}, {"X-RateLimit-Reset", "9"}}));
  CHECK_FALSE(quota({{"RateLimit", "\"default\";r=1;t=30"}}));
  CHECK_FALSE(quota({{"RateLimit-Remaining", "0"}, {"RateLimit-Reset", "tomorrow"}}));
}

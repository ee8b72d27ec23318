#include <base/work.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using base::meter;
using base::stop_token;
using base::work_ended;
using namespace std::chrono_literals;

namespace {

/// The code with which `steps` end, one at a time or by `stride`; null if they may all be done.
std::optional<errc> end_of(meter& counted, std::uint64_t steps, std::uint64_t stride = 1) {
  try {
    for (std::uint64_t i = 0; i < steps; i += stride) counted.spend(stride);
  } catch (const work_ended& ended) {
    return ended.code();
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("a meter lets through what its bound allows, and not a slice more") {
  for (const std::uint64_t bound : {1u, 100u, 16'383u, 16'384u, 16'385u, 1'000'000u}) {
    meter exact(nullptr, bound);
    CHECK(end_of(exact, bound - 1) == std::nullopt);
    CHECK(end_of(exact, 2) == errc::unsupported_content);
  }
}

TEST_CASE("one large step counts as many small ones") {
  meter counted(nullptr, 1'000'000);
  CHECK(end_of(counted, 1, 999'000) == std::nullopt);
  CHECK(end_of(counted, 1, 2'000) == errc::unsupported_content);
  meter huge(nullptr, 1'000'000);
  CHECK(end_of(huge, 1, meter::no_bound) == errc::unsupported_content);
}

TEST_CASE("work ends when nobody wants it, and when it is late") {
  const auto wanted = std::make_shared<stop_token>();
  meter counted(wanted);
  CHECK(end_of(counted, 100'000) == std::nullopt);
  wanted->stop();
  CHECK(end_of(counted, 100'000) == errc::cancelled);
  CHECK(end_of(counted, 100'000) == errc::cancelled);  // and stays ended
  meter late(std::make_shared<stop_token>(std::chrono::steady_clock::now() - 1ms));
  CHECK(end_of(late, 100'000) == errc::source_timeout);
}

TEST_CASE("what has ended does not go on") {
  meter counted(nullptr, 10);
  CHECK(end_of(counted, 20) == errc::unsupported_content);
  CHECK(end_of(counted, 1) == errc::unsupported_content);
}

#include <account/recent_ids.hpp>
#include <catch2/catch.hpp>

using freshet::account::recent_ids;

namespace {

bool always(std::int64_t) { return true; }

}  // namespace

TEST_CASE("of too many the one that was used longest ago goes first") {
  recent_ids ids(2);
  ids.use(1);
  ids.use(2);
  CHECK_FALSE(ids.take_excess(always));
  ids.use(1);
  ids.use(3);
  CHECK(ids.take_excess(always) == 2);
  CHECK_FALSE(ids.take_excess(always));
  CHECK(ids.size() == 2);
}

TEST_CASE("one that may not go stays, and goes when it may") {
  recent_ids ids(2);
  for (std::int64_t id = 1; id <= 4; ++id) ids.use(id);
  const auto but = [](std::int64_t kept) { return [kept](std::int64_t id) { return id != kept; }; };
  CHECK(ids.take_excess(but(1)) == 2);
  CHECK(ids.take_excess(but(1)) == 3);
  CHECK_FALSE(ids.take_excess(but(1)));
  ids.use(5);
  CHECK_FALSE(ids.take_excess([](std::int64_t) { return false; }));
  CHECK(ids.size() == 3);
  CHECK(ids.take_excess(always).has_value());
  CHECK(ids.size() == 2);
}

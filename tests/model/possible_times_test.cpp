// Times that cannot be yet, in every kind of item that has some.
#include <catch2/catch.hpp>
#include <chrono>
#include <model/possible_times.hpp>

using namespace freshet;

namespace {

constexpr time_point now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 29}};
constexpr time_point late{std::chrono::sys_days{std::chrono::year{9999} / 12 / 31}};
constexpr std::chrono::milliseconds moment{1};

template <class Item>
Item timed(Item one) {
  item any = std::move(one);
  model::drop_future_times(any, now);
  return std::get<Item>(any);
}

}  // namespace

TEST_CASE("possible_times: what is of a day to come has no time, what a clock is ahead has") {
  post one;
  one.created_at = now + model::most_ahead;
  one.edited_at = now + model::most_ahead + moment;
  one.fetched_at = late;
  auto got = timed(one);
  CHECK(got.created_at == now + model::most_ahead);
  CHECK(!got.edited_at);
  CHECK(got.fetched_at == late);

  one.created_at = late;
  one.edited_at = now;
  got = timed(one);
  CHECK(!got.created_at);
  CHECK(got.edited_at == now);

  article old;
  old.created_at = time_point();
  CHECK(timed(old).created_at == time_point());
  site_address listed;
  listed.last_modified = late;
  CHECK(!timed(listed).last_modified);
}

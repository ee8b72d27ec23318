// Numbers that cannot be, in every place of an item that has some.
#include <catch2/catch.hpp>
#include <limits>
#include <model/possible_numbers.hpp>

using namespace freshet;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN(),
                 endless = std::numeric_limits<double>::infinity();

template <class Item>
Item possible(Item one) {
  item any = std::move(one);
  model::drop_impossible_numbers(any);
  return std::get<Item>(any);
}

}  // namespace

TEST_CASE("possible_numbers: counts and sizes are not below zero, scores may be") {
  video one;
  one.metrics = {-1, 0, 5, std::numeric_limits<std::int64_t>::min()};
  one.media.push_back({"video", "", "", "", -1, 0, -0.5});
  const auto got = possible(one);
  CHECK(!got.metrics.views);
  CHECK(got.metrics.likes == 0);
  CHECK(got.metrics.comments == 5);
  CHECK(!got.metrics.shares);
  CHECK(!got.media[0].width);
  CHECK(got.media[0].height == 0);
  CHECK(!got.media[0].duration_s);

  comment below;
  below.metrics.score = -7;
  CHECK(possible(below).metrics.score == -7);
  forum_post disliked;
  disliked.metrics = {-7, 0.5, -1, 3};
  CHECK(possible(disliked).metrics.score == -7);
  CHECK(possible(disliked).metrics.upvote_ratio == 0.5);
  CHECK(!possible(disliked).metrics.comments);
  web_result found;
  found.engines = {{"a", -3}, {"b", 1}};
  CHECK(!possible(found).engines[0].rank);
  CHECK(possible(found).engines[1].rank == 1);
}

TEST_CASE("possible_numbers: durations and shares are numbers in their bounds") {
  for (const double wrong : {-1.0, 1e308, endless, -endless, none, 1.1e9}) {
    video one;
    one.duration_s = wrong;
    CHECK(!possible(one).duration_s);
    forum_post liked;
    liked.metrics.upvote_ratio = wrong;
    CHECK(!possible(liked).metrics.upvote_ratio);
  }
  video one;
  one.duration_s = 86'400.25;
  CHECK(possible(one).duration_s == 86'400.25);
  forum_post liked;
  liked.metrics.upvote_ratio = 1.0;
  CHECK(possible(liked).metrics.upvote_ratio == 1.0);
}

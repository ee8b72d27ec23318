// Whose work comes next, without any.
#include <base/place_queue.hpp>
#include <catch2/catch.hpp>

using namespace freshet;

TEST_CASE("an owner of much work does not hold up one of a single piece", "[base]") {
  base::place_queue queue(2);
  for (std::uint64_t ticket = 1; ticket <= 6; ++ticket) queue.push(7, ticket);
  CHECK(queue.next() == 1);
  queue.push(8, 10);
  // One's part of two browsers is one while another waits.
  CHECK(queue.next() == 10);
  queue.done(8, 1);
  CHECK(queue.next() == 2);
}

TEST_CASE("seconds of places are what is shared, not pieces of work", "[base]") {
  base::place_queue queue(1);
  for (std::uint64_t ticket = 1; ticket <= 3; ++ticket) queue.push(7, ticket);
  for (std::uint64_t ticket = 11; ticket <= 30; ++ticket) queue.push(8, ticket);
  REQUIRE(queue.next() == 1);
  queue.done(7, 18);  // it spun until its deadline
  // The other's pages take half a second each: thirty-six of them are as much.
  for (std::uint64_t ticket = 11; ticket <= 30; ++ticket) {
    REQUIRE(queue.next() == ticket);
    queue.done(8, 0.5);
  }
  CHECK(queue.next() == 2);
}

TEST_CASE("who has all places must give one to whom waits for one", "[base]") {
  base::place_queue queue(2);
  for (std::uint64_t ticket = 1; ticket <= 3; ++ticket) queue.push(7, ticket);
  REQUIRE(queue.next() == 1);
  REQUIRE(queue.next() == 2);  // nobody else was there
  CHECK_FALSE(queue.over_share());
  queue.push(8, 10);
  CHECK(queue.over_share() == 7);
  queue.done(7, 3);
  CHECK_FALSE(queue.over_share());
  queue.push(7, 2);  // it begins again later
  CHECK(queue.next() == 10);
  CHECK_FALSE(queue.over_share());
}

TEST_CASE("the engine itself and a single place give way to no one", "[base]") {
  base::place_queue own(2);
  for (std::uint64_t ticket = 1; ticket <= 2; ++ticket) own.push(0, ticket);
  REQUIRE(own.next());
  REQUIRE(own.next());
  own.push(8, 10);
  CHECK_FALSE(own.over_share());
  base::place_queue single(1);
  single.push(7, 1);
  REQUIRE(single.next());
  single.push(8, 2);
  CHECK_FALSE(single.over_share());
}

TEST_CASE("who fills the queue gives the room of what came last to others", "[base]") {
  base::place_queue queue(2);
  for (std::uint64_t ticket = 1; ticket <= 4; ++ticket) queue.push(7, ticket);
  CHECK_FALSE(queue.displaced_by(7));
  CHECK(queue.displaced_by(8) == 4);
  queue.remove(7, 4);
  queue.push(8, 5);
  queue.push(8, 6);
  // Three and two: a third would have as many as it takes from.
  CHECK_FALSE(queue.displaced_by(8));
  CHECK(queue.displaced_by(9) == 3);
  CHECK(queue.size() == 5);
  queue.clear();
  CHECK(queue.empty());
}

TEST_CASE("work that cannot step back leaves a place free for others", "[base]") {
  base::place_queue queue(2);
  for (std::uint64_t ticket = 1; ticket <= 3; ++ticket) queue.push(7, ticket);
  REQUIRE(queue.next_within_share() == 1);
  CHECK_FALSE(queue.next_within_share());
  queue.push(8, 10);
  CHECK(queue.next_within_share() == 10);
  queue.done(7, 2);
  CHECK(queue.next_within_share() == 2);
  // The engine itself has no account whose part there would be.
  base::place_queue own(2);
  for (std::uint64_t ticket = 1; ticket <= 2; ++ticket) own.push(0, ticket);
  CHECK(own.next_within_share() == 1);
  CHECK(own.next_within_share() == 2);
}

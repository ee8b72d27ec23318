// Whose page has a browser next, and what pages that spin cost others.
#include <browser/options.hpp>
#include <browser/page_turns.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace std::chrono_literals;
using browser::page_lane;

namespace {

constexpr browser::page_turns::time start{1h};

}  // namespace

TEST_CASE(
    "who had a page soon comes before those who had none yet, and these before those whose turns "
    "were over") {
  browser::page_turns turns(2);
  turns.note_time(1, 1s, true, start);
  turns.note_time(2, browser::first_turn_time, true, start);
  turns.note_time(4, browser::first_turn_time, false, start);
  turns.note_time(5, browser::turn_time, false, start);
  CHECK(turns.lane_of(1, start) == page_lane::prompt);
  CHECK(turns.lane_of(2, start) == page_lane::steady);
  CHECK(turns.lane_of(3, start) == page_lane::unknown);
  CHECK(turns.lane_of(4, start) == page_lane::again);
  CHECK(turns.lane_of(5, start) == page_lane::slow);
  for (base::owner_id owner = 5; owner > 0; --owner)
    turns.push(turns.lane_of(owner, start), owner, static_cast<std::uint64_t>(owner));
  for (std::uint64_t next = 1; next < 5; ++next) CHECK(turns.next(1, start) == next);
  CHECK(turns.next(0, start) == 5u);
  CHECK(!turns.next(0, start));
}

TEST_CASE("one browser is for slow pages, beside any number of others") {
  browser::page_turns turns(2);
  turns.push(page_lane::slow, 1, 1);
  turns.push(page_lane::slow, 2, 2);
  turns.push(page_lane::prompt, 3, 3);
  CHECK(turns.next(0, start) == 1u);
  CHECK(turns.next(1, start) == 3u);
  CHECK(turns.next(1, start) == 2u);  // nobody else waits
}

TEST_CASE("the last browser is kept from slow pages for some time after a quick one") {
  browser::page_turns turns(2);
  turns.note_time(3, 1s, true, start);
  turns.push(page_lane::slow, 1, 1);
  turns.push(page_lane::slow, 2, 2);
  CHECK(turns.next(0, start) == 1u);
  CHECK(!turns.next(1, start));
  CHECK(turns.next(1, turns.quick_until()) == 2u);

  browser::page_turns of_one(1);
  of_one.note_quick(start);
  of_one.push(page_lane::slow, 1, 1);
  CHECK(of_one.next(0, start) == 1u);
}

TEST_CASE("of those of whom nothing is known who asks for the fewest pages comes first") {
  browser::page_turns turns(3);
  for (const auto where : {page_lane::unknown, page_lane::again}) {
    for (std::uint64_t ticket = 1; ticket <= 8; ++ticket)
      turns.push(where, ticket <= 4 ? 7 : 8, ticket);
    turns.push(where, 9, 9);
    CHECK(turns.next(1, start) == 9u);
    CHECK(turns.next(1, start) == 1u);  // of two the first to come
    CHECK(turns.next(1, start) == 5u);  // who has a browser comes after who has none
    turns.clear();
  }
}

TEST_CASE("of those who are quick who asks for the fewest pages has every other turn") {
  browser::page_turns turns(9);
  for (std::uint64_t ticket = 1; ticket <= 6; ++ticket) turns.push(page_lane::prompt, 7, ticket);
  for (std::uint64_t ticket = 7; ticket <= 8; ++ticket) turns.push(page_lane::steady, 8, ticket);
  turns.push(page_lane::prompt, 9, 9);
  CHECK(turns.next(0, start) == 9u);
  turns.push(page_lane::prompt, 10, 10);
  CHECK(turns.next(0, start) == 1u);  // nobody had a second yet: the account with the least number
  CHECK(turns.next(0, start) == 10u);
  CHECK(turns.next(0, start) == 7u);  // the first had one
}

TEST_CASE("what an account is known for is its last page that was, or that took a turn") {
  browser::page_turns turns(2);
  turns.note_time(1, 1s, false, start);
  CHECK(turns.lane_of(1, start) == page_lane::unknown);  // it says nothing that it was left
  turns.note_time(1, browser::turn_time, true, start);
  turns.note_time(1, 1s, false, start);
  turns.note_time(1, browser::first_turn_time, false, start);
  CHECK(turns.lane_of(1, start) == page_lane::slow);
  turns.note_time(1, 1s, true, start);
  CHECK(turns.lane_of(1, start) == page_lane::again);
  turns.note_time(1, 1s, true, start);
  CHECK(turns.lane_of(1, start) == page_lane::prompt);
  turns.note_time(1, browser::first_turn_time, false, start);
  CHECK(turns.lane_of(1, start) == page_lane::steady);
  turns.note_time(1, browser::turn_time, false, start);
  CHECK(turns.lane_of(1, start + 9min) == page_lane::slow);
  CHECK(turns.lane_of(1, start + 10min) == page_lane::unknown);
}

TEST_CASE("a turn is short of those of whom nothing is known, and where quick ones wait") {
  const browser::page_turns turns(2);
  CHECK(turns.turn_of(page_lane::prompt, true) == browser::first_turn_time);
  CHECK(turns.turn_of(page_lane::prompt, false) == browser::turn_time);
  CHECK(turns.turn_of(page_lane::steady, true) == browser::turn_time);
  CHECK(turns.turn_of(page_lane::unknown, false) == browser::first_turn_time);
  CHECK(turns.turn_of(page_lane::again, true) == browser::turn_time);
}

TEST_CASE("of one browser nobody's turn comes to an end, and nobody waits for ever") {
  browser::page_turns turns(1);
  CHECK(!turns.are_ended());
  turns.note_time(1, browser::turn_time, true, start);
  CHECK(turns.lane_of(1, start) == page_lane::unknown);
}

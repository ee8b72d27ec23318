// Whose page has a browser next, and what pages that spin cost others.
#include <browser/options.hpp>
#include <browser/page_turns.hpp>
#include <catch2/catch.hpp>

using namespace freshet;
using namespace std::chrono_literals;
using browser::page_lane;

TEST_CASE(
    "who had a page within a turn comes before those who had none yet, and these before slow "
    "ones") {
  browser::page_turns turns(2);
  turns.note_time(1, 1s, true);
  turns.note_time(3, browser::turn_time, false);
  CHECK(turns.lane_of(1) == page_lane::prompt);
  CHECK(turns.lane_of(2) == page_lane::unknown);
  CHECK(turns.lane_of(3) == page_lane::slow);
  for (base::owner_id owner = 3; owner > 0; --owner)
    turns.push(turns.lane_of(owner), owner, static_cast<std::uint64_t>(owner));
  CHECK(turns.next(true) == 1u);
  CHECK(turns.next(true) == 2u);
  CHECK(turns.next(true) == 3u);
  CHECK(!turns.next(true));
}

TEST_CASE("one browser is for slow pages, beside any number of others") {
  browser::page_turns turns(2);
  turns.push(page_lane::slow, 1, 1);
  turns.push(page_lane::slow, 2, 2);
  turns.push(page_lane::prompt, 3, 3);
  CHECK(turns.next(false) == 1u);
  CHECK(turns.next(true) == 3u);
  CHECK(turns.next(true) == 2u);  // nobody else waits
}

TEST_CASE("what an account is known for is its last page that was, or that took a turn") {
  browser::page_turns turns(2);
  turns.note_time(1, 1s, false);
  CHECK(turns.lane_of(1) == page_lane::unknown);  // it says nothing that it was left
  turns.note_time(1, browser::turn_time, true);
  turns.note_time(1, 1s, false);
  CHECK(turns.lane_of(1) == page_lane::slow);
  turns.note_time(1, 1s, true);
  CHECK(turns.lane_of(1) == page_lane::prompt);
}

TEST_CASE("of one browser nobody's turn comes to an end, and nobody waits for ever") {
  browser::page_turns turns(1);
  CHECK(!turns.are_ended());
  turns.note_time(1, browser::turn_time, true);
  CHECK(turns.lane_of(1) == page_lane::unknown);
}

// Pages of lists: what is cut, where they go on, and cursors that callers and operators hold today.
#include <base/clock.hpp>
#include <catch2/catch.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/gather/cursor.hpp>

// No directive at file scope: files of tests are compiled together, and one of Asio may follow.
namespace freshet::detail {
namespace {

const cursor_seal seal{"account/ledger\nacc_1", "a secret of thirty-two bytes...."};

std::string number(const int& last) { return std::to_string(last); }

TEST_CASE("what is too many is cut, and the last that is left says where the list goes on") {
  std::vector<int> list{9, 8, 7};
  CHECK_FALSE(cut_list(list, 3, number).has_value());
  CHECK(cut_list(list, 2, number) == "8");
  CHECK(list == std::vector<int>{9, 8});
  std::string text;
  append_list(text, list, [](std::string& out, int one) { out += std::to_string(one); });
  append_list(text, std::vector<int>(), [](std::string&, int) {});
  CHECK(text == "[9,8][]");
}

TEST_CASE("a caller's cursor comes back as it was, and only under its seal") {
  const time_point since{std::chrono::milliseconds(1'700'000'000'000)};
  const auto text = seal_list_cursor({group_cursor, "2026-11-21,feeds", since}, seal);
  const auto read = open_list_cursor(text, group_cursor, seal);
  REQUIRE(read.has_value());
  CHECK(read->after == "2026-11-21,feeds");
  CHECK(read->since == since);
  const auto other = open_list_cursor(text, group_cursor, {"account/ledger\nacc_2", seal.secret});
  REQUIRE_FALSE(other.has_value());
  CHECK(other.error().code() == errc::invalid_cursor);
  const auto start = open_list_cursor("", number_cursor, seal);
  REQUIRE(start.has_value());
  CHECK_FALSE(start->after.has_value());
  CHECK(start->position() == 0);
}

TEST_CASE("a caller's cursor is the state of a search's: those that were given out stay good") {
  cursor_state state;
  state.next["account"] = "42";
  const auto given = write_cursor(state, seal.identity, seal.secret, base::system_clock().now());
  const auto read = open_list_cursor(given, number_cursor, seal);
  REQUIRE(read.has_value());
  CHECK(read->position() == 42);
}

TEST_CASE("an operator's cursor is the bare number") {
  CHECK(read_list_cursor("")->position() == 0);
  CHECK(read_list_cursor("17")->position() == 17);
  for (const auto* const wrong : {"x", "0", "-1", "1x", " 1", "99999999999999999999"}) {
    const auto read = read_list_cursor(wrong);
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().detail() == "cursor: give the next_cursor of the page before");
  }
}

}  // namespace
}  // namespace freshet::detail

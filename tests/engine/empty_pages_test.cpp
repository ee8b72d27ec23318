// What an empty page costs: nothing where it is the first, as any other behind a cursor.
#include <base/json.hpp>
#include <catch2/catch.hpp>

#include "paying_caller.hpp"

using namespace freshet;

TEST_CASE("only the first page is free where it is empty") {
  test::paying_caller caller;
  const auto before = caller.books_now();
  auto page = caller.map_of_nothing(100);
  std::int64_t pages = 0;
  for (std::string cursor;; page = caller.map_of_nothing(100, cursor), ++pages) {
    REQUIRE(page.status == 200);
    const auto read = base::parse_json(page.body).value();
    CHECK(base::array_of(base::member(read, "data")).empty());
    CHECK(page.credits_used == (pages == 0 ? 0 : 1));
    cursor = base::text_of(base::member(read, "page", "next_cursor"));
    if (cursor.empty()) break;
    REQUIRE(pages < 100);
  }
  CHECK(pages > 1);
  const auto after = caller.books_now();
  CHECK(after.balance == before.balance - pages);
  CHECK(after.reserved == 0);
  caller.verify();
}

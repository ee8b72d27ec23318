// Positions as text: what a codec writes it reads back, and what is not wholly a position is
// refused. The forms of each source are tested beside it.
#include <catch2/catch.hpp>
#include <sources/position.hpp>

namespace freshet::sources {
namespace {

struct whole_place {
  int page = 1;
  char kind = 'a';
  std::string name;
  std::optional<int> before;
};

std::optional<char> place_kind_in(std::string_view text) {
  return text == "a" || text == "b" ? std::optional(text.front()) : std::nullopt;
}

constexpr position_codec whole_places{
    "Somewhere",
    ':',
    number_field{&whole_place::page, 1, 9},
    value_field{&whole_place::kind, +[](const char& kind) { return std::string(1, kind); },
                &place_kind_in},
    text_field{&whole_place::name, +[](std::string_view text) { return text != "no"; }},
    last_number_field{&whole_place::before, 0}};

struct flagged_place {
  std::int64_t offset = 0;
  bool any = false;
};

constexpr position_codec flagged_places{
    "Elsewhere", '.', number_field{&flagged_place::offset, std::int64_t{0}, std::int64_t{100}},
    last_word_field{&flagged_place::any, "any"}};

TEST_CASE("a codec reads what it has written") {
  CHECK(whole_places.text({3, 'b', "x", {}}) == "3:b:x");
  CHECK(whole_places.text({3, 'b', "", 7}) == "3:b::7");
  const auto at = whole_places.read("3:b::7");
  REQUIRE(at.has_value());
  CHECK(at->page == 3);
  CHECK(at->kind == 'b');
  CHECK(at->name.empty());
  CHECK(at->before == 7);
  CHECK(whole_places.read("", {5, 'b', "first", {}})->name == "first");
  CHECK(!whole_places.read("3:b:x", {5, 'b', "first", 9})->before);
  CHECK(flagged_places.text({20, true}) == "20.any");
  CHECK(flagged_places.read("20.any")->any);
  CHECK(!flagged_places.read("20", {0, true})->any);
}

TEST_CASE("what is not wholly a position is refused in the source's name") {
  for (const auto* bad : {"0:a:x", "10:a:x", "3:c:x", "3:a:no", "3:a", "3", ":", "3:a:x:", "x:a:x",
                          "3:a:x:-1", "3:a:x:1:2", " 3:a:x", "+3:a:x", "3 :a:x"}) {
    INFO(bad);
    const auto at = whole_places.read(bad);
    REQUIRE(!at);
    CHECK(at.error().code() == errc::invalid_cursor);
    CHECK(at.error().detail() == "the position is not one of Somewhere");
  }
  for (const auto* bad : {"101", "-1", "1.", "1.all", "1.any.any", ".any"}) {
    INFO(bad);
    CHECK(!flagged_places.read(bad));
  }
}

TEST_CASE("pages with a size, and positions of one number or of two names") {
  CHECK(sized_page{3, 20}.text() == "3:20");
  CHECK(read_sized_page("", 500, {9, 100, "X"})->size == 100);
  CHECK(read_sized_page("3:20", 500, {9, 100, "X"})->size == 20);
  for (const auto* bad : {"10:20", "3:101", "3:0", "3", "3:20:1"}) {
    INFO(bad);
    CHECK(!read_sized_page(bad, 20, {9, 100, "X"}));
  }
  constexpr number_codec<int> pages{.source = "X", .first = 1, .least = 2, .most = 9};
  CHECK(*pages.read("") == 1);
  CHECK(*pages.read("9") == 9);
  for (const auto* bad : {"1", "10", "2x", "-2"}) CHECK(!pages.read(bad));
  const auto any = [](std::string_view text) { return !text.empty(); };
  CHECK(token_position{"list", "token"}.text() == "list/token");
  CHECK(read_token_position("list/to/ken", any, any, "X")->token == "to/ken");
  for (const auto* bad : {"", "list", "list/", "/token"}) {
    CHECK(!read_token_position(bad, any, any, "X"));
  }
}

}  // namespace
}  // namespace freshet::sources

// Cutting blocks that are too long.
#include <catch2/catch.hpp>
#include <markdown/blocks/long_blocks.hpp>
#include <string>
#include <vector>

namespace freshet::markdown {

TEST_CASE("a long block is cut behind a line of its own, else behind a character") {
  using starts = std::vector<std::size_t>;
  CHECK(split_long_blocks({0}, "ab\ncd\nef", 6) == starts{0, 6});
  CHECK(split_long_blocks({0}, "ab\ncd\nef", 4) == starts{0, 3, 6});
  CHECK(split_long_blocks({0, 3}, "ab\ncdefghi", 4) == starts{0, 3, 7});
  CHECK(split_long_blocks({0}, "\nabcdefgh", 4) == starts{0, 4, 8});
  CHECK(split_long_blocks({0}, "abc\u00e4\u00e4", 4) == starts{0, 3});
}

TEST_CASE("what is cut into very many pieces is looked through once, not once for each") {
  // Some minutes, were each piece looked for from the beginning.
  const std::string line(2'000'000, 'a');
  CHECK(split_long_blocks({0}, line, 4).size() == line.size() / 4);
}

}  // namespace freshet::markdown

// The table of sources is made from the catalogue and the descriptors.
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <sources/source.hpp>
#include <string>

using namespace freshet;

TEST_CASE("the table of sources has a row of each, in order") {
  const auto made = sources_table();
  std::size_t at = 0;
  for (const auto* one : sources::all_sources()) {
    INFO(one->name);
    const auto row = made.find("| `" + std::string(one->name) + "` |", at);
    REQUIRE(row != std::string::npos);
    at = row;
  }
  CHECK(made.find("| `hackernews` | `search`, `posts/comments`, `posts/lookup`, "
                  "`communities/posts` | all | | since | "
                  "words, phrases, "
                  "exclusions |") != std::string::npos);
}

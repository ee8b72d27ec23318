// The guide's table of sources is the one that is made from the catalogue and the descriptors.
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <iostream>
#include <sources/source.hpp>
#include <support/shared.hpp>

using namespace freshet;

TEST_CASE("the guide to sources has the table of sources as the descriptors make it") {
  const auto made = sources_table();
  const auto guide = test::read_file(test::source_dir() / "server/guides/sources.md");
  REQUIRE(!guide.empty());
  const bool same = guide.find(made) != std::string::npos;
  if (!same) std::cout << "put this into server/guides/sources.md (`freshet sources`):\n" << made;
  CHECK(same);
}

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

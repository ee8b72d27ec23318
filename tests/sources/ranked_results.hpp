// What the tests of the web search engines share: a sandbox's results walked to their end by rank.
#pragma once

#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <sources/source_rig.hpp>
#include <string>
#include <string_view>

namespace freshet::test {

/// How many pages a search has, and how many results, each with the next rank and an id of its own.
struct ranked_walk {
  int pages = 0;
  std::int64_t results = 0;
  bool operator==(const ranked_walk&) const = default;
};

inline ranked_walk walk_ranked(sandbox& box, const sources::descriptor& source, std::string_view q,
                               const sources::settings& settings) {
  constexpr int most_pages = 9;
  ranked_walk walked;
  std::set<std::string> ids;
  std::string position;
  do {
    const auto page =
        box.page(source.capabilities[0], web_calls::search_for(q), settings, position);
    REQUIRE(page.has_value());
    check_page(*page, source.name);
    for (const auto& one : page->items) {
      CHECK(ids.insert(common(one).id).second);
      CHECK(std::get<web_result>(one).rank == ++walked.results);
    }
    position = page->next;
    REQUIRE(++walked.pages < most_pages);
  } while (!position.empty());
  return walked;
}

}  // namespace freshet::test

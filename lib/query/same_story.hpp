// Whether two items tell the same: one page or post, or one story that two sites have told at about
// the same time. It compares two prints at a time; who compares with whom is the engine's.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::query {

/// What of an item says what it tells. Bounded, however long the item is.
struct story_print {
  /// Of its own page and of the one that it is about, as base::same_page_key() has them; sorted.
  std::vector<std::string> pages;
  std::string
      own_page;      ///< the first of them; "" where it is a whole site that it does not stand for
  std::string site;  ///< that tells it
  std::vector<std::uint64_t> title;    ///< runs of words in its title, hashed; sorted
  std::vector<std::uint64_t> text;     ///< of its title and its text
  std::vector<std::uint64_t> numbers;  ///< in its title; of those without one, in its text
  std::optional<time_point> at;
};

[[nodiscard]] story_print print_of(const item& what);

/// Equal addresses make two items the same, unless two of one site point to a page with other
/// numbers, as to a list of changes; else their words do, where numbers do not tell them apart and
/// they are of about the same time: most of the words of two sites, all of one. `steps` grows by
/// the work that it takes.
[[nodiscard]] bool is_same_story(const story_print& one, const story_print& other,
                                 std::uint64_t& steps);

}  // namespace freshet::query

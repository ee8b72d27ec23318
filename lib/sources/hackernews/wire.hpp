// What plan.cpp and read.cpp of this source share: its positions and its ids.
#pragma once

#include <cstdint>
#include <freshet/result.hpp>
#include <optional>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::hackernews {

/// Algolia serves no more hits than this per query; beyond it the window of time is moved.
inline constexpr std::int64_t max_hits_per_query = 1000;

/// Where a search goes on.
struct hit_position {
  std::int64_t page = 0;
  std::int64_t size = 20;
  std::optional<std::int64_t> before;  ///< created_at_i, inclusive

  [[nodiscard]] std::string text() const;
};

/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<hit_position> read_position(std::string_view text, const call& call);

/// The number of the story (or comment) that a call names by id or URL; "" if it is none of ours.
[[nodiscard]] std::string item_number(const call& call);

/// Whether the hits of a call come the newest first, so that a walk goes on in older windows.
[[nodiscard]] bool comes_by_date(const call& call);
/// Whether a page of hits is put in the order of its points: the index orders what matches by how
/// well it does, and by points where that is equal.
[[nodiscard]] bool ranks_by_points(const call& call);

plan_function plan_search, plan_comments, plan_one, plan_community;
read_function read_search, read_comments, read_one, read_community;

}  // namespace freshet::sources::hackernews

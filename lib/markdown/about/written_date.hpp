// Days as people write them on pages, in some fifty languages. base::parse_time() reads what
// machines write. Pure; it knows neither pages nor the clock.
#pragma once

#include <cstddef>
#include <freshet/item.hpp>
#include <optional>
#include <string_view>
#include <vector>

namespace freshet::markdown {

struct written_date {
  time_point day;         ///< its midnight in UTC: such texts seldom name a zone
  std::size_t begin = 0;  ///< where it begins in the text
  std::size_t end = 0;    ///< behind its last number or word
};

/// Whether "3/4/2026" is in March: how America writes, and nobody else.
enum class day_order { day_first, month_first };

/// How the language of a page ("en-US", "" if it says none) writes.
[[nodiscard]] day_order day_order_of(std::string_view lang);

/// The first days in a text that base::fold() has folded, four at most: "5. märz 2026",
/// "march 5th, 2026", "05.03.2026", "2026-03-05", "2026年3月5日". Years are 1990 to 2099.
[[nodiscard]] std::vector<written_date> written_dates(std::string_view folded, day_order order);

/// A moment in a place that has one and nothing else, as machines write it; or the day in it as
/// people do, who write "Mar 5, 2026" there, too.
[[nodiscard]] std::optional<time_point> moment_said(std::string_view text, day_order order);

}  // namespace freshet::markdown

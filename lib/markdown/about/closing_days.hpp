// When a page was published and changed, as a line below the article says it. Between the tree and
// the metadata, for pages that say it nowhere else.
#pragma once

#include <markdown/about/written_date.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>

namespace freshet::markdown {

struct closing_days {
  std::optional<time_point> published;
  std::optional<time_point> edited;
  std::optional<time_point> boxed;  ///< of elements that are named for a day, wherever they stand
};

/// The days below the heading `heading`, which may be html::none, that have a label: "Posted on
/// April 13, 2023"; and the one day of the page's boxes for days. Where there are several of a kind
/// they are those of other pages, and none is taken.
[[nodiscard]] closing_days closing_days_of(const page_tree& tree, html::node_id heading,
                                           day_order order);

}  // namespace freshet::markdown

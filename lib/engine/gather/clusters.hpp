// The items of one page that tell the same: who stands in the page, and who is its member. It knows
// no order and no budget; the gatherer asks it item by item.
#pragma once

#include <freshet/response.hpp>
#include <query/same_story.hpp>
#include <vector>

namespace freshet::detail {

/// So many members a page has at most; what comes beyond stands in the page itself.
inline constexpr std::size_t max_cluster_members = 200;

class page_clusters {
 public:
  /// Takes an item as a member of the first one in the page that tells the same, if there is one.
  [[nodiscard]] bool take(const item& what);
  /// An item that stands in the page.
  void add(const item& what);
  /// The items of the page that have members.
  [[nodiscard]] std::vector<item_cluster> made() const;
  /// The work so far: it grows with the items of a page times those that were taken.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }

 private:
  struct cluster_place {
    query::story_print print;
    item_cluster cluster;
  };
  std::vector<cluster_place> places_;
  std::size_t members_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace freshet::detail

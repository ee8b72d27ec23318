// What a page shows around its heading: who wrote it, and when. Between the tree and the metadata,
// for pages that say it to people alone; it looks no further than the first paragraphs.
#pragma once

#include <markdown/about/written_date.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::markdown {

struct visible_claims {
  std::string byline;              ///< the names behind a word for "by", or ""
  std::string linked;              ///< the text of a link to somebody's page on the site, or ""
  std::string beside_day;          ///< the name that stands alone beside a day, or ""
  std::optional<time_point> day;   ///< of publication
  std::optional<time_point> edit;  ///< the day beside a word for changing
};

/// Looks around the heading `heading`; around the beginning of the body if it is html::none. `host`
/// is that of the page.
[[nodiscard]] visible_claims visible_claims_of(const page_tree& tree, html::node_id heading,
                                               day_order order, std::string_view host);

/// The day right before the text of a post, which is that of no membership.
[[nodiscard]] std::optional<time_point> day_of_post(const page_tree& tree, html::node_id post,
                                                    day_order order);

/// The names that a line below the article introduces with more than "by", which teasers have too;
/// "" if none does so.
[[nodiscard]] std::string closing_byline(const page_tree& tree, html::node_id heading);

/// The names in the first line of an element that is named for an author, or "": "Ada Byron, March
/// 5" in a box with the class "author".
[[nodiscard]] std::string names_in_box(const page_tree& tree, html::node_id id);

}  // namespace freshet::markdown

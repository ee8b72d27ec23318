// The title of a page as people see it, out of what its headings, its <title> and its metadata
// say. Pure: it sees texts, not the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace freshet::markdown {

struct title_evidence {
  std::vector<std::string> headings;  ///< texts of the page's <h1>, in their order
  std::vector<std::string> cores;     ///< of headings that begin or end with an element, the rest
  std::vector<std::string> named;     ///< titles said for machines, the most deliberate first
  std::string title;                  ///< of <title>
  std::vector<std::string> sites;     ///< names of the site
  std::string host;                   ///< of the address; "" if it is not known
  std::string path;
  std::vector<std::string> lower_headings;  ///< of <h2> to <h4>
  bool is_article = false;                  ///< whether the page says that it is one
};

/// Headings and bytes of one that are looked at.
inline constexpr std::size_t max_headings = 8, longest_heading = 300;

/// The heading that the other evidence agrees with; without one the best of what is said, without
/// the site's name. "" where nothing is said.
[[nodiscard]] std::string page_title(const title_evidence& evidence);

}  // namespace freshet::markdown

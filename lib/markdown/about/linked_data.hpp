// What the JSON-LD of a page says of it: a first value for each property, over all objects that
// describe the page. Addresses stay as they are written.
#pragma once

#include <freshet/item.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::markdown {

struct linked_data {
  std::string headline, name, description, publisher, image, lang;
  std::string product;  ///< what it says of the product on the page; HTML or text
  std::string body;     ///< the text of an article or a post
  std::vector<std::pair<std::string, std::string>> authors;  ///< bylines with addresses, or ""
  bool by_organisation = false;  ///< all of the authors are said to be organisations
  std::optional<time_point> published, edited;
  std::optional<time_point> uploaded;  ///< of a video, which may stand in an article of its own day
  std::vector<std::string> keywords;
  std::vector<std::string> types;  ///< of all objects, without their vocabulary
  bool is_article = false;         ///< whether one of these is that of articles
  std::size_t objects = 0;         ///< that were looked at
};

/// Reads one script into what those before it have said. Broken ones say nothing. Spends on `tree`.
void read_linked_data(std::string_view script, const page_tree& tree, linked_data& data);

/// The parts of a list in one text: "sea, tide".
[[nodiscard]] std::vector<std::string_view> parts_of_list(std::string_view text);

}  // namespace freshet::markdown

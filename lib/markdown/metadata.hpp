// What a page says about itself: JSON-LD, OpenGraph, microdata, <meta>, <title>, <html lang>.
#pragma once

#include <base/url.hpp>
#include <freshet/item.hpp>
#include <html/document.hpp>
#include <markdown/tree/tree.hpp>
#include <optional>
#include <string>
#include <vector>

namespace freshet::markdown {

struct metadata {
  std::string title, description, lang, site_name;
  std::vector<author> authors;  ///< each by a name of their own; addresses are absolute
  std::string image_url;        ///< absolute where the base is known
  std::string canonical_url;    ///< absolute, or ""
  std::optional<time_point> published;
  std::optional<time_point> edited;  ///< after its publication, as machines are told
  /// What the choice of content takes as evidence: the title and whether there is a day as the page
  /// says them for machines. The table was fitted to these.
  std::string declared_title;
  bool is_dated = false;
  std::vector<std::string> tags;
  std::vector<std::string> types;  ///< schema.org types of the JSON-LD objects about the page
  std::string kind;                ///< og:type: "article", "product" ...
  std::string generator;           ///< the software that says it made the page
  std::string product;             ///< what JSON-LD says of the product on the page; HTML or text
  std::string body;                ///< the text of the article or post that JSON-LD holds, or ""
  std::string path;                ///< of the page's address; "" if it is not known
  std::string title_place, authors_place, published_place;  ///< as taken_from has them
};

/// `base` is what addresses are relative to.
[[nodiscard]] metadata read_metadata(const page_tree& tree, const std::optional<base::url>& base);

/// Longer ones are no place of a site: every relative address would be as long.
inline constexpr std::size_t max_base_bytes = 8192;
/// What <base href> makes of the page's address; the address itself without one.
[[nodiscard]] std::optional<base::url> base_of(const html::document& page,
                                               std::string_view address);

}  // namespace freshet::markdown

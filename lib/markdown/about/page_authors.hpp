// Who wrote a page, out of what it tells machines and shows to people. Pure: it sees texts, not the
// page.
#pragma once

#include <freshet/item.hpp>
#include <markdown/about/site_name.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::markdown {

/// Bylines as they are written; several people may stand in one.
struct author_evidence {
  using pairs = std::vector<std::pair<std::string, std::string>>;
  pairs linked;  ///< of JSON-LD, with the absolute address of a page about them, or ""
  bool by_organisation = false;  ///< those are said to be organisations
  pairs named;                ///< names of <meta> elements with the author in them, in their order
  pairs labelled;             ///< labels of <meta> elements for cards with what they label
  std::string property;       ///< of microdata
  std::string shown;          ///< behind a word for "by", around the heading
  std::string linked_by_rel;  ///< text of a link that says that it leads to the author
  std::string boxed_name;     ///< in an element that is named for an author's name
  std::string boxed;          ///< in one that is named for an author
  std::string linked_to;      ///< text of a link to somebody's page, around the heading
  std::string beside_day;     ///< alone beside a day, below the heading
  std::string closing;        ///< behind words for "written by", below the article
};

/// Whether a <meta> element of that name, in lower case, holds an author.
[[nodiscard]] bool names_author(std::string_view meta_name) noexcept;

/// Everybody, each by a name of their own. What is told to machines comes first, unless it is no
/// more than the name of the site, of an organisation or of a login, and the page shows a person's;
/// or the byline names others than whom it tells machines.
[[nodiscard]] std::vector<author> page_authors(const author_evidence& evidence,
                                               const site_name& site);

/// Which of those that name somebody names the first of them, as taken_from has it.
[[nodiscard]] std::string authors_place(const author_evidence& said,
                                        const std::vector<author>& people);

}  // namespace freshet::markdown

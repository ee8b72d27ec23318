// What kind of page it is, by what it says about itself. Where it says nothing it is an article
// until its structure shows otherwise, which is decided where content is chosen.
#pragma once

#include <cstdint>
#include <markdown/metadata.hpp>
#include <markdown/tree/tree.hpp>
#include <string_view>

namespace freshet::markdown {

/// Kinds of pages that are told apart because their content is chosen in different ways.
enum class page_type : std::uint8_t {
  article,        ///< prose; also what cannot be told
  documentation,  ///< prose with code, beside a table of contents
  forum,          ///< posts of several people
  product,        ///< one thing for sale
  listing,        ///< many items of one kind, each with a link
  collection,     ///< products or sections of a shop
  service,        ///< what an organisation offers, in many short sections
};

/// "article", "forum" and so on.
[[nodiscard]] std::string_view name_of(page_type type) noexcept;

/// What a page says about its type, each kind of statement by itself: pages contradict themselves.
struct page_signs {
  bool article = false;       ///< structured data or theme of one article
  bool article_path = false;  ///< an address of articles
  bool article_hint = false;  ///< what many themes say of every page of theirs
  bool forum = false;         ///< a thread, in so many words
  bool remarks = false;       ///< remarks that are most of what the page says
  bool product = false;       ///< one product, with a price or a cart
  bool collection = false;    ///< a shelf of a shop
  bool shelf = false;         ///< many prices
  bool listing = false;       ///< an archive, a category, results
  bool documentation =
      false;            ///< made by a generator of documentation, or code at a manual's address
  bool manual = false;  ///< made by a generator that writes nothing beside a manual's text
  bool home = false;    ///< the page at the root of a site
};

/// Reads the statements of a page whose invisible parts are dropped.
[[nodiscard]] page_signs read_signs(const page_tree& tree, const metadata& about);

}  // namespace freshet::markdown

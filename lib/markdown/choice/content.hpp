// Which part of a page is its content. Works on marks only: nothing is moved or copied, so that the
// writer sees the page in its own order.
#pragma once

#include <html/document.hpp>
#include <markdown/about/page_type.hpp>
#include <markdown/metadata.hpp>
#include <markdown/tree/tree.hpp>
#include <vector>

namespace freshet::markdown {

struct content {
  std::vector<html::node_id> roots;     ///< in document order, none inside another
  bool found = true;                    ///< false: nothing stood out, this is the whole page
  page_type type = page_type::article;  ///< what the page was taken for
  double confidence = 0;                ///< the F1 to expect of its words
};

class block_model;
struct choice_report;

/// What a choice is made with, beside the page.
struct choice_means {
  const block_model* model = nullptr;  ///< null: the one that is compiled in
  choice_report* report = nullptr;     ///< gets what was chosen and why
};

/// Chooses the main content of a page whose invisible parts are dropped, and drops what is not
/// content inside it: a heading that repeats the page's title, too.
[[nodiscard]] content choose_content(page_tree& tree, const metadata& about,
                                     const choice_means& means = {});

/// Whether a table holds data rather than a layout.
[[nodiscard]] bool is_data_table(const page_tree& tree, html::node_id table);

}  // namespace freshet::markdown

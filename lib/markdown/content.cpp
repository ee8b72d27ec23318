// The choice of content: what kind of page it is, then the way of choosing that fits the kind.
#include <markdown/article_content.hpp>
#include <markdown/cleaning.hpp>
#include <markdown/content.hpp>

namespace freshet::markdown {

content choose_content(page_tree& tree, std::string_view title) {
  auto chosen = choose_article(tree);
  if (!chosen.found) return chosen;
  drop_repeated_title(tree, chosen.roots, title);
  tree.count();
  return chosen;
}

}  // namespace freshet::markdown

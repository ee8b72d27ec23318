// The choice of content: what the page says of itself, what the choice by signals would keep, and
// then, with both as evidence, the fitted choice block by block.
#include <algorithm>
#include <markdown/choice/article_content.hpp>
#include <markdown/choice/block_choice.hpp>
#include <markdown/choice/cleaning.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/choice/contents_lists.hpp>

namespace freshet::markdown {

namespace {

using html::node_id;

/// Which nodes a choice keeps: a byte a node; those around what is kept are, too.
std::vector<std::uint8_t> nodes_kept(const page_tree& tree, const std::vector<node_id>& roots) {
  std::vector<std::uint8_t> kept(tree.page().size(), 0);
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    tree.spend_on(*root);
    for (auto id = tree.end_of(*root); id-- > *root;) {
      if (tree.is_dropped(id)) continue;
      const bool leaf = tree.is_text(id) ? tree.text_in(id) > 0 : tree.end_of(id) == id + 1;
      if (leaf) kept[id] = 1;
      if (kept[id] != 0 && id != *root) kept[tree.parent_of(id)] = 1;
    }
  }
  return kept;
}

/// What the page is taken for: what is missing in it is sought by that.
page_type type_of(const page_signs& signs) {
  if (signs.forum || signs.remarks) return page_type::forum;
  if (signs.product && !signs.article) return page_type::product;
  if (signs.documentation) return page_type::documentation;
  if (signs.article || signs.article_path) return page_type::article;
  if (signs.collection || signs.shelf) return page_type::collection;
  if (signs.listing) return page_type::listing;
  return page_type::article;
}

}  // namespace

content choose_content(page_tree& tree, const metadata& about, const choice_means& means) {
  const auto signs = read_signs(tree, about);
  drop_contents_lists(tree, about.path);
  if (signs.forum) drop_signatures(tree);
  const auto before = tree.dropped();
  drop_galleries(tree);
  const auto article = choose_article(tree);
  const auto kept = nodes_kept(tree, article.roots);
  tree.set_dropped(before);
  tree.count();
  const auto& model = means.model != nullptr ? *means.model : block_model::built_in();
  auto chosen = choose_blocks(tree, {about, signs, kept, model.odds()}, model, means.report);
  drop_steps(tree, chosen.roots);
  // The title is metadata; whether a truth has it, too, is a matter of taste.
  drop_repeated_title(tree, chosen.roots, about.declared_title);
  tree.count();
  chosen.type = type_of(signs);
  if (means.report != nullptr) {
    means.report->type = name_of(chosen.type);
    means.report->reason = "blocks of the page, by their probabilities";
    means.report->confidence = chosen.confidence;
  }
  return chosen;
}

}  // namespace freshet::markdown

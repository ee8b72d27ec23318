// The choice of content: what kind of page it is, then the way of choosing that fits the kind.
#include <algorithm>
#include <markdown/choice/article_content.hpp>
#include <markdown/choice/cleaning.hpp>
#include <markdown/choice/content.hpp>
#include <markdown/choice/forum_content.hpp>
#include <markdown/choice/product_trimming.hpp>
#include <markdown/choice/region_content.hpp>
#include <markdown/choice/repeated_blocks.hpp>
#include <markdown/choice/repeated_text.hpp>
#include <markdown/tree/signals.hpp>

namespace freshet::markdown {

namespace {

constexpr auto basic = mark::moving | mark::surroundings | mark::controls | mark::overlay;

measure measure_of(const page_tree& tree, const content& chosen) {
  measure all;
  for (const auto root : chosen.roots) all.add(tree.of(root));
  return all;
}

content choose_as(page_tree& tree, page_type type, const kept_nodes& kept = {}) {
  content chosen;
  switch (type) {
    case page_type::article:
      chosen = choose_article(tree);
      break;
    case page_type::forum:
      chosen = choose_posts(tree);
      if (!chosen.found) chosen = choose_region(tree, {basic | mark::poster, false}, {});
      break;
    case page_type::product:
      chosen = choose_region(tree, {basic | mark::opinions | mark::purchase, true}, {});
      trim_product(tree, chosen.roots.front());
      break;
    case page_type::documentation:
    case page_type::listing:
    case page_type::collection:
    case page_type::service:
      chosen = choose_region(tree, {basic | mark::comment, false}, kept);
      break;
  }
  chosen.type = type;
  return chosen;
}

/// What a region has beyond the article that was chosen in it.
struct surplus {
  std::uint32_t text = 0, link_text = 0, links = 0, prose = 0;
};

surplus beyond(const measure& region, const measure& article) {
  const auto rest = [](std::uint32_t whole, std::uint32_t part) {
    return whole > part ? whole - part : 0;
  };
  return {rest(region.text, article.text), rest(region.link_text, article.link_text),
          rest(region.links, article.links), rest(region.prose, article.prose)};
}

/// Whether the article is only a part of what the page has to say. The more a page speaks for
/// being an article, the more it takes.
bool is_more_than_article(const page_signs& signs, const measure& article, const surplus& rest) {
  using namespace signals;
  const auto exceeds = [&](std::uint32_t what, double share) {
    return what > article.text * share;
  };
  const double links = rest.text == 0 ? 0 : static_cast<double>(rest.link_text) / rest.text;
  if (signs.article || signs.article_path) {
    if (article.text < no_article) return rest.text > short_article;
    return exceeds(rest.prose, prose_beyond_article) && links < links_beyond_article;
  }
  if (signs.listing || signs.collection) {
    return exceeds(rest.text, text_beyond_introduction) || article.link_density() > links_in_list;
  }
  // Links beside a short text are a menu, unless they are cards or lead to what is sold.
  const bool has_prose = article.prose * 2 > article.text && article.text >= no_article;
  const bool cards = rest.link_text > rest.links * least_prose;
  const bool no_menu = links < links_beyond_short || !has_prose || signs.shelf || cards;
  if (article.text < short_article && exceeds(rest.text, text_beyond_short) && no_menu) return true;
  if (signs.home) return exceeds(rest.text, text_beyond_introduction);
  if (signs.article_hint) {
    return exceeds(rest.prose, prose_beyond_hint) && links < links_beyond_hint;
  }
  return exceeds(rest.prose, prose_beyond_nothing) && links < links_beyond_nothing;
}

/// The type of a page that is no article.
page_type type_of_region(const page_tree& tree, html::node_id region, const page_signs& signs) {
  const auto repeated = find_repeated_blocks(tree, region);
  const bool repeats = repeated.text > tree.text_in(region) * signals::list_share &&
                       repeated.blocks.size() >= signals::many_blocks &&
                       repeated.with_link * 2 > repeated.blocks.size();
  if (signs.collection || (signs.shelf && repeats)) return page_type::collection;
  if (signs.listing || repeats) return page_type::listing;
  return page_type::service;
}

/// The parts of `root` before `end`, which may stand inside it, in document order.
std::vector<html::node_id> parts_before(const page_tree& tree, html::node_id root,
                                        html::node_id end) {
  if (root >= end) return {};
  if (!tree.contains(root, end)) return {root};
  std::vector<html::node_id> parts;
  tree.spend_on(root);
  for (auto at = end; at != root; at = tree.parent_of(at)) {
    for (auto one = tree.at(at).previous; one != html::none; one = tree.at(one).previous) {
      if (!tree.is_dropped(one) && tree.text_in(one) > 0) parts.push_back(one);
    }
  }
  std::ranges::reverse(parts);
  return parts;
}

/// What the remarks are about stands before them: the article without them, and then the posts.
content choose_occasion(page_tree& tree) {
  auto before = tree.dropped();
  for (const auto body : post_bodies(tree)) tree.drop(body);
  tree.count();
  const auto occasion = choose_as(tree, page_type::article);
  const auto of_article = tree.dropped();
  tree.set_dropped(std::move(before));
  tree.count();
  auto posts = choose_as(tree, page_type::forum);
  if (!occasion.found || !posts.found) return posts;
  const auto of_posts = tree.dropped();
  tree.set_dropped(of_article);
  tree.count();
  std::vector<html::node_id> roots;
  for (const auto root : occasion.roots) {
    const auto parts = parts_before(tree, root, posts.roots.front());
    roots.insert(roots.end(), parts.begin(), parts.end());
  }
  auto marks = of_posts;
  for (const auto root : roots) {
    std::copy(of_article.begin() + root, of_article.begin() + tree.end_of(root),
              marks.begin() + root);
  }
  roots.insert(roots.end(), posts.roots.begin(), posts.roots.end());
  posts.roots = std::move(roots);
  tree.set_dropped(std::move(marks));
  tree.count();
  return posts;
}

content finish(page_tree& tree, content chosen, const metadata& about) {
  if (!chosen.found) return chosen;
  if (chosen.type != page_type::documentation) {
    const bool parts = chosen.type == page_type::product || chosen.type == page_type::service;
    drop_repeated_text(tree, chosen.roots, parts ? repeated::lines : repeated::boxes);
  }
  tree.count();
  drop_repeated_headings(tree, chosen.roots);
  drop_repeated_title(tree, chosen.roots, about.title);
  tree.count();
  return chosen;
}

}  // namespace

content choose_content_as(page_tree& tree, page_type type, const metadata& about) {
  if (type == page_type::article || type == page_type::forum || type == page_type::product) {
    return finish(tree, choose_as(tree, type), about);
  }
  const auto before = tree.dropped();
  const auto article = choose_as(tree, page_type::article);
  const auto kept = nodes_kept(tree, article.roots);
  tree.set_dropped(before);
  tree.count();
  return finish(tree, choose_as(tree, type, kept), about);
}

content choose_content(page_tree& tree, const metadata& about) {
  const auto signs = read_signs(tree, about);
  if (signs.forum) return choose_content_as(tree, page_type::forum, about);
  if (signs.remarks) return finish(tree, choose_occasion(tree), about);
  if (signs.product && !signs.article) return choose_content_as(tree, page_type::product, about);
  drop_galleries(tree);
  const auto before = tree.dropped();
  auto article = choose_as(tree, page_type::article);
  auto article_marks = tree.dropped();
  const auto said = measure_of(tree, article);
  const auto kept =
      said.text < signals::least_content ? kept_nodes() : nodes_kept(tree, article.roots);
  tree.set_dropped(before);
  tree.count();
  auto region = choose_as(tree, page_type::service, kept);
  const auto root = region.roots.front();
  if (signs.documentation) {
    region.type = page_type::documentation;
    return finish(tree, std::move(region), about);
  }
  if (is_more_than_article(signs, said, beyond(tree.of(root), said))) {
    region.type = type_of_region(tree, root, signs);
    return finish(tree, std::move(region), about);
  }
  tree.set_dropped(std::move(article_marks));
  tree.count();
  return finish(tree, std::move(article), about);
}

}  // namespace freshet::markdown

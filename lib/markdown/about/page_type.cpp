// The statements that pages make about their type, from the most explicit source to the least:
// structured data, OpenGraph, the generator, the classes that themes give <body>, the address.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <markdown/about/page_type.hpp>
#include <markdown/about/posts.hpp>
#include <markdown/tree/type_signals.hpp>
#include <string>

namespace freshet::markdown {

namespace {

using html::node_id;

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&list)[N]) {
  return std::ranges::find(list, name) != std::end(list);
}

/// /2024/05/ in an address: blogs and newspapers file articles by date.
bool has_year_in_path(std::string_view path) {
  for (std::size_t at = path.find("/20"); at != std::string_view::npos;
       at = path.find("/20", at + 1)) {
    const auto rest = path.substr(at);
    if (rest.size() > 6 && rest[3] >= '0' && rest[3] <= '9' && rest[4] >= '0' && rest[4] <= '9' &&
        rest[5] == '/') {
      return true;
    }
  }
  return false;
}

/// What the elements say: microdata, prices and carts.
struct element_signs {
  std::size_t products = 0, threads = 0, articles = 0;
  std::size_t prices = 0;
  bool cart = false;
};

element_signs read_elements(const page_tree& tree) {
  element_signs found;
  tree.spend(tree.page().size());
  for (auto id = tree.body(); id < tree.page().size(); ++id) {
    if (!tree.has_attributes(id)) continue;
    const auto names = tree.marks_of(id);
    found.cart |= (names & mark::cart) != 0;
    found.prices += (names & mark::price) != 0;
    const auto type = tree.attribute_of(id, "itemtype");
    if (type.empty()) continue;
    const auto name = type.substr(type.rfind('/') + 1);
    found.products += name == "Product" || name == "IndividualProduct" || name == "ProductGroup";
    found.threads += is_one_of(name, signals::thread_types);
    found.articles += is_one_of(name, signals::article_types);
  }
  return found;
}

std::string theme_of(const page_tree& tree) {
  const auto& page = tree.page();
  auto names = names_of(page, tree.body());
  const auto parent = page.at(tree.body()).parent;
  if (parent != html::none && tree.is_element(parent)) names += names_of(page, parent);
  return names;
}

void read_address(const metadata& about, page_signs& signs) {
  const auto path = base::to_lower_ascii(about.path);
  signs.home = path == "/" || path.empty();
  signs.article_path = has_year_in_path(path) || contains_any(path, signals::article_paths);
  signs.product |= contains_any(path, signals::product_paths);
  signs.collection |= contains_any(path, signals::collection_paths);
  signs.listing |= contains_any(path, signals::listing_paths);
  signs.documentation |= contains_any(path, signals::documentation_paths);
}

}  // namespace

std::string_view name_of(page_type type) noexcept {
  constexpr std::array<std::string_view, 7> names = {
      "article", "documentation", "forum", "product", "listing", "collection", "service"};
  return names[static_cast<std::size_t>(type)];
}

page_signs read_signs(const page_tree& tree, const metadata& about) {
  page_signs signs;
  read_address(about, signs);
  const auto elements = read_elements(tree);
  const auto theme = theme_of(tree);
  bool linked_product = elements.products == 1;
  signs.forum = elements.threads > 0;
  signs.article |= elements.articles == 1 || contains_any(theme, signals::article_themes);
  for (const auto& type : about.types) {
    signs.article |= is_one_of(std::string_view(type), signals::article_types);
    signs.forum |= is_one_of(std::string_view(type), signals::thread_types);
    signs.collection |= type == "CollectionPage" || type == "ItemList" || type == "OfferCatalog";
    linked_product |= type == "Product" || type == "ProductGroup";
  }
  signs.article_hint = about.kind == "article" || about.is_dated;
  const bool said_product = about.kind.starts_with("product") && about.kind != "product.group";
  const bool theme_product = contains_any(theme, signals::product_themes);
  signs.product &= elements.cart || elements.prices > 0;
  signs.product |=
      theme_product || said_product ||
      (linked_product && (elements.cart || (elements.prices > 0 && !signs.article_hint)));
  signs.collection |=
      about.kind == "product.group" || contains_any(theme, signals::collection_themes);
  signs.shelf = elements.prices >= signals::many_prices;
  signs.listing |= contains_any(theme, signals::listing_themes);
  const auto generator = base::to_lower_ascii(about.generator);
  signs.manual = contains_any(generator, signals::manual_generators);
  signs.documentation |= signs.manual || contains_any(generator, signals::documentation_generators);
  signs.forum |= contains_any(generator, signals::forum_generators);
  if (!signs.forum) {
    const bool forum_site = contains_any(
        base::to_lower_ascii(about.canonical_url + about.site_name), signals::forum_addresses);
    const auto bodies = post_bodies(tree);
    std::size_t posts = 0, said = 0, prose_beside = tree.of(tree.body()).prose;
    for (const auto id : bodies) {
      posts += forum_site || (tree.marks_of(id) & mark::post_body) != 0;
      said += tree.text_in(id);
      prose_beside -= std::min<std::size_t>(tree.of(id).prose, prose_beside);
    }
    const auto whole = static_cast<double>(tree.text_in(tree.body()));
    signs.forum = posts >= signals::least_posts;
    signs.remarks = bodies.size() >= signals::many_remarks &&
                    static_cast<double>(said) > whole * signals::share_of_remarks &&
                    prose_beside < (signs.article || signs.article_hint ? signals::prose_of_occasion
                                                                        : signals::prose_of_story);
  }
  return signs;
}

}  // namespace freshet::markdown

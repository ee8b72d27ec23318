// Walks through all pages of a search: the cursor of one page leads to the next. A walk ends by
// itself; the bound is for one's purse, since each page is a call that is paid for.
#include <freshet/engine.hpp>
#include <iostream>

namespace {

constexpr int most_pages = 10;

/// The posts of all pages, or what went wrong; `cost` gets the credits.
freshet::result<std::vector<freshet::forum_post>> all_posts(freshet::client& client,
                                                            freshet::forum_search_parameters query,
                                                            std::int64_t& cost) {
  std::vector<freshet::forum_post> posts;
  for (int page = 0; page < most_pages; ++page) {
    auto got = client.forum().search(query);
    if (!got) return got.error();  // query.list.cursor still says where to go on
    cost += got->meta.credits.used;
    posts.insert(posts.end(), got->data.begin(), got->data.end());
    if (!got->page_state.has_more) break;
    query.list.cursor = got->page_state.next_cursor;
  }
  return posts;
}

}  // namespace

int main() {
  freshet::engine_options options;
  // Recorded answers, no network. Without this line the calls reach the internet.
  if (!options.config.set("network.sandbox", "true")) return 1;
  const auto engine = freshet::engine::open(std::move(options));
  if (!engine) return 1;

  std::int64_t cost = 0;
  const auto posts =
      all_posts(**engine, {.q = "climate", .community = "all", .list = {.limit = 25}}, cost);
  if (!posts) {
    std::cerr << posts.error().detail() << '\n';
    return 1;
  }
  for (const auto& post : *posts) {
    std::cout << post.metrics.score.value_or(0) << "  " << post.title << "  " << post.url << '\n';
  }
  std::cout << posts->size() << " posts for " << cost << " credits\n";
}

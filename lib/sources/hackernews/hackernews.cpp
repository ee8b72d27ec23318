// Hacker News, as Algolia's public search indexes it. The descriptor; plan.cpp makes the requests,
// read.cpp reads the answers.
#include <sources/hackernews/wire.hpp>

namespace freshet::sources::hackernews {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::forum_search, native_since, plan_search, read_search},
    {catalog::operation::forum_posts_comments, native_none, plan_comments, read_comments},
    {catalog::operation::forum_posts_lookup, native_none, plan_one, read_one},
    {catalog::operation::forum_communities_posts, native_since, plan_community, read_community},
};

}  // namespace

const descriptor source{
    .name = "hackernews",
    .title = "Hacker News (Algolia)",
    .platform = "forum",
    .homepage = "https://hn.algolia.com/api",
    .terms = "Keyless; about 10,000 requests an hour per address. Posts belong to their authors.",
    .default_base_url = "https://hn.algolia.com",
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 4},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::hackernews

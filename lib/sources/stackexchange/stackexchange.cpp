// Stack Exchange: Stack Overflow and its sister sites, by version 2.3 of their API. The descriptor;
// plan.cpp makes the requests, sites.cpp knows the sites, read.cpp reads the answers.
#include <sources/stackexchange/wire.hpp>

namespace freshet::sources::stackexchange {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::forum_search, native_since, plan_search, read_search},
    {catalog::operation::forum_posts_comments, native_none, plan_comments, read_comments},
    {catalog::operation::forum_posts_lookup, native_none, plan_one, read_one},
    {catalog::operation::forum_communities_posts, native_since, plan_community, read_community},
};

constexpr setting keys[] = {
    {.name = "key", .secret = true, .doc = "A key of stackapps.com: 10,000 requests a day"},
    {.name = "site", .doc = "The site for community `all` and for tags (default: stackoverflow)"},
};

constexpr daily_quota quotas[] = {
    {.requests = 300, .unless_set = "key"},
    {.requests = 10'000, .if_set = "key"},
};

}  // namespace

const descriptor source{
    .name = "stackexchange",
    .title = "Stack Exchange",
    .platform = "forum",
    .homepage = "https://api.stackexchange.com/docs",
    .terms =
        "300 requests a day and address without a key, 10,000 with one; content is CC BY-SA: name "
        "the author and link the post.",
    .default_base_url = "https://api.stackexchange.com",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{100}, .max_concurrent = 2},
    .capabilities = capabilities,
    .quotas = quotas,
    .keyless = "Stack Overflow, 300 requests a day",
};

}  // namespace freshet::sources::stackexchange

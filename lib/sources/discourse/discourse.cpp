// Discourse: forums, each an instance with its own API. The descriptor; plan.cpp makes the
// requests, read.cpp reads searches, thread.cpp reads topics.
#include <sources/discourse/wire.hpp>

namespace freshet::sources::discourse {

namespace {

// Its search matches stems against whole posts, days instead of moments, and phrases inside words:
// none of that is the promise itself.
constexpr capability capabilities[] = {
    {catalog::operation::forum_search, native_none, plan_search, read_search},
    {catalog::operation::forum_posts_comments, native_none, plan_comments, read_comments},
    {catalog::operation::forum_posts_lookup, native_none, plan_one, read_one},
    {catalog::operation::forum_communities_posts, native_none, plan_community, read_community},
};

constexpr setting keys[] = {
    {.name = "instances", .list = true, .doc = "Base URLs of forums, each asked in parallel"},
};

}  // namespace

const descriptor source{
    .name = "discourse",
    .title = "Discourse",
    .platform = "forum",
    .homepage = "https://docs.discourse.org",
    .terms =
        "Keyless where a forum is public; 200 requests a minute and fewer searches per address. "
        "Every forum has its own terms.",
    .default_base_url = "",
    .instances_key = "instances",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{300}, .max_concurrent = 2},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::discourse

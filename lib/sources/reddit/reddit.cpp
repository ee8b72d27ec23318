// Reddit, by its API for an application of the operator's, or by its feeds for everybody. The
// descriptor; plan.cpp makes the requests, read.cpp reads searches, thread.cpp reads the comments
// of a post, post.cpp its posts, feed.cpp the feeds.
#include <sources/reddit/wire.hpp>

namespace freshet::sources::reddit {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::forum_search, native_none, plan_search, read_search},
    {catalog::operation::forum_posts_comments, native_none, plan_comments, read_comments},
    {catalog::operation::forum_posts_lookup, native_none, plan_one, read_one},
    {catalog::operation::forum_communities_posts, native_none, plan_community, read_community},
};

constexpr setting keys[] = {
    {.name = "client_id", .doc = "Of an application (type script or web)"},
    {.name = "client_secret", .secret = true, .doc = "Of the same application"},
    {.name = "feed_token",
     .secret = true,
     .doc = "Of a user's own feeds (reddit.com/prefs/feeds: feed=...), for who has no application"},
    {.name = "feed_user", .doc = "Whose feeds these are (user=...)"},
    {.name = "token_url", .doc = "Where tokens come from (default: Reddit's own address)"},
};

}  // namespace

const descriptor source{
    .name = "reddit",
    .title = "Reddit",
    .platform = "forum",
    .homepage = "https://www.reddit.com/dev/api/",
    .terms =
        "100 requests a minute with an application that Reddit has approved, about 10 without; "
        "name yourself in the user agent, delete what Reddit deletes, train no models.",
    .default_base_url = "https://oauth.reddit.com",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{600}, .max_concurrent = 2},
    .capabilities = capabilities,
    .keyless = "its feeds: no scores, comments without their order",
};

}  // namespace freshet::sources::reddit

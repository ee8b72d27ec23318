// Mastodon, and servers that speak its API, as a source: what it serves and what it needs.
#include <sources/mastodon/wire.hpp>

namespace freshet::sources::mastodon {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "instances",
     .list = true,
     .doc = "base URLs of the instances to ask; default https://mastodon.social"},
    {.name = "token",
     .secret = true,
     .list = true,
     .doc = "an access token with read:search, of the first instance, or several as host=token; "
            "without one, text search is a hashtag timeline",
     .sandbox = "sandbox"},
    {.name = "stream_url",
     .doc = "the streaming address that an archive keeps; default that which the first instance "
            "names, else its /api/v1/streaming"},
};

constexpr std::string_view default_instances[] = {default_instance};

// Nothing is promised natively: search stems words, and timelines come by arrival, with boosts of
// older posts.
constexpr capability capabilities[] = {
    {operation::microblog_users_lookup, native_none, plan_lookup, read_lookup},
    {operation::microblog_users_posts, native_none, plan_timeline, read_timeline},
    {operation::microblog_search, native_none, plan_search, read_search},
    {operation::microblog_posts_replies, native_none, plan_replies, read_replies},
    {operation::microblog_posts_lookup, native_none, plan_one, read_one},
    {operation::microblog_users_search, native_none, plan_users, read_users},
    {operation::microblog_users_followers, native_none, plan_follows, read_follows},
    {operation::microblog_users_following, native_none, plan_follows, read_follows},
    {operation::microblog_trends, native_none, plan_trends, read_trends},
};

constexpr stream streaming = {plan_stream, read_stream, plan_stream_address, read_stream_address};

}  // namespace

const descriptor source{
    .name = "mastodon",
    .title = "Mastodon",
    .platform = "microblog",
    .homepage = "https://docs.joinmastodon.org/methods/",
    .terms = "Each instance has its own rules. Text search shows only authors who opted in.",
    .default_base_url = default_instance,
    .instances_key = "instances",
    .default_instances = default_instances,
    .settings = keys,
    // 300 requests in 5 minutes per address.
    .pace = {.min_interval = std::chrono::milliseconds{200}, .max_concurrent = 4},
    .capabilities = capabilities,
    .stream = &streaming,
    .keyless = "mastodon.social; a search gives the posts under a hashtag",
};

}  // namespace freshet::sources::mastodon

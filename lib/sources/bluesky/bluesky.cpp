// Bluesky as a source: what it serves and what it needs. The public AppView answers without a key,
// except text search, which dependably works only with a session.
#include <sources/bluesky/wire.hpp>

namespace freshet::sources::bluesky {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "identifier",
     .doc = "handle or e-mail of an account, for text search through a session"},
    {.name = "app_password",
     .secret = true,
     .doc = "an app password of that account (Settings, Privacy and security, App passwords)"},
    {.name = "pds_url", .doc = "the server that holds the account; default https://bsky.social"},
    {.name = "stream_url",
     .doc = "the Jetstream that an archive keeps; default jetstream2.us-east.bsky.network"},
};

// Nothing is promised natively: the search engine stems words and dates a post by when it saw it, a
// timeline holds reposts of older posts.
constexpr capability capabilities[] = {
    {operation::microblog_users_lookup, native_none, plan_lookup, read_lookup},
    {operation::microblog_users_posts, native_none, plan_timeline, read_timeline},
    {operation::microblog_search, native_none, plan_search, read_search},
    {operation::microblog_posts_replies, native_none, plan_replies, read_replies},
    {operation::microblog_posts_lookup, native_none, plan_one, read_one},
    {operation::microblog_users_search, native_none, plan_users, read_users},
    {operation::microblog_users_followers, native_none, plan_follows, read_users},
    {operation::microblog_users_following, native_none, plan_follows, read_users},
    {operation::microblog_trends, native_none, plan_trends, read_trends},
};

constexpr stream jetstream = {plan_stream, read_stream};

}  // namespace

const descriptor source{
    .name = "bluesky",
    .title = "Bluesky",
    .platform = "microblog",
    .homepage = "https://docs.bsky.app/docs/category/http-reference",
    .terms =
        "Posts of authors who ask to be shown to signed-in readers only are left out. Search is "
        "for people; bulk use belongs to Jetstream.",
    .default_base_url = public_appview,
    .settings = keys,
    // 3000 requests in 5 minutes per address.
    .pace = {.min_interval = std::chrono::milliseconds{100}, .max_concurrent = 4},
    .capabilities = capabilities,
    .stream = &jetstream,
    .keyless = "all but search, which often wants an account",
};

}  // namespace freshet::sources::bluesky

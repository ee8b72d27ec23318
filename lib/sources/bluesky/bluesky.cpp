// Bluesky as a source: what it serves and what it needs. The public AppView answers without a key,
// except text search, which dependably works only with a session.
#include "bluesky.hpp"

#include <array>

namespace freshet::sources::bluesky {
namespace {

using catalog::operation;

constexpr std::array settings_known = {
    setting{"identifier", false, false, false,
            "handle or e-mail of an account, for text search through a session"},
    setting{"app_password", false, true, false,
            "an app password of that account (Settings, Privacy and security, App passwords)"},
    setting{"pds_url", false, false, false,
            "the server that holds the account; default https://bsky.social"},
    setting{"stream_url", false, false, false,
            "the Jetstream that an archive keeps; default jetstream2.us-east.bsky.network"},
};

// Nothing is promised natively: the search engine stems words and dates a post by when it saw it, a
// timeline holds reposts of older posts.
constexpr std::array capabilities_known = {
    capability{operation::microblog_users_lookup, native_none, plan_lookup, read_lookup},
    capability{operation::microblog_users_posts, native_none, plan_timeline, read_timeline},
    capability{operation::microblog_search, native_none, plan_search, read_search},
    capability{operation::microblog_posts_replies, native_none, plan_replies, read_replies},
};

constexpr stream jetstream = {plan_stream, read_stream};

}  // namespace

constinit const descriptor source = {
    .name = "bluesky",
    .title = "Bluesky",
    .platform = "microblog",
    .homepage = "https://docs.bsky.app/docs/category/http-reference",
    .terms =
        "Posts of authors who ask to be shown to signed-in readers only are left out. Search is "
        "for people; bulk use belongs to Jetstream.",
    .default_base_url = public_appview,
    .instances_key = "",
    .default_instances = {},
    .settings = settings_known,
    // 3000 requests in 5 minutes per address.
    .pace = {.min_interval = std::chrono::milliseconds{100}, .max_concurrent = 4},
    .capabilities = capabilities_known,
    .stream = &jetstream,
    .keyless = "all but search, which often wants an account",
};

}  // namespace freshet::sources::bluesky

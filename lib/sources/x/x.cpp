// X as a source, through its API v2: nothing without a bearer token, and every post that comes is
// charged for there.
#include <sources/x/wire.hpp>

namespace freshet::sources::x {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "bearer_token",
     .required = true,
     .secret = true,
     .doc = "the app's bearer token (developer.x.com, Projects and Apps, Keys and tokens)"},
};

// Nothing is promised natively: the search also finds words in the addresses behind a text, and a
// timeline holds reposts of older posts.
constexpr capability capabilities[] = {
    {operation::microblog_users_lookup, native_none, plan_lookup, read_lookup},
    {operation::microblog_users_posts, native_none, plan_timeline, read_timeline},
    {operation::microblog_search, native_none, plan_search, read_search, search_stands_until},
    {operation::microblog_posts_replies, native_none, plan_replies, read_replies,
     replies_stand_until},
    {operation::microblog_posts_lookup, native_none, plan_one, read_one},
    {operation::microblog_users_followers, native_none, plan_follows, read_follows},
    {operation::microblog_users_following, native_none, plan_follows, read_follows},
    {operation::microblog_trends, native_none, plan_trends, read_trends},
};

}  // namespace

const descriptor source{
    .name = "x",
    .title = "X",
    .platform = "microblog",
    .homepage = "https://docs.x.com/x-api/introduction",
    .terms =
        "Paid by each post and user that is read. Posts may be shown, not redistributed in bulk; "
        "what is deleted there is to be deleted here.",
    .default_base_url = default_api,
    .settings = keys,
    // 450 searches in 15 minutes; the rate headers say when a window is used up.
    .pace = {.min_interval = std::chrono::milliseconds{250}, .max_concurrent = 2},
    .capabilities = capabilities,
    .keyless = "every post is paid for",
};

}  // namespace freshet::sources::x

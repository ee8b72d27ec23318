// X as a source, through its API v2: nothing without a bearer token, and every post that comes is
// charged for there.
#include "x.hpp"

#include <array>

namespace freshet::sources::x {
namespace {

using catalog::operation;

constexpr std::array settings_known = {
    setting{"bearer_token", true, true, false,
            "the app's bearer token (developer.x.com, Projects and Apps, Keys and tokens)"},
};

// Nothing is promised natively: the search also finds words in the addresses behind a text, and a
// timeline holds reposts of older posts.
constexpr std::array capabilities_known = {
    capability{operation::microblog_users_lookup, native_none, plan_lookup, read_lookup},
    capability{operation::microblog_users_posts, native_none, plan_timeline, read_timeline},
    capability{operation::microblog_search, native_none, plan_search, read_search},
    capability{operation::microblog_posts_replies, native_none, plan_replies, read_replies},
};

}  // namespace

constinit const descriptor source = {
    .name = "x",
    .title = "X",
    .platform = "microblog",
    .homepage = "https://docs.x.com/x-api/introduction",
    .terms =
        "Paid by each post and user that is read. Posts may be shown, not redistributed in bulk; "
        "what is deleted there is to be deleted here.",
    .default_base_url = default_api,
    .instances_key = "",
    .default_instances = {},
    .settings = settings_known,
    // 450 searches in 15 minutes; the rate headers say when a window is used up.
    .pace = {.min_interval = std::chrono::milliseconds{250}, .max_concurrent = 2},
    .capabilities = capabilities_known,
    .keyless = "every post is paid for",
};

}  // namespace freshet::sources::x

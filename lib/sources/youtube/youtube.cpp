// YouTube as a source, through its Data API with a key of the operator's. A search costs one of a
// hundred a day, everything else one unit of ten thousand.
#include <sources/youtube/wire.hpp>

namespace freshet::sources::youtube {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "api_key",
     .required = true,
     .secret = true,
     .doc = "a key for the YouTube Data API v3 (Google Cloud console, Credentials)"},
};

// Nothing is promised natively: quotes are taken as a hint, and what is found may differ from what
// is shown by the second.
constexpr capability capabilities[] = {
    {operation::shortvideo_search, native_none, plan_search, read_search},
    {operation::shortvideo_hashtags_videos, native_none, plan_search, read_search},
    {operation::shortvideo_trends, native_none, plan_trends, read_trends},
    {operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    {operation::shortvideo_profiles_videos, native_none, plan_videos, read_videos},
    {operation::shortvideo_videos_lookup, native_none, plan_one, read_one},
    {operation::shortvideo_videos_comments, native_none, plan_comments, read_comments},
};

/// Of the free plan.
constexpr daily_quota quotas[] = {
    {.requests = 100, .path = "/search", .pacific = true},
    {.requests = 10'000, .pacific = true},
};

}  // namespace

const descriptor source{
    .name = "youtube",
    .title = "YouTube (Data API)",
    .platform = "shortvideo",
    .homepage = "https://developers.google.com/youtube/v3/docs",
    .terms =
        "Show that results come from YouTube; what is kept of them is to be refreshed or deleted "
        "within 30 days.",
    .default_base_url = default_api,
    .settings = keys,
    // No rate is published beside the quota.
    .pace = {.min_interval = std::chrono::milliseconds{100}, .max_concurrent = 4},
    .capabilities = capabilities,
    .quotas = quotas,
    .keyless = "the key is free",
};

}  // namespace freshet::sources::youtube

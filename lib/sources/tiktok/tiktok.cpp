// TikTok as a source, through its Research API, which is open to approved researchers only. There
// is no other way to it that a server may take.
#include <sources/tiktok/wire.hpp>

namespace freshet::sources::tiktok {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "client_key",
     .required = true,
     .secret = true,
     .doc = "the client key of a project that is approved for the Research API"},
    {.name = "client_secret", .required = true, .secret = true, .doc = "the secret of that client"},
    {.name = "token_url",
     .doc = "where the client's token is got; default <base_url>/v2/oauth/token/"},
};

// The API's dates are whole days, and what "keyword" matches is not said.
constexpr capability capabilities[] = {
    {operation::shortvideo_search, native_none, plan_videos, read_videos, day_stands_until},
    {operation::shortvideo_hashtags_videos, native_none, plan_videos, read_videos,
     day_stands_until},
    {operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    {operation::shortvideo_profiles_videos, native_none, plan_videos, read_videos,
     day_stands_until},
    {operation::shortvideo_videos_lookup, native_none, plan_one, read_one},
    {operation::shortvideo_videos_comments, native_none, plan_comments, read_comments},
    {operation::shortvideo_videos_transcript, native_none, plan_one, read_transcript},
};

constexpr daily_quota quotas[] = {{.requests = 1000}};

}  // namespace

const descriptor source{
    .name = "tiktok",
    .title = "TikTok (Research API)",
    .platform = "shortvideo",
    .homepage = "https://developers.tiktok.com/doc/research-api-overview",
    .terms =
        "For approved research only. What is kept is to be refreshed every 15 days, and deleted "
        "when TikTok no longer has it.",
    .default_base_url = default_api,
    .settings = keys,
    // 1000 requests and 100,000 records a day.
    .pace = {.min_interval = std::chrono::milliseconds{500}, .max_concurrent = 2},
    .capabilities = capabilities,
    .quotas = quotas,
    .keyless = "for approved researchers",
};

}  // namespace freshet::sources::tiktok

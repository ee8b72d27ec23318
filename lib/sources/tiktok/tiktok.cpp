// TikTok as a source, through its Research API, which is open to approved researchers only. There
// is no other way to it that a server may take.
#include "tiktok.hpp"

#include <array>

namespace freshet::sources::tiktok {
namespace {

using catalog::operation;

constexpr std::array settings_known = {
    setting{"client_key", true, true, false,
            "the client key of a project that is approved for the Research API"},
    setting{"client_secret", true, true, false, "the secret of that client"},
    setting{"token_url", false, false, false,
            "where the client's token is got; default <base_url>/v2/oauth/token/"},
};

// The API's dates are whole days, and what "keyword" matches is not said.
constexpr std::array capabilities_known = {
    capability{operation::shortvideo_search, native_none, plan_videos, read_videos},
    capability{operation::shortvideo_hashtags_videos, native_none, plan_videos, read_videos},
    capability{operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    capability{operation::shortvideo_profiles_videos, native_none, plan_videos, read_videos},
};

constexpr daily_quota quotas[] = {{.requests = 1000}};

}  // namespace

constinit const descriptor source = {
    .name = "tiktok",
    .title = "TikTok (Research API)",
    .platform = "shortvideo",
    .homepage = "https://developers.tiktok.com/doc/research-api-overview",
    .terms =
        "For approved research only. What is kept is to be refreshed every 15 days, and deleted "
        "when TikTok no longer has it.",
    .default_base_url = default_api,
    .instances_key = "",
    .default_instances = {},
    .settings = settings_known,
    // 1000 requests and 100,000 records a day.
    .pace = {.min_interval = std::chrono::milliseconds{500}, .max_concurrent = 2},
    .capabilities = capabilities_known,
    .quotas = quotas,
    .keyless = "for approved researchers",
};

}  // namespace freshet::sources::tiktok

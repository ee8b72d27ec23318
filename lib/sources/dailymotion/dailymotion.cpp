// Dailymotion as a source, through its keyless legacy API.
#include <sources/dailymotion/wire.hpp>

namespace freshet::sources::dailymotion {

namespace {

using catalog::operation;

// The sort "recent" goes by publication, which is not the time that the API gives.
constexpr capability capabilities[] = {
    {operation::shortvideo_search, native_since, plan_list, read_list},
    {operation::shortvideo_trends, native_none, plan_list, read_list},
    {operation::shortvideo_hashtags_videos, native_since, plan_list, read_list},
    {operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    {operation::shortvideo_profiles_videos, native_since, plan_list, read_list},
    {operation::shortvideo_videos_lookup, native_none, plan_one, read_one},
    {operation::shortvideo_videos_transcript, native_none, plan_one, read_transcript},
};

}  // namespace

const descriptor source{
    .name = "dailymotion",
    .title = "Dailymotion",
    .platform = "shortvideo",
    .homepage = "https://developers.dailymotion.com/v0/docs/welcome",
    .terms = "Public data; show videos with Dailymotion's player or link to them.",
    .default_base_url = default_api,
    // No limit is published.
    .pace = {.min_interval = std::chrono::milliseconds{250}, .max_concurrent = 2},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::dailymotion

// Invidious as a source: YouTube's short videos without a key, through instances of the operator's
// own. The public ones have switched their API off.
#include <sources/invidious/wire.hpp>

namespace freshet::sources::invidious {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "instances",
     .list = true,
     .doc = "base URLs of Invidious instances of your own (or base_url for one)"},
};

constexpr capability capabilities[] = {
    {operation::shortvideo_search, native_none, plan_search, read_search},
    {operation::shortvideo_hashtags_videos, native_none, plan_search, read_search},
    {operation::shortvideo_trends, native_none, plan_trends, read_trends},
    {operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    {operation::shortvideo_profiles_videos, native_none, plan_videos, read_videos},
    {operation::shortvideo_videos_lookup, native_none, plan_one, read_one},
    {operation::shortvideo_videos_comments, native_none, plan_comments, read_comments},
    {operation::shortvideo_videos_transcript, native_none, plan_one, read_transcript},
};

}  // namespace

const descriptor source{
    .name = "invidious",
    .title = "Invidious",
    .platform = "shortvideo",
    .homepage = "https://docs.invidious.io/api/",
    .terms = "Only instances of your own: an instance asks YouTube on behalf of who runs it.",
    .default_base_url = "",
    .instances_key = "instances",
    .settings = keys,
    // Each request becomes one to YouTube, which blocks instances that ask quickly.
    .pace = {.min_interval = std::chrono::milliseconds{500}, .max_concurrent = 2},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::invidious

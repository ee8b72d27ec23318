// PeerTube as a source: searches go to an index over all instances, creators to their own instance.
#include <sources/peertube/wire.hpp>

namespace freshet::sources::peertube {

namespace {

using catalog::operation;

constexpr setting keys[] = {
    {.name = "search_url",
     .doc = "the server that is searched: a SepiaSearch, or an instance; default "
            "https://sepiasearch.org"},
};

constexpr capability capabilities[] = {
    {operation::shortvideo_search, native_since, plan_search, read_search},
    {operation::shortvideo_hashtags_videos, native_since | newest_first, plan_hashtag, read_search},
    {operation::shortvideo_trends, native_none, plan_trends, read_trends},
    {operation::shortvideo_profiles_lookup, native_none, plan_lookup, read_lookup},
    {operation::shortvideo_profiles_videos, native_since | newest_first, plan_videos, read_videos},
    {operation::shortvideo_videos_lookup, native_none, plan_one, read_one},
    {operation::shortvideo_videos_comments, native_none, plan_comments, read_comments, nullptr,
     max_trees},
    {operation::shortvideo_videos_transcript, native_none, plan_transcript, read_transcript},
};

}  // namespace

const descriptor source{
    .name = "peertube",
    .title = "PeerTube (SepiaSearch)",
    .platform = "shortvideo",
    .homepage = "https://docs.joinpeertube.org/api-rest-reference.html",
    .terms = "Each video has its own licence; link to the instance it comes from.",
    .default_base_url = default_instance,
    .settings = keys,
    // 50 requests in 10 seconds per address.
    .pace = {.min_interval = std::chrono::milliseconds{200}, .max_concurrent = 4},
    .capabilities = capabilities,
    .keyless = "SepiaSearch and framatube.org",
};

}  // namespace freshet::sources::peertube

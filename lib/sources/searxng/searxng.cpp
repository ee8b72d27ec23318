// SearXNG (and its ancestor SearX): metasearch that an operator hosts. The descriptor; plan.cpp
// makes the requests, read.cpp reads the answers.
#include <sources/searxng/wire.hpp>

namespace freshet::sources::searxng {

namespace {

// The engines match words against whole pages, of which a result shows only a snippet: words are
// their promise. Phrases and exclusions they keep laxly, so the pipeline looks again.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_images_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_videos_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_suggest, native_words | native_phrases | native_exclusions,
     plan_suggest, read_suggest},
};

constexpr setting keys[] = {
    {.name = "instances", .list = true, .doc = "Base URLs of instances, each asked in parallel"},
};

}  // namespace

const descriptor source{
    .name = "searxng",
    .title = "SearXNG",
    .platform = "web-serp",
    .homepage = "https://docs.searxng.org/dev/search_api.html",
    .terms =
        "Ask an instance of your own, with `json` under search.formats; public ones forbid "
        "programs.",
    .default_base_url = "",
    .instances_key = "instances",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 4},
    .capabilities = capabilities,
    .keyless = "JSON must be allowed there",
};

}  // namespace freshet::sources::searxng

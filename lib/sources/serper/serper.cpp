// Google's web results by Serper's API. The descriptor; plan.cpp makes the requests, read.cpp reads
// the answers.
#include <sources/serper/wire.hpp>

namespace freshet::sources::serper {

namespace {

// The engine matches words against whole pages, of which a result shows only a snippet: words are
// its promise.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_images_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_videos_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_suggest, native_words | native_phrases | native_exclusions,
     plan_suggest, read_suggest},
};

constexpr setting keys[] = {
    {.name = "api_key", .required = true, .secret = true, .doc = "API key of serper.dev"},
};

}  // namespace

const descriptor source{
    .name = "serper",
    .title = "Google (Serper API)",
    .platform = "web-serp",
    .homepage = "https://serper.dev/",
    .terms = "A paid API: one of its credits for each page of ten results.",
    .default_base_url = "https://google.serper.dev",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 4},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::serper

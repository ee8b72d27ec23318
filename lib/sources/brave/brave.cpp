// Brave's web search by its API. The descriptor; plan.cpp makes the requests, read.cpp reads the
// answers.
#include <sources/brave/wire.hpp>

namespace freshet::sources::brave {

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
    {.name = "api_key",
     .required = true,
     .secret = true,
     .doc = "Subscription token of the Brave Search API"},
};

}  // namespace

const descriptor source{
    .name = "brave",
    .title = "Brave Search API",
    .platform = "web-serp",
    .homepage = "https://api-dashboard.search.brave.com/documentation",
    .terms = "A paid API; the plan says how often it may be asked and whether results may be kept.",
    .default_base_url = "https://api.search.brave.com",
    .settings = keys,
    // The smallest plan allows one request a second.
    .pace = {.min_interval = std::chrono::milliseconds{1000}, .max_concurrent = 2},
    .capabilities = capabilities,
};

}  // namespace freshet::sources::brave

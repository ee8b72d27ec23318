// Marginalia, a search engine for the small and old web, by its API. The descriptor; plan.cpp makes
// the requests, read.cpp reads the answers.
#include <sources/marginalia/wire.hpp>

namespace freshet::sources::marginalia {

namespace {

// The index holds whole pages, of which a result shows only a description: words are its promise.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words, plan_search, read_search},
};

constexpr setting keys[] = {
    {.name = "api_key",
     .secret = true,
     .doc = "API key; without it the key `public`, whose small quota everybody shares"},
};

}  // namespace

const descriptor source{
    .name = "marginalia",
    .title = "Marginalia Search",
    .platform = "web-serp",
    .homepage = "https://about.marginalia-search.com/article/api/",
    .terms =
        "Results are CC BY-NC-SA 4.0 with the key `public`; a key of one's own is asked for by "
        "e-mail.",
    .default_base_url = "https://api2.marginalia-search.com",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{1000},
             .max_concurrent = 1,
             .max_wait = std::chrono::milliseconds{5000}},
    .capabilities = capabilities,
    .keyless = "all, by the key `public`, whose quota everybody shares",
};

}  // namespace freshet::sources::marginalia

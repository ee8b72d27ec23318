// DuckDuckGo without scripts: a page for people, asked slowly. The descriptor; plan.cpp makes the
// requests, read.cpp reads the pages, regions.cpp knows the engine's names of countries.
#include <sources/duckduckgo/wire.hpp>

namespace freshet::sources::duckduckgo {

namespace {

// The engine matches words against whole pages, of which a result shows only a snippet: words are
// its promise. Phrases and exclusions it keeps laxly, so the pipeline looks again.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words, plan_search, read_search},
    {catalog::operation::web_serp_suggest, native_words | native_phrases | native_exclusions,
     plan_suggest, read_suggest},
};

}  // namespace

const descriptor source{
    .name = "duckduckgo",
    .title = "DuckDuckGo (HTML)",
    .platform = "web-serp",
    .homepage = "https://html.duckduckgo.com/html/",
    .terms =
        "A page for people, whose robots.txt keeps crawlers out: for searches that a person "
        "asks for, one in four seconds; more than that is blocked for an hour.",
    .default_base_url = default_base,
    // Five pages, the most that one call reads, still fit into its 20 seconds.
    .pace = {.min_interval = std::chrono::milliseconds{4000},
             .max_concurrent = 1,
             .max_wait = std::chrono::milliseconds{5000}},
    .capabilities = capabilities,
    .keyless = "all, one request in four seconds",
};

}  // namespace freshet::sources::duckduckgo

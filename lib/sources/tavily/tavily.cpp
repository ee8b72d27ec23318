// Tavily, a web search made for language models, by its API. The descriptor; plan.cpp makes the
// requests, read.cpp reads the answers, country_names.cpp knows the API's names of countries.
#include <sources/tavily/wire.hpp>

namespace freshet::sources::tavily {

namespace {

// It searches by meaning, so it promises no word; its excerpts are long enough to look them up.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_none, plan_search, read_search},
};

constexpr setting keys[] = {
    {.name = "api_key", .secret = true, .doc = "API key of Tavily (tvly-...)"},
};

}  // namespace

const descriptor source{
    .name = "tavily",
    .title = "Tavily",
    .platform = "web-serp",
    .homepage = "https://docs.tavily.com/documentation/api-reference/endpoint/search",
    .terms =
        "A paid API with 1,000 of its credits a month for nothing; a search costs one. Without a "
        "key it answers at a low rate, for trying it out: sources.tavily.enabled = true.",
    .default_base_url = "https://api.tavily.com",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 4},
    .capabilities = capabilities,
    .opt_in = true,
    .keyless = "then at a low rate; on by itself with `api_key`",
};

}  // namespace freshet::sources::tavily

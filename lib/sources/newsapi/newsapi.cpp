// NewsAPI: an index of the web's newspapers and blogs. The descriptor; plan.cpp makes the requests,
// read.cpp reads the answers.
#include <sources/newsapi/wire.hpp>

namespace freshet::sources::newsapi {

namespace {

// The words are looked for in whole articles, of which an item shows title and description: what q
// promises is kept there and can not be checked here.
constexpr capability capabilities[] = {
    {catalog::operation::news_search,
     native_words | native_phrases | native_exclusions | newest_first, plan_search, read_search},
    {catalog::operation::news_headlines, native_none, plan_headlines, read_headlines},
};

constexpr setting keys[] = {
    {.name = "api_key", .required = true, .secret = true, .doc = "A key of newsapi.org"},
};

constexpr daily_quota quotas[] = {{.requests = 100}};  // of the developers' plan

}  // namespace

const descriptor source{
    .name = "newsapi",
    .title = "NewsAPI",
    .platform = "news",
    .homepage = "https://newsapi.org/docs/endpoints/everything",
    .terms =
        "A free key is for development only: 100 calls a day, articles a day late and a month "
        "back, 100 results a search.",
    .default_base_url = "https://newsapi.org",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{250}, .max_concurrent = 2},
    .capabilities = capabilities,
    .quotas = quotas,
};

}  // namespace freshet::sources::newsapi

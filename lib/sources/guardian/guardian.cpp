// The Guardian, by its Open Platform. The descriptor; plan.cpp makes the requests, read.cpp reads
// the answers.
#include <sources/guardian/wire.hpp>

namespace freshet::sources::guardian {

namespace {

// The words are looked for in whole articles, of which an item shows the headline and the
// standfirst: what q promises is kept there and can not be checked here.
constexpr capability capabilities[] = {
    {catalog::operation::news_search,
     native_words | native_phrases | native_exclusions | newest_first, plan_search, read_search},
    {catalog::operation::news_headlines, newest_first, plan_headlines, read_headlines},
};

constexpr setting keys[] = {
    {.name = "api_key", .required = true, .secret = true, .doc = "A key of the Open Platform"},
};

constexpr daily_quota quotas[] = {{.requests = 500}};  // of the developers' key

}  // namespace

const descriptor source{
    .name = "guardian",
    .title = "The Guardian",
    .platform = "news",
    .homepage = "https://open-platform.theguardian.com/documentation/",
    .terms =
        "A free key allows 500 calls a day, one a second, for uses that are not commercial; link "
        "the article.",
    .default_base_url = "https://content.guardianapis.com",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{1000}, .max_concurrent = 1},
    .capabilities = capabilities,
    .quotas = quotas,
};

}  // namespace freshet::sources::guardian

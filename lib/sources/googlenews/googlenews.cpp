// Google News, by the feed of a search. Off until an operator switches it on, for its terms allow
// little. The descriptor; plan.cpp makes the requests, read.cpp reads the answers.
#include <sources/googlenews/wire.hpp>

namespace freshet::sources::googlenews {

namespace {

// Google looks for synonyms too and shows the title alone: none of its matching is the promise.
constexpr capability capabilities[] = {
    {catalog::operation::news_search, newest_first, plan_search, read_search},
    {catalog::operation::news_headlines, newest_first, plan_headlines, read_headlines},
};

}  // namespace

const descriptor source{
    .name = "googlenews",
    .title = "Google News (RSS)",
    .platform = "news",
    .homepage = "https://news.google.com/",
    .terms =
        "Off unless sources.googlenews.enabled is true: Google allows its feed in personal feed "
        "readers for use that is not commercial, and expressly nothing else.",
    .default_base_url = "https://news.google.com",
    .pace = {.min_interval = std::chrono::milliseconds{3000}, .max_concurrent = 1},
    .capabilities = capabilities,
    .opt_in = true,
    .keyless = "its terms allow personal feed readers alone",
};

}  // namespace freshet::sources::googlenews

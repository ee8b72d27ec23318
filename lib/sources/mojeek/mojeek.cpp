// Mojeek, a search engine with an index of its own, by its page for people. The descriptor;
// plan.cpp makes the requests, read.cpp reads the pages.
#include <sources/mojeek/wire.hpp>

namespace freshet::sources::mojeek {

namespace {

// The engine matches words against whole pages, of which a result shows only a snippet: words are
// its promise.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words, plan_search, read_search},
};

}  // namespace

const descriptor source{
    .name = "mojeek",
    .title = "Mojeek (HTML)",
    .platform = "web-serp",
    .homepage = "https://www.mojeek.com/support/",
    .terms =
        "A page for people; programs in number are refused (403) and referred to Mojeek's paid "
        "search API. One request in four seconds.",
    .default_base_url = "https://www.mojeek.com",
    .pace = {.min_interval = std::chrono::milliseconds{4000},
             .max_concurrent = 1,
             .max_wait = std::chrono::milliseconds{5000}},
    .capabilities = capabilities,
    .keyless = "all, one request in four seconds",
};

}  // namespace freshet::sources::mojeek

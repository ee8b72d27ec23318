// GDELT's index of the world's press (DOC 2.0). The descriptor; plan.cpp makes the requests,
// read.cpp reads the answers.
#include <sources/gdelt/wire.hpp>

namespace freshet::sources::gdelt {

namespace {

// GDELT matches the whole article, in translation too, and sends its title only: the promises of q
// are kept there, and can not be checked here.
constexpr capability capabilities[] = {
    {catalog::operation::news_search,
     native_words | native_phrases | native_exclusions | newest_first, plan_search, read_search,
     quarter_stands_until},
};

}  // namespace

const descriptor source{
    .name = "gdelt",
    .title = "GDELT",
    .platform = "news",
    .homepage = "https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/",
    .terms = "Keyless, one request every 5 seconds; free for any use if GDELT is cited.",
    .default_base_url = "https://api.gdeltproject.org",
    .pace = {.min_interval = pause,
             .max_concurrent = 1,
             .max_wait = pause,
             .answer_time = answer_time},
    .capabilities = capabilities,
    .keyless = "all, one request in six seconds",
};

}  // namespace freshet::sources::gdelt

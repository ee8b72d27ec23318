// MediaWiki's own search: Wikipedia by default, or any wiki. The descriptor; plan.cpp makes the
// requests, read.cpp reads the answers.
#include <sources/mediawiki/wire.hpp>

namespace freshet::sources::mediawiki {

namespace {

// The wiki matches the whole page, of which a result shows only a snippet: the promises of q are
// kept there, and can not be checked here.
constexpr capability capabilities[] = {
    {catalog::operation::web_serp_search, native_words | native_phrases, plan_search, read_search},
    {catalog::operation::web_serp_suggest, native_words | native_phrases | native_exclusions,
     plan_suggest, read_suggest},
};

constexpr setting keys[] = {
    {.name = "instances",
     .list = true,
     .doc = "Folders that hold a wiki's api.php, each asked in parallel"},
};

}  // namespace

const descriptor source{
    .name = "mediawiki",
    .title = "Wikipedia and other wikis (MediaWiki)",
    .platform = "web-serp",
    .homepage = "https://www.mediawiki.org/wiki/API:Search",
    .terms = "Keyless; a user agent with a contact is required. Texts are CC BY-SA: name the page.",
    .default_base_url = default_base,
    .instances_key = "instances",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 2},
    .capabilities = capabilities,
    .keyless = "Wikipedia",
};

}  // namespace freshet::sources::mediawiki

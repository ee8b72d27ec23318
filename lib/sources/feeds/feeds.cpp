// RSS, Atom and JSON feeds of the press, each address one instance. The descriptor; plan.cpp makes
// the requests, json.cpp and sources/syndication read the syntax, read.cpp makes articles of it.
#include <sources/feeds/wire.hpp>

namespace freshet::sources::feeds {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::news_search, newest_first, plan_search, read_search},
    {catalog::operation::news_headlines, newest_first, plan_headlines, read_headlines},
};

constexpr setting keys[] = {
    {.name = "urls", .list = true, .doc = "Addresses of RSS, Atom or JSON feeds"},
};

/// Feeds of the press that have stood at their addresses for years, free to read.
constexpr std::string_view default_urls[] = {
    "https://feeds.bbci.co.uk/news/world/rss.xml", "https://www.theguardian.com/world/rss",
    "https://feeds.npr.org/1001/rss.xml",          "https://rss.dw.com/rdf/rss-en-all",
    "https://www.aljazeera.com/xml/rss/all.xml",   "https://www.france24.com/en/rss",
};

}  // namespace

const descriptor source{
    .name = "feeds",
    .title = "RSS, Atom and JSON feeds",
    .platform = "news",
    .homepage = "https://www.rssboard.org/rss-specification",
    .terms = "Keyless. Each publisher has its own terms: most allow reading, not republishing.",
    .default_base_url = "",
    .instances_key = "urls",
    .default_instances = default_urls,
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 8},
    .capabilities = capabilities,
    .polled = true,
    .keyless = "six feeds of the world's press",
};

}  // namespace freshet::sources::feeds

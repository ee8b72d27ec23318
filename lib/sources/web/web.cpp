// Any page of the web, by its address. The descriptor; plan.cpp makes the request, read.cpp turns
// the answer into a document; map.cpp finds the addresses of a
// site, extract.cpp takes data out of a page.
#include <sources/web/site_walk.hpp>
#include <sources/web/wire.hpp>

namespace freshet::sources::web {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::scrape_markdown, native_none, plan_page, read_page},
    {.op = catalog::operation::scrape_map,
     .native = native_words | native_phrases | native_exclusions,
     .plan = plan_map,
     .read = read_map,
     .max_follows = max_map_follows,
     .reads_failures = true},
    {catalog::operation::scrape_extract, native_none, plan_extract, read_extract},
};

}  // namespace

const descriptor source{
    .name = "web",
    .title = "The web",
    .platform = "scrape",
    .homepage = "https://html.spec.whatwg.org/",
    .terms = "Pages belong to their publishers; robots.txt is obeyed unless the operator says no.",
    .default_base_url = "",
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 32},
    .capabilities = capabilities,
    .keyless = "any public page, as its robots.txt allows",
};

}  // namespace freshet::sources::web

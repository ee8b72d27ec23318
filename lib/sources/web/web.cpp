// Any page of the web, by its address. The descriptor; plan.cpp makes the request, read.cpp turns
// the answer into a document.
#include <sources/web/wire.hpp>

namespace freshet::sources::web {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::scrape_markdown, native_none, plan_page, read_page},
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

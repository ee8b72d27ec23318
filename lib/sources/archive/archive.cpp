// What this server keeps of streams and feeds, as a source. It is asked like any other, at an
// address that no network has; whether anything is kept is the operator's choice, by platform.
#include <sources/archive/wire.hpp>

namespace freshet::sources::archive {

namespace {

// The archive keeps every promise of q and since: its index holds the very words that the filter
// looks in. The filter looks again all the same: it takes little for a page, and an index that an
// older Freshet wrote may divide words otherwise.
constexpr capability capabilities[] = {
    {catalog::operation::microblog_search, newest_first, plan_microblog, read_microblog},
    {catalog::operation::news_search, newest_first, plan_news, read_news},
};

}  // namespace

const descriptor source{
    .name = "archive",
    .title = "An archive of one's own",
    .platform = "microblog",
    .homepage = "https://docs.bsky.app/blog/jetstream",
    .terms =
        "Off until an operator switches it on. What is deleted upstream is deleted here; the terms "
        "of the streams and feeds that are kept hold for it.",
    .default_base_url = base_url,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 8},
    .capabilities = capabilities,
    .of_archive = true,
};

}  // namespace freshet::sources::archive

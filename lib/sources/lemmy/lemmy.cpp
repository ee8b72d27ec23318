// Lemmy: federated forums, each instance with its own API. The descriptor;
// plan.cpp makes the requests, read.cpp reads the answers of versions 0.17
// to 1.0.
#include <sources/lemmy/wire.hpp>

namespace freshet::sources::lemmy {

namespace {

constexpr capability capabilities[] = {
    {catalog::operation::forum_search, native_none, plan_search, read_search},
    {catalog::operation::forum_posts_comments, native_none, plan_comments, read_comments},
    {catalog::operation::forum_posts_lookup, native_none, plan_one, read_one},
    {catalog::operation::forum_communities_posts, native_none, plan_community, read_community},
};

constexpr setting keys[] = {
    {.name = "instances", .list = true, .doc = "Base URLs of instances, each asked in parallel"},
};

}  // namespace

const descriptor source{
    .name = "lemmy",
    .title = "Lemmy",
    .platform = "forum",
    .homepage = "https://join-lemmy.org/docs/contributors/04-api.html",
    .terms =
        "Keyless; about 60 searches in 10 minutes per address and "
        "instance. Every instance "
        "has its own rules.",
    .default_base_url = "https://lemmy.world",
    .instances_key = "instances",
    .settings = keys,
    .pace = {.min_interval = std::chrono::milliseconds{0}, .max_concurrent = 2},
    .capabilities = capabilities,
    .keyless = "lemmy.world",
};

}  // namespace freshet::sources::lemmy

// The table of endpoints: what each takes, what it answers and what it costs. Validation, OpenAPI,
// help, routes and the sources' operations all read these rows. Nothing is checked here.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <catalog/endpoint.hpp>
#include <vector>

namespace freshet::catalog {
namespace {

// Bounds that several parameters share.
constexpr std::int64_t max_q_length = 512;     // the contract, section 2
constexpr std::int64_t max_since_length = 16;  // "9999w" is the longest; the rest is courtesy
constexpr std::int64_t max_url_length = 8192;
constexpr std::int64_t max_id_length = 1024;
constexpr std::int64_t max_name_length = 256;
constexpr std::int64_t max_cursor_length = 8192;  // the contract, section 4
constexpr std::int64_t max_sources = 32;
constexpr std::int64_t max_fields = 64;
constexpr std::int64_t max_selectors = 32;
constexpr std::int64_t max_token_budget = 1'000'000;
constexpr std::int64_t max_credit_amount = 1'000'000'000;
constexpr std::int64_t max_cache_age_s = 31'536'000;  // a year
constexpr std::int64_t min_timeout_ms = 1'000;
constexpr std::int64_t max_timeout_ms = 120'000;

template <std::size_t... N>
constexpr auto join(const std::array<parameter, N>&... parts) {
  std::array<parameter, (N + ...)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& part) {
    for (const auto& one : part) all[at++] = one;
  };
  (append(parts), ...);
  return all;
}

// Parameters of every call.
constexpr std::array<parameter, 4> call_common{{
    {.name = "fields",
     .type = value_type::string_list,
     .format = value_format::name,
     .min = 1,
     .max = max_fields,
     .doc = "Keys of an item to return; `object` and `id` always come",
     .example = "[\"url\",\"text\"]"},
    {.name = "max_tokens",
     .type = value_type::integer,
     .min = 1,
     .max = max_token_budget,
     .doc = "A budget: whole items, or whole markdown blocks, are left out from the end until the "
            "answer fits; `page.next_cursor` goes on exactly there",
     .example = "4000"},
    {.name = "max_credits",
     .type = value_type::integer,
     .min = 0,
     .max = max_credit_amount,
     .doc = "Refuse, before anything is fetched, if the price is higher",
     .example = "1"},
    {.name = "dry_run",
     .type = value_type::boolean,
     .fallback = "false",
     .doc = "Validate and quote; nothing is fetched or charged",
     .example = "true"},
}};

constexpr std::array<parameter, 2> paging{{
    {.name = "limit",
     .type = value_type::integer,
     .min = 1,
     .max = 100,
     .fallback = "20",
     .doc = "Items of a page",
     .example = "10"},
    {.name = "cursor",
     .format = value_format::cursor,
     .min = 1,
     .max = max_cursor_length,
     .doc = "`page.next_cursor` of the page before; the other parameters stay the same",
     .example = "c1.eyJ2IjoxfQ"},
}};

constexpr std::array<parameter, 1> source_choice{{
    {.name = "sources",
     .type = value_type::string_list,
     .format = value_format::source,
     .min = 1,
     .max = max_sources,
     .doc = "Restrict the call to these sources; default: all that are enabled for the platform",
     .example = "[\"bluesky\"]"},
}};

constexpr std::array<parameter, 1> language_choice{{
    {.name = "lang",
     .format = value_format::language,
     .min = 2,
     .max = 35,
     .doc = "Only items in this language, BCP 47",
     .example = "en"},
}};

constexpr std::array<parameter, 1> country_choice{{
    {.name = "country",
     .format = value_format::country,
     .min = 2,
     .max = 2,
     .doc = "Results for this country, ISO 3166-1 alpha-2",
     .example = "GB"},
}};

constexpr auto list_common = join(paging, source_choice, language_choice, call_common);
constexpr auto country_list_common =
    join(paging, source_choice, language_choice, country_choice, call_common);
constexpr auto lookup_common = join(source_choice, call_common);
constexpr auto account_list_common = join(paging, call_common);

/// The same parameter with another example: what the sandbox of the platform knows.
constexpr parameter like(parameter one, std::string_view example) {
  one.example = example;
  return one;
}

// Parameters that several endpoints share. Their examples are calls that the sandbox answers.
constexpr parameter q{.name = "q",
                      .format = value_format::q,
                      .required = true,
                      .min = 1,
                      .max = max_q_length,
                      .doc =
                          "Words are ANDed, `\"a phrase\"` is exact, `-word` and `-\"phrase\"` "
                          "exclude",
                      .example = "\\\"tide gauge\\\" -toy"};
constexpr parameter since{.name = "since",
                          .format = value_format::since,
                          .min = 2,
                          .max = max_since_length,
                          .doc =
                              "Not older than this: `<number><unit>`, units `m`, `h`, `d`, `w`; "
                              "at most 3650 days",
                          .example = "7d"};
constexpr parameter username{.name = "username",
                             .format = value_format::handle,
                             .required = true,
                             .min = 1,
                             .max = max_name_length,
                             .doc =
                                 "The handle, with or without a leading @; `name@host` where a "
                                 "platform has several instances",
                             .example = "alice.test"};
constexpr parameter id{.name = "id",
                       .format = value_format::item_id,
                       .min = 3,
                       .max = max_id_length,
                       .doc = "The `id` of an item that Freshet returned",
                       .example = "mastodon:mastodon.social/117532337438730006"};
constexpr parameter url{.name = "url",
                        .format = value_format::url,
                        .min = 1,
                        .max = max_url_length,
                        .doc = "The address of the post",
                        .example = "https://mastodon.social/@alice/117532337438730006"};
constexpr std::string_view id_or_url[] = {"id", "url"};

constexpr std::array<parameter, 1> lookup_own{username};
constexpr std::array<parameter, 2> timeline_own{username, since};
constexpr std::array<parameter, 2> search_own{q, since};
constexpr std::array<parameter, 1> plain_search_own{q};
constexpr std::array<parameter, 2> thread_own{id, url};
constexpr parameter creator = like(username, "coastlab");
constexpr std::array<parameter, 1> creator_lookup_own{creator};
constexpr std::array<parameter, 2> creator_timeline_own{creator, since};

constexpr std::string_view comment_orders[] = {"best", "top", "new", "old"};
constexpr std::array<parameter, 3> comments_own{{
    like(id, "hackernews:9000003"),
    like(url, "https://news.ycombinator.com/item?id=9000003"),
    {.name = "sort",
     .min = 1,
     .max = 16,
     .fallback = "best",
     .choices = comment_orders,
     .doc = "Order of siblings; `best` is the source's own",
     .example = "new"},
}};

constexpr std::array<parameter, 3> forum_search_own{{
    q,
    {.name = "community",
     .format = value_format::community,
     .min = 1,
     .max = max_name_length,
     .fallback = "all",
     .doc = "A community's name, `name@host` where a source has several instances, or `all` for "
            "everywhere",
     .example = "technology"},
    since,
}};

constexpr std::array<parameter, 2> hashtag_own{{
    {.name = "hashtag",
     .format = value_format::hashtag,
     .required = true,
     .min = 1,
     .max = 128,
     .doc = "One hashtag, with or without a leading #",
     .example = "tides"},
    since,
}};

constexpr std::string_view page_modes[] = {"article", "page"};
constexpr std::string_view link_styles[] = {"inline", "footnotes", "none"};
constexpr std::string_view render_modes[] = {"never", "auto", "always"};
constexpr std::array<parameter, 10> scrape_own{{
    {.name = "url",
     .format = value_format::url,
     .required = true,
     .min = 1,
     .max = max_url_length,
     .doc = "The page, http or https",
     .example = "https://example.com/tide-gauges"},
    {.name = "mode",
     .min = 1,
     .max = 16,
     .fallback = "article",
     .choices = page_modes,
     .doc = "`article`: the main content; `page`: everything visible",
     .example = "page"},
    {.name = "include",
     .type = value_type::string_list,
     .format = value_format::css_selector,
     .min = 1,
     .max = max_selectors,
     .doc = "CSS selectors: only these parts",
     .example = "[\"main\"]"},
    {.name = "exclude",
     .type = value_type::string_list,
     .format = value_format::css_selector,
     .min = 1,
     .max = max_selectors,
     .doc = "CSS selectors: without these parts",
     .example = "[\"nav\",\".advert\"]"},
    {.name = "links",
     .min = 1,
     .max = 16,
     .fallback = "inline",
     .choices = link_styles,
     .doc = "How links are written",
     .example = "footnotes"},
    {.name = "images",
     .type = value_type::boolean,
     .fallback = "true",
     .doc = "Whether images are written",
     .example = "false"},
    {.name = "render",
     .min = 1,
     .max = 16,
     .fallback = "never",
     .choices = render_modes,
     .doc = "Whether a headless browser runs the page first: `auto` only if the page is an empty "
            "shell without. A rendered page costs more; `auto` reserves that (`max_credits` and "
            "`dry_run` count it) and charges it only if it was needed",
     .example = "auto"},
    {.name = "max_age_s",
     .type = value_type::integer,
     .min = 0,
     .max = max_cache_age_s,
     .doc = "Accept a cached copy this old, in seconds",
     .example = "3600"},
    {.name = "timeout_ms",
     .type = value_type::integer,
     .min = min_timeout_ms,
     .max = max_timeout_ms,
     .fallback = "30000",
     .doc = "How long the page may take, in milliseconds",
     .example = "20000"},
    {.name = "respect_robots",
     .type = value_type::boolean,
     .doc = "Whether robots.txt is obeyed; default: the operator's configuration, normally `true`",
     .example = "true"},
}};
constexpr auto scrape_common = join(std::array<parameter, 1>{paging[1]}, call_common);

constexpr std::string_view usage_groups[] = {"day",          "endpoint", "key",       "source",
                                             "day,endpoint", "day,key",  "day,source"};
constexpr std::array<parameter, 4> usage_own{{
    {.name = "since",
     .format = value_format::since,
     .min = 2,
     .max = max_since_length,
     .fallback = "30d",
     .doc = "How far back: `<number><unit>`, units `m`, `h`, `d`, `w`; at most 3650 days",
     .example = "7d"},
    {.name = "group_by",
     .min = 1,
     .max = 16,
     .fallback = "day",
     .choices = usage_groups,
     .doc = "What a row stands for. By `source` a call that several sources served counts under "
            "each of them, so that rows may sum to more than was charged",
     .example = "endpoint"},
    {.name = "time_zone",
     .format = value_format::timezone,
     .min = 1,
     .max = 64,
     .fallback = "UTC",
     .doc = "Whose days: an IANA name such as `Europe/Berlin`, or `UTC`",
     .example = "Europe/Berlin"},
    {.name = "empty_days",
     .type = value_type::boolean,
     .fallback = "false",
     .doc = "Whether days without a call have a row too, as a chart needs them; only with a "
            "`group_by` that has `day`",
     .example = "true"},
}};

constexpr std::string_view ledger_kinds[] = {"grant", "usage", "refund", "expiry"};
constexpr std::array<parameter, 2> ledger_own{{
    {.name = "kind",
     .min = 1,
     .max = 16,
     .choices = ledger_kinds,
     .doc = "Only movements of this kind",
     .example = "refund"},
    {.name = "since",
     .format = value_format::since,
     .min = 2,
     .max = max_since_length,
     .doc = "How far back: `<number><unit>`, units `m`, `h`, `d`, `w`; default: all",
     .example = "30d"},
}};

constexpr std::string_view key_modes[] = {"live", "test"};
constexpr std::string_view key_scopes[] = {"read", "account"};
constexpr std::array<parameter, 5> create_key_own{{
    {.name = "name",
     .min = 1,
     .max = 64,
     .doc = "What you call the key, to tell it from others",
     .example = "the laptop"},
    {.name = "mode",
     .min = 1,
     .max = 16,
     .fallback = "live",
     .choices = key_modes,
     .doc = "A `test` key reaches the sandbox: recorded answers, no network, no credits",
     .example = "test"},
    {.name = "scopes",
     .type = value_type::string_list,
     .min = 1,
     .max = 2,
     .fallback = "read",
     .choices = key_scopes,
     .doc = "`read` for the platforms, `account` for the account calls",
     .example = "[\"read\"]"},
    {.name = "monthly_budget",
     .type = value_type::integer,
     .min = 1,
     .max = max_credit_amount,
     .doc = "Credits that the key may use a month; default: no limit",
     .example = "500"},
    {.name = "expires",
     .format = value_format::since,
     .min = 2,
     .max = max_since_length,
     .doc = "How long the key lives: `<number><unit>`, units `m`, `h`, `d`, `w`; default: for ever",
     .example = "30d"},
}};

constexpr parameter key_id{.name = "id",
                           .format = value_format::key_id,
                           .required = true,
                           .min = 5,
                           .max = 64,
                           .doc = "The key's `id`, as account/keys/list gives it",
                           .example = "key_01KATZ5V2N8Q4R6S8T0V2W4X6Y"};
constexpr std::array<parameter, 2> rotate_key_own{{
    key_id,
    {.name = "grace",
     .format = value_format::since,
     .min = 2,
     .max = max_since_length,
     .fallback = "1h",
     .doc = "How long the old key stays valid: `<number><unit>`, units `m`, `h`, `d`, `w`",
     .example = "1h"},
}};
constexpr std::array<parameter, 1> revoke_key_own{key_id};

/// The row of an endpoint; what it answers is found by name in schemas.cpp.
struct endpoint_row {
  endpoint what;
  std::string_view answer;
};

constexpr endpoint_row rows[] = {
    {{.op = operation::microblog_users_lookup,
      .platform = "microblog",
      .path = "microblog/users/lookup",
      .summary = "One user by handle",
      .doc = "The first source that knows the handle answers.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = lookup_own,
      .common = lookup_common},
     "user"},
    {{.op = operation::microblog_users_posts,
      .platform = "microblog",
      .path = "microblog/users/posts",
      .summary = "A user's timeline, newest first",
      .doc = "What the user posted and reposted; `reposted_by` tells the two apart.",
      .credits = 1,
      .own = timeline_own,
      .common = list_common},
     "post"},
    {{.op = operation::microblog_search,
      .platform = "microblog",
      .path = "microblog/search",
      .summary = "Posts that match a query",
      .doc = "Every source of the platform is asked; a quoted phrase in `q` is an exact match.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = search_own,
      .common = list_common},
     "post"},
    {{.op = operation::microblog_posts_replies,
      .platform = "microblog",
      .path = "microblog/posts/replies",
      .summary = "The replies to a post, as a flat pre-order tree",
      .doc = "Each reply follows the one that it answers (`parent_id`). Give `id` or `url`.",
      .credits = 1,
      .own = thread_own,
      .common = list_common,
      .one_of = id_or_url},
     "post"},
    {{.op = operation::web_serp_search,
      .platform = "web-serp",
      .path = "web-serp/search",
      .summary = "Search-engine results",
      .doc = "Results of several engines, merged; `engines` names each with its own rank.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = plain_search_own,
      .common = country_list_common},
     "web_result"},
    {{.op = operation::scrape_markdown,
      .platform = "scrape",
      .path = "scrape/markdown",
      .summary = "A page as markdown suited to language models",
      .doc = "The main content without navigation and advertising, with its metadata. A document "
             "that `max_tokens` cut has a `page` whose cursor goes on.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .render_credits = 4,
      .own = scrape_own,
      .common = scrape_common},
     "document"},
    {{.op = operation::forum_search,
      .platform = "forum",
      .path = "forum/search",
      .summary = "Forum posts that match a query",
      .doc = "In one community or, with `all`, everywhere.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = forum_search_own,
      .common = list_common},
     "forum_post"},
    {{.op = operation::forum_posts_comments,
      .platform = "forum",
      .path = "forum/posts/comments",
      .summary = "The comments of a post, as a flat pre-order tree",
      .doc = "Each comment has its `depth` and `parent_id`. Give `id` or `url`.",
      .credits = 1,
      .own = comments_own,
      .common = list_common,
      .one_of = id_or_url},
     "comment"},
    {{.op = operation::shortvideo_search,
      .platform = "shortvideo",
      .path = "shortvideo/search",
      .summary = "Videos that match a query",
      .doc = "Every source of the platform is asked.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = plain_search_own,
      .common = country_list_common},
     "video"},
    {{.op = operation::shortvideo_hashtags_videos,
      .platform = "shortvideo",
      .path = "shortvideo/hashtags/videos",
      .summary = "Videos under a hashtag",
      .doc = "Only videos that carry the hashtag, whatever a source's search returns beside them.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = hashtag_own,
      .common = list_common},
     "video"},
    {{.op = operation::shortvideo_profiles_lookup,
      .platform = "shortvideo",
      .path = "shortvideo/profiles/lookup",
      .summary = "One creator by handle",
      .doc = "The first source that knows the handle answers.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = creator_lookup_own,
      .common = lookup_common},
     "user"},
    {{.op = operation::shortvideo_profiles_videos,
      .platform = "shortvideo",
      .path = "shortvideo/profiles/videos",
      .summary = "A creator's videos, newest first",
      .doc = "The videos that the creator published.",
      .credits = 1,
      .own = creator_timeline_own,
      .common = list_common},
     "video"},
    {{.op = operation::news_search,
      .platform = "news",
      .path = "news/search",
      .summary = "Press coverage, newest first",
      .doc = "Articles whose title or summary matches.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = search_own,
      .common = country_list_common},
     "article"},
    {{.op = operation::account_show,
      .platform = "account",
      .path = "account/show",
      .summary = "Plan, balance, period and limits of the calling key",
      .doc = "Costs nothing.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .common = call_common},
     "account"},
    {{.op = operation::account_usage,
      .platform = "account",
      .path = "account/usage",
      .summary = "Calls and credits by day, endpoint, key or source",
      .doc =
          "Costs nothing. Only charged calls count, and for what they were charged: a refund "
          "stands in the ledger alone. Days are those of `time_zone`; the first is cut off where "
          "`since` begins. Calls from the dashboard stand under the key `dashboard`.",
      .scope = scope::account,
      .own = usage_own,
      .common = account_list_common},
     "usage_row"},
    {{.op = operation::account_ledger,
      .platform = "account",
      .path = "account/ledger",
      .summary = "Every movement of credits, newest first",
      .doc = "Costs nothing. The `hash` of each entry covers the one before it. A refund names the "
             "entry that it gives back in `refund_of`.",
      .scope = scope::account,
      .own = ledger_own,
      .common = account_list_common},
     "ledger_entry"},
    {{.op = operation::account_keys_list,
      .platform = "account",
      .path = "account/keys/list",
      .summary = "The account's keys",
      .doc = "Costs nothing. Keys themselves are never shown again, only their last four "
             "characters.",
      .scope = scope::account,
      .common = account_list_common},
     "api_key"},
    {{.op = operation::account_keys_create,
      .platform = "account",
      .path = "account/keys/create",
      .summary = "Makes a key",
      .doc = "Costs nothing. `key` in the answer is the only time that it is shown.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = create_key_own,
      .common = call_common},
     "api_key"},
    {{.op = operation::account_keys_rotate,
      .platform = "account",
      .path = "account/keys/rotate",
      .summary = "Replaces a key; the old one stays valid for a while",
      .doc = "Costs nothing. `key` in the answer is the only time that it is shown.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = rotate_key_own,
      .common = call_common},
     "api_key"},
    {{.op = operation::account_keys_revoke,
      .platform = "account",
      .path = "account/keys/revoke",
      .summary = "Ends a key at once",
      .doc = "Costs nothing. Takes effect on every server within one second.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = revoke_key_own,
      .common = call_common},
     "api_key"},
};

constexpr platform_info all_platforms[] = {
    {"microblog", "Posts and users of microblogs"},
    {"web-serp", "Results of web search engines"},
    {"scrape", "Web pages as markdown"},
    {"forum", "Posts and comments of forums"},
    {"shortvideo", "Videos and their creators"},
    {"news", "Press coverage"},
    {"account", "The account of the calling key: plan, balance, usage and keys; free of charge"},
};

constexpr std::size_t endpoint_count = std::size(rows);

std::array<endpoint, endpoint_count> build() {
  std::array<endpoint, endpoint_count> built{};
  for (std::size_t at = 0; at < endpoint_count; ++at) {
    built[at] = rows[at].what;
    built[at].answer = find_object_schema(rows[at].answer);
  }
  return built;
}

}  // namespace

std::span<const endpoint> endpoints() noexcept {
  static const auto all = build();
  return all;
}

std::span<const platform_info> platforms() noexcept { return all_platforms; }

const endpoint* find_endpoint(std::string_view path) noexcept {
  const auto all = endpoints();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const endpoint& one) { return one.path == path; });
  return found == all.end() ? nullptr : &*found;
}

const endpoint& find_endpoint(operation op) noexcept {
  // The table stands in the order of the enumeration; a test holds it to that.
  return endpoints()[static_cast<std::size_t>(op)];
}

std::string_view nearest_path(std::string_view path) {
  constexpr std::size_t longest_path = 64;  // an edit distance over more would only cost time
  if (path.size() > longest_path) return {};
  std::vector<std::string_view> known;
  for (const auto& one : endpoints()) known.push_back(one.path);
  return base::nearest(path, known);
}

const parameter* find_parameter(const endpoint& endpoint, std::string_view name) noexcept {
  for (const auto part : {endpoint.own, endpoint.common}) {
    for (const auto& one : part) {
      if (one.name == name) return &one;
    }
  }
  return nullptr;
}

}  // namespace freshet::catalog

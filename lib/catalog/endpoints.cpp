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
constexpr std::int64_t max_choice_length = 16;
constexpr std::int64_t max_sources = 32;
constexpr std::int64_t max_fields = 64;
constexpr std::int64_t max_selectors = 32;
constexpr std::int64_t max_sites = 20;
constexpr std::int64_t max_token_budget = 1'000'000;
constexpr std::int64_t max_highlight_tokens = 10'000;
constexpr std::int64_t max_credit_amount = 1'000'000'000;
constexpr std::int64_t max_cache_age_s = 31'536'000;  // a year
constexpr std::int64_t min_timeout_ms = 1'000;
constexpr std::int64_t min_deadline_ms = 100;
constexpr std::int64_t max_timeout_ms = 120'000;
constexpr std::int64_t max_schema_bytes = 32'768;

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

// The kinds of parameters: a name and its bounds, what it means, an example, and the default if
// there is one.
constexpr parameter text(std::string_view name, value_format format, std::int64_t min,
                         std::int64_t max, std::string_view doc, std::string_view example,
                         std::string_view fallback = {}) {
  return {.name = name,
          .format = format,
          .min = min,
          .max = max,
          .fallback = fallback,
          .doc = doc,
          .example = example};
}

constexpr parameter whole_number(std::string_view name, std::int64_t min, std::int64_t max,
                                 std::string_view doc, std::string_view example,
                                 std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, min, max, doc, example, fallback);
  one.type = value_type::integer;
  return one;
}

constexpr parameter flag(std::string_view name, std::string_view doc, std::string_view example,
                         std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, 0, 0, doc, example, fallback);
  one.type = value_type::boolean;
  return one;
}

constexpr parameter list(std::string_view name, value_format format, std::int64_t max,
                         std::string_view doc, std::string_view example) {
  auto one = text(name, format, 1, max, doc, example);
  one.type = value_type::string_list;
  return one;
}

constexpr parameter json_object(std::string_view name, std::int64_t max, std::string_view doc,
                                std::string_view example) {
  auto one = text(name, value_format::plain, 2, max, doc, example);
  one.type = value_type::object;
  return one;
}

constexpr parameter choice(std::string_view name, std::span<const std::string_view> choices,
                           std::string_view doc, std::string_view example,
                           std::string_view fallback = {}) {
  auto one = text(name, value_format::plain, 1, max_choice_length, doc, example, fallback);
  one.choices = choices;
  return one;
}

/// `<number><unit>`
constexpr parameter duration(std::string_view name, std::string_view doc, std::string_view example,
                             std::string_view fallback = {}) {
  return text(name, value_format::since, 2, max_since_length, doc, example, fallback);
}

constexpr parameter required(parameter one) {
  one.required = true;
  return one;
}

// Parameters of every call.
constexpr std::array call_common{
    list("fields", value_format::name, max_fields,
         "Keys of an item to return; `object` and `id` always come; `provenance`, which says where "
         "an item comes from, only where it is named",
         "[\"url\",\"text\"]"),
    whole_number(
        "max_tokens", 1, max_token_budget,
        "A budget: whole items, or whole markdown blocks, are left out from the end until the "
        "answer fits; `page.next_cursor` goes on exactly there",
        "4000"),
    whole_number("max_credits", 0, max_credit_amount,
                 "Refuse, before anything is fetched, if the price is higher", "1"),
    flag("dry_run", "Validate and quote; nothing is fetched or charged", "true", "false"),
};

constexpr std::array paging{
    whole_number("limit", 1, 100, "Items of a page", "10", "20"),
    text("cursor", value_format::cursor, 1, max_cursor_length,
         "`page.next_cursor` of the page before; the other parameters stay the same",
         "c1.eyJ2IjoxfQ"),
};

constexpr std::array source_choice{
    list("sources", value_format::source, max_sources,
         "Restrict the call to these sources; default: all that are enabled for the platform",
         "[\"bluesky\"]"),
};

constexpr std::array answer_time{
    whole_number("deadline_ms", min_deadline_ms, max_timeout_ms,
                 "Answer within so many milliseconds with what is there by then; the sources that "
                 "are missing are named, and the next page asks them again",
                 "3000"),
};

constexpr std::array language_choice{
    text("lang", value_format::language, 2, 35, "Only items in this language, BCP 47", "en"),
};

constexpr std::array country_choice{
    text("country", value_format::country, 2, 2, "Results for this country, ISO 3166-1 alpha-2",
         "GB"),
};

constexpr std::array highlight_members{
    text("query", value_format::q, 1, max_q_length,
         "What the passages are to answer, written as `q` is; default: the call's `q`, required "
         "where there is none",
         "tide gauge"),
    whole_number("max_tokens", 1, max_highlight_tokens,
                 "A budget for the passages of one item, in cl100k tokens, rather kept than filled",
                 "200", "200"),
};

/// Of lists, whose items have a text of their own.
constexpr auto list_highlight_members = join(
    highlight_members,
    std::array{flag("instead_of_text",
                    "Whether an item whose `text` is longer than `max_tokens` has its passages "
                    "in place of it, if there are any, and one whose text is not has its text "
                    "alone: nothing is said twice",
                    "true", "false")});

constexpr parameter highlights_of(std::span<const parameter> members) {
  auto one = text("highlights", value_format::plain, 2, 4096,
                  "The sentences of each item that answer a query best (BM25), word for word, in "
                  "its `highlights`: `query`, by default that of the call, within `max_tokens` for "
                  "each item, by default 200. `{}` asks for both",
                  R"({"query":"tide gauge","max_tokens":200})");
  one.type = value_type::object;
  one.members = members;
  return one;
}
constexpr std::array passages{highlights_of(list_highlight_members)};
constexpr std::array document_passages{highlights_of(highlight_members)};

constexpr auto list_common =
    join(paging, source_choice, answer_time, language_choice, passages, call_common);
constexpr auto country_list_common = join(paging, source_choice, answer_time, language_choice,
                                          country_choice, passages, call_common);
/// Of what is popular, in whatever language.
constexpr auto trends_common =
    join(paging, source_choice, answer_time, country_choice, passages, call_common);
/// Of people, who have no language.
constexpr auto people_list_common = join(paging, source_choice, answer_time, passages, call_common);
constexpr auto lookup_common = join(source_choice, call_common);
constexpr auto account_list_common = join(paging, call_common);

/// The same parameter with another example: what the sandbox of the platform knows.
constexpr parameter like(parameter one, std::string_view example) {
  one.example = example;
  return one;
}

// Parameters that several endpoints share. Their examples are calls that the sandbox answers.
constexpr parameter q =
    required(text("q", value_format::q, 1, max_q_length,
                  "Words are ANDed, `\"a phrase\"` is exact, `-word` and `-\"phrase\"` exclude",
                  "\\\"tide gauge\\\" -toy"));
constexpr parameter since = duration(
    "since", "Not older than this: `<number><unit>`, units `m`, `h`, `d`, `w`; at most 3650 days",
    "7d");
constexpr parameter username = required(text(
    "username", value_format::handle, 1, max_name_length,
    "The handle, with or without a leading @; `name@host` where a platform has several instances",
    "alice.test"));
constexpr parameter id =
    text("id", value_format::item_id, 3, max_id_length, "The `id` of an item that Freshet returned",
         "mastodon:mastodon.social/117532337438730006");
constexpr parameter url =
    text("url", value_format::url, 1, max_url_length, "The address of the post",
         "https://mastodon.social/@alice/117532337438730006");
constexpr std::string_view id_or_url[] = {"id", "url"};

constexpr std::array lookup_own{username};
constexpr std::array people_search_own{like(q, "tides")};
constexpr std::array timeline_own{username, since};
constexpr std::array search_own{q, since};
constexpr std::array web_search_own{
    like(q, "climate"),
    since,
    list("sites", value_format::domain, max_sites,
         "Only pages of these domains or below them; `site:` in `q` is a plain word",
         "[\"grey-harbour.example\",\"loughmore.example\"]"),
    list("exclude_sites", value_format::domain, max_sites,
         "No pages of these domains or below them", "[\"brackwater.example\"]"),
};
constexpr std::array media_search_own{like(q, "climate"), since};
constexpr std::array suggest_own{like(q, "climate")};
constexpr std::array thread_own{id, url};
constexpr parameter forum_post_id = like(id, "hackernews:9000003");
constexpr parameter forum_post_url = like(url, "https://news.ycombinator.com/item?id=9000003");
constexpr std::array forum_post_own{forum_post_id, forum_post_url};
constexpr parameter video_url =
    text("url", value_format::url, 1, max_url_length, "The address of the video",
         "https://www.dailymotion.com/video/xhnwgzv");
constexpr std::array video_own{like(id, "dailymotion:xhnwgzv"), video_url};
constexpr std::array transcript_own{
    like(id, "dailymotion:xhnwgzv"),
    video_url,
    text("lang", value_format::language, 2, 35,
         "In this language, BCP 47; default: the first that the source lists, those that people "
         "wrote before those of machines",
         "en"),
};
constexpr std::string_view video_comment_orders[] = {"best", "top", "new"};
constexpr std::array video_comments_own{
    like(id, "youtube:frsSandb000"),
    like(video_url, "https://www.youtube.com/watch?v=frsSandb000"),
    choice("sort", video_comment_orders,
           "Order of the comments on the video itself; `best` is the source's own", "new", "best"),
};
constexpr parameter creator = like(username, "coastlab");
constexpr std::array creator_lookup_own{creator};
constexpr std::array creator_timeline_own{creator, since};

constexpr std::string_view comment_orders[] = {"best", "top", "new", "old"};
constexpr std::array comments_own{
    forum_post_id,
    forum_post_url,
    choice("sort", comment_orders, "Order of siblings; `best` is the source's own", "new", "best"),
};

/// What is searched at once, a search of each platform.
constexpr operation searches[] = {operation::microblog_search, operation::web_serp_search,
                                  operation::forum_search, operation::shortvideo_search,
                                  operation::news_search};
constexpr std::string_view searched_platforms[] = {"microblog", "web-serp", "forum", "shortvideo",
                                                   "news"};
constexpr std::array all_search_own{
    q,
    parameter{.name = "platforms",
              .type = value_type::string_list,
              .min = 1,
              .max = std::size(searched_platforms),
              .choices = searched_platforms,
              .doc = "Which platforms, in this order; default: all that have a source",
              .example = "[\"microblog\",\"news\"]"},
    since,
    flag("cluster",
         "Whether what tells the same, a page, a post or a story, stands in a page once: the first "
         "of them in `data`, the others as `members` in `meta.clusters`",
         "true", "false"),
};

constexpr parameter community =
    text("community", value_format::community, 1, max_name_length,
         "A community's name, `name@host` where a source has several instances, or `all` for "
         "everywhere",
         "technology", "all");
constexpr std::string_view search_orders[] = {"relevance", "new", "top"};
constexpr parameter search_order = choice(
    "sort", search_orders,
    "`relevance`: those that match best; `new`: the newest first; `top`: those of each source with "
    "most votes or views; default: as each source searches by itself. A source that cannot is left "
    "out with a warning",
    "new");
constexpr std::array forum_search_own{q, community, search_order, since};
constexpr std::array video_search_own{q, search_order};

constexpr parameter required_community(parameter one) {
  one.fallback = {};
  return required(like(one, "coast"));
}
constexpr std::string_view post_orders[] = {"new", "top", "hot"};
constexpr std::array community_posts_own{
    required_community(community),
    choice("sort", post_orders,
           "`new`: the newest first; `top`: those with most votes, within `since`; `hot`: what the "
           "source puts in front now",
           "top", "new"),
    since,
};

constexpr std::array hashtag_own{
    required(text("hashtag", value_format::hashtag, 1, 128,
                  "One hashtag, with or without a leading #", "tides")),
    since,
};

constexpr std::string_view news_topics[] = {"world",         "nation",  "business", "technology",
                                            "entertainment", "science", "sports",   "health"};
constexpr std::array headlines_own{
    choice("topic", news_topics,
           "Only headlines of this kind, `nation` of the country or of the source's own; default: "
           "of all",
           "technology"),
};

/// How what a caller names is fetched.
constexpr std::array fetch_bounds{
    whole_number("max_age_s", 0, max_cache_age_s, "Accept a cached copy this old, in seconds",
                 "3600"),
    whole_number("timeout_ms", min_timeout_ms, max_timeout_ms,
                 "How long the page may take, in milliseconds", "20000", "30000"),
    flag("respect_robots",
         "Whether robots.txt is obeyed; default: the operator's configuration, normally `true`",
         "true"),
};

constexpr std::string_view page_modes[] = {"article", "page"};
constexpr std::string_view link_styles[] = {"inline", "footnotes", "none"};
constexpr std::string_view safety_modes[] = {"report", "strip", "refuse"};
constexpr std::string_view render_modes[] = {"never", "auto", "always"};
constexpr std::array scrape_own{
    required(text("url", value_format::url, 1, max_url_length, "The page, http or https",
                  "https://example.com/tide-gauges")),
    choice("mode", page_modes, "`article`: the main content; `page`: everything visible", "page",
           "article"),
    list("include", value_format::css_selector, max_selectors, "CSS selectors: only these parts",
         "[\"main\"]"),
    list("exclude", value_format::css_selector, max_selectors, "CSS selectors: without these parts",
         "[\"nav\",\".advert\"]"),
    choice("links", link_styles, "How links are written", "footnotes", "inline"),
    flag("images", "Whether images are written", "false", "true"),
    choice(
        "safety", safety_modes,
        "What becomes of text that looks like an instruction to a model: `report` lists it in the "
        "document's `safety`, `strip` also leaves it out, `refuse` answers `422 unsafe_content`. "
        "What no reader of the page sees is left out in any case",
        "strip", "report"),
    choice("render", render_modes,
           "Whether a headless browser runs the page first: `auto` only if the page is an empty "
           "shell without. A rendered page costs more; `auto` reserves that (`max_credits` and "
           "`dry_run` count it) and charges it only if it was needed",
           "auto", "never"),
    fetch_bounds[0],
    fetch_bounds[1],
    fetch_bounds[2],
};
constexpr auto scrape_common =
    join(std::array<parameter, 1>{paging[1]}, document_passages, call_common);

constexpr auto map_own = join(
    std::array{
        required(text("url", value_format::url, 1, max_url_length,
                      "A page of the site, http or https, or one of its sitemaps",
                      "https://example.com/tide-gauges")),
        text("q", value_format::q, 1, max_q_length,
             "Only addresses with these words in them or in their titles: words are ANDed, "
             "`\"a phrase\"` is exact, `-word` and `-\"phrase\"` exclude",
             "harbours"),
        whole_number("limit", 1, 1000, "Addresses of a page", "500", "100"),
    },
    fetch_bounds);
constexpr auto map_common = join(std::array<parameter, 1>{paging[1]}, call_common);

constexpr auto extract_own = join(
    std::array{
        required(text("url", value_format::url, 1, max_url_length, "The page, http or https",
                      "https://example.com/tide-gauges")),
        required(json_object(
            "schema", max_schema_bytes,
            "A JSON Schema of the value that is wanted: `type`, `properties`, `required`, `items`, "
            "`enum`, `const`, `default`, `format`, `minItems`, `maxItems`, `description`; and of "
            "ours `x-selector`, a CSS selector (`a.price`, `img@src`: an attribute), and `x-name`, "
            "the property's name on pages where it is another",
            R"({"type":"object","properties":{"headline":{"type":"string"},)"
            R"("author":{"type":"string"},"datePublished":{"type":"string","format":"date-time"},)"
            R"("kinds":{"type":"array","items":{"type":"string"},"x-selector":"tbody td:first-child"}},)"
            R"("required":["headline"]})")),
    },
    fetch_bounds);

constexpr std::string_view usage_groups[] = {"day",          "endpoint", "key",       "source",
                                             "day,endpoint", "day,key",  "day,source"};
constexpr std::array usage_own{
    duration("since", "How far back: `<number><unit>`, units `m`, `h`, `d`, `w`; at most 3650 days",
             "7d", "30d"),
    choice("group_by", usage_groups,
           "What a row stands for. By `source` a call that several sources served counts under "
           "each of them, so that rows may sum to more than was charged",
           "endpoint", "day"),
    text("time_zone", value_format::timezone, 1, 64,
         "Whose days: an IANA name such as `Europe/Berlin`, or `UTC`", "Europe/Berlin", "UTC"),
    flag("empty_days",
         "Whether days without a call have a row too, as a chart needs them; only with a "
         "`group_by` that has `day`",
         "true", "false"),
};

constexpr std::string_view ledger_kinds[] = {"grant", "usage", "refund", "expiry"};
constexpr std::array ledger_own{
    choice("kind", ledger_kinds, "Only movements of this kind", "refund"),
    duration("since", "How far back: `<number><unit>`, units `m`, `h`, `d`, `w`; default: all",
             "30d"),
};

constexpr std::array ledger_verify_own{
    text("known_head", value_format::ledger_head, 1, 128,
         "The `head` of an earlier answer: the ledger has to continue it, and only what is behind "
         "it is read; default: from the first entry on",
         "1:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9"),
};

constexpr std::string_view key_modes[] = {"live", "test"};
constexpr std::string_view key_scopes[] = {"read", "account"};
constexpr std::array create_key_own{
    text("name", value_format::plain, 1, 64, "What you call the key, to tell it from others",
         "the laptop"),
    choice("mode", key_modes,
           "A `test` key reaches the sandbox: recorded answers, no network, no credits", "test",
           "live"),
    parameter{.name = "scopes",
              .type = value_type::string_list,
              .min = 1,
              .max = 2,
              .fallback = "read",
              .choices = key_scopes,
              .doc = "`read` for the platforms, `account` for the account calls",
              .example = "[\"read\"]"},
    whole_number("monthly_budget", 1, max_credit_amount,
                 "Credits that the key may use a month; default: no limit", "500"),
    list("origins", value_format::plain, 4,
         "Origins of web pages that may use the key from a browser (CORS); default: none",
         "[\"https://app.example.org\"]"),
    duration(
        "expires",
        "How long the key lives: `<number><unit>`, units `m`, `h`, `d`, `w`; default: for ever",
        "30d"),
};

constexpr parameter key_id = required(text("id", value_format::key_id, 5, 64,
                                           "The key's `id`, as account/keys/list gives it",
                                           "key_01KATZ5V2N8Q4R6S8T0V2W4X6Y"));
constexpr std::array rotate_key_own{
    key_id,
    duration("grace",
             "How long the old key stays valid: `<number><unit>`, units `m`, `h`, `d`, `w`", "1h",
             "1h"),
};
constexpr std::array revoke_key_own{key_id};

constexpr std::array list_requests_own{
    text("status", value_format::call_status, 2, 6,
         "Only calls that ended so: a status (`400`), a class (`4xx`), `ok` or `failed`", "failed"),
    text("endpoint", value_format::plain, 1, 64, "Only calls of this endpoint", "news/search"),
    text("key", value_format::plain, 5, 64,
         "Only calls with this key, by its `id`; `dashboard` for those from there",
         "key_01KATZ5V2N8Q4R6S8T0V2W4X6Y"),
    choice("mode", key_modes, "Only calls with live or with test keys", "live"),
    text("code", value_format::plain, 1, 64, "Only calls that failed with this code",
         "invalid_request"),
    duration("since",
             "How far back: `<number><unit>`, units `m`, `h`, `d`, `w`; default: all that is kept",
             "24h"),
};
constexpr std::array show_request_own{
    required(text("id", value_format::request_id, 1, 128,
                  "The call's request id, `req_…` or the caller's own: `meta.request_id`, "
                  "X-Request-Id, the ledger's `request_id`",
                  "req_01KATZ5V2N8Q4R6S8T0V2W4X6Z")),
};

/// The row of an endpoint; what it answers is found by name in schemas.cpp.
struct endpoint_row {
  endpoint what;
  std::string_view answer;
};

constexpr endpoint_row rows[] = {
    {{.op = operation::all_search,
      .path = "all/search",
      .summary = "What every platform has on a query",
      .doc =
          "The platforms are asked at once, and their items come in turn, each platform's by its "
          "own order, so that all that have something are on the first page; `object` tells what "
          "an item is. The price is the sum of the searches of those platforms that gave "
          "something; `max_credits` and `dry_run` count all that are asked.",
      .asks = ask_mode::all,
      .parts = searches,
      .own = all_search_own,
      .common = list_common},
     ""},
    {{.op = operation::microblog_users_lookup,
      .path = "microblog/users/lookup",
      .summary = "One user by handle",
      .doc = "The first source that knows the handle answers.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = lookup_own,
      .common = lookup_common},
     "user"},
    {{.op = operation::microblog_users_posts,
      .path = "microblog/users/posts",
      .summary = "A user's timeline, newest first",
      .doc = "What the user posted and reposted; `reposted_by` tells the two apart.",
      .credits = 1,
      .own = timeline_own,
      .common = list_common},
     "post"},
    {{.op = operation::microblog_users_search,
      .path = "microblog/users/search",
      .summary = "Users that match a query",
      .doc =
          "By their handles, names and what they say of themselves. Every source of the platform "
          "that can be searched for users is asked.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = people_search_own,
      .common = people_list_common},
     "user"},
    {{.op = operation::microblog_users_followers,
      .path = "microblog/users/followers",
      .summary = "Who follows a user",
      .doc = "In the source's order, which is mostly the latest first. `not_found` where the user "
             "shows them to nobody.",
      .credits = 1,
      .own = lookup_own,
      .common = people_list_common},
     "user"},
    {{.op = operation::microblog_users_following,
      .path = "microblog/users/following",
      .summary = "Whom a user follows",
      .doc = "In the source's order, which is mostly the latest first. `not_found` where the user "
             "shows them to nobody.",
      .credits = 1,
      .own = lookup_own,
      .common = people_list_common},
     "user"},
    {{.op = operation::microblog_search,
      .path = "microblog/search",
      .summary = "Posts that match a query",
      .doc = "Every source of the platform is asked; a quoted phrase in `q` is an exact match.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = search_own,
      .common = list_common},
     "post"},
    {{.op = operation::microblog_posts_lookup,
      .path = "microblog/posts/lookup",
      .summary = "One post by its id or its address",
      .doc = "As its own server has it now. Give `id` or `url`.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = thread_own,
      .common = lookup_common,
      .one_of = id_or_url},
     "post"},
    {{.op = operation::microblog_posts_replies,
      .path = "microblog/posts/replies",
      .summary = "The replies to a post, as a flat pre-order tree",
      .doc = "Each reply follows the one that it answers (`parent_id`). Give `id` or `url`.",
      .credits = 1,
      .own = thread_own,
      .common = list_common,
      .one_of = id_or_url},
     "post"},
    {{.op = operation::microblog_trends,
      .path = "microblog/trends",
      .summary = "What people write about now",
      .doc = "Topics and hashtags, each source's first ones first. Sources that cannot tell "
             "countries apart are left out of a call with `country`.",
      .asks = ask_mode::all,
      .credits = 1,
      .common = trends_common},
     "trend"},
    {{.op = operation::web_serp_search,
      .path = "web-serp/search",
      .summary = "Search-engine results",
      .doc = "Results of several engines, merged; `engines` names each with its own rank. Many "
             "results have no date and are left out where `since` is given. An engine that can "
             "not be kept to `since` or `sites` is left out with a warning.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = web_search_own,
      .common = country_list_common},
     "web_result"},
    {{.op = operation::web_serp_images_search,
      .path = "web-serp/images/search",
      .summary = "Pictures by words",
      .doc = "What several engines found, merged; each picture with the page it stands on.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = media_search_own,
      .common = country_list_common},
     "web_image"},
    {{.op = operation::web_serp_videos_search,
      .path = "web-serp/videos/search",
      .summary = "Videos anywhere on the web, by words",
      .doc = "What several engines found, merged, whatever their length.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = media_search_own,
      .common = country_list_common},
     "video"},
    {{.op = operation::web_serp_suggest,
      .path = "web-serp/suggest",
      .summary = "How search engines would go on with a query",
      .doc = "`q` is the beginning of a query, as it is typed; nothing in it is an operator.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = suggest_own,
      .common = country_list_common},
     "suggestion"},
    {{.op = operation::scrape_markdown,
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
    {{.op = operation::scrape_map,
      .path = "scrape/map",
      .summary = "The addresses of a site",
      .doc = "The links of the page, then what the site's sitemaps list (`Sitemap:` of its "
             "robots.txt, else `/sitemap.xml`; indexes, gzip, plain lists and feeds too). An "
             "address is of the site if its host is that of the page, without `www.`, or below "
             "it. What robots.txt forbids is left out.",
      .credits = 1,
      .own = map_own,
      .common = map_common},
     "site_address"},
    {{.op = operation::scrape_extract,
      .path = "scrape/extract",
      .summary = "A JSON value out of a page, by a JSON Schema",
      .doc =
          "Each property is looked for in the page's JSON-LD, microdata, OpenGraph and `<meta>`, "
          "tables of names and values, and its title; one with `x-selector` where that says. "
          "`provenance` names the place of each value, `missing` what is required and not "
          "there. No language model takes part: nothing is guessed.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = extract_own,
      .common = call_common},
     "extraction"},
    {{.op = operation::forum_search,
      .path = "forum/search",
      .summary = "Forum posts that match a query",
      .doc = "In one community or, with `all`, everywhere.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = forum_search_own,
      .common = list_common},
     "forum_post"},
    {{.op = operation::forum_communities_posts,
      .path = "forum/communities/posts",
      .summary = "The posts of a community, without words",
      .doc = "Every source that can have such a community is asked; with `all` every one for what "
             "it has everywhere.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = community_posts_own,
      .common = list_common},
     "forum_post"},
    {{.op = operation::forum_posts_lookup,
      .path = "forum/posts/lookup",
      .summary = "One forum post by its id or its address",
      .doc = "The post without its comments. Give `id` or `url`.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = forum_post_own,
      .common = lookup_common,
      .one_of = id_or_url},
     "forum_post"},
    {{.op = operation::forum_posts_comments,
      .path = "forum/posts/comments",
      .summary = "The comments of a post, as a flat pre-order tree",
      .doc = "Each comment has its `depth` and `parent_id`. Give `id` or `url`.",
      .credits = 1,
      .own = comments_own,
      .common = list_common,
      .one_of = id_or_url},
     "comment"},
    {{.op = operation::shortvideo_search,
      .path = "shortvideo/search",
      .summary = "Videos that match a query",
      .doc = "Every source of the platform is asked.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = video_search_own,
      .common = country_list_common},
     "video"},
    {{.op = operation::shortvideo_trends,
      .path = "shortvideo/trends",
      .summary = "Videos that are popular now",
      .doc = "Short ones among those that each source puts in front, its first ones first. Sources "
             "that cannot tell countries apart are left out of a call with `country`.",
      .asks = ask_mode::all,
      .credits = 1,
      .common = trends_common},
     "video"},
    {{.op = operation::shortvideo_videos_lookup,
      .path = "shortvideo/videos/lookup",
      .summary = "One video by its id or its address",
      .doc = "Whatever its length: who names a video wants that one. Give `id` or `url`.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = video_own,
      .common = lookup_common,
      .one_of = id_or_url},
     "video"},
    {{.op = operation::shortvideo_videos_comments,
      .path = "shortvideo/videos/comments",
      .summary = "The comments of a video, as a flat pre-order tree",
      .doc =
          "Each comment has its `depth` and `parent_id`. Give `id` or `url`. Where a source does "
          "not give all replies, the answer is `partial` and says how many are missing.",
      .credits = 1,
      .own = video_comments_own,
      .common = list_common,
      .one_of = id_or_url},
     "comment"},
    {{.op = operation::shortvideo_videos_transcript,
      .path = "shortvideo/videos/transcript",
      .summary = "What is said in a video",
      .doc = "By its captions, whatever the video's length. A video without captions, or without "
             "any in `lang`, is `not_found`. Give `id` or `url`.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = transcript_own,
      .common = lookup_common,
      .one_of = id_or_url},
     "transcript"},
    {{.op = operation::shortvideo_hashtags_videos,
      .path = "shortvideo/hashtags/videos",
      .summary = "Videos under a hashtag",
      .doc = "Only videos that carry the hashtag, whatever a source's search returns beside them.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = hashtag_own,
      .common = list_common},
     "video"},
    {{.op = operation::shortvideo_profiles_lookup,
      .path = "shortvideo/profiles/lookup",
      .summary = "One creator by handle",
      .doc = "The first source that knows the handle answers.",
      .shape = answer_shape::lookup,
      .credits = 1,
      .own = creator_lookup_own,
      .common = lookup_common},
     "user"},
    {{.op = operation::shortvideo_profiles_videos,
      .path = "shortvideo/profiles/videos",
      .summary = "A creator's videos, newest first",
      .doc = "The videos that the creator published.",
      .credits = 1,
      .own = creator_timeline_own,
      .common = list_common},
     "video"},
    {{.op = operation::news_search,
      .path = "news/search",
      .summary = "Press coverage, newest first",
      .doc = "Articles whose title or summary matches.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = search_own,
      .common = country_list_common},
     "article"},
    {{.op = operation::news_headlines,
      .path = "news/headlines",
      .summary = "The headlines of the press now, newest first",
      .doc = "Without words: what is in front where a source says so, else its newest. Sources "
             "that cannot tell a topic or a country apart are left out of such a call.",
      .asks = ask_mode::all,
      .credits = 1,
      .own = headlines_own,
      .common = country_list_common},
     "article"},
    {{.op = operation::account_show,
      .path = "account/show",
      .summary = "Plan, balance, period and limits of the calling key",
      .doc = "Costs nothing.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .common = call_common},
     "account"},
    {{.op = operation::account_usage,
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
      .path = "account/ledger",
      .summary = "Every movement of credits, newest first",
      .doc = "Costs nothing. The `hash` of each entry covers the account's one before it. A refund "
             "names the "
             "entry that it gives back in `refund_of`.",
      .scope = scope::account,
      .own = ledger_own,
      .common = account_list_common},
     "ledger_entry"},
    {{.op = operation::account_ledger_verify,
      .path = "account/ledger/verify",
      .summary = "Replays the account's entries and says whether all is as it was booked",
      .doc =
          "Costs nothing. Looks at every entry's number, hash and balance. Keep `head`: the next "
          "time `known_head` proves that nothing before it was written anew. Where `complete` is "
          "false there are more entries: call again with `head` as `known_head`. Entries that "
          "were booked when all accounts shared one chain, which only the operator can verify, "
          "are held against their balances alone.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = ledger_verify_own,
      .common = call_common},
     "ledger_verification"},
    {{.op = operation::account_keys_list,
      .path = "account/keys/list",
      .summary = "The account's keys",
      .doc = "Costs nothing. Keys themselves are never shown again, only their last four "
             "characters.",
      .scope = scope::account,
      .common = account_list_common},
     "api_key"},
    {{.op = operation::account_keys_create,
      .path = "account/keys/create",
      .summary = "Makes a key",
      .doc = "Costs nothing. `key` in the answer is the only time that it is shown.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = create_key_own,
      .common = call_common},
     "api_key"},
    {{.op = operation::account_keys_rotate,
      .path = "account/keys/rotate",
      .summary = "Replaces a key; the old one stays valid for a while",
      .doc = "Costs nothing. `key` in the answer is the only time that it is shown.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = rotate_key_own,
      .common = call_common},
     "api_key"},
    {{.op = operation::account_keys_revoke,
      .path = "account/keys/revoke",
      .summary = "Ends a key at once",
      .doc = "Costs nothing. Takes effect on every server within one second.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = revoke_key_own,
      .common = call_common},
     "api_key"},
    {{.op = operation::account_requests_list,
      .path = "account/requests/list",
      .summary = "Calls of the account, failed ones too, newest first",
      .doc =
          "Costs nothing. Every call with a key of the account that reached an endpoint, live or "
          "test, whatever came of it, for 30 days unless the operator keeps them longer or "
          "shorter. `body` and `answer` are null here: account/requests/show has them.",
      .scope = scope::account,
      .own = list_requests_own,
      .common = account_list_common},
     "request"},
    {{.op = operation::account_requests_show,
      .path = "account/requests/show",
      .summary = "One call: its sources, what it cost, and where that is booked",
      .doc = "Costs nothing. Of several calls with one id, which callers may choose, the last. "
             "`body` and `answer` are what was sent and answered, for as long as the operator "
             "keeps them, which is not at all unless configured.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = show_request_own,
      .common = call_common},
     "request"},
};

constexpr platform_info all_platforms[] = {
    {"all", "Every platform in one call"},
    {"microblog", "Posts and users of microblogs"},
    {"web-serp", "Results of web search engines"},
    {"scrape", "Web pages as markdown and as data, and the addresses of a site"},
    {"forum", "Posts and comments of forums"},
    {"shortvideo", "Videos and their creators"},
    {"news", "Press coverage"},
    {"account",
     "The account of the calling key: plan, balance, usage, keys and requests; free of charge"},
};

constexpr std::size_t endpoint_count = std::size(rows);

std::array<endpoint, endpoint_count> build() {
  std::array<endpoint, endpoint_count> built{};
  for (std::size_t at = 0; at < endpoint_count; ++at) {
    built[at] = rows[at].what;
    const auto path = rows[at].what.path;
    built[at].platform = path.substr(0, path.find('/'));
    built[at].answer = find_object_schema(rows[at].answer);
    for (const operation part : rows[at].what.parts) {
      built[at].credits += rows[static_cast<std::size_t>(part)].what.credits;
    }
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
  const auto found = std::ranges::find(all, path, &endpoint::path);
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

std::vector<const object_schema*> answers_of(const endpoint& of) {
  std::vector<const object_schema*> answers;
  if (of.answer != nullptr) answers.push_back(of.answer);
  for (const operation part : of.parts) answers.push_back(find_endpoint(part).answer);
  return answers;
}

std::vector<std::string_view> item_keys(const endpoint& of) {
  std::vector<std::string_view> keys;
  for (const object_schema* answer : answers_of(of)) {
    for (const auto part : {answer->common, answer->own}) {
      for (const field& one : part) {
        if (std::ranges::find(keys, one.name) == keys.end()) keys.push_back(one.name);
      }
    }
  }
  const bool is_there = std::ranges::find(keys, provenance_key) != keys.end();
  if (of.scope == scope::read && !is_there) keys.push_back(provenance_key);
  return keys;
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

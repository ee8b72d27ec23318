// The parameters of the endpoints, by endpoint; what several share stands once.
#pragma once

#include <array>
#include <catalog/endpoint.hpp>
#include <catalog/parameter_kinds.hpp>

namespace freshet::catalog {

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
/// Words of which every source has more than a page: how far back one of them looks shows in none.
constexpr std::array video_search_own{like(q, "climate"), search_order};

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
            R"("kinds":{"type":"array","items":{"type":"string"},)"
            R"("x-selector":"tbody td:first-child"}},)"
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
    whole_number(
        "top", 1, 100,
        "So many endpoints, keys or sources alone, those of the most credits, then calls; what "
        "the others used is one more row (of each day), `*`; not with a `group_by` of `day`",
        "6"),
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
           "A `test` key reaches the sandbox: recorded answers, no network, no credits. Made by a "
           "test key it is `test`",
           "test", "live"),
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

constexpr std::string_view alert_shares[] = {"50", "20", "10", "5", "0"};
constexpr std::array update_alerts_own{
    parameter{.name = "credits_left",
              .type = value_type::string_list,
              .min = 0,
              .max = std::size(alert_shares),
              .choices = alert_shares,
              .doc = "At which parts of the month's credits, in percent, that are left; `0`: when "
                     "they are used up; an empty list: never",
              .example = "[\"20\",\"0\"]"},
    flag("key_budgets", "When calls are refused because a key's budget is used", "true"),
    flag("failing_sources",
         "When a source that the account's calls ask has failed for an hour, unless the operator "
         "has set another time",
         "true"),
    flag("mail", "By mail, to the account's address, once it was confirmed", "true"),
    text("webhook", value_format::plain, 0, 2048,
         "Also by a `POST` to this address, https or http; empty: to none",
         "https://hooks.example.org/freshet"),
};

}  // namespace freshet::catalog

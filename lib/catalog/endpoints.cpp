// The table of endpoints: what each takes, what it answers and what it costs. Validation, OpenAPI,
// help, routes and the sources' operations all read these rows. Nothing is checked here.
#include <algorithm>
#include <array>
#include <base/unicode.hpp>
#include <catalog/endpoint.hpp>
#include <catalog/parameters.hpp>
#include <vector>

namespace freshet::catalog {
namespace {

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
    {{.op = operation::account_alerts_show,
      .path = "account/alerts/show",
      .summary = "What the account's owner is told of, and how",
      .doc = "Costs nothing. Until something is chosen it is what the operator has set for all.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .common = call_common},
     "alert_settings"},
    {{.op = operation::account_alerts_update,
      .path = "account/alerts/update",
      .summary = "Choose what the account's owner is told of, by mail and by a webhook",
      .doc = "Costs nothing. What is not given stays as it is. Of each share of the credits and of "
             "each key an owner is told once a month, of a failing source once a day. A webhook is "
             "sent a `POST` by the rules of Standard Webhooks, tried again until it answers 2xx; "
             "the answer that sets one shows once what it is signed with.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .own = update_alerts_own,
      .common = call_common},
     "alert_settings"},
    {{.op = operation::account_alerts_test,
      .path = "account/alerts/test",
      .summary = "Send a test alert now, to where the account's alerts go",
      .doc = "Costs nothing, at most once a minute. To the confirmed address, where mail is chosen "
             "and the server sends any, and to the webhook as the event `account.test`. The answer "
             "says where it is on its way to, not that it has arrived.",
      .shape = answer_shape::lookup,
      .scope = scope::account,
      .common = call_common},
     "alert_test"},
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
     "The account of the calling key: plan, balance, usage, keys, requests and alerts; free of "
     "charge"},
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

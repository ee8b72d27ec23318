// The calls, typed: the same interface in process (engine) and to a remote server (connect()).
// Parameters are those of the contract; empty strings, zeroes and empty lists are not sent.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// Which passages of each item are wanted.
struct highlight_parameters {
  std::string query = {};  ///< what they are to answer, as `q`; empty: the call's `q`
  int max_tokens = 0;      ///< a budget for those of one item; 0: the default, 200
  /// Of lists: an item whose text is longer than the budget has them in place of it, others none.
  bool instead_of_text = false;
};

/// What every list takes.
struct list_parameters {
  int limit = 0;            ///< items of a page, 1 to 100; 0: the default, 20
  std::string cursor = {};  ///< page_info::next_cursor of the page before; "": the first
  std::vector<std::string> sources = {};  ///< only these, by name; empty: all that are enabled
  std::string lang = {};                  ///< only items in this language (BCP 47)
  std::string country = {};  ///< of which country, where a platform can (ISO 3166-1 alpha-2)
  int deadline_ms = 0;       ///< answered within it, with what is there by then; 0: the server's
  std::optional<highlight_parameters> highlights = {};  ///< passages of each item; null: none
};

/// Of whom a profile is asked for.
struct lookup_parameters {
  std::string username;                   ///< a handle, with or without @; required
  std::vector<std::string> sources = {};  ///< only these, by name; empty: all that are enabled
};

/// Who follows whom.
struct follows_parameters {
  std::string username;       ///< a handle, with or without @; required
  list_parameters list = {};  ///< page, sources
};

/// Whose posts or videos, newest first.
struct timeline_parameters {
  std::string username;       ///< a handle, with or without @; required
  std::string since = {};     ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};  ///< page, sources, language
};

/// A search of several platforms.
struct all_search_parameters {
  std::string q;  ///< words are ANDed, "a phrase" is exact, -word excludes; required
  std::vector<std::string> platforms = {};  ///< only these, in this order; empty: all
  std::string since = {};                   ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};                ///< page, sources, language
  /// Whether what tells the same stands in a page once; the others are in response_meta::clusters.
  bool cluster = false;
};

/// A search that can be bounded in time.
struct search_parameters {
  std::string q;              ///< words are ANDed, "a phrase" is exact, -word excludes; required
  std::string since = {};     ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};  ///< page, sources, language
};

/// A search that knows no time.
struct query_parameters {
  std::string q;              ///< words are ANDed, "a phrase" is exact, -word excludes; required
  list_parameters list = {};  ///< page, sources, language
};

/// A search of the web.
struct web_search_parameters {
  std::string q;           ///< words are ANDed, "a phrase" is exact, -word excludes; required
  std::string since = {};  ///< how far back: "24h", "7d"; units m, h, d, w
  std::vector<std::string> sites = {};  ///< only of these domains or below them; empty: of all
  std::vector<std::string> exclude_sites = {};  ///< of none of these domains, nor below them
  list_parameters list = {};                    ///< page, sources, language, country
};

/// A search in one forum or in all.
struct forum_search_parameters {
  std::string q;               ///< words are ANDed, "a phrase" is exact, -word excludes; required
  std::string community = {};  ///< a forum's name, or "all": everywhere, as if it is empty
  std::string sort = {};       ///< "relevance", "new", "top"; empty: as each source does by itself
  std::string since = {};      ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};   ///< page, sources, language
};

/// A search for videos.
struct video_search_parameters {
  std::string q;              ///< words are ANDed, "a phrase" is exact, -word excludes; required
  std::string sort = {};      ///< "relevance", "new", "top"; empty: as each source does by itself
  list_parameters list = {};  ///< page, sources, language, country
};

/// Whose posts, without words.
struct community_parameters {
  std::string community;      ///< a forum's name, or "all": everywhere; required
  std::string sort = {};      ///< "new" (default), "top", "hot"
  std::string since = {};     ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};  ///< page, sources, language
};

/// What is in front of the press.
struct headlines_parameters {
  std::string topic = {};     ///< "world", "business", "technology" and the like; empty: all
  list_parameters list = {};  ///< page, sources, language, country
};

/// Where something is popular.
struct trends_parameters {
  list_parameters list = {};  ///< page, sources, country
};

/// Which post or video. Give `id` or `url`.
struct item_parameters {
  std::string id = {};                    ///< item_common::id
  std::string url = {};                   ///< its page
  std::vector<std::string> sources = {};  ///< only these, by name; empty: all that are enabled
};

/// Of which video, and in which language. Give `id` or `url`.
struct transcript_parameters {
  std::string id = {};                    ///< item_common::id
  std::string url = {};                   ///< its page
  std::string lang = {};                  ///< BCP 47; empty: the first that there is
  std::vector<std::string> sources = {};  ///< only these, by name; empty: all that are enabled
};

/// Under which post or video. Give `id` or `url`.
struct thread_parameters {
  std::string id = {};        ///< item_common::id of it
  std::string url = {};       ///< its page
  std::string sort = {};      ///< of comments: "best" (default), "top", "new", of posts "old"
  list_parameters list = {};  ///< page, sources, language
};

/// Videos under a hashtag.
struct hashtag_parameters {
  std::string hashtag;        ///< with or without #; required
  std::string since = {};     ///< how far back: "24h", "7d"; units m, h, d, w
  list_parameters list = {};  ///< page, sources, language
};

/// Which page becomes markdown, and how.
struct scrape_parameters {
  std::string url;                        ///< absolute, http or https; required
  std::string mode = {};                  ///< "article" (default) or "page"
  std::vector<std::string> include = {};  ///< CSS selectors: only what they match
  std::vector<std::string> exclude = {};  ///< CSS selectors: all but what they match
  std::string links = {};                 ///< "inline" (default), "footnotes", "none"
  bool images = true;                     ///< whether pictures are kept
  int max_age_s = 0;        ///< seconds that a cached copy may be old; 0: as the page allows
  int timeout_ms = 0;       ///< milliseconds for all fetches; 0: as configured
  int max_tokens = 0;       ///< cut between blocks to this budget; 0: whole
  std::string render = {};  ///< in a browser: "never" (default), "auto" or "always"
  std::string safety = {};  ///< what is marked: "report" (default), "strip" or "refuse"
  std::optional<highlight_parameters> highlights = {};  ///< passages of the page; null: none
};

/// Which site's addresses.
struct map_parameters {
  std::string url;     ///< of the site, or one of its sitemaps; absolute, http or https; required
  std::string q = {};  ///< only addresses with these words in them or in their titles
  int limit = 0;       ///< addresses of a page, 1 to 1000; 0: the default, 100
  std::string cursor = {};  ///< page_info::next_cursor of the page before; "": the first
  int max_age_s = 0;        ///< seconds that cached copies may be old; 0: as the site allows
  int timeout_ms = 0;       ///< milliseconds for all fetches; 0: as configured
};

/// What is taken out of which page.
struct extract_parameters {
  std::string url;     ///< absolute, http or https; required
  std::string schema;  ///< a JSON Schema, as JSON; required
  int max_age_s = 0;   ///< seconds that a cached copy may be old; 0: as the page allows
  int timeout_ms = 0;  ///< milliseconds for all fetches; 0: as configured
};

class client;

/// All platforms at once. Thread-safe, as its client, which must outlive it.
class all_calls {
 public:
  /// Of the calls that go through `through`.
  explicit all_calls(client& through) : client_(&through) {}
  /// What every platform has, their items in turn; a page costs what the searches of those cost
  /// that gave something, 5 credits at most by default.
  [[nodiscard]] result<page<item>> search(const all_search_parameters& of);

 private:
  client* client_;
};

/// Microblogs. Thread-safe, as its client, which must outlive it.
class microblog_calls {
 public:
  /// Of the calls that go through `through`.
  explicit microblog_calls(client& through) : client_(&through) {}
  /// One user by handle; 1 credit. Error: not_found.
  [[nodiscard]] result<single<user>> lookup(const lookup_parameters& of);
  /// A user's timeline, newest first; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<post>> posts(const timeline_parameters& of);
  /// Users that match; 1 credit a page.
  [[nodiscard]] result<page<user>> find_users(const query_parameters& of);
  /// Who follows a user; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<user>> followers(const follows_parameters& of);
  /// Whom a user follows; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<user>> following(const follows_parameters& of);
  /// Posts that match; 1 credit a page.
  [[nodiscard]] result<page<post>> search(const search_parameters& of);
  /// One post by its id or its address; 1 credit. Error: not_found.
  [[nodiscard]] result<single<post>> find_post(const item_parameters& of);
  /// The replies to a post, a flat pre-order tree; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<post>> replies(const thread_parameters& of);
  /// What people write about now; 1 credit a page.
  [[nodiscard]] result<page<trend>> trends(const trends_parameters& of);

 private:
  client* client_;
};

/// Web search engines. Thread-safe, as its client, which must outlive it.
class web_serp_calls {
 public:
  /// Of the calls that go through `through`.
  explicit web_serp_calls(client& through) : client_(&through) {}
  /// Results, best first, what several engines found merged; 1 credit a page.
  [[nodiscard]] result<page<web_result>> search(const web_search_parameters& of);
  /// Pictures, best first; 1 credit a page.
  [[nodiscard]] result<page<web_image>> images(const search_parameters& of);
  /// Videos anywhere on the web, best first; 1 credit a page.
  [[nodiscard]] result<page<video>> videos(const search_parameters& of);
  /// How engines would go on with a query; 1 credit.
  [[nodiscard]] result<page<suggestion>> suggest(const query_parameters& of);

 private:
  client* client_;
};

/// Web pages. Thread-safe, as its client, which must outlive it.
class scrape_calls {
 public:
  /// Of the calls that go through `through`.
  explicit scrape_calls(client& through) : client_(&through) {}
  /// A page as markdown; 1 credit, rendered 5. Errors: not_found, target_forbidden (a private
  /// address), robots_disallowed, unsupported_content.
  [[nodiscard]] result<single<document>> markdown(const scrape_parameters& of);
  /// The addresses of a site, by the links of a page and the site's sitemaps; 1 credit a page.
  /// Errors: as of markdown().
  [[nodiscard]] result<page<site_address>> map(const map_parameters& of);
  /// A JSON value out of a page, by a JSON Schema; 1 credit. Errors: as of markdown(), and
  /// invalid_request where the schema is no JSON.
  [[nodiscard]] result<single<extraction>> extract(const extract_parameters& of);

 private:
  client* client_;
};

/// Forums. Thread-safe, as its client, which must outlive it.
class forum_calls {
 public:
  /// Of the calls that go through `through`.
  explicit forum_calls(client& through) : client_(&through) {}
  /// Posts that match; 1 credit a page.
  [[nodiscard]] result<page<forum_post>> search(const forum_search_parameters& of);
  /// The posts of a community; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<forum_post>> posts(const community_parameters& of);
  /// One post by its id or its address; 1 credit. Error: not_found.
  [[nodiscard]] result<single<forum_post>> find_post(const item_parameters& of);
  /// The comments of a post, a flat pre-order tree; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<comment>> comments(const thread_parameters& of);

 private:
  client* client_;
};

/// Short videos. Thread-safe, as its client, which must outlive it.
class shortvideo_calls {
 public:
  /// Of the calls that go through `through`.
  explicit shortvideo_calls(client& through) : client_(&through) {}
  /// Videos that match; 1 credit a page.
  [[nodiscard]] result<page<video>> search(const video_search_parameters& of);
  /// Videos that are popular now; 1 credit a page.
  [[nodiscard]] result<page<video>> trends(const trends_parameters& of);
  /// One video by its id or its address; 1 credit. Error: not_found.
  [[nodiscard]] result<single<video>> find_video(const item_parameters& of);
  /// The comments of a video, a flat pre-order tree; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<comment>> comments(const thread_parameters& of);
  /// What is said in a video; 1 credit. Error: not_found (no captions in that language, too).
  [[nodiscard]] result<single<transcript>> find_transcript(const transcript_parameters& of);
  /// Videos under a hashtag; 1 credit a page.
  [[nodiscard]] result<page<video>> hashtag(const hashtag_parameters& of);
  /// One creator by name; 1 credit. Error: not_found.
  [[nodiscard]] result<single<user>> profile(const lookup_parameters& of);
  /// A creator's videos, newest first; 1 credit a page. Error: not_found.
  [[nodiscard]] result<page<video>> videos(const timeline_parameters& of);

 private:
  client* client_;
};

/// The press. Thread-safe, as its client, which must outlive it.
class news_calls {
 public:
  /// Of the calls that go through `through`.
  explicit news_calls(client& through) : client_(&through) {}
  /// Coverage, newest first; 1 credit a page.
  [[nodiscard]] result<page<article>> search(const search_parameters& of);
  /// Headlines without words, newest first; 1 credit a page.
  [[nodiscard]] result<page<article>> headlines(const headlines_parameters& of);

 private:
  client* client_;
};

/// The interface of the engine and of a remote server. Thread-safe, but for `api_key`.
///
/// What fails, fails with an error of errc.def. Every call may answer, beside what stands at it:
/// invalid_request and invalid_cursor (parameters); missing_api_key, invalid_api_key,
/// revoked_api_key, forbidden_scope, insufficient_credits, key_budget_exceeded and rate_limited (a
/// key); source_error, source_blocked, source_auth_required, source_unavailable and source_timeout
/// (all sources failed; if only some did, the answer is `partial`); overloaded,
/// storage_unavailable, internal; cancelled. None of them is charged. error::retry_after says when
/// a retry makes sense. Prices are the catalogue's; an operator can change them.
class client {
 public:
  virtual ~client() = default;

  /// Starts a call; see engine::submit.
  virtual std::uint64_t submit(request request, std::function<void(response)> done) = 0;
  /// Ends a running call early; see engine::cancel.
  virtual void cancel(std::uint64_t ticket) = 0;
  /// submit() and wait. Not from within a `done`.
  [[nodiscard]] response call(request what);

  /// Every platform in one call.
  [[nodiscard]] all_calls all() { return all_calls(*this); }
  /// Users, timelines, posts and replies.
  [[nodiscard]] microblog_calls microblog() { return microblog_calls(*this); }
  /// Results of search engines.
  [[nodiscard]] web_serp_calls web_serp() { return web_serp_calls(*this); }
  /// Pages as markdown and as data, and the addresses of sites.
  [[nodiscard]] scrape_calls scrape() { return scrape_calls(*this); }
  /// Forum posts and comments.
  [[nodiscard]] forum_calls forum() { return forum_calls(*this); }
  /// Videos and their creators.
  [[nodiscard]] shortvideo_calls shortvideo() { return shortvideo_calls(*this); }
  /// Press coverage.
  [[nodiscard]] news_calls news() { return news_calls(*this); }

  /// The key that typed calls carry; empty: none. Not to be changed while calls start.
  std::string api_key;
};

/// What request::on_source was told (source_event::body), as values. Thread-safe. Error:
/// source_error (this is no such event).
[[nodiscard]] result<source_part> read_source_event(std::string_view event);

/// Called with every line an engine or a client wants to log; one line each, no newline, never a
/// key.
using log_sink = std::function<void(std::string_view level, std::string_view line)>;

/// A client of a remote server, e.g. "http://127.0.0.1:8080". Private addresses are allowed: the
/// caller chose the server. `log` may be null, and is called from any thread. `ca_file`: who may
/// vouch for a server with https, as certificates in PEM; "": whom the system trusts. Error:
/// invalid_configuration (not an http(s) URL, no such file).
[[nodiscard]] result<std::unique_ptr<client>> connect(std::string base_url, std::string api_key,
                                                      log_sink log = {}, std::string ca_file = {});

}  // namespace freshet

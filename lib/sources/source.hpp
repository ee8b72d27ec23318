// What a source is: a const descriptor with, for every operation that it serves, two pure
// functions. plan() turns a call into an HTTP request, read() turns the answer into items, a
// further request, or an error. No I/O, no clock, no randomness, no logging in them; whatever
// they need is in their arguments. Adding a source: its folder, its test folder, one line in
// sources.def.
#pragma once

#include <base/work.hpp>
#include <catalog/endpoint.hpp>
#include <chrono>
#include <freshet/item.hpp>
#include <freshet/result.hpp>
#include <http/message.hpp>
#include <map>
#include <markdown/page.hpp>
#include <optional>
#include <query/text_query.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace freshet::sources {

/// What the pipeline asks of a source: validated and source-neutral.
struct call {
  catalog::operation op{};
  query::text_query q;
  std::optional<time_point> since;  ///< inclusive
  std::string username;             ///< without a leading @
  std::string native_id;            ///< of `id`, without "<source>:"; empty when `url` was given
  std::string url;                  ///< of `url`; empty when `id` was given
  std::string community;            ///< "" or "all" for everywhere, else `name` or `name@host`
  std::string hashtag;              ///< without a leading #
  std::string sort;
  std::string topic;  ///< of news/headlines; empty: of all
  /// Of web-serp/search, as hosts: only pages of these or below them (empty: of all), and none of
  /// those.
  std::vector<std::string> sites, exclude_sites;
  std::string lang;
  std::string country;
  int limit = 20;                               ///< items still wanted
  time_point now;                               ///< of the call, so that plan() stays pure
  markdown::page_options page;                  ///< of scrape/markdown
  std::optional<std::chrono::seconds> max_age;  ///< of a cached copy that is accepted
  bool respect_robots = true;
  std::string schema;   ///< of scrape/extract: JSON that extract::schema::compile() takes
  std::string crawler;  ///< the name by which robots.txt knows us
  http::rendering render = http::rendering::never;  ///< if_possible: when the page is a shell
};

/// A source's configuration: one per instance that is asked.
struct settings {
  std::string base_url;  ///< without a trailing slash; may carry a path prefix
  /// Credentials and the like; lists joined by commas.
  std::map<std::string, std::string, std::less<>> values;
  /// Scheme, host and port of the addresses that the operator wrote into the configuration, for
  /// this instance: not those that are the source's own.
  std::vector<std::string> chosen_origins{};

  /// base_url, or what stands in for it where none is configured.
  [[nodiscard]] std::string_view base_or(std::string_view fallback) const {
    return base_url.empty() ? fallback : std::string_view(base_url);
  }
  /// The value of a key; "" if unset.
  [[nodiscard]] std::string_view get(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string_view{} : std::string_view(found->second);
  }
};

/// The longest position that a source may give.
inline constexpr std::size_t max_position_size = 512;

/// Of the items of one answer: their texts, and what each takes by itself. A source repeats in each
/// what stands once in its answer, a site's name or the post that many share.
inline constexpr std::size_t max_listing_bytes = 64u << 20;

/// The items of an answer, in its order. One that has more than max_listing_bytes ends the reading
/// of it: emplace_back() and push_back() throw base::work_ended.
class item_list : public std::vector<item> {
 public:
  using std::vector<item>::vector;
  item_list() = default;
  item_list(std::vector<item> made) : std::vector<item>(std::move(made)) {}

  template <class Made>
  item& emplace_back(Made&& made) {
    auto& added = std::vector<item>::emplace_back(std::forward<Made>(made));
    count(added);
    return added;
  }
  void push_back(item made) { emplace_back(std::move(made)); }

 private:
  void count(const item& added);

  std::size_t bytes_ = 0;
};

/// Items, and where to go on. A lookup gives exactly one item.
struct listing {
  item_list items;
  std::string next;  ///< the position for plan(); "" is the end. At most max_position_size bytes.
  std::vector<std::string> warnings;
  /// The source knows that this is not all there is to find (a search that fell back to a
  /// narrower one); a warning says why. The call becomes `partial`.
  bool partial = false;
  /// Of a document: where its markdown's blocks begin, so that a budget cuts between them.
  std::vector<std::size_t> blocks;
  markdown::taken_from places{};  ///< of a document
};

/// A further request before there are items: a name to resolve, details to fetch.
struct follow {
  http::request request;
  std::string state;  ///< given to the next read(), so that it knows which step it reads
};

using step = std::variant<listing, follow>;

/// The page of a lookup: one item.
[[nodiscard]] inline step page_of(item found) {
  listing page;
  page.items.push_back(std::move(found));
  return page;
}

/// How many follow steps one page may take, unless its capability says otherwise.
inline constexpr int max_follow_steps = 6;

/// Promises that a source keeps by itself for an operation; the pipeline keeps the others by
/// filtering what came.
enum native_promise : unsigned {
  native_none = 0,
  native_words = 1u << 0,       ///< every item has every word of q
  native_phrases = 1u << 1,     ///< and every phrase, contiguous
  native_exclusions = 1u << 2,  ///< and nothing excluded
  native_since = 1u << 3,       ///< and is not older than `since`
  newest_first = 1u << 4,       ///< items come by created_at, descending
};

/// One answer, and all that is known when it comes. Borrowed for the time of a read().
struct exchange {
  const sources::call& call;
  const sources::settings& settings;
  const http::response& answer;
  std::string_view position;  ///< of the page, as for plan()
  std::string_view state;     ///< "" for the request of plan(), else the follow's
  /// Where a read that takes long counts its work, if there is one; it throws base::work_ended,
  /// which who asked catches.
  base::meter* meter = nullptr;
  /// Why there is no answer, for those whose capability reads failures; null: there is one.
  const error* failure = nullptr;

  /// Counts work: a step for some 16 bytes or a node; a few hundred for an item.
  void spend(std::uint64_t steps) const {
    if (meter != nullptr) meter->spend(steps);
  }
};

/// The request for the page at `position` ("" is the first). Errors: not_found (this source can not
/// have such a thing: a handle of another network), source_auth_required (needs a credential that
/// is not configured), invalid_request.
using plan_function = result<http::request>(const call&, const settings&,
                                            std::string_view position);
/// What the answer says. Errors: not_found, source_error, source_blocked, source_auth_required,
/// source_unavailable (quota), rate_limited is never returned: a source's 429 is source_unavailable
/// with retry_after.
using read_function = result<step>(const exchange&);

/// Until when plan and read make the same of a call, for those that look at call::now; that time
/// itself: not for a moment.
using stand_function = time_point(const call&);

/// How a source serves one operation.
struct capability {
  catalog::operation op;
  unsigned native = native_none;
  plan_function* plan;
  read_function* read;
  /// Null: neither looks at call::now, but for what the call says of `since`.
  stand_function* stands_until = nullptr;
  int max_follows = max_follow_steps;
  /// A further request that fails on its way is read, too (exchange::failure): what it asked for
  /// was a part that can be done without.
  bool reads_failures = false;
};

/// A key under sources.<name> beside base_url and enabled.
struct setting {
  std::string_view name;
  bool required = false;  ///< without it the source is not_configured
  bool secret = false;    ///< never shown
  bool list = false;
  std::string_view doc;
  /// Its value in the sandbox, whose recordings were made with one; "": without.
  std::string_view sandbox{};
};

/// How gently a source is to be asked.
struct pace {
  std::chrono::milliseconds min_interval{0};  ///< between two requests
  int max_concurrent = 4;
  /// What would have to wait longer for its turn is refused at once, so that a slow source among
  /// others does not keep a call; 0: as long as the call lasts.
  std::chrono::milliseconds max_wait{0};
  /// What has not answered by then, its turn included, is given up, and the source is left alone
  /// as after a refusal; 0: as long as the call lasts.
  std::chrono::milliseconds answer_time{0};
};

/// So many requests a day that the source allows. The setting sources.<name>.daily_requests puts
/// another number in its place: an operator's plan may be larger.
struct daily_quota {
  int requests = 0;
  std::string_view unless_set{};  ///< counts only while this setting is not there: keyless
  std::string_view if_set{};      ///< counts only while it is
  std::string_view path{};        ///< only of requests whose path ends like this
  bool pacific = false;           ///< the day begins at midnight in California, else in UTC
};

struct stream;  // stream.hpp

/// Everything there is to know about a source. One constant a source.
struct descriptor {
  std::string_view name;      ///< "hackernews"
  std::string_view title;     ///< "Hacker News (Algolia)"
  std::string_view platform;  ///< "forum"; of several, the first
  std::string_view homepage;  ///< of the API's documentation
  std::string_view terms;     ///< what an operator must know, one line
  /// "" when only the operator can say (there is an instances_key), or when the call itself names
  /// the address (there is none).
  std::string_view default_base_url;
  /// The setting that lists several base URLs, each asked in parallel ("instances", "urls"); ""
  /// when there is only base_url. Each one reaches plan() as settings.base_url.
  std::string_view instances_key{};
  std::span<const std::string_view> default_instances{};  ///< asked when the operator names none
  std::span<const setting> settings{};
  sources::pace pace;
  std::span<const capability> capabilities;
  /// Off unless sources.<name>.enabled is set: its terms allow so little that an operator must want
  /// it.
  bool opt_in = false;
  /// How its posts are told of as they are written; null if they are not. For archives.
  const sources::stream* stream = nullptr;
  /// Its search has no query of its own and gives what is new: an archive can poll it.
  bool polled = false;
  /// It answers from what this server keeps: asked only on platforms whose archive is on.
  bool of_archive = false;
  std::span<const daily_quota> quotas{};
  /// What it gives without any setting, for the table of sources, where that is neither all nor
  /// nothing: a few words.
  std::string_view keyless{};
};

/// Says of a request that a source has made who chose its target: the operator, where its origin is
/// one of `settings`, else a caller, whatever the source thinks. Whoever sends such a request calls
/// it.
void choose_target(http::request& request, const settings& settings);
#define FRESHET_SOURCE(name)      \
  namespace name {                \
  extern const descriptor source; \
  }
#include <sources/sources.def>
#undef FRESHET_SOURCE

/// Every source, in the order of preference. Static storage.
[[nodiscard]] std::span<const descriptor* const> all_sources() noexcept;
[[nodiscard]] const descriptor* find_source(std::string_view name) noexcept;
/// How `source` serves `op`; null if it does not.
[[nodiscard]] const capability* find_capability(const descriptor& source,
                                                catalog::operation op) noexcept;

}  // namespace freshet::sources

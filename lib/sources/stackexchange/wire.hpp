// What the parts of this source share: sites, positions, the question that a call means, and the
// requests of a thread.
#pragma once

#include <freshet/result.hpp>
#include <optional>
#include <sources/position.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>

namespace freshet::sources::stackexchange {

inline constexpr int max_page_size = 100;     // of the API
inline constexpr int max_keyless_pages = 25;  // of the API
inline constexpr int max_pages = 500;         // with a key: far beyond what a search gives
inline constexpr int answers_per_page = 50;   // of a thread
inline constexpr int max_comment_pages = 3;   // of 100, for the answers of one page

/// Where questions are searched: a site, and a tag on it or "".
struct site_scope {
  std::string host;  ///< "stackoverflow.com"
  std::string tag;
};
/// The scope that a community names: `all`, a site ("superuser", "math.stackexchange.com"), a tag
/// of the configured site, or `tag@site`. Null: Stack Exchange can have no such community.
[[nodiscard]] std::optional<site_scope> scope_of(const call& call, const settings& settings);

/// The host of the configured site.
[[nodiscard]] std::string configured_host(const settings& settings);
/// Whether a host is a site of the network.
[[nodiscard]] bool is_site(std::string_view host);
/// What the API calls a site: "stackoverflow", "math", "mathoverflow.net".
[[nodiscard]] std::string site_parameter(std::string_view host);

/// The position of this page; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<sized_page> read_position(std::string_view text, int limit);

/// The page of a thread's answers at this position; "" is the first. Error: invalid_cursor.
[[nodiscard]] result<int> read_thread_position(std::string_view text);

/// A question on a site; both empty: none that Stack Exchange could know.
struct question_address {
  std::string host, number;
};
[[nodiscard]] question_address question_of(const call& call, const settings& settings);

[[nodiscard]] bool is_number(std::string_view text) noexcept;

/// GET <base>/questions/<number>/comments, the comments on the question itself.
[[nodiscard]] http::request question_comments_request(const question_address& question,
                                                      const call& call, const settings& settings);
[[nodiscard]] http::request answers_request(const question_address& question, int page,
                                            const call& call, const settings& settings);
/// `answers`: their numbers, joined by semicolons.
[[nodiscard]] http::request answer_comments_request(const question_address& question,
                                                    std::string_view answers, int page,
                                                    const call& call, const settings& settings);
[[nodiscard]] http::request question_request(const question_address& question,
                                             const settings& settings);

/// What the wrapper of an answer wants: `backoff` seconds, the wait that a throttled caller is
/// told, an hour once the quota is used up; zero if it wants nothing.
[[nodiscard]] std::chrono::milliseconds wait_in_body(const http::response& answer);

plan_function plan_search, plan_comments, plan_one, plan_community;
read_function read_search, read_comments, read_one, read_community;

}  // namespace freshet::sources::stackexchange

// The first thing that read() does with an answer: is it one at all? Statuses become error codes,
// block pages and login walls are recognised, JSON is parsed within bounds. What the JSON means is
// each source's own affair; nothing here knows any of them.
#pragma once

#include <base/json.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <chrono>
#include <freshet/result.hpp>
#include <http/message.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace freshet::sources {

/// How much of an upstream's words an error carries, in code points.
inline constexpr std::size_t max_source_text = 300;

/// The longest wait that an error passes on; what a source asks for beyond it is cut to it.
inline constexpr std::chrono::seconds max_retry_after = std::chrono::hours{24};

/// Whether the body is a web page, whatever was asked for: by its content type, or by its first
/// bytes when the content type is missing or says JSON.
[[nodiscard]] bool is_html(const http::response& answer);

/// What came instead of what was asked for, if anything did.
struct answer_signs {
  bool html = false;  ///< is_html()
  /// A captcha, a challenge or a "you are blocked" page. Only web pages (and cf-mitigated) count: a
  /// post that quotes such a page is not one.
  bool block_page = false;
  /// A web page that came because the source wants a login: it redirected to its login form.
  bool login_wall = false;
};

/// Looks through the beginning of a web page, once; of any other answer at its head alone.
[[nodiscard]] answer_signs sniff(const http::response& answer);

/// When to come back: Retry-After (seconds or a date), else a rate limit's reset (RateLimit-Reset,
/// X-RateLimit-Reset, X-Rate-Limit-Reset: seconds to wait, seconds since 1970, or ISO 8601) if none
/// remains. Dates are counted from the answer's Date, else from fetched_at. Null when the answer
/// does not say.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after_of(const http::response& answer);

/// What an upstream said, for error::source_text: the message of a JSON error (error, message,
/// detail, title, errors[0] and the like), else the text of the body. Valid UTF-8, one line, at
/// most max_source_text code points.
[[nodiscard]] std::string source_text_of(const http::response& answer);

/// An error with the answer's words in source_text and its wish in retry_after.
[[nodiscard]] error answer_error(errc code, std::string detail, const http::response& answer);
/// Whether a value is a list of objects, as far as it is one: empty, or with an object in it. One
/// of null, numbers or texts alone says nothing of what was asked for.
[[nodiscard]] bool is_object_list(const base::json::value& value) noexcept;
/// Of an answer without the list that it should hold: source_error.
[[nodiscard]] error no_list_of(std::string_view name, const http::response& answer);

/// What a status that is not 2xx means; null for 2xx that is no block page and no login wall.
///   401 source_auth_required · 402, 429 source_unavailable (retry_after) · 403, 451 source_blocked
///   404, 410 not_found (a web page: source_error, for then the address is wrong) · 408, 504
///   source_timeout · 502, 503, 52x source_unavailable · block page of any status source_blocked ·
///   login wall source_auth_required · anything else source_error.
/// A source that knows better looks at the status first, and one that has sniffed the answer says
/// so.
[[nodiscard]] std::optional<error> check_status(const http::response& answer);
[[nodiscard]] std::optional<error> check_status(const http::response& answer,
                                                const answer_signs& signs);

/// The JSON of an answer: a tree in memory of its own, which goes at once and not node by node.
/// Reads as the value that it holds. A copy of a value is in the same memory and dies with it.
class json_body {
 public:
  /// Error: of base::parse_json(). Throws what the meter throws; null: nothing is counted.
  [[nodiscard]] static result<json_body> parse(std::string_view text, base::meter* counted);

  [[nodiscard]] const base::json::value& root() const noexcept { return tree_->root; }
  operator const base::json::value&() const noexcept { return tree_->root; }

 private:
  struct tree {
    explicit tree(std::size_t bytes) : memory(bytes), root(base::json::storage_ptr(&memory)) {}
    base::json::monotonic_resource memory;
    base::json::value root;
  };
  explicit json_body(std::unique_ptr<tree> read) : tree_(std::move(read)) {}

  std::unique_ptr<tree> tree_;
};

/// Objects of an answer. What has more was made to have them: an item is made of each.
inline constexpr std::size_t max_answer_objects = 50'000;

/// The JSON of a body, whatever the status: for answers whose status is not the whole story.
/// Ill-formed UTF-8 is repaired. Counted where the answer says so. Error: source_error (no JSON,
/// too deep, numbers out of range, more objects than are read).
[[nodiscard]] result<json_body> parse_body(const http::response& answer);

/// check_status(), then parse_body(). A web page instead of JSON is source_error, or
/// source_blocked / source_auth_required if it looks like that.
[[nodiscard]] result<json_body> read_json(const http::response& answer);

/// For sources whose errors stand in the body, whatever the status: parse_body(), and of a web page
/// what read_json() says of it.
[[nodiscard]] result<json_body> read_json_of_any_status(const http::response& answer);

/// The target of a `Link: <url>; rel="next"` header (RFC 8288), resolved against final_url; "" if
/// there is none.
[[nodiscard]] std::string link_target(const http::response& answer, std::string_view rel);

}  // namespace freshet::sources

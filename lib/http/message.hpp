// An HTTP request and its answer, as values: all that a source knows of HTTP.
#pragma once

#include <base/work.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/item.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

struct header {
  std::string name, value;
};
using headers = std::vector<header>;

/// The value of the first header of that name, ASCII case ignored; "" if absent.
[[nodiscard]] std::string_view find_header(const headers& fields, std::string_view name) noexcept;

/// Limits of one fetch; a request may only lower them.
inline constexpr std::size_t max_body_bytes = 16u << 20;
inline constexpr int max_redirects = 5;

/// Whether a page is run in a browser before it is answered.
enum class rendering {
  never,
  if_possible,  ///< answered as it was fetched, with a warning, where no browser can
  always
};

/// Who named the address that a request goes to. What a page, a redirect or an answer leads to was
/// named by no operator.
enum class target_choice {
  caller,        ///< or anybody else: only what every request may reach
  configuration  ///< its origin stands there, so it may be private
};

struct response;
class answer_readings;

struct request {
  std::string method = "GET";
  std::string url;  ///< absolute, http or https
  http::headers headers;
  std::string body;
  std::size_t body_limit = max_body_bytes;  ///< decoded bytes
  /// Give the first body_limit bytes instead of failing when there are more.
  bool truncate_body = false;
  int redirect_limit = max_redirects;  ///< 0: a redirect is the answer
  /// Of a chain of redirects, which alone sets them: that its answers tell their cookies, and those
  /// so far, in curl's words; each is sent to whom it is for.
  bool keeps_cookies = false;
  std::vector<std::string> cookies;
  /// Whether a POST may be repeated as if it were a GET: it only reads.
  bool repeatable = false;
  /// Whether the answer may come from the cache and go into it.
  bool cacheable = true;
  /// Accept a cached answer up to this age, stale or not (0: none), if its server does not forbid.
  std::optional<std::chrono::seconds> max_age;
  /// The answer is a token or a session: a 2xx one may be given again to an equal request (method,
  /// URL, headers and body), whatever the method, for this long; a refusal for at most a minute.
  /// Only ever kept in memory.
  std::chrono::seconds keep_for{0};
  /// With keep_for: what the source has refused since. A kept answer that holds this text is
  /// forgotten, and the request is made anew.
  std::string refused;
  /// Set by who knows the configuration (sources::choose_target), never by plan() or read().
  target_choice chosen_by = target_choice::caller;
  /// Ask robots.txt first (scraping).
  bool obey_robots = false;
  /// What the layers above the stack make of the answer, where there are such: a page as its
  /// scripts leave it, and a PDF as HTML.
  rendering render = rendering::never;
  bool pdf_as_html = false;
  /// With `render`: what this request was answered before, so that it is not asked again.
  std::shared_ptr<const response> fetched;
  /// Whose share of what is shared this request uses: an account's number; 0 for the engine's own.
  std::int64_t owner = 0;
  /// Where its host is, once its name was looked up; nothing below asks for names.
  std::vector<std::string> addresses;
  /// Whose pace this request counts against: the source's name. Empty: the host's.
  std::string pace_key;
  /// The trace that it belongs to (W3C Trace Context), as the fields of these names say it; "" for
  /// none. Only a target that the configuration has chosen is told, and requests are equal whatever
  /// stands here: no key of a cache or a flight is made of it, and no recording.
  std::string traceparent, tracestate;
  /// For what it is read, with all that the reading depends on beside the answer: where a kept
  /// answer has been read so before, that is what comes, without the body. "": for nothing.
  std::string reading;
  /// Told of the bytes of the answer's body as they come, on the network thread, whatever its
  /// status is; only of a request that no layer answers or repeats: one of a client of a server.
  std::function<void(std::string_view)> on_body;
  /// For sources that say in the body, not in a header, when to come back: how long from now on
  /// nothing may be asked of them; zero if the answer does not say. Pure.
  std::chrono::milliseconds (*wait_in_body)(const response&) = nullptr;
};

enum class cache_state { miss, hit, revalidated };
/// "miss", "hit" or "revalidated".
[[nodiscard]] std::string_view name_of(cache_state state) noexcept;

struct response {
  int status = 0;
  http::headers headers;
  std::string body;       ///< content-decoded
  std::string final_url;  ///< after redirects
  cache_state cache = cache_state::miss;
  time_point fetched_at;  ///< when the origin answered
  std::chrono::milliseconds elapsed{0};
  bool rendered = false;       ///< a browser ran the page: the body is what became of it
  std::string converted_from;  ///< the media type that a layer made this HTML of; "" if none did
  std::vector<std::string> warnings;  ///< of the layers that did so
  /// Of a redirect to a request that keeps_cookies: those of the chain so far.
  std::vector<std::string> cookies;
  /// Until when the cache gives it again without asking its server; null: it does not.
  std::optional<std::chrono::steady_clock::time_point> fresh_until{};
  /// Where its readers keep what they made of it; null: nobody does.
  std::shared_ptr<answer_readings> readings{};
  /// What was made of it before for the request's purpose, in place of the body; null: nothing.
  std::shared_ptr<const void> reading{};
  /// While somebody reads it: what counts that work; null: nothing does.
  base::meter* counted = nullptr;
};

}  // namespace freshet::http

// What a call answers: the envelope of the contract's section 3, typed (page, single) and as the
// bytes that every door hands on (response).
#pragma once

#include <chrono>
#include <cstdint>
#include <freshet/error.hpp>
#include <freshet/item.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// Credits of one call.
struct credits_info {
  std::int64_t used = 0;
  std::optional<std::int64_t> remaining;  ///< null for a caller that is not metered
};

/// What one source did in a call.
struct source_report {
  std::string name;
  std::string status;  ///< "ok", "error", "not_configured" or "skipped"
  std::string code;    ///< the error's code, or null
  std::int64_t items = 0;
  std::string cache;  ///< "miss", "hit" or "revalidated", or null
  std::optional<time_point> fetched_at;
  std::int64_t elapsed_ms = 0;
  /// Of a failure: when the source is asked again, or wants to be; null if that is not known.
  std::optional<std::int64_t> retry_after_s{};
};

/// `meta` of an envelope.
struct response_meta {
  std::string request_id;
  credits_info credits;
  std::string completeness = "complete";  ///< or "partial"
  bool truncated = false;
  std::vector<source_report> sources;
  std::vector<std::string> warnings;
  std::optional<std::int64_t> quote;  ///< the price, of a dry run; the key is absent otherwise
};

/// `page` of an envelope.
struct page_info {
  std::string next_cursor;  ///< null on the last page
  bool has_more = false;
};

/// A list call's answer.
template <class T>
struct page {
  std::vector<T> data;
  page_info page_state;
  response_meta meta;
};

/// A lookup's answer.
template <class T>
struct single {
  T data;
  response_meta meta;
};

/// The state of a caller's rate limit, for the RateLimit headers.
struct rate_info {
  std::int64_t limit = 0;      ///< requests per window: the plan's burst
  std::int64_t remaining = 0;  ///< requests that would pass now
  std::int64_t reset_s = 0;    ///< seconds until `limit` would pass again
  std::int64_t window_s = 0;   ///< seconds in which `limit` refills
};

/// A call: what an HTTP request says, without HTTP.
struct request {
  std::string endpoint;         ///< "microblog/search"
  std::string body;             ///< the parameters, one JSON object; empty means {}
  std::string api_key;          ///< empty: the in-process caller, who is not metered
  std::string request_id;       ///< empty: one is made
  std::string idempotency_key;  ///< empty: none
  /// Whether a call without a key is allowed: true for a program that embeds the engine; a door
  /// that serves others sets it to false.
  bool in_process = true;
  /// Instead of a key: the token of a signed-in person's session, with the CSRF token that belongs
  /// to it (engine::visit). The call has both scopes and is billed to the account.
  std::string session;
  std::string csrf_token;
  bool sandbox = false;  ///< with a session: as a test key calls, without network and credits
};

/// An answer as bytes, the same from every door.
struct response {
  int status = 200;
  errc code{};  ///< of a failure; the zero value for a success
  std::string content_type = "application/json";
  std::string body;  ///< the envelope, or a problem document
  std::string request_id;
  std::int64_t credits_used = 0;
  std::optional<std::int64_t> credits_remaining;
  std::optional<std::chrono::seconds> retry_after;
  std::optional<rate_info> rate;
  bool idempotency_replayed = false;
  std::size_t data_offset = 0;  ///< where `data` stands in body
  std::size_t data_size = 0;    ///< 0 for an error

  [[nodiscard]] bool ok() const noexcept { return status >= 200 && status < 300; }
  /// The bytes of `data`; empty for an error. Valid as long as this response.
  [[nodiscard]] std::string_view data() const noexcept {
    return std::string_view(body).substr(data_offset, data_size);
  }
};

}  // namespace freshet

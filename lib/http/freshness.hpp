// How long an answer may be used again: the arithmetic of RFC 9111 for a private cache. It stores
// nothing.
#pragma once

#include <chrono>
#include <http/message.hpp>
#include <optional>

namespace freshet::http {

/// The longest that an answer is taken for fresh although its server did not say so.
inline constexpr std::chrono::seconds heuristic_cap{300};
/// The status of an answer that says that what is kept is good still.
inline constexpr int not_modified = 304;

struct cache_directives {
  bool no_store = false;
  bool no_cache = false;
  bool must_revalidate = false;
  bool is_public = false;
  std::optional<std::chrono::seconds> max_age;
};
/// All Cache-Control fields together; what is malformed counts as stale (RFC 9111, 4.2.1).
[[nodiscard]] cache_directives read_cache_control(const headers& in);

/// Whether the request may be answered by what is kept, and asks for all of it as it is now.
/// Whether it asks if what its caller has is good still is not looked at.
[[nodiscard]] bool takes_kept_answers(const request& what);
/// Whether the answer is for who asked alone: he showed a credential, and it does not say "public".
[[nodiscard]] bool is_personal(const request& asked, const cache_directives& said);

/// How long it is fresh, from when its server made it: max-age, else Expires - Date, else a tenth
/// of its age at the time, up to heuristic_cap.
[[nodiscard]] std::chrono::seconds freshness_lifetime(const response& response,
                                                      time_point received);
/// The same as an answer to this request: what came from another address says how long *that* one
/// may be kept, not this one, which is fresh for no time.
[[nodiscard]] std::chrono::seconds freshness_lifetime(const request& asked,
                                                      const response& response,
                                                      time_point received);
[[nodiscard]] bool is_redirected(const request& asked, const response& got);
/// How old it was when it came: from Age and Date, whichever is more.
[[nodiscard]] std::chrono::seconds age_on_arrival(const headers& fields, time_point received);
/// Whether the status is one that may be kept: by default, or since the answer says how long.
[[nodiscard]] bool is_cacheable_status(const response& of);

}  // namespace freshet::http

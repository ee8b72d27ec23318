// What a call answers: the envelope of the contract's section 3, typed (page, single) and as the
// bytes that every door hands on (response).
#pragma once

#include <chrono>
#include <cstdint>
#include <freshet/error.hpp>
#include <freshet/item.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet {

/// Credits of one call.
struct credits_info {
  std::int64_t used = 0;                  ///< what this call cost
  std::optional<std::int64_t> remaining;  ///< null for a caller that is not metered
};

/// What one source did in a call, at one instance.
struct source_report {
  std::string name;                      ///< "bluesky"
  std::string instance;                  ///< its address, where a source may have several, or null
  std::string status;                    ///< "ok", "error", "not_configured" or "skipped"
  std::string code;                      ///< the error's code, or null
  std::int64_t items_read = 0;           ///< what it gave, before filters and the page's size
  std::int64_t items = 0;                ///< those of them that stand in the answer
  std::string cache;                     ///< "miss", "hit" or "revalidated", or null
  std::optional<time_point> fetched_at;  ///< when its answer came from the network
  std::int64_t elapsed_ms = 0;           ///< milliseconds
  /// Of a failure: when the source is asked again, or wants to be; null if that is not known.
  std::optional<std::int64_t> retry_after_s{};
};

/// An item that tells the same as another one, and so does not stand in `data` itself.
struct cluster_member {
  std::string object;                    ///< what it is: "article"
  std::string id;                        ///< item_common::id
  std::string source;                    ///< the source's name
  std::string url;                       ///< its page, or null
  std::string title;                     ///< or null
  std::optional<time_point> created_at;  ///< or null
};

/// An item of `data` with what tells the same.
struct item_cluster {
  std::string id;                       ///< item_common::id of the one in `data`
  std::vector<cluster_member> members;  ///< the others, in the order in which they came
};

/// `meta` of an envelope.
struct response_meta {
  std::string request_id;                 ///< "req_…": the call's name in logs and in the ledger
  credits_info credits;                   ///< what it cost
  std::string completeness = "complete";  ///< or "partial": a source failed or lacks its setting
  bool truncated = false;                 ///< whether `max_tokens` left something out
  std::vector<source_report> sources;     ///< one for each instance to be asked
  std::vector<std::string> warnings;      ///< one sentence each, for people
  std::optional<std::int64_t> quote;      ///< the price, of a dry run; the key is absent otherwise
  /// Of a call with `cluster`; the key is absent otherwise.
  std::optional<std::vector<item_cluster>> clusters{};
};

/// `page` of an envelope.
struct page_info {
  std::string next_cursor;  ///< null on the last page
  bool has_more = false;    ///< whether another page may come
};

/// A list call's answer.
template <class T>
struct page {
  std::vector<T> data;   ///< the items, in the call's order
  page_info page_state;  ///< where the list goes on
  response_meta meta;    ///< credits, sources, warnings
};

/// A lookup's answer.
template <class T>
struct single {
  T data;              ///< the one item
  response_meta meta;  ///< credits, sources, warnings
};

/// The state of a caller's rate limit, for the RateLimit headers.
struct rate_info {
  std::int64_t limit = 0;      ///< requests per window: the plan's burst
  std::int64_t remaining = 0;  ///< requests that would pass now
  std::int64_t reset_s = 0;    ///< seconds until `limit` would pass again
  std::int64_t window_s = 0;   ///< seconds in which `limit` refills
};

/// What one source has given to a list, as read_source_event() reads it.
struct source_part {
  source_report row;        ///< how it went; `items` is 0, for the page is not made yet
  std::vector<item> items;  ///< those that may stand in the answer
};

/// The same as it is told, before the answer.
struct source_event {
  /// JSON: the source's row of `meta.sources`, and in `data` those of its items that may stand in
  /// the answer. A page that was kept has its sources' rows, without items.
  std::string body;
  bool origin_allowed = false;  ///< as response::origin_allowed
};

/// A thread of the caller's on which calls may end that have waited.
class answering_thread {
 public:
  virtual ~answering_thread() = default;
  /// Has the thread run the step, once and soon. Called on threads of the engine; does not wait.
  /// False, or std::bad_alloc: it will not, and the step is run where the call has waited.
  [[nodiscard]] virtual bool post(std::function<void()> step) = 0;
};

/// A call: what an HTTP request says, without HTTP.
struct request {
  std::string endpoint;              ///< "microblog/search"
  std::string body = {};             ///< the parameters, one JSON object; empty means {}
  std::string api_key = {};          ///< empty: the in-process caller, who is not metered
  std::string request_id = {};       ///< empty: one is made
  std::string idempotency_key = {};  ///< empty: none
  /// The trace that the call belongs to, as W3C Trace Context writes it; empty or malformed: none.
  std::string traceparent = {};
  std::string tracestate = {};  ///< that belongs to `traceparent`
  /// Whether a call without a key is allowed: true for a program that embeds the engine; a door
  /// that serves others sets it to false.
  bool in_process = true;
  /// Instead of a key: the token of a signed-in person's session, with the CSRF token that belongs
  /// to it (engine::submit_dashboard). The call has both scopes and is billed to the account.
  std::string session = {};
  std::string csrf_token = {};  ///< that belongs to `session`
  std::string origin = {};      ///< of the web page that asks; empty: none does
  bool sandbox = false;  ///< with a session: as a test key calls, without network and credits
  /// In place of key, session and body: the endpoint's own example, answered by the sandbox, for
  /// whoever asks. All who do share what one account may have under way.
  bool example = false;
  /// Whether the answer's first bytes may come as response::lead, which spares a copy.
  bool takes_lead = false;
  /// Where the answer of a call is made that was charged, which spares the ledger's thread that
  /// work; null: on that thread.
  std::shared_ptr<answering_thread> answered_on = {};
  /// Of a list: told of each source as it answers, before the answer. Called on threads of the
  /// engine, one after the other; it must neither block nor call the engine. A call that has told
  /// items is paid for, also where it is cancelled then. Null: nobody is told.
  std::function<void(source_event)> on_source = {};
};

/// The first bytes of an answer's body, kept by the engine and shared by all answers that begin
/// with them. The bytes never change. Thread-safe.
class body_lead {
 public:
  /// The bytes.
  explicit body_lead(std::string of) : bytes(std::move(of)) {}

  const std::string bytes;  ///< as they are

  /// The bytes in the form that some door has set, compressed, say; null: none yet.
  [[nodiscard]] std::shared_ptr<const std::string> packed() const {
    const std::lock_guard lock(mutex_);
    return packed_;
  }
  /// Keeps that form, as long as the bytes. It should be no larger than half of them.
  void set_packed(std::string form) const {
    auto made = std::make_shared<const std::string>(std::move(form));
    const std::lock_guard lock(mutex_);
    packed_ = std::move(made);
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const std::string> packed_;
};

/// An answer as bytes, the same from every door.
struct response {
  int status = 200;                                 ///< as over HTTP
  errc code{};                                      ///< of a failure; the zero value for a success
  std::string content_type = "application/json";    ///< or "application/problem+json"
  std::string body;                                 ///< the envelope, or a problem document
  std::string request_id;                           ///< "req_…"
  std::int64_t credits_used = 0;                    ///< what it cost
  std::optional<std::int64_t> credits_remaining;    ///< the balance after it; null: not metered
  std::optional<std::chrono::seconds> retry_after;  ///< when a retry makes sense; null: not known
  std::optional<rate_info> rate;                    ///< of the caller; null: not limited
  bool idempotency_replayed = false;  ///< whether this is the stored answer of an earlier call
  bool origin_allowed = false;        ///< whether the key is for the request's origin
  std::size_t data_offset = 0;        ///< where `data` stands in body
  std::size_t data_size = 0;          ///< 0 for an error
  /// The bytes that come before those in `body`, if the request takes them apart; null: none.
  std::shared_ptr<const body_lead> lead;

  /// Whether it is an answer, not an error.
  [[nodiscard]] bool ok() const noexcept { return status >= 200 && status < 300; }
  /// The bytes of `data`; empty for an error. Valid as long as this response.
  [[nodiscard]] std::string_view data() const noexcept {
    return std::string_view(lead ? lead->bytes : body).substr(data_offset, data_size);
  }
};

}  // namespace freshet

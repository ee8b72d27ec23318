// An answer before it is bytes, and the head it gets: the one place that knows the response fields
// of the contract's section 8.
#pragma once

#include <chrono>
#include <cstdint>
#include <freshet/response.hpp>
#include <memory>
#include <optional>
#include <server/http/body_stream.hpp>
#include <server/http/compression.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::server {

/// A body: what many answers share, then what is this answer's own.
struct body_parts {
  std::string_view shared, own;
  [[nodiscard]] std::size_t size() const noexcept { return shared.size() + own.size(); }
};

/// A value. Its body is its own, shared (the description, which every client gets), of static
/// storage (the files of the pages), or comes in pieces.
struct reply {
  int status = 200;
  std::string content_type = "application/json";
  std::string own_body{};
  /// What comes before own_body, if anything does, kept by the engine for many answers.
  std::shared_ptr<const body_lead> lead{};
  /// The lead as packed_lead() makes it, in its place; null: as it is.
  std::shared_ptr<const std::string> packed_lead{};
  std::shared_ptr<const std::string> shared_body{};
  std::string_view static_body{};
  /// The body in pieces, in place of the others; null: it is whole.
  std::shared_ptr<body_stream> stream{};
  /// What is sent while no piece comes, so that proxies and we see who has gone; "": nothing.
  std::string_view heartbeat{};
  std::string request_id{};
  std::int64_t credits_used = 0;
  std::optional<std::int64_t> credits_remaining{};
  std::optional<std::chrono::seconds> retry_after{};
  std::optional<rate_info> rate{};
  bool idempotency_replayed = false;
  bool gzipped = false;
  bool without_body = false;  ///< 304: no body and no Content-Length
  std::string_view cache_control = "no-store";
  std::string etag{};                ///< quoted; "": none
  std::string allow{};               ///< "": none
  std::string challenge = "Bearer";  ///< WWW-Authenticate of a 401
  std::string readable_by{};         ///< the origin whose pages may read it; "": none but our own
  bool varies_by_accept = false;     ///< another Accept is answered otherwise
  /// Fields of this answer alone; names of static storage, values without line breaks.
  std::vector<std::pair<std::string_view, std::string>> more_fields{};

  /// The body, of which the lead is the beginning.
  [[nodiscard]] body_parts body() const noexcept {
    if (shared_body) return {*shared_body, {}};
    if (!static_body.empty()) return {static_body, {}};
    if (packed_lead) return {gzip_part(*packed_lead), own_body};
    return {lead ? std::string_view(lead->bytes) : std::string_view(), own_body};
  }
  /// Lets go of what takes memory while nothing is sent.
  void drop_body() noexcept {
    std::string().swap(own_body);
    lead = nullptr;
    packed_lead = shared_body = nullptr;
    stream = nullptr;
  }
  /// Whether its body is one that compression has still to be paid for, and pays.
  [[nodiscard]] bool gains_by_gzip() const noexcept {
    const bool is_done = gzipped || shared_body || !static_body.empty();
    return !is_done && !without_body && !stream && body().size() > min_gzip_bytes;
  }
};

/// A reply that carries what the engine answered.
[[nodiscard]] reply reply_of(response&& answered);

/// Lets pages of an origin read an answer.
void let_read(reply& out, const std::string& origin);

/// How the connection goes on.
struct connection_facts {
  int minor_version = 1;
  bool keep_alive = true;
  std::string_view date;  ///< an IMF-fixdate
  bool is_https = false;
};

/// The status line and the fields, with the empty line, in place of what `head` holds.
void render_head(const reply& reply, const connection_facts& facts, std::string& head);

/// A piece of a body as HTTP/1.1 frames it: a chunk, and after the last one the end. Without
/// `chunked` (HTTP/1.0) the bytes themselves: the connection's end is the body's.
[[nodiscard]] std::string frame_piece(std::string bytes, bool is_last, bool chunked);

/// "Sat, 21 Nov 2026 05:23:00 GMT".
[[nodiscard]] std::string http_date(std::chrono::system_clock::time_point at);

}  // namespace freshet::server

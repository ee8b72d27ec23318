// What a client's Accept, Accept-Encoding, Content-Type and If-None-Match fields ask for.
#pragma once

#include <string_view>

namespace freshet::server {

/// Whether an Accept field lets us answer JSON; "" (no field) does.
[[nodiscard]] bool accepts_json(std::string_view accept) noexcept;
/// How an answer is told in pieces.
enum class stream_form { none, events, lines };
/// Which an Accept field asks for by its name: server-sent events or lines of JSON; none where it
/// names JSON itself, too.
[[nodiscard]] stream_form wanted_stream(std::string_view accept) noexcept;
/// Whether an Accept field is a browser's that shows a page to somebody: it names text/html, and
/// JSON only by a range.
[[nodiscard]] bool prefers_html(std::string_view accept) noexcept;
/// Whether an Accept-Encoding field asks for gzip; "" does not.
[[nodiscard]] bool accepts_gzip(std::string_view accept_encoding) noexcept;
/// Whether a Content-Type is JSON in UTF-8.
[[nodiscard]] bool is_json(std::string_view content_type) noexcept;
/// Whether an If-None-Match field names `etag` (quoted, strong) or is "*". Compared weakly, as
/// RFC 9110, 13.1.2 says.
[[nodiscard]] bool matches_etag(std::string_view if_none_match, std::string_view etag) noexcept;

}  // namespace freshet::server

// The rendering of a head, by Beast's serialiser, into one string: the connection writes it
// together with the body.
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/serializer.hpp>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <server/http/reply.hpp>

namespace freshet::server {
namespace {

namespace http = boost::beast::http;

void set(http::fields& out, std::string_view name, std::string_view value) {
  out.set(boost::beast::string_view(name.data(), name.size()),
          boost::beast::string_view(value.data(), value.size()));
}

/// Beside those of the same name.
void add(http::fields& out, std::string_view name, std::string_view value) {
  out.insert(boost::beast::string_view(name.data(), name.size()),
             boost::beast::string_view(value.data(), value.size()));
}

void set(http::fields& out, std::string_view name, std::int64_t value) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  set(out, name, {digits.data(), end.ptr});
}

void set_rate(http::fields& out, const rate_info& rate) {
  set(out, "RateLimit-Policy",
      "\"default\";q=" + std::to_string(rate.limit) + ";w=" + std::to_string(rate.window_s));
  set(out, "RateLimit",
      "\"default\";r=" + std::to_string(rate.remaining) + ";t=" + std::to_string(rate.reset_s));
}

/// What Beast would write to a socket. The body is not Beast's: it may be shared by many answers.
std::string serialize(http::response<http::empty_body>& head) {
  std::string out;
  out.reserve(768);
  http::response_serializer<http::empty_body> writer(head);
  writer.split(true);  // of a body in chunks Beast would write the end, too
  while (!writer.is_header_done()) {
    boost::beast::error_code failed;
    writer.next(failed, [&](boost::beast::error_code&, const auto& buffers) {
      std::size_t size = 0;
      for (const boost::asio::const_buffer part : boost::beast::buffers_range_ref(buffers)) {
        out.append(static_cast<const char*>(part.data()), part.size());
        size += part.size();
      }
      writer.consume(size);
    });
    if (failed) break;  // only a chunked body or one of a file can fail
  }
  return out;
}

}  // namespace

reply reply_of(response&& answered) {
  reply out;
  out.status = answered.status;
  out.content_type = std::move(answered.content_type);
  out.own_body = std::move(answered.body);
  out.lead = std::move(answered.lead);
  out.request_id = std::move(answered.request_id);
  out.credits_used = answered.credits_used;
  out.credits_remaining = answered.credits_remaining;
  out.retry_after = answered.retry_after;
  out.rate = answered.rate;
  out.idempotency_replayed = answered.idempotency_replayed;
  return out;
}

std::string render_head(const reply& reply, const connection_facts& on) {
  http::response<http::empty_body> out;
  out.result(static_cast<unsigned>(reply.status));
  set(out, "Date", on.date);
  if (!reply.without_body) {
    if (!reply.content_type.empty()) set(out, "Content-Type", reply.content_type);
    if (!reply.stream) {
      set(out, "Content-Length", static_cast<std::int64_t>(reply.body().size()));
    } else if (on.minor_version > 0) {
      set(out, "Transfer-Encoding", "chunked");
    }
  }
  set(out, "X-Service-Credits-Used", reply.credits_used);
  if (reply.credits_remaining) {
    set(out, "X-Service-Credits-Remaining", *reply.credits_remaining);
  }
  set(out, "X-Request-Id", reply.request_id);
  if (reply.rate) set_rate(out, *reply.rate);
  if (reply.retry_after) set(out, "Retry-After", reply.retry_after->count());
  if (reply.status == 401) set(out, "WWW-Authenticate", reply.challenge);
  if (reply.idempotency_replayed) set(out, "Idempotency-Replayed", "true");
  if (!reply.allow.empty()) set(out, "Allow", reply.allow);
  if (!reply.etag.empty()) set(out, "ETag", reply.etag);
  if (reply.gzipped) set(out, "Content-Encoding", "gzip");
  set(out, "Vary", reply.readable_by.empty() ? "Accept-Encoding" : "Accept-Encoding, Origin");
  if (!reply.readable_by.empty()) set(out, "Access-Control-Allow-Origin", reply.readable_by);
  set(out, "Cache-Control", reply.cache_control);
  set(out, "X-Content-Type-Options", "nosniff");
  set(out, "Referrer-Policy", "no-referrer");
  if (on.is_https) set(out, "Strict-Transport-Security", "max-age=31536000");
  for (const auto& [name, value] : reply.more_fields) add(out, name, value);
  if (!on.keep_alive) {
    set(out, "Connection", "close");
  } else if (on.minor_version == 0) {
    set(out, "Connection", "keep-alive");
  }
  return serialize(out);
}

std::string frame_piece(std::string bytes, bool is_last, bool chunked) {
  if (!chunked) return bytes;
  std::string out;
  if (!bytes.empty()) {
    std::array<char, 16> size;
    const auto end = std::to_chars(size.data(), size.data() + size.size(), bytes.size(), 16);
    out.reserve(bytes.size() + 16);
    out.append(size.data(), end.ptr).append("\r\n").append(bytes).append("\r\n");
  }
  if (is_last) out += "0\r\n\r\n";
  return out;
}

std::string http_date(std::chrono::system_clock::time_point at) {
  // Not strftime: %a and %b depend on the locale.
  static constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(at);
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 64> text{};
  const int size = std::snprintf(text.data(), text.size(), "%s, %02d %s %04d %02d:%02d:%02d GMT",
                                 days[static_cast<std::size_t>(utc.tm_wday)], utc.tm_mday,
                                 months[static_cast<std::size_t>(utc.tm_mon)], utc.tm_year + 1900,
                                 utc.tm_hour, utc.tm_min, utc.tm_sec);
  return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace freshet::server

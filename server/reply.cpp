// The rendering of a head: appends to one string, no streams, since every answer passes here.
#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <server/reply.hpp>

namespace freshet::server {
namespace {

std::string_view reason_of(int status) noexcept {
  switch (status) {
    case 200:
      return "OK";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 402:
      return "Payment Required";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Status";
  }
}

void append_number(std::string& out, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
  out.append(digits.data(), end.ptr);
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void append_field(std::string& out, std::string_view name, std::int64_t value) {
  out.append(name).append(": ");
  append_number(out, value);
  out.append("\r\n");
}

void append_rate(std::string& out, const rate_info& rate) {
  out.append("RateLimit-Policy: \"default\";q=");
  append_number(out, rate.limit);
  out.append(";w=");
  append_number(out, rate.window_s);
  out.append("\r\nRateLimit: \"default\";r=");
  append_number(out, rate.remaining);
  out.append(";t=");
  append_number(out, rate.reset_s);
  out.append("\r\n");
}

}  // namespace

reply reply_of(response&& answered) {
  reply out;
  out.status = answered.status;
  out.content_type = std::move(answered.content_type);
  out.own_body = std::move(answered.body);
  out.request_id = std::move(answered.request_id);
  out.credits_used = answered.credits_used;
  out.credits_remaining = answered.credits_remaining;
  out.retry_after = answered.retry_after;
  out.rate = answered.rate;
  out.idempotency_replayed = answered.idempotency_replayed;
  return out;
}

std::string render_head(const reply& what, const connection_facts& on) {
  std::string out;
  out.reserve(768);
  out.append("HTTP/1.1 ");
  append_number(out, what.status);
  out.append(" ").append(reason_of(what.status)).append("\r\n");
  append_field(out, "Date", on.date);
  if (!what.without_body) {
    append_field(out, "Content-Type", what.content_type);
    append_field(out, "Content-Length", static_cast<std::int64_t>(what.body().size()));
  }
  append_field(out, "X-Service-Credits-Used", what.credits_used);
  if (what.credits_remaining) {
    append_field(out, "X-Service-Credits-Remaining", *what.credits_remaining);
  }
  append_field(out, "X-Request-Id", what.request_id);
  if (what.rate) append_rate(out, *what.rate);
  if (what.retry_after) append_field(out, "Retry-After", what.retry_after->count());
  if (what.status == 401) append_field(out, "WWW-Authenticate", "Bearer");
  if (what.idempotency_replayed) append_field(out, "Idempotency-Replayed", "true");
  if (!what.allow.empty()) append_field(out, "Allow", what.allow);
  if (!what.etag.empty()) append_field(out, "ETag", what.etag);
  if (what.gzipped) append_field(out, "Content-Encoding", "gzip");
  append_field(out, "Vary", "Accept-Encoding");
  append_field(out, "Cache-Control", what.cache_control);
  append_field(out, "X-Content-Type-Options", "nosniff");
  if (!on.keep_alive) {
    append_field(out, "Connection", "close");
  } else if (on.minor_version == 0) {
    append_field(out, "Connection", "keep-alive");
  }
  out.append("\r\n");
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

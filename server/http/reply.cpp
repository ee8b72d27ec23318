// The rendering of a head into one string: the connection writes it together with the body. By
// hand: Beast's fields and serialiser cost more than the whole way of a small answer.
#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <server/http/reply.hpp>

namespace freshet::server {
namespace {

/// By whether the form was negotiated, and whether a page of another origin reads it.
constexpr std::string_view vary_lines[2][2] = {
    {"Vary: Accept-Encoding\r\n", "Vary: Accept-Encoding, Origin\r\n"},
    {"Vary: Accept-Encoding, Accept\r\n", "Vary: Accept-Encoding, Accept, Origin\r\n"}};

/// The contract's own fields, section 8: pages of other origins see others by themselves.
constexpr const char* exposed_fields =
    "X-Service-Credits-Used, X-Service-Credits-Remaining, X-Request-Id, RateLimit, "
    "RateLimit-Policy, "
    "Retry-After, Idempotency-Replayed, Deprecation, Sunset, Link";

/// Writes a head, field by field, into one text, in whose room it copies: names are literals.
class head_writer {
 public:
  head_writer(std::string& out, int status) : out_(out) {
    constexpr std::size_t usual_bytes = 1024;
    out_.resize(usual_bytes);
    put("HTTP/1.1 ");
    put(status);
    const auto reason = boost::beast::http::obsolete_reason(
        boost::beast::http::int_to_status(static_cast<unsigned>(status)));
    put(" ");
    put(std::string_view(reason.data(), reason.size()));
    put("\r\n");
  }

  /// What would end the line ends the value.
  void add(std::string_view name, std::string_view value) {
    const auto line = value.substr(0, std::min(value.find('\r'), value.find('\n')));
    make_room(name.size() + line.size() + 4);
    copy(name);
    copy(": ");
    copy(line);
    copy("\r\n");
  }
  void add(std::string_view name, std::int64_t value) {
    put(name);
    put(": ");
    put(value);
    put("\r\n");
  }
  /// Whole lines of ours.
  void add_lines(std::string_view lines) { put(lines); }
  void add_rate(const rate_info& rate) {
    put("RateLimit-Policy: \"default\";q=");
    put(rate.limit);
    put(";w=");
    put(rate.window_s);
    put("\r\nRateLimit: \"default\";r=");
    put(rate.remaining);
    put(";t=");
    put(rate.reset_s);
    put("\r\n");
  }
  void end() {
    put("\r\n");
    out_.resize(used_);
  }

 private:
  void make_room(std::size_t bytes) {
    if (out_.size() - used_ < bytes) out_.resize(2 * out_.size() + bytes);
  }
  void copy(std::string_view text) {
    std::memcpy(out_.data() + used_, text.data(), text.size());
    used_ += text.size();
  }
  template <std::size_t Size>
  void put(const char (&text)[Size]) {
    make_room(Size - 1);
    std::memcpy(out_.data() + used_, text, Size - 1);
    used_ += Size - 1;
  }
  void put(std::string_view text) {
    make_room(text.size());
    copy(text);
  }
  void put(std::int64_t value) {
    constexpr std::size_t digits = 24;
    make_room(digits);
    char* const at = out_.data() + used_;
    used_ += static_cast<std::size_t>(std::to_chars(at, at + digits, value).ptr - at);
  }

  std::string& out_;
  std::size_t used_ = 0;
};

}  // namespace

reply reply_of(response&& answered) {
  return {.status = answered.status,
          .content_type = std::move(answered.content_type),
          .own_body = std::move(answered.body),
          .lead = std::move(answered.lead),
          .request_id = std::move(answered.request_id),
          .credits_used = answered.credits_used,
          .credits_remaining = answered.credits_remaining,
          .retry_after = answered.retry_after,
          .rate = answered.rate,
          .idempotency_replayed = answered.idempotency_replayed};
}

void render_head(const reply& reply, const connection_facts& facts, std::string& head) {
  head_writer out(head, reply.status);
  out.add("Date", facts.date);
  if (!reply.without_body) {
    if (!reply.content_type.empty()) out.add("Content-Type", reply.content_type);
    if (!reply.stream) {
      out.add("Content-Length", static_cast<std::int64_t>(reply.body().size()));
    } else if (facts.minor_version > 0) {
      out.add("Transfer-Encoding", "chunked");
    }
  }
  out.add("X-Service-Credits-Used", reply.credits_used);
  if (reply.credits_remaining) {
    out.add("X-Service-Credits-Remaining", *reply.credits_remaining);
  }
  out.add("X-Request-Id", reply.request_id);
  if (reply.rate) out.add_rate(*reply.rate);
  if (reply.retry_after) out.add("Retry-After", reply.retry_after->count());
  if (reply.status == 401) out.add("WWW-Authenticate", reply.challenge);
  if (reply.idempotency_replayed) out.add("Idempotency-Replayed", "true");
  if (!reply.allow.empty()) out.add("Allow", reply.allow);
  if (!reply.etag.empty()) out.add("ETag", reply.etag);
  if (reply.gzipped) out.add("Content-Encoding", "gzip");
  out.add_lines(vary_lines[reply.varies_by_accept ? 1 : 0][reply.readable_by.empty() ? 0 : 1]);
  if (!reply.readable_by.empty()) out.add("Access-Control-Allow-Origin", reply.readable_by);
  out.add("Cache-Control", reply.cache_control);
  out.add_lines("X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n");
  if (facts.is_https) out.add("Strict-Transport-Security", "max-age=31536000");
  for (const auto& [name, value] : reply.more_fields) out.add(name, value);
  if (!facts.keep_alive) {
    out.add("Connection", "close");
  } else if (facts.minor_version == 0) {
    out.add("Connection", "keep-alive");
  }
  out.end();
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

void let_read(reply& out, const std::string& origin) {
  out.readable_by = origin;
  out.more_fields.emplace_back("Access-Control-Expose-Headers", exposed_fields);
}

}  // namespace freshet::server

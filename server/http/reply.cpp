// The rendering of a head into one string: the connection writes it together with the body. By
// hand: Beast's fields and serialiser cost more than the whole way of a small answer.
#include <algorithm>
#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>
#include <cstdio>
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

/// Writes a head, field by field, into one text.
class head_writer {
 public:
  explicit head_writer(int status) {
    constexpr std::size_t usual_bytes = 768;
    out_.reserve(usual_bytes);
    out_ += "HTTP/1.1 ";
    append(status);
    out_ += ' ';
    const auto reason = boost::beast::http::obsolete_reason(
        boost::beast::http::int_to_status(static_cast<unsigned>(status)));
    out_.append(reason.data(), reason.size()).append("\r\n");
  }

  /// What would end the line ends the value.
  void add(std::string_view name, std::string_view value) {
    const auto end = std::min(value.find('\r'), value.find('\n'));
    out_.append(name).append(": ").append(value.substr(0, end)).append("\r\n");
  }
  void add(std::string_view name, std::int64_t value) {
    out_.append(name).append(": ");
    append(value);
    out_ += "\r\n";
  }
  /// Whole lines of ours.
  void add_lines(std::string_view lines) { out_ += lines; }
  void add_rate(const rate_info& rate) {
    add_pair("RateLimit-Policy", {"q", rate.limit}, {"w", rate.window_s});
    add_pair("RateLimit", {"r", rate.remaining}, {"t", rate.reset_s});
  }
  [[nodiscard]] std::string take() {
    out_ += "\r\n";
    return std::move(out_);
  }

 private:
  using parameter = std::pair<std::string_view, std::int64_t>;

  void append(std::int64_t value) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    out_.append(digits.data(), end.ptr);
  }
  void add_pair(std::string_view name, parameter first, parameter second) {
    out_.append(name).append(": \"default\"");
    for (const auto& [key, value] : {first, second}) {
      out_.append(1, ';').append(key).append(1, '=');
      append(value);
    }
    out_ += "\r\n";
  }

  std::string out_;
};

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

std::string render_head(const reply& reply, const connection_facts& facts) {
  head_writer out(reply.status);
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
  return out.take();
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

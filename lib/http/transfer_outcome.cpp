// What a finished exchange means: an answer, or one of our errors for what curl and the callbacks
// of transfer.cpp have said.
#include <http/transfer.hpp>
#include <string>
#include <utility>

namespace freshet::http {
namespace {

/// Nobody who is there lets a connection wait for longer.
constexpr std::chrono::milliseconds fair_connect_time{3'000};

}  // namespace

error transfer::badly_packed() const {
  return error(errc::source_error,
               "the answer of " + host_ + " is not packed as its Content-Encoding says");
}

error transfer::failure(CURLcode code, transport::deadline now) const {
  if (out_of_memory_) return error(errc::overloaded);
  if (no_room_) {
    error out(*no_room_, "too many bytes of answers are arriving at once");
    out.retry_after = std::chrono::seconds(1);
    return out;
  }
  if (forbidden_) {
    return error(errc::target_forbidden,
                 "the address or port of " + host_ + " is not one that may be asked");
  }
  if (body_too_long_) {
    return error(errc::source_error, host_ + " answered with more than " +
                                         std::to_string(asked_.body_limit) + " bytes");
  }
  if (headers_too_long_) {
    return error(errc::source_error, host_ + " answered with too many header fields");
  }
  if (too_many_codings_) {
    return error(errc::source_error, host_ + " answered in codings upon codings");
  }
  if (code == CURLE_ABORTED_BY_CALLBACK) {
    return error(errc::source_error, host_ + " answered with much that says nothing");
  }
  if (is_badly_packed_) return badly_packed();
  if (is_badly_framed_) return error(errc::source_error, host_ + " does not say where it ends");
  const std::string reason = std::string(": ") + curl_easy_strerror(code);
  switch (code) {
    case CURLE_URL_MALFORMAT:
      return error(errc::target_forbidden, "not an http or https address");
    case CURLE_OPERATION_TIMEDOUT: {
      curl_off_t connected = 0;
      curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
      // A host that does not even accept is down, unless our own time was too short to tell.
      if (connected == 0 && now - started_ >= connect_timeout) {
        return error(errc::source_unavailable, "no connection to " + host_ + " in time");
      }
      return error(errc::source_timeout, host_ + " did not answer in time");
    }
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PARTIAL_FILE:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return error(errc::source_unavailable, "no answer from " + host_ + reason);
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY:
      return error(errc::source_error, host_ + " answered with something that is not HTTP");
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_WRITE_ERROR:  // of its decoders, for what stands behind their end
      return badly_packed();
    case CURLE_OUT_OF_MEMORY:  // what curl also says of one line that is beyond its bound
      return error(errc::source_error, host_ + " answered with a header field that is too long");
    default:
      return error(errc::source_error, "the answer of " + host_ + " failed" + reason);
  }
}

/// Whether nobody was there to be asked, which no query can bring about: somebody refused to
/// connect, or let it wait for longer than who is there does.
bool transfer::is_unreached(CURLcode code, transport::deadline now) const {
  if (forbidden_ || knocked_ == transport::deadline()) return false;
  if (code == CURLE_COULDNT_CONNECT) return true;
  curl_off_t connected = 0;
  curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
  return code == CURLE_OPERATION_TIMEDOUT && connected == 0 && now - knocked_ >= fair_connect_time;
}

result<response> transfer::outcome(CURLcode code, transport::deadline now, time_point wall) {
  const bool is_cut = body_too_long_ && asked_.truncate_body && code == CURLE_WRITE_ERROR;
  if (unreached_ && is_unreached(code, now)) unreached_(asked_);
  if (code != CURLE_OK && !is_cut) return failure(code, now);
  if (!is_cut && !decoder_.is_whole()) {
    return error(errc::source_unavailable,
                 "the answer of " + host_ + " breaks off: what it is packed in has no end");
  }
  long status = 0;
  if (curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status) != CURLE_OK) {
    return error(errc::source_error, "nothing is known of the answer of " + host_);
  }
  constexpr long partial_content = 206;
  if (status == partial_content && !asks_for_part_)
    return error(errc::source_error, host_ + " answered with a part, of which nobody had asked");
  answer_.status = static_cast<int>(status);
  answer_.final_url = std::move(asked_.url);
  answer_.fetched_at = wall;
  if (asked_.keeps_cookies && status / 100 == 3) take_cookies();
  answer_.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - started_);
  return std::move(answer_);
}

}  // namespace freshet::http

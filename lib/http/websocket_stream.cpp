// The bytes of a WebSocket: curl connects, with TLS and the guard, and hands the connection over;
// from there on it is polled, read and written here, and what the bytes mean is for
// websocket_upgrade and websocket_frames to say. All of it on the thread that waits: it has none of
// its own.
#include <curl/curl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <base/url.hpp>
#include <http/credentials.hpp>
#include <http/guarded_socket.hpp>
#include <http/tls_options.hpp>
#include <http/websocket_frames.hpp>
#include <http/websocket_stream.hpp>
#include <http/websocket_upgrade.hpp>
#include <limits>
#include <utility>

namespace freshet::http {
namespace {

using steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// What is read at once; a loop over it looks at the time, and for stop(), in between.
constexpr std::size_t read_size = 16u << 10;
/// What is read, and for how long, of a stream that was refused in the middle.
constexpr std::size_t max_dropped = 16u << 20;
constexpr std::chrono::milliseconds drop_time{500};
/// While more than this waits to be sent, nothing is read: who only pings must take the answers.
constexpr std::size_t max_unsent = 64u << 10;

int poll_time(steady::time_point until) {
  const auto left = std::chrono::ceil<milliseconds>(until - steady::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, std::numeric_limits<int>::max()));
}

error stopped() { return error(errc::cancelled, "the stream was stopped"); }

error closed_by_other_side(std::string_view doing) {
  return error(errc::source_unavailable, std::string(doing) + ": the other side closed it");
}

error failure_of(CURLcode code, std::string_view doing) {
  const std::string said = std::string(doing) + ": " + curl_easy_strerror(code);
  switch (code) {
    case CURLE_OUT_OF_MEMORY:
      return error(errc::overloaded);
    case CURLE_OPERATION_TIMEDOUT:
      return error(errc::source_timeout, said);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
      return error(errc::source_unavailable, said);
    default:  // TLS, most of all
      return error(errc::source_error, said);
  }
}

}  // namespace

/// What curl has connected, and what has come over it.
struct websocket_stream::connection {
  explicit connection(const websocket_options& options, const address_guard& whom)
      : guard(whom), frames(options.max_message_bytes) {
    // A handle without the right options must not connect: ready() is asked before.
    set(CURLOPT_CONNECT_ONLY, 1L);
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
    set(CURLOPT_PROXY, "");  // or http_proxy of the environment would be asked, unguarded
    set(CURLOPT_NOSIGNAL, 1L);
    set_tls([this](CURLoption option, auto value) { set(option, value); });
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(options.open_time.count()));
    set(CURLOPT_TCP_NODELAY, 1L);
    set(CURLOPT_OPENSOCKETFUNCTION, &connection::open_socket);
    set(CURLOPT_OPENSOCKETDATA, this);
    // In place of the system's file of certificates; the system's folder of them (CAPATH) stays.
    if (!options.ca_file.empty()) set(CURLOPT_CAINFO, options.ca_file.c_str());
  }
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection() {
    if (multi != nullptr) curl_multi_remove_handle(multi, easy);
    curl_easy_cleanup(easy);
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    ready = ready && curl_easy_setopt(easy, option, value) == CURLE_OK;
  }

  static curl_socket_t open_socket(void* self, curlsocktype, curl_sockaddr* address) {
    auto& me = *static_cast<connection*>(self);
    bool allowed = false;
    const curl_socket_t made = open_guarded_socket(me.guard, *address, me.host, allowed);
    (allowed ? me.found_allowed : me.found_forbidden) = true;
    return made;
  }

  /// When a ping is due, or the answer to it.
  [[nodiscard]] moment silent_until(milliseconds idle_time) const {
    return pinged.value_or(heard) + idle_time / 2;
  }

  const address_guard& guard;
  std::string host;  ///< as the address names it
  CURL* easy = curl_easy_init();
  CURLM* multi = nullptr;  ///< while it knows the handle
  bool ready = easy != nullptr;
  bool found_allowed = false;
  bool found_forbidden = false;
  curl_socket_t socket = CURL_SOCKET_BAD;
  websocket_frames frames;
  std::optional<error> ended;    ///< after the messages that came before it
  moment heard;                  ///< when the other side last sent anything
  std::optional<moment> pinged;  ///< since then
};

websocket_stream::websocket_stream(websocket_options options)
    : options_(std::move(options)), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return;
  multi_ = curl_multi_init();
  if (multi_ == nullptr) curl_global_cleanup();
}

websocket_stream::~websocket_stream() {
  close();
  if (multi_ != nullptr) {
    curl_multi_cleanup(static_cast<CURLM*>(multi_));
    curl_global_cleanup();
  }
  if (wake_ >= 0) ::close(wake_);
}

void websocket_stream::close() { connection_.reset(); }

void websocket_stream::stop() {
  stopping_ = true;
  const std::uint64_t one = 1;  // never taken off again: it wakes whoever waits from now on
  if (write(wake_, &one, sizeof one) < 0) return;  // full: everybody is awake
}

result<void> websocket_stream::check_time(moment deadline, std::string_view doing) const {
  if (stopping_) return stopped();
  if (steady::now() < deadline) return {};
  return error(errc::source_timeout, std::string(doing) + " takes too long");
}

void websocket_stream::wait_for(short events, moment until) const {
  pollfd watched[] = {{connection_->socket, events, 0}, {wake_, POLLIN, 0}};
  poll(watched, std::size(watched), poll_time(until));
}

namespace {

/// Whether a credential for one server is meant for another: an instance's streams are often on a
/// host below its own.
bool may_know_credentials(const websocket_address& address, const websocket_address& other) {
  if (address.secure && !other.secure) return false;
  return address.authority == other.authority || other.authority.ends_with("." + address.authority);
}

}  // namespace

result<void> websocket_stream::open(const std::string& url, const headers& fields,
                                    const std::string& instead) {
  std::string at = url;
  headers with = fields;
  bool is_elsewhere = false;
  const auto go = [&](const std::string& moved) {
    const auto here = parse_websocket_address(at), there = parse_websocket_address(moved);
    if (!here || !there) return false;
    is_elsewhere = is_elsewhere || here->authority != there->authority;
    if (!may_know_credentials(*here, *there)) {
      std::erase_if(with, [](const header& each) { return is_credential_header(each.name); });
    }
    at = moved;
    return true;
  };
  if (!instead.empty() && !go(instead)) {
    return error(errc::source_error, "the instance names an address that is none of a stream");
  }
  for (int hop = 0;; ++hop) {
    close();
    std::string moved;
    auto done = connect(at, with, is_elsewhere ? options_.guard_elsewhere : options_.guard, moved);
    if (done) return done;
    close();
    if (moved.empty()) return done;
    if (hop == max_redirects) return error(errc::source_error, "the stream sends us on too often");
    if (!go(moved)) return done;
  }
}

result<void> websocket_stream::connect(const std::string& url, const headers& fields,
                                       const address_guard& guard, std::string& moved) {
  const auto address = parse_websocket_address(url);
  if (!address) return address.error();
  const std::string key = make_websocket_key();
  const auto request = write_upgrade(*address, key, options_.user_agent, fields);
  if (!request) return request.error();

  const moment by = steady::now() + options_.open_time;
  connection_ = std::make_unique<connection>(options_, guard);
  const std::string origin = (address->secure ? "https://" : "http://") + address->authority + "/";
  connection_->host = base::host_of(origin);
  connection_->set(CURLOPT_URL, origin.c_str());
  if (auto done = establish(by); !done) return done;
  if (auto done = send_request(*request, by); !done) return done;
  auto head = receive_head(by);
  if (!head) return head.error();
  const std::size_t size = head->find(end_of_head) + end_of_head.size();
  const auto fields_said = std::string_view(*head).substr(0, size);
  if (auto done = check_upgrade(fields_said, key); !done) {
    moved = redirect_of(fields_said, url);
    return done;
  }
  connection_->heard = steady::now();
  // Messages may have come with the answer.
  if (auto done = connection_->frames.take(std::string_view(*head).substr(size)); !done) {
    connection_->ended = done.error();
  }
  return {};
}

/// Lets curl find the host, connect and secure the connection.
result<void> websocket_stream::establish(moment by) {
  connection& fresh = *connection_;
  CURLM* const multi = static_cast<CURLM*>(multi_);
  if (stopping_) return stopped();
  if (multi == nullptr || wake_ < 0 || !fresh.ready ||
      curl_multi_add_handle(multi, fresh.easy) != CURLM_OK) {
    return error(errc::overloaded);
  }
  fresh.multi = multi;
  int running = 1;
  while (true) {
    curl_multi_perform(multi, &running);
    if (running == 0) break;
    if (auto timely = check_time(by, "connecting to the stream"); !timely) return timely;
    curl_waitfd wake{wake_, CURL_WAIT_POLLIN, 0};
    curl_multi_poll(multi, &wake, 1, poll_time(by), nullptr);
  }
  int left = 0;
  const CURLMsg* const message = curl_multi_info_read(multi, &left);
  const CURLcode code = message == nullptr ? CURLE_FAILED_INIT : message->data.result;
  if (code != CURLE_OK && fresh.found_forbidden && !fresh.found_allowed) {
    return error(errc::target_forbidden, "the stream's host has no address that may be reached");
  }
  if (code != CURLE_OK) return failure_of(code, "connecting to the stream");
  curl_easy_getinfo(fresh.easy, CURLINFO_ACTIVESOCKET, &fresh.socket);
  if (fresh.socket == CURL_SOCKET_BAD) return closed_by_other_side("connecting to the stream");
  return {};
}

result<void> websocket_stream::send_request(std::string_view request, moment deadline) {
  while (!request.empty()) {
    std::size_t sent = 0;
    const CURLcode code = curl_easy_send(connection_->easy, request.data(), request.size(), &sent);
    if (code != CURLE_OK && code != CURLE_AGAIN) return failure_of(code, "opening the stream");
    request.remove_prefix(sent);
    if (auto timely = check_time(deadline, "opening the stream"); !timely) return timely;
    if (code == CURLE_AGAIN) wait_for(POLLOUT, deadline);
  }
  return {};
}

/// The head of the answer, and what has come with it.
result<std::string> websocket_stream::receive_head(moment by) {
  std::string head;
  std::array<char, read_size> bytes;
  while (head.find(end_of_head) == std::string::npos) {
    if (head.size() > max_upgrade_bytes) {
      return error(errc::source_error, "opening the stream: the answer's head is too long");
    }
    std::size_t size = 0;
    const CURLcode code = curl_easy_recv(connection_->easy, bytes.data(), bytes.size(), &size);
    if (code != CURLE_OK && code != CURLE_AGAIN) return failure_of(code, "opening the stream");
    if (code == CURLE_OK && size == 0) {
      return error(errc::source_error, "opening the stream: the other side closed it");
    }
    head.append(bytes.data(), size);
    if (auto timely = check_time(by, "opening the stream"); !timely) return timely.error();
    if (code == CURLE_AGAIN) wait_for(POLLIN, by);
  }
  return head;
}

/// As much of what waits to be sent as the connection takes.
result<void> websocket_stream::send_waiting() {
  websocket_frames& frames = connection_->frames;
  while (!frames.unsent().empty()) {
    std::size_t sent = 0;
    const CURLcode code =
        curl_easy_send(connection_->easy, frames.unsent().data(), frames.unsent().size(), &sent);
    if (code == CURLE_AGAIN) break;
    if (code != CURLE_OK) return failure_of(code, "reading the stream");
    frames.mark_sent(sent);
  }
  return {};
}

/// Some of what has come, and the answers to it; false if there was nothing.
result<bool> websocket_stream::receive() {
  connection& open = *connection_;
  if (auto sent = send_waiting(); !sent) return sent.error();
  if (open.frames.unsent().size() > max_unsent) return false;
  std::array<char, read_size> bytes;
  std::size_t size = 0;
  const CURLcode code = curl_easy_recv(open.easy, bytes.data(), bytes.size(), &size);
  if (code == CURLE_AGAIN) return false;
  if (code != CURLE_OK) return failure_of(code, "reading the stream");
  if (size == 0) return closed_by_other_side("reading the stream");
  open.heard = steady::now();
  open.pinged.reset();
  const auto taken = open.frames.take({bytes.data(), size});
  const auto sent = send_waiting();
  if (!taken) {
    if (sent) drop_rest();
    return taken.error();  // which matters more than that it could not be said
  }
  if (!sent) return sent.error();
  return true;
}

/// Reads what still comes, and forgets it: a connection that is closed with bytes unread ends by a
/// reset, which can overtake the frame that says why.
void websocket_stream::drop_rest() {
  const moment until = steady::now() + drop_time;
  std::array<char, read_size> bytes;
  for (std::size_t dropped = 0; dropped < max_dropped && !stopping_ && steady::now() < until;) {
    std::size_t size = 0;
    const CURLcode code = curl_easy_recv(connection_->easy, bytes.data(), bytes.size(), &size);
    if (code == CURLE_AGAIN) {
      wait_for(POLLIN, until);
    } else if (code != CURLE_OK || size == 0) {
      return;
    }
    dropped += size;
  }
}

/// Pings after half of the silence that is allowed, and gives up after the other half.
result<void> websocket_stream::keep_alive() {
  connection& open = *connection_;
  if (steady::now() < open.silent_until(options_.idle_time)) return {};
  if (open.pinged) return error(errc::source_timeout, "reading the stream: it is silent");
  open.pinged = steady::now();
  if (auto pinged = open.frames.ping(); !pinged) return pinged;
  return send_waiting();
}

/// One step of a read: what is there, or a sleep until something is, but not beyond `until`.
result<void> websocket_stream::advance(moment until) {
  const auto received = receive();
  if (!received) return received.error();
  if (*received) return {};
  if (auto alive = keep_alive(); !alive) return alive;
  const std::size_t unsent = connection_->frames.unsent().size();
  const int events = (unsent > 0 ? POLLOUT : 0) | (unsent > max_unsent ? 0 : POLLIN);
  wait_for(static_cast<short>(events),
           std::min(until, connection_->silent_until(options_.idle_time)));
  return {};
}

result<std::optional<std::string>> websocket_stream::read(milliseconds wait) {
  if (stopping_) return stopped();
  if (connection_ == nullptr) return error(errc::source_unavailable, "the stream is not open");
  connection& open = *connection_;
  const moment until = steady::now() + wait;
  do {
    if (auto message = open.frames.next_message()) return message;
    if (open.ended) {
      const error why = *open.ended;
      close();
      return why;
    }
    if (auto advanced = advance(until); !advanced) open.ended = advanced.error();
    if (stopping_) return stopped();
  } while (open.ended || steady::now() < until);
  return open.frames.next_message();
}

}  // namespace freshet::http

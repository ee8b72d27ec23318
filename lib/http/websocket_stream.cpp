// Beast's WebSocket over TCP or TLS, its callbacks run by the thread that waits for them: no thread
// of its own. What a callback writes to is shared with it, so that a wait may end before it does.
#include <base/url.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>
#include <http/websocket_stream.hpp>
#include <span>
#include <vector>

namespace freshet::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;
using tcp = asio::ip::tcp;
using steady = std::chrono::steady_clock;

/// What one callback says; null while it has not been called.
using outcome = std::shared_ptr<std::optional<error_code>>;

struct address {
  std::string host, port, authority, target;
  bool secure = false;
};

result<address> parse_address(std::string url) {
  const error wrong(errc::invalid_request, "a stream's address begins with wss:// or ws://");
  const bool ws = url.starts_with("ws://") || url.starts_with("wss://");
  if (ws) url.replace(0, 2, "http");
  const auto parsed = base::parse_url(url);
  if (!parsed || !parsed->is_http() || parsed->host.empty()) return wrong;
  address out;
  out.secure = parsed->scheme == "https";
  out.host = parsed->host;
  out.authority = parsed->port.empty() ? parsed->host : parsed->host + ":" + parsed->port;
  out.port = !parsed->port.empty() ? parsed->port : out.secure ? "443" : "80";
  out.target = parsed->path.empty() ? "/" : parsed->path;
  if (!parsed->query.empty()) out.target += "?" + parsed->query;
  if (out.host.starts_with('[')) out.host = out.host.substr(1, out.host.size() - 2);
  return out;
}

bool is_allowed(const address_guard& guard, const tcp::endpoint& at) {
  if (at.address().is_v4()) return guard.allows(at.address().to_v4().to_bytes(), at.port());
  return guard.allows(at.address().to_v6().to_bytes(), at.port());
}

error failure_of(const error_code& code, std::string_view doing) {
  const auto said = std::string(doing) + ": " + code.message();
  if (code == asio::error::operation_aborted) return error(errc::cancelled, said);
  if (code == beast::error::timeout) return error(errc::source_timeout, said);
  if (code == websocket::error::closed || code == asio::error::eof ||
      code == asio::error::connection_reset || code == asio::error::broken_pipe ||
      code == asio::ssl::error::stream_truncated) {
    return error(errc::source_unavailable, std::string(doing) + ": the other side closed it");
  }
  if (code.category() == asio::error::get_netdb_category() ||
      code.category() == asio::error::get_addrinfo_category() ||
      code.category() == boost::system::system_category()) {
    return error(errc::source_unavailable, said);
  }
  return error(errc::source_error, said);
}

error declined(unsigned status) {
  const auto said = "the stream answers HTTP " + std::to_string(status);
  if (status == 401) return error(errc::source_auth_required, said);
  if (status == 403) return error(errc::source_blocked, said);
  if (status == 429 || status >= 500) return error(errc::source_unavailable, said);
  return error(errc::source_error, said);
}

}  // namespace

/// What is run while waiting. Last to go: callbacks may still stand in it.
struct websocket_stream::loop {
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  asio::ssl::context tls{asio::ssl::context::tls_client};

  /// False if the time has come first, or the stream was stopped.
  bool wait_for(const outcome& done, steady::time_point by, const std::atomic<bool>& stopping) {
    while (!done->has_value() && !stopping) {
      if (context.run_one_until(by) == 0 && steady::now() >= by) break;
    }
    return done->has_value() && !stopping;
  }
};

/// Over TCP or TLS, the same.
class websocket_stream::connection {
 public:
  virtual ~connection() = default;
  virtual beast::tcp_stream& lowest() = 0;
  virtual void secure(const std::string& host, const outcome& done) = 0;
  virtual void upgrade(const address& to, const websocket_options& with, const headers& more,
                       const outcome& done) = 0;
  virtual void start_read() = 0;
  virtual bool is_text() = 0;

  /// Of the upgrade.
  std::shared_ptr<websocket::response_type> answer = std::make_shared<websocket::response_type>();
  outcome reading;  ///< null: no read is under way
  std::shared_ptr<beast::flat_buffer> message = std::make_shared<beast::flat_buffer>();
};

template <class Next>
class websocket_stream::connection_over final : public websocket_stream::connection {
 public:
  template <class... Args>
  explicit connection_over(Args&&... args) : stream_(std::forward<Args>(args)...) {}

  beast::tcp_stream& lowest() override { return beast::get_lowest_layer(stream_); }

  void secure(const std::string& host, const outcome& done) override {
    if constexpr (std::is_same_v<Next, beast::tcp_stream>) {
      done->emplace();
    } else {
      auto& tls = stream_.next_layer();
      // Names are sent, addresses are not (RFC 6066).
      error_code no_address;
      asio::ip::make_address(host, no_address);
      if (no_address) {
        SSL_ctrl(tls.native_handle(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                 const_cast<char*>(host.c_str()));
      }
      tls.set_verify_mode(asio::ssl::verify_peer);
      tls.set_verify_callback(asio::ssl::host_name_verification(host));
      tls.async_handshake(asio::ssl::stream_base::client,
                          [done](error_code code) { done->emplace(code); });
    }
  }

  void upgrade(const address& to, const websocket_options& with, const headers& more,
               const outcome& done) override {
    lowest().expires_never();  // the WebSocket has deadlines of its own
    stream_.set_option(websocket::stream_base::timeout{with.open_time, with.idle_time, true});
    stream_.set_option(websocket::stream_base::decorator(
        [agent = with.user_agent, more](websocket::request_type& request) {
          if (!agent.empty()) request.set(beast::http::field::user_agent, agent);
          for (const auto& each : more) request.set(each.name, each.value);
        }));
    stream_.read_message_max(with.max_message_bytes);
    stream_.async_handshake(*answer, to.authority, to.target,
                            [done, kept = answer](error_code code) { done->emplace(code); });
  }

  void start_read() override {
    reading = std::make_shared<std::optional<error_code>>();
    stream_.async_read(*message, [done = reading, kept = message](error_code code, std::size_t) {
      done->emplace(code);
    });
  }

  bool is_text() override { return stream_.got_text(); }

 private:
  websocket::stream<Next> stream_;
};

websocket_stream::websocket_stream(websocket_options options)
    : options_(std::move(options)), loop_(std::make_unique<loop>()) {}

websocket_stream::~websocket_stream() { close(); }

void websocket_stream::close() {
  if (connection_ == nullptr) return;
  connection_->lowest().close();
  // What was under way is called back now: TLS still works on the connection in its callbacks.
  while (loop_->context.poll() > 0) {
  }
  connection_.reset();
}

void websocket_stream::stop() {
  stopping_ = true;
  asio::post(loop_->context, [] {});  // wakes who waits
}

result<void> websocket_stream::open(const std::string& url, const headers& with) {
  close();
  auto done = connect(url, with);
  if (!done) close();
  return done;
}

result<void> websocket_stream::connect(const std::string& url, const headers& with) {
  const auto to = parse_address(url);
  if (!to) return to.error();
  const auto by = steady::now() + options_.open_time;
  const auto fresh = [] { return std::make_shared<std::optional<error_code>>(); };
  const auto ended = [&](const outcome& done, std::string_view doing) -> result<void> {
    if (stopping_) return error(errc::cancelled, "the stream was stopped");
    if (!loop_->wait_for(done, by, stopping_)) {
      return stopping_ ? error(errc::cancelled, "the stream was stopped")
                       : error(errc::source_timeout, std::string(doing) + " takes too long");
    }
    return **done ? result<void>(failure_of(**done, doing)) : result<void>();
  };

  tcp::resolver resolver(loop_->context);
  auto found = std::make_shared<tcp::resolver::results_type>();
  auto step = fresh();
  resolver.async_resolve(to->host, to->port,
                         [step, found](error_code code, tcp::resolver::results_type all) {
                           *found = std::move(all);
                           step->emplace(code);
                         });
  if (auto done = ended(step, "finding the stream's host"); !done) return done;
  std::vector<tcp::endpoint> allowed;
  for (const auto& each : *found) {
    if (is_allowed(options_.guard, each.endpoint())) allowed.push_back(each.endpoint());
  }
  if (allowed.empty()) {
    return error(errc::target_forbidden, "the stream's host has no address that may be reached");
  }

  if (to->secure) {
    error_code code;
    loop_->tls.set_default_verify_paths(code);
    if (!code && !options_.ca_file.empty()) loop_->tls.load_verify_file(options_.ca_file, code);
    if (code) return failure_of(code, "reading the certificates");
    connection_ = std::make_unique<connection_over<beast::ssl_stream<beast::tcp_stream>>>(
        loop_->context, loop_->tls);
  } else {
    connection_ = std::make_unique<connection_over<beast::tcp_stream>>(loop_->context);
  }
  step = fresh();
  connection_->lowest().expires_after(options_.open_time);
  // The list is copied into the operation, which may outlive this function.
  connection_->lowest().async_connect(
      allowed, [step](error_code code, const tcp::endpoint&) { step->emplace(code); });
  if (auto done = ended(step, "connecting to the stream"); !done) return done;
  step = fresh();
  connection_->secure(to->host, step);
  if (auto done = ended(step, "securing the stream"); !done) return done;
  step = fresh();
  connection_->upgrade(*to, options_, with, step);
  auto done = ended(step, "opening the stream");
  if (!done && step->has_value() && **step == websocket::error::upgrade_declined)
    return declined(connection_->answer->result_int());
  return done;
}

result<std::optional<std::string>> websocket_stream::read(std::chrono::milliseconds wait) {
  if (stopping_) return error(errc::cancelled, "the stream was stopped");
  if (connection_ == nullptr) return error(errc::source_unavailable, "the stream is not open");
  auto& from = *connection_;
  if (from.reading == nullptr) from.start_read();
  if (!loop_->wait_for(from.reading, steady::now() + wait, stopping_)) {
    if (stopping_) return error(errc::cancelled, "the stream was stopped");
    return std::optional<std::string>();
  }
  const error_code code = **from.reading;
  from.reading.reset();
  if (code) {
    auto failure = failure_of(code, "reading the stream");
    close();
    return failure;
  }
  if (!from.is_text()) {
    close();
    return error(errc::source_error, "the stream sends binary messages");
  }
  std::optional<std::string> out(beast::buffers_to_string(from.message->data()));
  from.message->consume(from.message->size());
  return out;
}

}  // namespace freshet::http

// The sockets of websocket_server, and Beast's frames on them.
#include "support/websocket_server.hpp"

#include <openssl/ssl.h>
#include <signal.h>

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <stdexcept>

#include "support/certificate.hpp"
#include "support/loopback_listener.hpp"

namespace freshet::test {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;

/// A socket, plain or under TLS, as Beast wants a stream to be.
class socket_layer {
 public:
  using executor_type = asio::io_context::executor_type;

  socket_layer(int socket, SSL* tls) : socket_(socket), tls_(tls) {}
  socket_layer(const socket_layer&) = delete;
  socket_layer& operator=(const socket_layer&) = delete;

  executor_type get_executor() { return context_.get_executor(); }

  template <class Buffers>
  std::size_t read_some(const Buffers& buffers, beast::error_code& code) {
    const asio::mutable_buffer first = first_of<asio::mutable_buffer>(buffers);
    if (first.size() == 0) return 0;
    return done(tls_ != nullptr ? SSL_read(tls_, first.data(), static_cast<int>(first.size()))
                                : static_cast<int>(::recv(socket_, first.data(), first.size(), 0)),
                code);
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, beast::error_code& code) {
    const asio::const_buffer first = first_of<asio::const_buffer>(buffers);
    if (first.size() == 0) return 0;
    return done(tls_ != nullptr
                    ? SSL_write(tls_, first.data(), static_cast<int>(first.size()))
                    : static_cast<int>(::send(socket_, first.data(), first.size(), MSG_NOSIGNAL)),
                code);
  }
  template <class Buffers>
  std::size_t read_some(const Buffers& buffers) {
    return thrown([&](beast::error_code& code) { return read_some(buffers, code); });
  }
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers) {
    return thrown([&](beast::error_code& code) { return write_some(buffers, code); });
  }

  void drop() const { ::shutdown(socket_, SHUT_RDWR); }

 private:
  template <class Buffer, class Buffers>
  static Buffer first_of(const Buffers& buffers) {
    const auto end = asio::buffer_sequence_end(buffers);
    for (auto at = asio::buffer_sequence_begin(buffers); at != end; ++at) {
      if (const Buffer one = *at; one.size() > 0) return one;
    }
    return {};
  }
  static std::size_t done(int bytes, beast::error_code& code) {
    code = bytes > 0 ? beast::error_code() : asio::error::make_error_code(asio::error::eof);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  }
  template <class Function>
  static std::size_t thrown(const Function& function) {
    beast::error_code code;
    const std::size_t bytes = function(code);
    if (code) throw boost::system::system_error(code);
    return bytes;
  }

  int socket_;
  SSL* tls_;
  asio::io_context context_;
};

/// What Beast asks for at the end of a stream.
void teardown(beast::role_type, socket_layer& layer, beast::error_code&) { layer.drop(); }
void beast_close_socket(socket_layer& layer) { layer.drop(); }

asio::const_buffer buffer_of(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

class wire_of_layer final : public websocket_server::wire {
 public:
  explicit wire_of_layer(socket_layer& layer) : layer_(layer) {}
  void send_raw(std::string_view bytes) override { asio::write(layer_, buffer_of(bytes)); }
  void wait_for_byte() override {
    char byte = 0;
    layer_.read_some(asio::buffer(&byte, 1));
  }

 private:
  socket_layer& layer_;
};

class beast_stream final : public websocket_server::stream {
 public:
  using head = beast::http::request<beast::http::string_body>;

  beast_stream(socket_layer& layer, const head& asked)
      : layer_(layer), below_(layer), frames_(layer) {
    frames_.accept(asked);
    frames_.control_callback([this](beast::websocket::frame_type kind, beast::string_view) {
      if (kind == beast::websocket::frame_type::pong && on_pong_) on_pong_();
    });
  }

  void send(std::string_view text) override {
    frames_.text(true);
    frames_.write(buffer_of(text));
  }
  void send_binary(std::string_view bytes) override {
    frames_.binary(true);
    frames_.write(buffer_of(bytes));
  }
  void send_part(std::string_view text, bool last) override {
    frames_.text(true);
    frames_.write_some(last, buffer_of(text));
  }
  void ping(std::string_view payload) override { frames_.ping({payload.data(), payload.size()}); }
  void close() override { frames_.close(beast::websocket::close_code::going_away); }
  void drop() override { layer_.drop(); }
  int wait_for_end(const std::function<void()>& on_pong) override {
    on_pong_ = on_pong;
    beast::error_code code;
    beast::flat_buffer ignored;
    while (!code) frames_.read(ignored, code);
    return frames_.reason().code;
  }
  void send_raw(std::string_view bytes) override { below_.send_raw(bytes); }
  void wait_for_byte() override { below_.wait_for_byte(); }

 private:
  socket_layer& layer_;
  wire_of_layer below_;
  beast::websocket::stream<socket_layer&> frames_;
  std::function<void()> on_pong_;
};

struct tls_deleter {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
};
using tls_context = std::unique_ptr<SSL_CTX, tls_deleter>;

/// None without a certificate.
tls_context context_of(const certificate* tls) {
  if (tls == nullptr) return nullptr;
  tls_context made(SSL_CTX_new(TLS_server_method()));
  if (SSL_CTX_use_certificate_chain_file(made.get(), tls->file.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(made.get(), tls->key.c_str(), SSL_FILETYPE_PEM) != 1) {
    throw std::runtime_error("no such certificate");
  }
  return made;
}

websocket_server::request request_of(const beast_stream::head& asked) {
  websocket_server::request made{std::string(asked.target()), {}};
  for (const auto& field : asked) {
    made.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  return made;
}

}  // namespace

std::string websocket_server::request::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return {};
}

class websocket_server::listener {
 public:
  listener(handler handler, refusal refuse, const certificate* tls)
      : handler_(std::move(handler)), refuse_(std::move(refuse)), tls_(context_of(tls)) {}
  [[nodiscard]] int port() const { return connections_.port(); }

 private:
  void serve(int socket) {
    // OpenSSL writes to a socket that is gone, too.
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    SSL* const tls = tls_ != nullptr ? SSL_new(tls_.get()) : nullptr;
    if (tls != nullptr) SSL_set_fd(tls, socket);
    if (tls == nullptr || SSL_accept(tls) == 1) {
      try {
        talk(socket, tls);
      } catch (const boost::system::system_error&) {
        // The other side has gone in the middle of it.
      }
    }
    SSL_free(tls);
  }

  void talk(int socket, SSL* tls) {
    socket_layer layer(socket, tls);
    beast::flat_buffer buffer;
    beast_stream::head asked;
    beast::http::read(layer, buffer, asked);
    const request told = request_of(asked);
    wire_of_layer wire(layer);
    if (refuse_ && refuse_(told, wire)) return;
    beast_stream upgraded(layer, asked);
    handler_(told, upgraded);
  }

  handler handler_;
  refusal refuse_;
  tls_context tls_;
  loopback_listener connections_{[this](int socket) { serve(socket); }};
};

websocket_server::websocket_server(handler handler, refusal refuse, const certificate* tls)
    : listener_(std::make_unique<listener>(std::move(handler), std::move(refuse), tls)) {}
websocket_server::~websocket_server() = default;

int websocket_server::port() const { return listener_->port(); }
std::string websocket_server::url(const std::string& path) const {
  return "ws://127.0.0.1:" + std::to_string(port()) + path;
}

}  // namespace freshet::test

// The bytes of a connection, plain or under TLS: reading, writing and ending mean the same to
// whoever holds it. TLS works on the socket itself and waits for it through Asio, so that an idle
// connection keeps no buffer; it knows nothing of HTTP and has no deadline.
#pragma once

#include <array>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <server/wire/tls_identity.hpp>
#include <server/wire/turns.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace freshet::server {

/// The executor's type is named, so that Asio calls handlers without type erasure.
using tcp_socket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// Used on the socket's thread. Whoever starts something keeps it alive in the handler; after
/// close() what is under way ends with operation_aborted. At most one read and one of writing and
/// finishing are under way.
class wire {
 public:
  using error_code = boost::system::error_code;
  using executor_type = tcp_socket::executor_type;

  explicit wire(tcp_socket socket) : socket_(std::move(socket)) {}

  [[nodiscard]] executor_type get_executor() { return socket_.get_executor(); }
  [[nodiscard]] tcp_socket& socket() noexcept { return socket_; }
  /// Whether TLS has begun.
  [[nodiscard]] bool is_sealed() const noexcept { return session_ != nullptr; }

  /// Handler: (error_code). Bytes, or their end, have come.
  template <class Handler>
  void async_wait_readable(Handler handler) {
    socket_.async_wait(tcp_socket::wait_read, std::move(handler));
  }
  /// Handler: (error_code). None: the socket has failed, as it does when something was sent to a
  /// client that has gone.
  template <class Handler>
  void async_wait_failed(Handler handler) {
    socket_.async_wait(tcp_socket::wait_error, std::move(handler));
  }
  /// What has come, which stays there. Without TLS; 0 bytes and no error: nothing yet.
  [[nodiscard]] std::size_t peek(std::span<char> out, error_code& failed);
  /// Takes so many bytes that peek() has shown.
  void drop(std::size_t bytes, error_code& failed);

  /// From here on everything is under TLS. False: there is no memory for it.
  [[nodiscard]] bool seal(const tls_identity& as);
  /// Each step in its turn, while the owner, whose this is, is there. Stand: (bool), whether it
  /// waits for that or for the client. Handler: (error_code); of those neither may hold the owner.
  template <class Stand, class Handler>
  void async_handshake(turns& turns, const std::string& network, const std::string& host,
                       std::weak_ptr<const void> owner, Stand stand, Handler handler) {
    stand(true);
    turns.post(network, host, owner,
               [this, &turns, network, host, owner, stand = std::move(stand),
                handler = std::move(handler)]() mutable {
                 const attempt made = try_handshake();
                 if (!made.waits) return handler(made.failed);
                 stand(false);
                 socket_.async_wait(*made.waits,
                                    [this, &turns, network, host, owner = std::move(owner),
                                     stand = std::move(stand),
                                     handler = std::move(handler)](error_code failed) mutable {
                                      const auto held = owner.lock();
                                      if (held == nullptr) return;
                                      if (failed) return handler(failed);
                                      async_handshake(turns, network, host, std::move(owner),
                                                      std::move(stand), std::move(handler));
                                    });
               });
  }

  /// Handler: (error_code, bytes), as of a socket; a client's end of TLS is eof.
  template <class Handler>
  void async_read_some(boost::asio::mutable_buffer buffer, Handler handler) {
    if (!session_) return socket_.async_read_some(buffer, std::move(handler));
    go_on([this, buffer] { return try_read(buffer); }, std::move(handler));
  }
  /// As of a socket, so that asio::async_write() takes it. Of `buffers` what its first two buffers
  /// have is written.
  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler handler) {
    if (!session_) return socket_.async_write_some(buffers, std::move(handler));
    go_on([this, parts = first_of(buffers)] { return try_write(parts); }, std::move(handler));
  }
  /// How much of it the kernel takes now, while nothing is being written; what failed is told by
  /// the next writing. Nothing under TLS.
  [[nodiscard]] std::size_t write_now(std::span<const boost::asio::const_buffer> from);
  /// A few bytes at once, while nothing is being written, or nothing of them. False: a part is out
  /// and the rest cannot follow.
  [[nodiscard]] bool send_at_once(std::string_view bytes);

  /// Says under TLS that this was all. Handler: (error_code, 0).
  template <class Handler>
  void async_finish(Handler handler) {
    go_on([this] { return try_finish(); }, std::move(handler));
  }
  /// Its handlers run by that executor from now on. Nothing may be under way. False: it is closed.
  [[nodiscard]] bool move_to(const executor_type& executor);
  /// `well`: nothing was cut, which TLS says if it can at once.
  void close(bool well);

  /// Of the bytes handed to the kernel those that have arrived, as they are on the way: under TLS
  /// sealed. `written`: what the writes have said.
  [[nodiscard]] std::uint64_t acknowledged(std::uint64_t written);

 private:
  using parts = std::array<boost::asio::const_buffer, 2>;
  /// What came of trying: `waits` for the socket, or it is done.
  struct attempt {
    error_code failed;
    std::size_t bytes = 0;
    std::optional<tcp_socket::wait_type> waits;
  };

  template <class Buffers>
  static parts first_of(const Buffers& from) {
    parts made;
    std::size_t count = 0;
    const auto end = boost::asio::buffer_sequence_end(from);
    for (auto at = boost::asio::buffer_sequence_begin(from); at != end && count < made.size();
         ++at) {
      const boost::asio::const_buffer one = *at;
      if (one.size() > 0) made[count++] = one;
    }
    return made;
  }

  /// Tries until it need not wait; the handler is never called from within the call that began.
  template <class Try, class Handler>
  void go_on(Try step, Handler handler, bool waited = false) {
    const attempt made = step();
    if (made.waits) {
      socket_.async_wait(*made.waits, [this, step = std::move(step),
                                       handler = std::move(handler)](error_code failed) mutable {
        if (failed) return handler(failed, std::size_t{0});
        go_on(std::move(step), std::move(handler), true);
      });
    } else if (waited) {
      handler(made.failed, made.bytes);
    } else {
      boost::asio::post(get_executor(), [made, handler = std::move(handler)]() mutable {
        handler(made.failed, made.bytes);
      });
    }
  }

  [[nodiscard]] attempt try_handshake();
  [[nodiscard]] attempt try_read(boost::asio::mutable_buffer into);
  [[nodiscard]] attempt try_write(const parts& from);
  [[nodiscard]] attempt try_finish();
  [[nodiscard]] attempt result_of(int returned, std::size_t bytes);

  tcp_socket socket_;
  tls_session session_;           // null: plain
  bool broken_ = false;           // nothing more can be said under TLS
  std::uint64_t idle_bytes_ = 0;  // since there was something to read for whoever holds it
};

}  // namespace freshet::server

// TLS over the socket: each function tries once and says what it would have to wait for.
#include <linux/sockios.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <cerrno>
#include <new>
#include <server/wire/wire.hpp>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// What TLS seals at once.
constexpr std::size_t record_bytes = 16 * 1024;
/// What one writing takes before others have their turn; a multiple of record_bytes.
constexpr std::size_t turn_bytes = 4 * record_bytes;
/// OpenSSL would take eight times as much for a client's first word.
constexpr std::uint64_t max_handshake_bytes = 32 * 1024;
/// What may come without a byte of a request: a record that is not whole.
constexpr std::uint64_t max_idle_bytes = 32 * 1024;

error_code last_error() { return {errno, boost::system::system_category()}; }

}  // namespace

std::size_t wire::peek(std::span<char> out, error_code& failed) {
  const ssize_t shown =
      ::recv(socket_.native_handle(), out.data(), out.size(), MSG_PEEK | MSG_DONTWAIT);
  if (shown > 0) return static_cast<std::size_t>(shown);
  if (shown == 0) {
    failed = asio::error::eof;
  } else if (errno != EAGAIN && errno != EINTR) {
    failed = last_error();
  }
  return 0;
}

void wire::drop(std::size_t bytes, error_code& failed) {
  std::array<char, 512> taken;
  while (bytes > 0) {
    const std::size_t most = std::min(bytes, taken.size());
    const ssize_t got = ::recv(socket_.native_handle(), taken.data(), most, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      failed = got == 0 ? error_code(asio::error::eof) : last_error();
      return;
    }
    bytes -= static_cast<std::size_t>(got);
  }
}

bool wire::seal(const tls_identity& as) {
  error_code failed;
  socket_.native_non_blocking(true, failed);
  if (!failed) session_ = as.make_session(socket_.native_handle());
  return session_ != nullptr;
}

wire::attempt wire::result_of(int returned, std::size_t bytes) {
  if (returned > 0) return {{}, bytes, {}};
  switch (SSL_get_error(session_.get(), returned)) {
    case SSL_ERROR_WANT_READ:
      return {{}, 0, tcp_socket::wait_read};
    case SSL_ERROR_WANT_WRITE:
      return {{}, 0, tcp_socket::wait_write};
    case SSL_ERROR_ZERO_RETURN:
      return {asio::error::eof, 0, {}};
    case SSL_ERROR_SYSCALL:
      broken_ = true;
      return {errno != 0 ? last_error() : error_code(asio::error::connection_reset), 0, {}};
    default:
      broken_ = true;
      return {asio::error::connection_aborted, 0, {}};
  }
}

wire::attempt wire::try_handshake() {
  if (!session_) return {asio::error::operation_aborted, 0, {}};
  // It costs a signature, which who has gone meanwhile does not read.
  pollfd gone{socket_.native_handle(), POLLRDHUP, 0};
  if (::poll(&gone, 1, 0) == 1) return {asio::error::connection_reset, 0, {}};
  ERR_clear_error();
  const attempt made = result_of(SSL_accept(session_.get()), 0);
  if (made.waits && BIO_number_read(SSL_get_rbio(session_.get())) > max_handshake_bytes) {
    broken_ = true;
    return {asio::error::message_size, 0, {}};
  }
  return made;
}

wire::attempt wire::try_read(asio::mutable_buffer into) {
  if (!session_) return {asio::error::operation_aborted, 0, {}};
  if (broken_) return {asio::error::connection_aborted, 0, {}};
  ERR_clear_error();
  const auto taken = [this] { return BIO_number_read(SSL_get_rbio(session_.get())); };
  const std::uint64_t before = taken();
  std::size_t got = 0;
  const int returned = SSL_read_ex(session_.get(), into.data(), into.size(), &got);
  const attempt made = result_of(returned, got);
  idle_bytes_ = made.waits ? idle_bytes_ + taken() - before : 0;
  if (idle_bytes_ <= max_idle_bytes) return made;
  broken_ = true;
  return {asio::error::message_size, 0, {}};
}

wire::attempt wire::try_write(const parts& from) {
  if (!session_) return {asio::error::operation_aborted, 0, {}};
  if (broken_) return {asio::error::connection_aborted, 0, {}};
  parts left = from;
  std::size_t done = 0;
  while (done < turn_bytes && left[0].size() + left[1].size() > 0) {
    if (left[0].size() == 0) std::swap(left[0], left[1]);
    // A head and what follows it become one record. What OpenSSL could not send it wants to be
    // given again, the same bytes wherever they are: they are the same each time this is tried.
    std::array<char, record_bytes> together;
    asio::const_buffer record = left[0];
    if (record.size() < record_bytes && left[1].size() > 0) {
      record = asio::buffer(together.data(), asio::buffer_copy(asio::buffer(together), left));
    }
    ERR_clear_error();
    std::size_t sent = 0;
    const int returned =
        SSL_write_ex(session_.get(), record.data(), std::min(record.size(), record_bytes), &sent);
    const attempt made = result_of(returned, sent);
    if (returned <= 0) return done > 0 ? attempt{{}, done, {}} : made;
    done += sent;
    const std::size_t of_first = std::min(sent, left[0].size());
    left[0] += of_first;
    left[1] += sent - of_first;
  }
  return {{}, done, {}};
}

std::size_t wire::write_now(std::span<const asio::const_buffer> from) {
  std::array<iovec, 4> parts{};
  if (session_ || from.size() > parts.size()) return 0;
  std::size_t count = 0;
  for (const asio::const_buffer& one : from) {
    // The kernel only reads it.
    if (one.size() > 0) parts[count++] = {const_cast<void*>(one.data()), one.size()};
  }
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = count;
  const ssize_t sent = ::sendmsg(socket_.native_handle(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent > 0 ? static_cast<std::size_t>(sent) : 0;
}

bool wire::send_at_once(std::string_view bytes) {
  if (!session_) {
    const ssize_t sent =
        ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent <= 0 || static_cast<std::size_t>(sent) == bytes.size();
  }
  pollfd room{socket_.native_handle(), POLLOUT, 0};
  if (broken_ || ::poll(&room, 1, 0) != 1 || (room.revents & POLLOUT) == 0) return true;
  const attempt made = try_write({asio::buffer(bytes), {}});
  return !made.waits && !made.failed;
}

wire::attempt wire::try_finish() {
  if (!session_) return {asio::error::operation_aborted, 0, {}};
  if (broken_) return {asio::error::connection_aborted, 0, {}};
  ERR_clear_error();
  const int returned = SSL_shutdown(session_.get());
  if (returned >= 0) return {};  // 0: it is said; the client need not answer
  return result_of(returned, 0);
}

bool wire::move_to(const executor_type& executor) {
  error_code failed;
  const auto here = socket_.local_endpoint(failed);
  tcp_socket moved(executor);
  const int handle = failed ? -1 : socket_.release(failed);
  if (handle < 0 || failed) return false;
  try {
    moved.assign(here.protocol(), handle, failed);
  } catch (const std::bad_alloc&) {
    failed = asio::error::no_memory;
  }
  if (failed) {
    ::close(handle);
    return false;
  }
  socket_ = std::move(moved);
  return true;
}

void wire::close(bool well) {
  if (session_ && well && !broken_ && SSL_is_init_finished(session_.get()) != 0) {
    static_cast<void>(try_finish());
  }
  session_.reset();
  error_code ignored;
  socket_.close(ignored);
}

std::uint64_t wire::acknowledged(std::uint64_t written) {
  if (session_) written = BIO_number_written(SSL_get_wbio(session_.get()));
  int waiting = 0;
  if (::ioctl(socket_.native_handle(), SIOCOUTQ, &waiting) != 0 || waiting < 0) waiting = 0;
  const auto kept = static_cast<std::uint64_t>(waiting);
  return kept < written ? written - kept : 0;
}

}  // namespace freshet::server

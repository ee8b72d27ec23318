// Plain blocking sockets: a command a minute needs no event loop.
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstring>
#include <server/commands/admin_socket.hpp>
#include <utility>

namespace freshet::server {
namespace {

namespace json = boost::json;

constexpr std::string_view socket_name = "admin.sock";
constexpr std::size_t max_order_bytes = 64 * 1024;
constexpr std::size_t max_answer_bytes = 64 * 1024 * 1024;
/// How long the other side may be silent; a ledger is verified at about a million rows a second.
constexpr int order_timeout_s = 5;
constexpr int answer_timeout_s = 300;
constexpr int backlog = 16;

/// A descriptor that closes itself.
class file_handle {
 public:
  explicit file_handle(int fd = -1) : fd_(fd) {}
  file_handle(file_handle&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  file_handle& operator=(file_handle&&) = delete;
  ~file_handle() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] int release() noexcept { return std::exchange(fd_, -1); }
  [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

error system_error(std::string_view what) {
  return error(errc::storage_unavailable,
               "administration socket: " + std::string(what) + ": " + std::strerror(errno));
}

/// The socket's address by way of the folder's descriptor: a path of its own may be longer than the
/// 107 bytes that an address holds.
sockaddr_un address_in(const file_handle& folder) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path =
      "/proc/self/fd/" + std::to_string(folder.get()) + "/" + std::string(socket_name);
  path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  return address;
}

const sockaddr* generic(const sockaddr_un& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

void set_timeout(int fd, int seconds) {
  const timeval limit{seconds, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

bool send_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// One line without its end; null at the end of input, a timeout or the limit.
std::optional<std::string> receive_line(int fd, std::size_t limit) {
  std::string line;
  char piece[4096];
  while (line.size() <= limit) {
    const ssize_t got = ::recv(fd, piece, sizeof(piece), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    line.append(piece, static_cast<std::size_t>(got));
    if (const std::size_t end = line.find('\n', line.size() - static_cast<std::size_t>(got));
        end != std::string::npos) {
      line.resize(end);
      return line;
    }
  }
  return std::nullopt;
}

/// {"command": …, "arguments": {…}} carried out, as the line that answers it.
std::string answer_line(const std::string& order, const admin_handler& handler) {
  boost::system::error_code failed;
  const json::value read = json::parse(order, failed);
  const json::object* fields = failed ? nullptr : read.if_object();
  const json::value* command = fields == nullptr ? nullptr : fields->if_contains("command");
  const json::value* arguments = fields == nullptr ? nullptr : fields->if_contains("arguments");
  if (command == nullptr || !command->is_string() || arguments == nullptr ||
      !arguments->is_object()) {
    return R"({"ok":false,"error":{"code":"invalid_json","detail":"not an order"}})"
           "\n";
  }
  const admin_answer done =
      handler(std::string_view(command->get_string()), json::serialize(*arguments));
  return std::string(done.ok ? R"({"ok":true,"result":)" : R"({"ok":false,"error":)") + done.body +
         "}\n";
}

}  // namespace

result<std::unique_ptr<admin_server>> admin_server::open(const std::string& data_dir,
                                                         admin_handler handler) {
  const file_handle folder(::open(data_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return system_error(data_dir);
  file_handle listening(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listening) return system_error("socket");
  const sockaddr_un address = address_in(folder);
  ::unlinkat(folder.get(), std::string(socket_name).c_str(), 0);
  // The mode is set before the name exists, so that there is no moment at which others can connect.
  if (::fchmod(listening.get(), S_IRUSR | S_IWUSR) != 0 ||
      ::bind(listening.get(), generic(address), sizeof(address)) != 0 ||
      ::listen(listening.get(), backlog) != 0) {
    return system_error(data_dir);
  }
  int stop[2];
  if (::pipe2(stop, O_CLOEXEC) != 0) return system_error("pipe");
  return std::unique_ptr<admin_server>(
      new admin_server(data_dir, std::move(handler), listening.release(), stop[0], stop[1]));
}

admin_server::admin_server(std::string data_dir, admin_handler handler, int listening,
                           int stop_read, int stop_write)
    : data_dir_(std::move(data_dir)),
      handler_(std::move(handler)),
      listening_(listening),
      stop_read_(stop_read),
      stop_write_(stop_write),
      thread_([this] { run(); }) {}

admin_server::~admin_server() {
  ::close(stop_write_);
  thread_.join();
  ::close(stop_read_);
  ::close(listening_);
  ::unlink((data_dir_ + "/" + std::string(socket_name)).c_str());
}

void admin_server::run() {
  while (true) {
    pollfd waits[2] = {{listening_, POLLIN, 0}, {stop_read_, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno != EINTR) return;
    if (waits[1].revents != 0) return;
    if ((waits[0].revents & POLLIN) == 0) continue;
    const file_handle connection(::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC));
    if (connection) {
      serve(connection.get());
    } else if (errno == EMFILE || errno == ENFILE) {
      ::poll(nullptr, 0, 200);  // until a descriptor is free again
    }
  }
}

void admin_server::serve(int connection) const {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return;
  if (peer.uid != 0 && peer.uid != ::geteuid()) return;
  set_timeout(connection, order_timeout_s);
  const std::optional<std::string> order = receive_line(connection, max_order_bytes);
  if (order) send_all(connection, answer_line(*order, handler_));
}

result<std::optional<admin_answer>> ask_running_server(const std::string& data_dir,
                                                       std::string_view command,
                                                       std::string_view arguments) {
  const std::optional<admin_answer> nobody;
  const file_handle folder(::open(data_dir.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return nobody;
  const file_handle connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!connection) return system_error("socket");
  set_timeout(connection.get(), answer_timeout_s);
  const sockaddr_un address = address_in(folder);
  if (::connect(connection.get(), generic(address), sizeof(address)) != 0) {
    // ECONNREFUSED: a socket that a server which was killed has left behind.
    if (errno == ENOENT || errno == ECONNREFUSED) return nobody;
    return system_error(data_dir);
  }
  const std::string order = R"({"command":)" + json::serialize(json::value(command)) +
                            R"(,"arguments":)" + std::string(arguments) + "}\n";
  if (!send_all(connection.get(), order)) return system_error("send");
  const std::optional<std::string> line = receive_line(connection.get(), max_answer_bytes);
  if (!line) {
    return error(errc::storage_unavailable,
                 "administration socket: the running server did not answer");
  }
  boost::system::error_code failed;
  const json::value read = json::parse(*line, failed);
  const json::object* fields = failed ? nullptr : read.if_object();
  const bool ok = fields != nullptr && fields->contains("result");
  const json::value* body =
      fields == nullptr ? nullptr : fields->if_contains(ok ? "result" : "error");
  if (body == nullptr) {
    return error(errc::storage_unavailable, "administration socket: the answer is not one");
  }
  return std::optional(admin_answer{ok, json::serialize(*body)});
}

}  // namespace freshet::server

// Locking and secret files by POSIX calls, since neither O_CLOEXEC nor flock has a C++ spelling.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <base/digest.hpp>
#include <cerrno>
#include <cstring>
#include <sqlite/database_files.hpp>
#include <utility>

namespace freshet::sqlite {
namespace {

constexpr mode_t owner_only = S_IRUSR | S_IWUSR;
constexpr std::size_t pepper_bytes = 32;
constexpr std::size_t pepper_digits = 2 * pepper_bytes;

error storage_error(const std::string& path) {
  return error(errc::storage_unavailable, path + ": " + std::strerror(errno));
}

/// A descriptor that closes itself.
struct open_file {
  explicit open_file(int file) : value(file) {}
  open_file(const open_file&) = delete;
  open_file& operator=(const open_file&) = delete;
  ~open_file() {
    if (value >= 0) ::close(value);
  }
  int value;
};

bool write_all(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// Written aside and renamed, so that a crash leaves either no pepper or a whole one.
result<std::string> create_pepper(const std::string& path) {
  const std::string text = base::hex(base::random_bytes(pepper_bytes));
  const std::string draft = path + ".new";
  {
    const open_file file(
        ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, owner_only));
    if (file.value < 0 || ::fchmod(file.value, owner_only) != 0 ||
        !write_all(file.value, text + "\n") || ::fsync(file.value) != 0)
      return storage_error(draft);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return storage_error(path);
  const open_file folder(::open(beside(path, ".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.value < 0 || ::fsync(folder.value) != 0) return storage_error(path);
  return text;
}

}  // namespace

file_lock::file_lock(file_lock&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

file_lock& file_lock::operator=(file_lock&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

file_lock::~file_lock() {
  if (file_ >= 0) ::close(file_);
}

result<file_lock> file_lock::acquire(const std::string& path) {
  file_lock lock;
  lock.file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only);
  if (lock.file_ < 0) return storage_error(path);
  if (::flock(lock.file_, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return storage_error(path);
  return error(errc::invalid_configuration,
               "another process holds the database (" + path + " is locked)");
}

result<void> make_private_file(const std::string& path) {
  const open_file file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, owner_only));
  if (file.value < 0) return storage_error(path);
  return {};
}

result<std::string> load_pepper(const std::string& path, bool may_create) {
  const open_file file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.value < 0) {
    if (errno != ENOENT) return storage_error(path);
    if (may_create) return create_pepper(path);
    return error(errc::invalid_configuration,
                 path +
                     " is missing: without it no key of the database can be checked; restore "
                     "it from the backup that the database came from");
  }
  // A copy made by hand often has the mode of the copier's umask.
  if (::fchmod(file.value, owner_only) != 0 && errno != EPERM && errno != EROFS)
    return storage_error(path);
  char text[pepper_digits + 1] = {};
  const ssize_t size = ::read(file.value, text, sizeof text);
  if (size < 0) return storage_error(path);
  const std::string_view digits(text, std::min(static_cast<std::size_t>(size), pepper_digits));
  if (digits.size() != pepper_digits ||
      digits.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return error(errc::invalid_configuration, path + " is not a pepper: 64 hexadecimal digits");
  return std::string(digits);
}

std::string beside(const std::string& database_path, const std::string& name) {
  const std::size_t slash = database_path.rfind('/');
  return slash == std::string::npos ? name : database_path.substr(0, slash + 1) + name;
}

}  // namespace freshet::sqlite

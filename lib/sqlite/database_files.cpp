// Locking and secret files by POSIX calls, since neither O_CLOEXEC nor flock has a C++ spelling.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/whole_file.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
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

/// Opens a file of mode 0600, which is made where there is none. What the superuser makes belongs
/// to whom the folder is of: a command that ran before the server would keep it out of its own
/// book. Nothing that is there already changes hands, for it may be a link to anywhere.
int open_private(const std::string& path, int flags) noexcept {
  const int made = ::open(path.c_str(), flags | O_CREAT | O_EXCL | O_CLOEXEC, owner_only);
  if (made < 0)
    return errno == EEXIST ? ::open(path.c_str(), flags | O_CREAT | O_CLOEXEC, owner_only) : -1;
  struct stat folder {};
  if (::geteuid() == 0 && ::stat(beside(path, ".").c_str(), &folder) == 0 && folder.st_uid != 0)
    static_cast<void>(!::fchown(made, folder.st_uid, folder.st_gid));
  return made;
}

/// Why a file of the folder cannot be opened, and what to do where it is another user's.
error lock_error(const std::string& path) {
  const bool refused = errno == EACCES;
  auto out = storage_error(path);
  struct stat found {};
  if (!refused || ::stat(path.c_str(), &found) != 0 || found.st_uid == ::geteuid()) return out;
  return error(out.code(), out.detail() + "; it belongs to user " + std::to_string(found.st_uid) +
                               ", and this process runs as user " + std::to_string(::geteuid()) +
                               ": give it the folder by chown -R");
}

result<void> sync_folder_of(const std::string& path) {
  const open_file folder(::open(beside(path, ".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.value < 0 || ::fsync(folder.value) != 0) return storage_error(path);
  return {};
}

result<std::string> create_pepper(const std::string& path) {
  std::string text = base::hex(base::random_bytes(pepper_bytes));
  if (auto written = write_private_file(path, text + "\n"); !written) return written.error();
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
  lock.file_ = open_private(path, O_RDWR);
  if (lock.file_ < 0) return lock_error(path);
  if (::flock(lock.file_, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return storage_error(path);
  return error(errc::invalid_configuration,
               "another process holds the database (" + path +
                   " is locked); stop it, or, if it is a server, ask it: --server URL");
}

result<void> make_private_file(const std::string& path) {
  const open_file file(open_private(path, O_RDWR));
  if (file.value < 0) return storage_error(path);
  return {};
}

result<void> write_private_file(const std::string& path, std::string_view text) {
  const std::string draft = path + ".new";
  {
    const open_file file(open_private(draft, O_WRONLY | O_TRUNC));
    if (file.value < 0 || ::fchmod(file.value, owner_only) != 0 ||
        !base::write_at(file.value, text, 0) || ::fsync(file.value) != 0)
      return storage_error(draft);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) return storage_error(path);
  return sync_folder_of(path);
}

result<void> rename_synced(const std::string& draft, const std::string& path) {
  if (auto synced = sync_file(draft); !synced) return synced;
  if (::rename(draft.c_str(), path.c_str()) != 0) return storage_error(path);
  return sync_folder_of(path);
}

result<void> sync_file(const std::string& path) {
  const open_file file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.value < 0 || ::fsync(file.value) != 0) return storage_error(path);
  return {};
}

bool is_there(const std::string& path) noexcept {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0;
}

std::int64_t size_of(const std::string& path) noexcept {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? std::int64_t{found.st_size} : 0;
}

void remove_file(const std::string& path) noexcept { static_cast<void>(::unlink(path.c_str())); }

std::string stranger_beside(const std::string& path, const std::vector<std::string>& expected) {
  const std::string folder = beside(path, ".");
  std::error_code failed;
  for (const auto& one : std::filesystem::directory_iterator(folder, failed)) {
    std::string name = one.path().filename().string();
    if (std::find(expected.begin(), expected.end(), name) == expected.end()) return name;
  }
  return {};
}

short_file::~short_file() {
  if (file_ >= 0) ::close(file_);
}

void short_file::open(const std::string& path) noexcept { file_ = open_private(path, O_RDWR); }

void short_file::write(std::string_view text) noexcept {
  // Always as many bytes, so that nothing of a longer text stays behind a shorter one.
  std::array<char, most_bytes> block{};
  block.fill(' ');
  std::copy_n(text.begin(), std::min(text.size(), block.size() - 1), block.begin());
  block.back() = '\n';
  if (file_ >= 0) static_cast<void>(!::pwrite(file_, block.data(), block.size(), 0));
}

std::string short_file::read(const std::string& path) {
  const open_file file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, most_bytes> block{};
  const ssize_t size = file.value < 0 ? 0 : ::read(file.value, block.data(), block.size());
  std::string text(block.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
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

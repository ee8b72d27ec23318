// Folders under /tmp (the environment, which may name another place, is not ours to read), each
// with a lock file beside it that its owner holds.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <new>
#include <process/private_folder.hpp>

namespace freshet::process {
namespace {

constexpr const char* parent = "/tmp";
constexpr std::string_view lock_suffix = ".lock";

std::string prefix_of(std::string_view purpose) { return "freshet-" + std::string(purpose) + "-"; }

/// The lock of a folder, if nobody else holds it.
file_descriptor take_lock(const std::string& folder, int flags) {
  const std::string path = folder + std::string(lock_suffix);
  file_descriptor lock(
      open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, S_IRUSR | S_IWUSR));
  if (lock.is_open() && flock(lock.number(), LOCK_EX | LOCK_NB) != 0) lock.close();
  return lock;
}

void remove_folder(const std::string& path) noexcept {
  std::error_code ignored;  // what cannot be removed now is swept later
  std::filesystem::remove_all(path, ignored);
  if (std::filesystem::exists(path, ignored)) return;
  try {
    unlink((path + std::string(lock_suffix)).c_str());
  } catch (const std::bad_alloc&) {
    // The lock alone stays; nobody holds it.
  }
}

}  // namespace

result<private_folder> private_folder::make(std::string_view purpose, std::optional<uid_t> user) {
  std::string path = std::string(parent) + "/" + prefix_of(purpose) + "XXXXXX";
  if (mkdtemp(path.data()) == nullptr) {
    return error(errc::internal, "no folder can be made under " + std::string(parent));
  }
  file_descriptor lock = take_lock(path, O_CREAT | O_EXCL);
  private_folder made(std::move(path), std::move(lock));
  if (!made.lock_.is_open()) {
    return error(errc::internal, "no file can be made under " + std::string(parent));
  }
  if (user && chown(made.path().c_str(), *user, *user) != 0) {
    return error(errc::internal, "a folder under " + std::string(parent) + " cannot be given away");
  }
  return made;
}

private_folder::~private_folder() {
  if (!path_.empty()) remove_folder(path_);
}

void private_folder::sweep(std::string_view purpose) noexcept {
  // Not std::filesystem, whose iterator ends the program where no memory is left.
  const std::unique_ptr<DIR, int (*)(DIR*)> all(opendir(parent), &closedir);
  if (all == nullptr) return;
  try {
    const std::string prefix = prefix_of(purpose);
    while (const dirent* entry = readdir(all.get())) {
      const std::string path = std::string(parent) + "/" + entry->d_name;
      const std::string_view name = entry->d_name;
      if (!name.starts_with(prefix) || !name.ends_with(lock_suffix)) continue;
      // The lock comes after its folder and goes after it: a folder without one is just being made.
      const std::string folder = path.substr(0, path.size() - lock_suffix.size());
      const file_descriptor lock = take_lock(folder, 0);
      struct stat file {};
      if (!lock.is_open() || fstat(lock.number(), &file) != 0 || file.st_uid != geteuid()) continue;
      remove_folder(folder);
    }
  } catch (const std::bad_alloc&) {
    // They stay for the next time.
  }
}

}  // namespace freshet::process

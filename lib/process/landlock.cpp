// By its numbers where the headers of the build are older than the kernel: what a version does not
// know is masked out of what is asked of it.
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <process/landlock.hpp>

namespace freshet::process {
namespace {

constexpr std::uint64_t read_and_run =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

/// All that concerns files, of each version on: how many of the lowest bits it knows.
constexpr std::array<int, 6> known_rights = {0, 13, 14, 15, 15, 16};
constexpr std::uint64_t tcp_rights = 3;  ///< to bind and to connect, since version 4
constexpr std::uint64_t all_scopes = 3;  ///< abstract sockets and signals, since version 6
constexpr int version_of_tcp = 4, version_of_scopes = 6;
/// What can be allowed of a file that is no folder.
constexpr std::uint64_t rights_of_files = LANDLOCK_ACCESS_FS_EXECUTE |
                                          LANDLOCK_ACCESS_FS_WRITE_FILE |
                                          LANDLOCK_ACCESS_FS_READ_FILE | 1ULL << 14 | 1ULL << 15;

struct rules_attributes {
  std::uint64_t files = 0, network = 0, scopes = 0;
};

std::uint64_t rights_of(int version) noexcept {
  const auto at = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(version, 0)), 0,
                                          known_rights.size() - 1);
  return (std::uint64_t{1} << known_rights[at]) - 1;
}

bool add_rule(int rules, const char* path, std::uint64_t rights) noexcept {
  // As a folder first: rules for files know less.
  int place = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
  if (place < 0) {
    place = open(path, O_PATH | O_CLOEXEC);
    rights &= rights_of_files;
  }
  if (place < 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = place;
  const long added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(place);
  return added == 0;
}

}  // namespace

int landlock_version() noexcept {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

file_descriptor make_landlock(int version, std::span<const std::string> readable,
                              std::span<const std::string> devices) noexcept {
  rules_attributes all;
  all.files = rights_of(version);
  std::size_t size = sizeof all.files;
  if (version >= version_of_tcp) {
    all.network = tcp_rights;
    size += sizeof all.network;
  }
  if (version >= version_of_scopes) {
    all.scopes = all_scopes;
    size += sizeof all.scopes;
  }
  file_descriptor rules(static_cast<int>(syscall(SYS_landlock_create_ruleset, &all, size, 0)));
  if (!rules.is_open()) return rules;
  for (const std::string& each : readable) add_rule(rules.number(), each.c_str(), read_and_run);
  for (const std::string& each : devices) {
    add_rule(rules.number(), each.c_str(),
             (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | 1ULL << 15) &
                 rights_of(version));
  }
  return rules;
}

bool allow_beneath(int rules, const char* folder, int version) noexcept {
  return add_rule(rules, folder, rights_of(version));
}

bool enter_landlock(int rules) noexcept {
  return syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}

}  // namespace freshet::process

// What the system says of the disk, to whoever is not its superuser.
#include <algorithm>
#include <base/disk_room.hpp>
#include <filesystem>
#include <limits>
#include <new>
#include <system_error>

namespace freshet::base {

std::int64_t free_bytes_beside(const std::string& path) noexcept {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  try {
    std::error_code unknown;
    const auto disk = std::filesystem::space(path, unknown);
    if (unknown) return most;
    return static_cast<std::int64_t>(
        std::min<std::uintmax_t>(disk.available, static_cast<std::uintmax_t>(most)));
  } catch (const std::bad_alloc&) {
    return most;
  }
}

}  // namespace freshet::base

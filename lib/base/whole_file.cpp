// Written beside the file, then renamed.
#include <fcntl.h>
#include <unistd.h>

#include <base/whole_file.hpp>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <utility>

namespace freshet::base {

std::string read_whole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

bool replace_whole(const std::string& path, std::string_view text) {
  const std::string fresh = path + ".new";
  const int file = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  bool good = write_at(file, text, 0) && ::fsync(file) == 0;
  good = ::close(file) == 0 && good;
  return good && std::rename(fresh.c_str(), path.c_str()) == 0;
}

bool write_at(int file, std::string_view text, std::int64_t place) noexcept {
  while (!text.empty()) {
    const auto written = ::pwrite(file, text.data(), text.size(), place);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
    place += written;
  }
  return true;
}

}  // namespace freshet::base

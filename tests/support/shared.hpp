// Third-party material that tests read from ../shared. A test that needs it asks first and, where
// it is out of reach, is skipped, which is counted.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <support/skips.hpp>
#include <utility>
#include <vector>

namespace freshet::test {

/// The checkout: $FRESHET_SOURCE, as ctest sets it, or the current folder. Not compiled in, so that
/// every checkout's objects are the same and a compiler cache can serve them all.
inline std::filesystem::path source_dir() {
  const char* from_environment = std::getenv("FRESHET_SOURCE");
  return from_environment != nullptr ? from_environment : ".";
}

/// $FRESHET_SHARED, or ../shared beside the checkout.
inline std::filesystem::path shared_dir() {
  const char* from_environment = std::getenv("FRESHET_SHARED");
  return from_environment != nullptr ? std::filesystem::path(from_environment)
                                     : source_dir() / ".." / "shared";
}

/// True if `below` is there; otherwise the running case is skipped. Where ../shared is there and
/// `below` is not, that is an error to CI.
inline bool shared_has(const std::string& below) {
  if (std::filesystem::exists(shared_dir() / below)) return true;
  skip("../shared/" + below + " is out of reach",
       std::filesystem::exists(shared_dir()) ? reach::within : reach::beyond);
  return false;
}

/// All at once: by the byte, without optimisation, this was a tenth of the tests of sources.
inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return std::move(bytes).str();
}

/// The files in a folder of ../shared whose name begins with `prefix`, without the .meta.json
/// sidecars, sorted.
inline std::vector<std::filesystem::path> recordings(const std::string& folder,
                                                     const std::string& prefix = "") {
  std::vector<std::filesystem::path> found;
  const auto directory = shared_dir() / "recordings" / folder;
  if (!std::filesystem::exists(directory)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    const auto name = entry.path().filename().string();
    if (!entry.is_regular_file() || name.ends_with(".meta.json")) continue;
    if (name.starts_with(prefix)) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace freshet::test

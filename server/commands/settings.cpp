// The configuration, its files and its variables, and whatever else the program reads from a file
// that it is given: nothing else of the server opens one to read.
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <server/commands/settings.hpp>

namespace freshet::server {
namespace {

/// A configuration or a page for `freshet markdown`; more is a mistake.
constexpr std::size_t max_file_bytes = 64 * 1024 * 1024;

std::string default_data_dir(environment_block environment) {
  if (const std::string xdg = variable(environment, "XDG_DATA_HOME"); !xdg.empty()) {
    return xdg + "/freshet";
  }
  if (const std::string home = variable(environment, "HOME"); !home.empty()) {
    return home + "/.local/share/freshet";
  }
  return {};
}

}  // namespace

std::vector<std::string_view> own_environment() {
  std::vector<std::string_view> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::string variable(environment_block environment, std::string_view name) {
  for (const std::string_view entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name)) {
      return std::string(entry.substr(name.size() + 1));
    }
  }
  return {};
}

result<std::string> read_file(const std::string& path) {
  const auto refuse = [&](const char* why) {
    return error(errc::invalid_request, path + ": " + why);
  };
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) return refuse("is a folder");
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse(std::strerror(errno));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return refuse("cannot be read");
  if (text.size() > max_file_bytes) return refuse("is larger than 64 MB");
  return text;
}

result<config> load_settings(const parsed_options& options, environment_block environment) {
  config loaded;
  if (const std::string path = options.text("--config"); !path.empty()) {
    const result<std::string> text = read_file(path);
    if (!text) return error(errc::invalid_configuration, text.error().detail());
    if (const auto read = loaded.load_toml(*text, path); !read) return read.error();
  }
  if (const auto read = loaded.load_environment(environment); !read) return read.error();
  for (const std::string& pair : options.all("--set")) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) {
      return error(errc::invalid_configuration, "--set: '" + pair + "' is not KEY=VALUE");
    }
    const auto set = loaded.set(std::string_view(pair).substr(0, equals),
                                std::string_view(pair).substr(equals + 1));
    if (!set) return set.error();
  }
  for (const auto& [option, key] :
       {std::pair("--data", "storage.data_dir"), std::pair("--listen", "server.listen")}) {
    if (!options.has(option)) continue;
    if (const auto set = loaded.set(key, options.text(option)); !set) return set.error();
  }
  if (loaded.text("storage.data_dir").empty()) {
    const std::string fallback = default_data_dir(environment);
    if (fallback.empty()) {
      return error(errc::invalid_configuration,
                   "storage.data_dir: neither XDG_DATA_HOME nor HOME is set; give --data DIR");
    }
    if (const auto set = loaded.set("storage.data_dir", fallback); !set) return set.error();
  }
  return loaded;
}

result<void> make_data_dir(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path folder(path);
  if (std::filesystem::is_directory(folder, failed)) return {};
  std::filesystem::create_directories(folder.parent_path(), failed);
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return error(errc::storage_unavailable,
                 "cannot create the data folder " + path + ": " + std::strerror(errno));
  }
  return {};
}

}  // namespace freshet::server

// A file of its own, or one in the data folder.
#include <engine/settings/database_path.hpp>

namespace freshet::detail {

result<std::string> database_path(const config& from) {
  const auto named = from.text("storage.database");
  constexpr std::string_view scheme = "sqlite:";
  if (named.starts_with(scheme)) return named.substr(scheme.size());
  if (!named.empty()) {
    return error(errc::invalid_configuration,
                 "storage.database: only sqlite:PATH is supported; '" + named + "' is not that");
  }
  const auto folder = from.text("storage.data_dir");
  if (!folder.empty()) return folder + "/freshet.db";
  return error(errc::invalid_configuration, "storage.data_dir: name the folder of the database");
}

}  // namespace freshet::detail

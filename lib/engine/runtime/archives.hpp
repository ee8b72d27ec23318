// The archives of an engine: which platforms keep one, where, of what; opened with the environment,
// filled while the engine lives.
#pragma once

#include <archive/archive_layer.hpp>
#include <archive/collector.hpp>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::detail {

struct environment;

/// The platforms that can have an archive, in the order of the catalogue.
[[nodiscard]] std::vector<std::string> archive_platforms();
[[nodiscard]] bool is_archive_on(const config& settings, std::string_view platform);

/// Error: invalid_configuration, naming the setting.
[[nodiscard]] result<void> check_archives(const config& from);

struct opened_archives {
  archive::stores kept;
  bool writes = false;  ///< this process fills them
};
/// The stores of the platforms whose archive is on. With `collect` it takes them for writing,
/// unless another process has; then, and without it, they are only read. Errors:
/// invalid_configuration, storage_unavailable.
[[nodiscard]] result<opened_archives> open_archives(
    const config& settings, bool collect,
    const std::function<void(std::string_view, std::string_view)>& log);

/// Begins to fill the archives of an environment; null if there is none to fill. It must outlive
/// it.
[[nodiscard]] result<std::unique_ptr<archive::collector>> start_collector(
    const config& settings, const environment& environment,
    const std::function<void(std::string_view, std::string_view)>& log);

}  // namespace freshet::detail

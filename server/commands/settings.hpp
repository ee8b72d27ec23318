// The configuration that a command runs with: a file, then the environment, then the command line,
// and the data folder.
#pragma once

#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <server/commands/options.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server {

/// --config, --set, --data: for every command that reads the configuration.
inline constexpr option_spec ca_option{
    "--ca", "FILE", "who may vouch for a server with https, in PEM; default: as the system has it"};
inline constexpr option_spec config_option{"--config", "FILE", "read this TOML file"};
inline constexpr option_spec set_option{
    "--set", "KEY=VALUE", "set one key, such as sources.x.enabled=false; repeatable", true};
inline constexpr option_spec data_option{
    "--data", "DIR", "the data folder (default: $XDG_DATA_HOME/freshet or ~/.local/share/freshet)"};

/// The process's environment as "NAME=value". Borrowed.
using environment_block = std::span<const std::string_view>;

/// That block of this process.
[[nodiscard]] std::vector<std::string_view> own_environment();

/// The value of a variable; "" if it is not set.
[[nodiscard]] std::string variable(environment_block environment, std::string_view name);

/// The configuration of --config, the environment, --set, --data and --listen, in this order, with
/// storage.data_dir always set. Error: invalid_configuration.
[[nodiscard]] result<config> load_settings(const parsed_options& options,
                                           environment_block environment);

/// Creates the data folder, for its owner alone, if it is not there. Error: storage_unavailable.
[[nodiscard]] result<void> make_data_dir(const std::string& path);

/// The whole file. Error: invalid_request, with the system's reason.
[[nodiscard]] result<std::string> read_file(const std::string& path);

}  // namespace freshet::server

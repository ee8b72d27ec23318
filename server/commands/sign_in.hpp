// What `freshet login` keeps for the calls of this user: a server and a key, in a file that nobody
// else may read.
#pragma once

#include <freshet/result.hpp>
#include <optional>
#include <server/commands/commands.hpp>
#include <string>

namespace freshet::server {

/// A server and the key for it.
struct sign_in {
  std::string server;
  std::string key;
};

/// What is kept; nothing where there is none. Errors: storage_unavailable; invalid_configuration
/// where the file holds something else.
[[nodiscard]] result<std::optional<sign_in>> load_sign_in(environment_block environment);
/// Keeps it, in the place of what was kept. Returns the file's path. Error: storage_unavailable.
[[nodiscard]] result<std::string> keep_sign_in(environment_block environment,
                                               const sign_in& attempt);
/// Forgets it; whether there was one. Error: storage_unavailable.
[[nodiscard]] result<bool> forget_sign_in(environment_block environment);

/// Where a call goes, and with which key: what the line says, and where it says nothing of both
/// what the environment says, or the server that `freshet login` has kept. Error:
/// storage_unavailable, invalid_configuration.
[[nodiscard]] result<sign_in> destination_of(const invocation& line);

}  // namespace freshet::server

// What `freshet login` keeps for the calls of this user: a server and a key, in a file that nobody
// else may read.
#pragma once

#include <freshet/result.hpp>
#include <optional>
#include <server/commands/settings.hpp>
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

}  // namespace freshet::server

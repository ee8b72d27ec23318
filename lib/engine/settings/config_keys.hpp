// Which settings there are.
#pragma once

#include <freshet/config.hpp>
#include <string>
#include <string_view>

namespace freshet::detail {

/// The row of a key, also of sources.<name>.<setting>; null if unknown.
[[nodiscard]] const config_key* find_config_key(std::string_view key);
/// The known key nearest to `key`; "" if none is near.
[[nodiscard]] std::string nearest_config_key(std::string_view key);
/// The known key that an environment name spells when '_' stands for '-' and '/'; else `key`.
[[nodiscard]] std::string match_environment_key(std::string_view key);
/// The variable that sets the known key whose words these are, in lower case and joined by "_", as
/// of "server_listen" FRESHET__SERVER__LISTEN; "" where no key has them.
[[nodiscard]] std::string environment_name_of(std::string_view words);

}  // namespace freshet::detail

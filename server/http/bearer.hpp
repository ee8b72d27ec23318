// The key of "Authorization: Bearer KEY", for every route that wants one.
#pragma once

#include <freshet/result.hpp>
#include <server/http/request_reader.hpp>
#include <string>

namespace freshet::server {

/// Never empty: to the engine an empty key means the caller in process, who is not metered. Errors:
/// missing_api_key, invalid_api_key.
[[nodiscard]] result<std::string> bearer_key(const request_head& head);

}  // namespace freshet::server

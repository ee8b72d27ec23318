// Requests to APIs that answer with JSON. Credentials, paces and what else is a source's own are
// added by it.
#pragma once

#include <base/json.hpp>
#include <http/message.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace freshet::sources {

using query_pairs = std::vector<std::pair<std::string_view, std::string>>;

/// GET of `path` below `base`, with these parameters if there are any.
[[nodiscard]] http::request json_request(std::string_view base, std::string_view path,
                                         const query_pairs& parameters = {});
/// POST of `body` to `path` below `base`. It only reads, so it may be repeated.
[[nodiscard]] http::request json_post(std::string_view base, std::string_view path,
                                      const base::json::object& body);

}  // namespace freshet::sources

// Prompts for common research tasks, and what their arguments may be completed with.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::server::mcp {

/// The array of `prompts/list`.
[[nodiscard]] boost::json::array prompts();

/// The result of `prompts/get`. Nothing if there is no such prompt, or an argument is missing;
/// `why` then says which.
[[nodiscard]] std::optional<boost::json::object> render_prompt(std::string_view name,
                                                               const boost::json::object& arguments,
                                                               std::string& why);

/// Values for an argument of a prompt, of those that begin with `begun`. Empty where any text will
/// do.
[[nodiscard]] std::vector<std::string> complete_argument(std::string_view argument,
                                                         std::string_view begun);

}  // namespace freshet::server::mcp

// The one form in which a parameter is refused, whatever door or command it came through.
#pragma once

#include <freshet/error.hpp>
#include <string>
#include <string_view>

namespace freshet::base {

/// "/" and one reference token of RFC 6901: "/a~1b" for the name a/b.
[[nodiscard]] std::string pointer_token(std::string_view name);

/// invalid_request about one parameter. `pointer`: RFC 6901, "/since"; `code`: one of those that
/// parameter_error lists; `detail`: what it takes, in one sentence. The error's own detail names
/// the parameter in front of it.
[[nodiscard]] error invalid_parameter(std::string_view pointer, std::string_view code,
                                      std::string_view detail);

}  // namespace freshet::base

// Where the browser is. Only fixed places are looked at: the environment is not read here.
#pragma once

#include <freshet/result.hpp>
#include <process/walls.hpp>
#include <string>
#include <string_view>

namespace freshet::browser {

/// The program to run: `configured` if it is not empty, else the first Chromium in the usual
/// places. Error: invalid_configuration, which says what to install or to set.
[[nodiscard]] result<std::string> find_browser(std::string_view configured);

/// What a browser says of its version: "Chromium 120.0.6099.224". Runs it, for a few seconds at
/// most. Errors: internal (it does not start, or says nothing), invalid_configuration (the walls
/// are refused).
[[nodiscard]] result<std::string> version_of(const std::string& program,
                                             const process::walls& behind);

}  // namespace freshet::browser

// Exchanges as HAR 1.2 texts: written without secrets, read from any tool's recording. It neither
// opens files nor answers requests.
#pragma once

#include <freshet/result.hpp>
#include <http/message.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::http {

/// What stands before the first entry and after the last one.
inline constexpr std::string_view har_head =
    "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"freshet\",\"version\":\"1\"},"
    "\"entries\":[\n";
inline constexpr std::string_view har_tail = "\n]}}\n";

/// One entry, as JSON on one line. A failure is an entry of status 0 whose `_error` names its code.
[[nodiscard]] std::string har_entry(const request& asked, const result<response>& got,
                                    time_point started);

struct recorded_exchange {
  std::string method;
  std::string url;
  std::string body;
  std::optional<error> failure;
  response answer;
};

/// The entries of a HAR text, in order. Error: invalid_configuration.
[[nodiscard]] result<std::vector<recorded_exchange>> read_har(std::string_view text);

}  // namespace freshet::http

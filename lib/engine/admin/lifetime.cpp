// Durations are those of `since`: whoever reads one knows the other.
#include "engine/admin/lifetime.hpp"

#include <base/invalid_parameter.hpp>
#include <query/since.hpp>
#include <string>

namespace freshet::detail {

result<std::optional<std::chrono::seconds>> parse_lifetime(std::string_view text,
                                                           std::string_view parameter) {
  if (text.empty()) return std::optional<std::chrono::seconds>{};
  const auto parsed = query::parse_since(text);
  if (parsed) return std::optional<std::chrono::seconds>{*parsed};
  return base::invalid_parameter("/" + std::string(parameter), "invalid_format",
                                 "'" + std::string(text) + "' is no duration such as 30d or 1h");
}

}  // namespace freshet::detail

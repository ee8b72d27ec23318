// Names that people give what is theirs. Others read them, too: operators, and who is mailed.
#pragma once

#include <freshet/result.hpp>
#include <string_view>

namespace freshet::detail {

/// Whether a name holds nothing that a terminal obeys or that turns the letters beside it; how long
/// it may be is the accounts' to say. Error: invalid_request, of /name.
[[nodiscard]] result<void> check_given_name(std::string_view name);

}  // namespace freshet::detail

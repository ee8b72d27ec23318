// A head of the ledger that somebody has kept, out of what they type.
#pragma once

#include <account/rules/chain.hpp>
#include <freshet/result.hpp>
#include <optional>
#include <string_view>

namespace freshet::detail {

/// Null for "". Error: invalid_request, of the parameter at `pointer`.
[[nodiscard]] result<std::optional<account::chain_head>> known_head(
    std::string_view text, std::string_view pointer = "/head");

}  // namespace freshet::detail

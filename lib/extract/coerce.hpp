// A value as a page has it, made into the kind that the schema wants, or refused: "€ 1,299.00" is a
// number where one is wanted, "soon" is no date.
#pragma once

#include <base/json.hpp>
#include <base/url.hpp>
#include <extract/schema.hpp>
#include <optional>
#include <string_view>

namespace freshet::extract {

/// Null where it is nothing of that kind, or not within the schema's bounds. Of an object the
/// member that stands for it is taken: the name of a person, the address of a picture. `base`: what
/// addresses are relative to.
[[nodiscard]] std::optional<base::json::value> coerce(const base::json::value& given,
                                                      const wanted_value& wanted,
                                                      const std::optional<base::url>& base);

/// The first number in a text, with the thousands and the decimals of most languages.
[[nodiscard]] std::optional<double> number_in(std::string_view text);

}  // namespace freshet::extract

// What follows the endpoint of `freshet call`, as the JSON body of the call. Pure.
#pragma once

#include <freshet/result.hpp>
#include <span>
#include <string>
#include <string_view>

namespace freshet::server {

/// The body that the words say: nothing (""), one JSON object as it stands, or one NAME=VALUE for
/// each parameter. A value is read by the type that the OpenAPI document `described` gives the
/// parameter of `endpoint`: a list takes commas, or its name several times; what its type does not
/// fit stays text, for the catalogue to refuse by name. Error: a word that is neither, or a
/// parameter given twice.
[[nodiscard]] result<std::string> call_body(std::span<const std::string> words,
                                            std::string_view endpoint, std::string_view described);

}  // namespace freshet::server

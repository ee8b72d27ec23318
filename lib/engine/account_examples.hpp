// Examples of what account calls answer, for the description: values made up here, in the shape
// that the model writes. They come from no account.
#pragma once

#include <catalog/endpoint.hpp>
#include <freshet/response.hpp>
#include <optional>
#include <string>

namespace freshet::detail {

/// `data` of an account call, and `page` of a list.
struct account_example {
  std::string data;
  std::optional<page_info> page;
};

/// The example of `of`, whose platform is `account`. The same text on every call; thread-safe.
[[nodiscard]] account_example example_of_account_call(catalog::operation of);

}  // namespace freshet::detail

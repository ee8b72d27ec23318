// The OpenAPI 3.1 description, made from the catalogue.
#pragma once

#include <catalog/endpoint.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace freshet::catalog {

/// What the description says of this server.
struct openapi_options {
  std::string base_url;  ///< the one entry of `servers`; "" leaves "/"
  /// The price of an endpoint where the operator changed it; null: the catalogue's.
  std::function<std::int64_t(const endpoint&)> price;
  /// The same of what a rendered page costs beside.
  std::function<std::int64_t(const endpoint&)> surcharge;
};

/// The description as JSON text.
[[nodiscard]] std::string openapi_json(const openapi_options& options);

/// What one endpoint takes, for a terminal: summary, parameters with bounds and defaults, an
/// example.
[[nodiscard]] std::string help_text(const endpoint& of);

}  // namespace freshet::catalog

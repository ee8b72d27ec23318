// The OpenAPI 3.1 description, made from the catalogue.
#pragma once

#include <catalog/endpoint.hpp>
#include <freshet/error.hpp>
#include <functional>
#include <string>
#include <vector>

namespace freshet::catalog {

/// What the description says of this server.
struct openapi_options {
  std::string base_url;  ///< the one entry of `servers`; "" leaves "/"
  /// The price of an endpoint where the operator changed it; null: the catalogue's.
  std::function<std::int64_t(const endpoint&)> price;
  /// The same of what a rendered page costs beside.
  std::function<std::int64_t(const endpoint&)> surcharge;
  /// An example of the endpoint's answer, as JSON; "" for none. Null: none has one.
  std::function<std::string(const endpoint&)> answer;
  /// An example of an error, as JSON; "" for one made of errc.def. Null: all are.
  std::function<std::string(const errc_info&)> problem;
  /// The names of the sources that serve the endpoint; null: they are not listed.
  std::function<std::vector<std::string>(const endpoint&)> sources;
};

/// The description as JSON text.
[[nodiscard]] std::string openapi_json(const openapi_options& options);

/// What one endpoint takes, for a terminal of so many columns: summary, parameters with bounds and
/// defaults, an example.
[[nodiscard]] std::string help_text(const endpoint& endpoint, std::size_t columns);
/// All endpoints with their summaries, for a terminal of so many columns.
[[nodiscard]] std::string help_text_of_all(std::size_t columns);

}  // namespace freshet::catalog

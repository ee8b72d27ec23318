// A caller's JSON against the catalogue: every wrong parameter is found in one pass, and what comes
// out is complete (defaults filled in) and canonical.
#pragma once

#include <boost/json/object.hpp>
#include <catalog/endpoint.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <optional>
#include <query/text_query.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::catalog {

/// A parameter's default as the JSON that a caller would have sent.
[[nodiscard]] boost::json::value fallback_value(const parameter& of);

/// What passages are asked for.
struct highlight_choice {
  query::text_query query;  ///< the call's own `q` if no other was given
  std::int64_t max_tokens = 0;
  bool instead_of_text = false;  ///< of a text that is longer than that
};

/// The checked parameters of a call.
class arguments {
 public:
  arguments(const endpoint& endpoint, boost::json::object values);

  [[nodiscard]] const endpoint& of() const noexcept { return *of_; }
  /// Given or defaulted; "", 0, false and {} if neither.
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name) const;
  /// An object as JSON, its members in the caller's order; "" if it was not given.
  [[nodiscard]] std::string object(std::string_view name) const;
  [[nodiscard]] bool given(std::string_view name) const;  ///< by the caller, not by default
  /// A span of time written like `since` ("30d"), of any parameter; null if neither.
  [[nodiscard]] std::optional<std::chrono::seconds> duration(std::string_view name) const;

  /// The parsed `q`; no terms if the endpoint has none.
  query::text_query q;
  /// The parsed `since`.
  std::optional<std::chrono::seconds> since;
  /// The parsed `highlights`; null if none were asked for.
  std::optional<highlight_choice> highlights;

  /// What a cursor and an idempotency key are bound to: the path and every parameter that decides
  /// what is found (not cursor, limit, max_tokens, max_credits, dry_run, fields, deadline_ms,
  /// timeout_ms, max_age_s), defaults filled in, as canonical JSON with sorted keys.
  [[nodiscard]] std::string query_identity() const;
  /// All parameters given, as canonical JSON with sorted keys.
  [[nodiscard]] std::string canonical_body() const;

 private:
  const endpoint* of_;
  boost::json::object values_;
};

/// At most this many parameter errors are listed, so that an answer stays small.
inline constexpr std::size_t max_parameter_errors = 100;

/// Parses and checks a body ("" means {}). Errors: invalid_json; invalid_request with one
/// parameter_error for each wrong parameter (an unknown one with the nearest known).
[[nodiscard]] result<arguments> validate(const endpoint& endpoint, std::string_view body);

}  // namespace freshet::catalog

// What a failed call says. One enum, made from errc.def, and one value type that every layer fills
// and every door renders as the same RFC 9457 problem document. Text from an upstream is kept apart
// in `source_text`: it never becomes `detail`.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet {

/// The code of an error. The numbers are pinned; new ones are only ever added.
enum class errc : std::uint16_t {
#define FRESHET_ERRC(number, name, status, retryable, title, help) name = number,
#include <freshet/errc.def>
#undef FRESHET_ERRC
};

/// What errc.def says of a code. The views have static storage.
struct errc_info {
  errc code;               ///< with its pinned number
  std::string_view name;   ///< "rate_limited": the `code` of a problem document
  int http_status;         ///< over HTTP, and in a problem document
  bool retryable;          ///< whether the same call may succeed later without a change
  std::string_view title;  ///< the same for every occurrence
  std::string_view help;   ///< what it means and what to do
};

/// The row of `code`. Never fails: an unknown number is described as `internal`. Thread-safe.
[[nodiscard]] const errc_info& describe(errc code) noexcept;

/// The row named `name`, or null. Thread-safe.
[[nodiscard]] const errc_info* find_errc(std::string_view name) noexcept;

/// One wrong parameter.
struct parameter_error {
  std::string pointer;  ///< RFC 6901, into the request's body: "/since"
  std::string code;     ///< unknown_parameter, missing, wrong_type, out_of_bounds, invalid_format
  std::string detail;   ///< what it takes, in one sentence
};

/// Why a call failed. A value: copy and move it freely; it owns its strings.
class error {
 public:
  /// `internal`: what result<T>::error() answers when there is none.
  error() = default;
  /// `detail`: what is wrong this time and what to do about it, for people.
  explicit error(errc code, std::string detail = {}) : code_(code), detail_(std::move(detail)) {}

  /// Which error it is: what a program decides by.
  [[nodiscard]] errc code() const noexcept { return code_; }
  /// What is wrong this time, for people; its words may change. Lives as long as this.
  [[nodiscard]] const std::string& detail() const noexcept { return detail_; }

  /// What an upstream said, verbatim and untrusted; empty if nothing.
  std::string source_text;
  /// When a retry makes sense, counted from the answer.
  std::optional<std::chrono::seconds> retry_after;
  /// Every wrong parameter, for invalid_request.
  std::vector<parameter_error> parameters;

 private:
  errc code_ = errc::internal;
  std::string detail_;
};

}  // namespace freshet

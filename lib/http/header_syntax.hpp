// What may stand in a header field that we write (RFC 9110, 5.1 and 5.5), so that no value can
// begin a field, or a request, of its own; and in one of an answer that says where that ends.
#pragma once

#include <string_view>

namespace freshet::http {

/// A token; also what a method is made of.
[[nodiscard]] bool is_header_name(std::string_view name) noexcept;
[[nodiscard]] bool is_header_value(std::string_view value) noexcept;
/// Fields that frame the message: for those who write the message, never for a caller.
[[nodiscard]] bool is_framing_header(std::string_view name) noexcept;
/// Whether a Content-Length, which may be a list, says one length, and that of `other`, the one
/// before it; "" is none.
[[nodiscard]] bool is_one_length(std::string_view list, std::string_view other) noexcept;

}  // namespace freshet::http

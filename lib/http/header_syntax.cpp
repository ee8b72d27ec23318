// The characters of tokens, and the names of the fields that are not a caller's to set.
#include <algorithm>
#include <base/ascii.hpp>
#include <base/unicode.hpp>
#include <http/header_syntax.hpp>
#include <iterator>

namespace freshet::http {
namespace {

constexpr std::string_view framing_headers[] = {"content-length", "transfer-encoding", "connection",
                                                "host",           "accept-encoding",   "expect"};

}  // namespace

bool is_header_name(std::string_view name) noexcept {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !name.empty() && std::ranges::all_of(name, [&](char c) {
    return base::is_alphanumeric(c) || marks.find(c) != std::string_view::npos;
  });
}

bool is_header_value(std::string_view value) noexcept {
  return value.find_first_of(std::string_view("\r\n\0", 3)) == std::string_view::npos;
}

bool is_framing_header(std::string_view name) noexcept {
  return std::ranges::any_of(framing_headers, [&](std::string_view each) {
    return base::equals_ignoring_ascii_case(name, each);
  });
}

bool is_one_length(std::string_view list, std::string_view other) noexcept {
  const std::string_view first = base::trim(list.substr(0, list.find(',')));
  if (other.empty()) other = first;
  while (!list.empty()) {
    const auto end = std::min(list.find(','), list.size());
    if (base::trim(list.substr(0, end)) != base::trim(other.substr(0, other.find(','))))
      return false;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return true;
}

}  // namespace freshet::http

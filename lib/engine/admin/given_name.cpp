// White space of any kind is one space by then, as the accounts keep it.
#include <base/invalid_parameter.hpp>
#include <base/unicode.hpp>
#include <engine/admin/given_name.hpp>
#include <model/shown_text.hpp>

namespace freshet::detail {

result<void> check_given_name(std::string_view name) {
  if (base::is_utf8(name) && model::is_one_line(base::collapse_spaces(name))) return {};
  return base::invalid_parameter("/name", "invalid_format",
                                 "a name is text without control characters and without those "
                                 "that turn the direction of letters (U+202A to U+202E, U+2066 to "
                                 "U+2069): leave them out");
}

}  // namespace freshet::detail

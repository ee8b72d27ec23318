// What stands before the first semicolon.
#include <base/media_type.hpp>
#include <base/unicode.hpp>

namespace freshet::base {

std::string media_type_of(std::string_view content_type) {
  return to_lower_ascii(trim(content_type.substr(0, content_type.find(';'))));
}

}  // namespace freshet::base

// "since: '24x' has an unknown unit", with the pointer beside it for programs.
#include <base/invalid_parameter.hpp>

namespace freshet::base {

std::string pointer_token(std::string_view name) {
  std::string out = "/";
  for (const char c : name) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

error invalid_parameter(std::string_view pointer, std::string_view code, std::string_view detail) {
  std::string text(pointer.substr(pointer.starts_with('/') ? 1 : 0));
  text.append(": ").append(detail);
  error wrong(errc::invalid_request, std::move(text));
  wrong.parameters.push_back({std::string(pointer), std::string(code), std::string(detail)});
  return wrong;
}

}  // namespace freshet::base

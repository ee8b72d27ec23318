// One field, one scheme, one key; nothing is guessed.
#include <server/http/bearer.hpp>
#include <server/http/framing.hpp>

namespace freshet::server {

result<std::string> bearer_key(const request_head& head) {
  const auto field = head.field("authorization");
  if (!field || field->empty()) {
    return error(errc::missing_api_key, "send Authorization: Bearer <API_KEY>");
  }
  if (head.count("authorization") > 1) {
    return error(errc::invalid_api_key, "there is more than one Authorization field");
  }
  const std::size_t space = field->find(' ');
  if (!equal_ascii_nocase(field->substr(0, space), "bearer")) {
    return error(errc::missing_api_key, "the Authorization scheme is not Bearer");
  }
  const std::string_view key =
      space == std::string_view::npos ? std::string_view() : trim_blank(field->substr(space + 1));
  if (key.empty()) return error(errc::missing_api_key, "there is no key after Bearer");
  return std::string(key);
}

}  // namespace freshet::server

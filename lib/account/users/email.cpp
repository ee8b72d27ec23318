// The spelling of addresses. Whether somebody reads them is found out by sending a mail.
#include <account/users/email.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

constexpr std::size_t max_email_size = 254;

}  // namespace

std::string normal_email(std::string_view email) {
  const std::size_t at = email.find('@');
  if (email.size() > max_email_size || at == 0 || at == std::string_view::npos ||
      at + 1 == email.size() || email.find('@', at + 1) != std::string_view::npos)
    return {};
  std::string normal;
  for (const char c : email) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '\x7f') return {};
    normal += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return normal;
}

bool is_mail_address(std::string_view normal) noexcept {
  for (const char c : normal) {
    if (c <= ' ' || c > '~') return false;
    if (std::string_view("<>()[]\\,;:\"`").find(c) != std::string_view::npos) return false;
  }
  const std::size_t at = normal.find('@');
  if (at == std::string_view::npos || at == 0) return false;
  const std::string_view domain = normal.substr(at + 1);
  return !domain.empty() && domain.front() != '.' && domain.back() != '.' &&
         domain.find("..") == std::string_view::npos;
}

std::string mailbox_of(std::string_view normal) {
  std::string name(normal.substr(0, normal.find('@')));
  std::string_view domain = normal.substr(name.size());
  // One that begins with "+" is no spelling of another.
  if (!name.starts_with('+')) name.resize(std::min(name.find('+'), name.size()));
  if (domain == "@gmail.com" || domain == "@googlemail.com") {
    domain = "@gmail.com";
    std::erase(name, '.');
  }
  return name.append(domain);
}

}  // namespace freshet::account

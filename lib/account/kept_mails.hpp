// Mails that are not sent yet, kept in the book until they are: whoever is killed, or ends, leaves
// them to a server that is in service. They lie sealed under the pepper, for what they say may be a
// link. What a mail is, its sender knows: here it is a text.
#pragma once

#include <account/accounts.hpp>
#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

struct stored_mail;

/// Who was to send a mail may have ended amid that; after so many, it is what ends them.
inline constexpr std::int64_t max_mail_takes = 4;
/// What is older is of no use to anybody: links have expired.
inline constexpr std::chrono::hours mail_lifetime{24};

struct kept_mail {
  std::string id, text;
};

/// As it is stored, under a new id.
[[nodiscard]] stored_mail seal_mail(const owners& all, std::string_view text);

/// Thread-safe. A mail is sent once, or twice where its server was killed in between. Errors:
/// storage_unavailable.
class kept_mails {
 public:
  /// `accounts` must outlive it.
  explicit kept_mails(accounts& accounts) : owners_(accounts.inside()) {}
  /// Gives its id.
  [[nodiscard]] result<std::string> keep(std::string_view text);
  /// They were sent, or never will be.
  [[nodiscard]] result<void> remove(std::span<const std::string> ids);
  /// At most so many of those whose server is not in service any more: this one has them now.
  /// What nobody could send is given up.
  [[nodiscard]] result<std::vector<kept_mail>> take(std::size_t most);

 private:
  owners& owners_;
};

}  // namespace freshet::account

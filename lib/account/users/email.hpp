// E-mail addresses as names of accounts: one spelling for each. It knows no mail and looks nothing
// up.
#pragma once

#include <string>
#include <string_view>

namespace freshet::account {

/// Trimmed of nothing, in lower case: one address, one account. Empty if it is none.
[[nodiscard]] std::string normal_email(std::string_view email);
/// Whether mail can go to a normal address as it stands: printable ASCII without the characters
/// that mean something in a mail's head ("<", ",", quotes…), a domain with no empty label.
[[nodiscard]] bool is_mail_address(std::string_view normal) noexcept;
/// The mailbox that a normal address reaches, as an address: without a "+" and what follows it, and
/// where Gmail has it, without dots and at gmail.com. Who has one mailbox may write to it as many
/// addresses.
[[nodiscard]] std::string mailbox_of(std::string_view normal);

}  // namespace freshet::account

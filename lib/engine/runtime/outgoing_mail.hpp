// Mail to people: by the server that is configured, or into the log where none is.
#pragma once

#include <engine/runtime/core.hpp>

namespace freshet::detail {

/// Null without mail.url. What waits is kept with `accounts`, which must outlive it. Error:
/// invalid_configuration.
[[nodiscard]] result<std::unique_ptr<mail::mailer>> open_mailer(const config& settings,
                                                                account::accounts& accounts,
                                                                const log_function& log);

/// Sends a mail, or puts its text into the log where no mail is configured. Waits until it is kept,
/// unless it is already, under `id`.
void send_mail(const core& shared, const mail::mail_message& message, const std::string& id = {});

/// For send_mail() of the same message, with its id, once the link is made.
[[nodiscard]] account::link_mail link_mail_of(
    const core& shared,
    std::function<mail::mail_message(std::string_view token, std::string_view known_as)> write);

/// The address of the dashboard, for links in mails.
[[nodiscard]] std::string dashboard_url(const config& settings);

}  // namespace freshet::detail

// Mail to people: by the server that is configured, or into the log where none is.
#pragma once

#include <engine/runtime/core.hpp>

namespace freshet::detail {

/// Null without mail.url. Error: invalid_configuration.
[[nodiscard]] result<std::unique_ptr<mail::mailer>> open_mailer(const config& settings,
                                                                const log_function& log);

/// Sends a mail, or puts its text into the log where no mail is configured. Does not wait.
void send_mail(const core& shared, const std::string& address, const std::string& subject,
               const std::string& text);

/// The address of the dashboard, for links in mails.
[[nodiscard]] std::string dashboard_url(const config& settings);

}  // namespace freshet::detail

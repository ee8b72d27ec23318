// What a mail says is its sender's; here is only where it goes.
#include "engine/runtime/outgoing_mail.hpp"

#include <algorithm>

namespace freshet::detail {
namespace {

mail::mail_options mail_options_of(const config& settings, const log_function& log) {
  mail::mail_options options;
  options.url = settings.text("mail.url");
  options.from = settings.text("mail.from");
  options.username = settings.text("mail.username");
  options.password = settings.text("mail.password");
  options.require_tls = settings.flag("mail.require_tls").value_or(true);
  options.ca_file = settings.text("mail.ca_file");
  options.log = log;
  return options;
}

}  // namespace

result<std::unique_ptr<mail::mailer>> open_mailer(const config& settings, const log_function& log) {
  if (settings.text("mail.url").empty()) return std::unique_ptr<mail::mailer>();
  return mail::mailer::open(mail_options_of(settings, log));
}

void send_mail(const core& shared, const std::string& address, const std::string& subject,
               const std::string& text) {
  if (!shared.mail) {
    // Whoever runs the server for themselves finds the link here.
    auto line = "mail to " + address + " (mail.url is not set): " + subject + ": " + text;
    std::ranges::replace(line, '\n', ' ');
    shared.log("info", line);
    return;
  }
  if (auto queued = shared.mail->send({address, subject, text}); !queued) {
    shared.log("error", queued.error().detail());
  }
}

std::string dashboard_url(const config& settings) {
  auto base = settings.text("server.base_url");
  while (base.ends_with('/')) base.pop_back();
  return base + "/dashboard";
}

}  // namespace freshet::detail

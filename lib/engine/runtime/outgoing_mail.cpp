// What a mail says is its sender's; here is only where it goes.
#include "engine/runtime/outgoing_mail.hpp"

#include <account/kept_mails.hpp>
#include <algorithm>

namespace freshet::detail {
namespace {

/// Neither an address nor a subject has a second line.
std::string packed(const mail::mail_message& what) {
  return what.to + '\n' + what.subject + '\n' + what.text;
}

mail::mail_message unpacked(std::string_view text) {
  const auto take_line = [&] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  mail::mail_message what;
  what.to = take_line();
  what.subject = take_line();
  what.text = text;
  return what;
}

/// Keeps mails in the book.
class book_mails final : public mail::mail_keeper {
 public:
  explicit book_mails(account::accounts& accounts) : kept_(accounts) {}
  result<std::string> keep(const mail::mail_message& what) override {
    return kept_.keep(packed(what));
  }
  result<void> remove(const std::vector<std::string>& ids) override { return kept_.remove(ids); }
  result<std::vector<mail::kept_message>> take(std::size_t most) override {
    const auto taken = kept_.take(most);
    if (!taken) return taken.error();
    std::vector<mail::kept_message> all;
    for (const auto& each : *taken) all.push_back({each.id, unpacked(each.text)});
    return all;
  }

 private:
  account::kept_mails kept_;
};

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

result<std::unique_ptr<mail::mailer>> open_mailer(const config& settings,
                                                  account::accounts& accounts,
                                                  const log_function& log) {
  if (settings.text("mail.url").empty()) return std::unique_ptr<mail::mailer>();
  auto options = mail_options_of(settings, log);
  options.keeper = std::make_shared<book_mails>(accounts);
  return mail::mailer::open(std::move(options));
}

void send_mail(const core& shared, const mail::mail_message& message, const std::string& id) {
  if (!shared.mail) {
    // Whoever runs the server for themselves finds the link here.
    auto line = "mail to " + message.to + " (mail.url is not set): " + message.subject + ": " +
                message.text;
    std::ranges::replace(line, '\n', ' ');
    shared.log("info", line);
    return;
  }
  if (auto queued = shared.mail->send(message, id); !queued) {
    shared.log("error", queued.error().detail());
  }
}

account::link_mail link_mail_of(
    const core& shared,
    std::function<mail::mail_message(std::string_view token, std::string_view known_as)> write) {
  if (!shared.mail) return {};
  return {[write = std::move(write)](std::string_view token, std::string_view known_as) {
    return packed(write(token, known_as));
  }};
}

std::string dashboard_url(const config& settings) {
  auto base = settings.text("server.base_url");
  while (base.ends_with('/')) base.pop_back();
  return base + "/dashboard";
}

}  // namespace freshet::detail

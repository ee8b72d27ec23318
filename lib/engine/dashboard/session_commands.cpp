// Signing up, in and out, passwords and sessions, as commands with JSON in and out. What a mail
// says stands here; the rules stand in lib/account.
#include <account/users/email.hpp>
#include <algorithm>
#include <base/clock.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/alerts/alerts.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <engine/runtime/outgoing_mail.hpp>
#include <freshet/version.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view shown_account[] = {"id",   "email",    "email_verified",
                                              "plan", "operator", "created_at"};

/// Whether its address says that only its own machine reaches the server.
bool is_of_one_machine(const config& settings) {
  const auto base = base::parse_url(settings.text("server.base_url"));
  if (!base) return false;
  return base->host == "localhost" || base->host == "[::1]" || base->host.starts_with("127.");
}

/// Unless the operator says: a server that only its own machine reaches is open, since who reaches
/// it may use it anyway; one with a public name gives nothing away unasked.
bool is_sign_up_open(const config& settings) {
  const auto said = settings.flag("dashboard.open_sign_up");
  return said ? *said : is_of_one_machine(settings);
}

/// Whether the caller may go on without the mail that nobody sends: only a new account, and only
/// for who sits at the machine of a server that serves no other.
bool may_skip_mail(const dashboard_command& command) {
  return !command.parts.core.mail && command.request.at_this_machine &&
         is_of_one_machine(command.settings());
}

std::string mail_mode(const dashboard_command& command) {
  return command.parts.core.mail ? "smtp" : "log";
}

/// Who asked, for the reader of a mail to judge.
std::string asked_by(const dashboard_command& command) {
  return "It was asked for at " + base::format_time(base::system_clock().now()) +
         " from the address " +
         (command.origin.address.empty() ? "(unknown)" : command.origin.address) + ".\n";
}

/// How an account is spelled whose address is another one of the same mailbox.
std::string name_of_known(const std::string& address, std::string_view known_as) {
  if (address == known_as) return "";
  return " as\n" + std::string(known_as) +
         " (what follows a \"+\" makes no other mailbox; whoever runs the server can\n"
         "give you a second account)";
}

dashboard_result signed_in(const dashboard_command& command,
                           result<account::opened_session> opened) {
  if (!opened) return opened.error();
  return dashboard_answer{.body = session_body(command, opened->account, opened->token),
                          .session = std::move(opened->token)};
}

dashboard_result show_session(dashboard_command& command) {
  dashboard_answer made;
  const auto account = command.login ? std::optional(command.login->account) : std::nullopt;
  made.body = session_body(command, account, command.request.session);
  if (!command.login && !command.request.session.empty()) made.session = "";
  return made;
}

mail::mail_message sign_up_mail(const dashboard_command& command, const std::string& address,
                                std::string_view token) {
  return {address, "Confirm your address",
          "Open this link and choose a password to finish signing up at Freshet; it works once,\n"
          "for 24 hours:\n\n" +
              dashboard_url(command.settings()) + "/verify?token=" + std::string(token) + "\n\n" +
              asked_by(command) +
              "If that was not you, do not open the link: without it there is no account.\n"};
}

mail::mail_message known_address_mail(const dashboard_command& command, const std::string& address,
                                      std::string_view known_as) {
  return {address, "You have an account already",
          "Somebody wanted to sign up at Freshet with this address, which has an account" +
              name_of_known(address, known_as) + ".\nSign in, or set a new password, at:\n\n" +
              dashboard_url(command.settings()) + "\n\n" + asked_by(command) +
              "If that was not you, there is nothing to do.\n"};
}

mail::mail_message reset_mail(const dashboard_command& command, const std::string& address,
                              std::string_view token) {
  return {address, "Set a new password",
          "Open this link to set a new password at Freshet; it works once, for an hour:\n\n" +
              dashboard_url(command.settings()) + "/reset?token=" + std::string(token) + "\n\n" +
              asked_by(command) +
              "If that was not you, there is nothing to do: your password stays as it is.\n"};
}

dashboard_result sign_up(dashboard_command& command) {
  if (!is_sign_up_open(command.settings())) {
    return error(errc::sign_up_closed, "accounts are made by the operator here");
  }
  const auto email = command.text("email");
  const auto write = [&command, address = account::normal_email(email)](std::string_view token,
                                                                        std::string_view known_as) {
    return token.empty() ? known_address_mail(command, address, known_as)
                         : sign_up_mail(command, address, token);
  };
  auto mail = link_mail_of(command.parts.core, write);
  const auto asked = command.users().begin_sign_up(email, command.origin, &mail);
  if (!asked) return asked.error();
  const std::optional<std::string>& token = asked->token;
  send_mail(command.parts.core, write(token.value_or(""), asked->known_as), mail.id);
  std::string body;
  model::object_writer answer(body);
  answer.exact("next", "verify");
  answer.exact("mail", mail_mode(command));
  if (token && may_skip_mail(command)) answer.exact("token", *token);
  answer.close();
  return dashboard_answer{.body = std::move(body), .status = 202};
}

dashboard_result verify(dashboard_command& command) {
  return signed_in(
      command, command.users().confirm_sign_up(command.text("token"), command.text("password"),
                                               command.settings().text("dashboard.sign_up_plan"),
                                               command.origin, command.request.session));
}

/// Whether the page that a mail's link opens has anything to ask for.
dashboard_result check_link(const dashboard_command& command, std::string_view purpose) {
  const auto good = command.users().check_link(purpose, command.text("token"), command.origin);
  if (!good) return good.error();
  return dashboard_answer{};
}

dashboard_result check_verify(dashboard_command& command) { return check_link(command, "verify"); }

dashboard_result check_reset(dashboard_command& command) { return check_link(command, "reset"); }

dashboard_result sign_in(dashboard_command& command) {
  const given_proof proof(command);
  return signed_in(command,
                   command.users().sign_in(command.text("email"), command.text("password"),
                                           command.origin, command.request.session, proof.shown()));
}

dashboard_result sign_out(dashboard_command& command) {
  if (auto done = command.users().sign_out(command.request.session, command.origin); !done)
    return done.error();
  return dashboard_answer{.session = ""};
}

dashboard_result request_reset(dashboard_command& command) {
  const auto email = command.text("email");
  const auto write = [&command, address = account::normal_email(email)](std::string_view token,
                                                                        std::string_view) {
    return reset_mail(command, address, token);
  };
  auto mail = link_mail_of(command.parts.core, write);
  const auto token = command.users().begin_reset(email, command.origin, &mail);
  if (!token) return token.error();
  if (*token) send_mail(command.parts.core, write(**token, {}), mail.id);
  return dashboard_answer{.body = R"({"mail":")" + mail_mode(command) + "\"}", .status = 202};
}

dashboard_result confirm_reset(dashboard_command& command) {
  const given_proof proof(command);
  return signed_in(command,
                   command.users().confirm_reset(command.text("token"), command.text("password"),
                                                 command.origin, proof.shown()));
}

dashboard_result change_password(dashboard_command& command) {
  return signed_in(command,
                   command.users().change_password(*command.login, command.text("current_password"),
                                                   command.text("new_password"), command.origin));
}

dashboard_result list_sessions(dashboard_command& command) {
  const auto& login = *command.login;
  dashboard_answer made;
  made.body = R"({"sessions":)";
  append_list(made.body, command.users().sessions_of(login.account.id),
              [&](std::string& out, const account::session_record& session) {
                append_session(out, session, session.id == login.session.id);
              });
  made.body += '}';
  return made;
}

dashboard_result end_session(dashboard_command& command) {
  const auto id = command.text("id");
  if (auto done = command.users().end_session(command.login->account.id, id, command.origin);
      !done) {
    return done.error();
  }
  dashboard_answer made;
  if (id == command.login->session.id) made.session = "";
  return made;
}

constexpr std::string_view credentials[] = {"email", "password"};
constexpr std::string_view sign_in_arguments[] = {"email", "password", "code", "passkey"};
constexpr std::string_view email_only[] = {"email"};
constexpr std::string_view token_only[] = {"token"};
constexpr std::string_view token_and_password[] = {"token", "password"};
constexpr std::string_view reset_arguments[] = {"token", "password", "code", "passkey"};
constexpr std::string_view passwords[] = {"current_password", "new_password"};
constexpr std::string_view id_only[] = {"id"};

constexpr dashboard_row session_table[] = {
    {{"session", required_role::anybody, false}, lane::quick, {}, show_session},
    // A password that is sent along is not used: it is chosen where the mail's link leads.
    {{"sign-up", required_role::anybody, true}, lane::quick, credentials, sign_up},
    {{"verify", required_role::anybody, true}, lane::hashing, token_and_password, verify},
    {{"verify/check", required_role::anybody, true}, lane::quick, token_only, check_verify},
    {{"sign-in", required_role::anybody, true}, lane::hashing, sign_in_arguments, sign_in},
    {{"sign-out", required_role::anybody, true}, lane::quick, {}, sign_out},
    {{"reset/request", required_role::anybody, true}, lane::quick, email_only, request_reset},
    {{"reset/check", required_role::anybody, true}, lane::quick, token_only, check_reset},
    {{"reset/confirm", required_role::anybody, true},
     lane::hashing,
     reset_arguments,
     confirm_reset},
    {{"password", required_role::signed_in, true}, lane::hashing, passwords, change_password},
    {{"sessions", required_role::signed_in, false}, lane::quick, {}, list_sessions},
    {{"sessions/end", required_role::signed_in, true}, lane::quick, id_only, end_session},
};

}  // namespace

std::span<const dashboard_row> session_rows() noexcept { return session_table; }

void append_session(std::string& out, const account::session_record& session,
                    std::optional<bool> is_current) {
  model::object_writer object(out);
  object.exact("id", session.id);
  object.time("created_at", session.created_at);
  object.time("last_used_at", session.last_used_at);
  object.exact("address", session.address);
  object.exact("user_agent", session.user_agent);
  if (is_current) object.flag("current", is_current);
  object.close();
}

std::string session_body(const dashboard_command& command,
                         const std::optional<account::account_record>& account,
                         std::string_view token) {
  std::string out;
  model::object_writer object(out);
  object.flag("signed_in", account.has_value());
  object.text("csrf_token", account ? command.users().csrf_token(token) : "");
  if (object.begin("account")) {
    if (account) {
      model::append_members(out, account_answer(*account), {shown_account});
    } else {
      out += "null";
    }
  }
  object.flag("sign_up_open", is_sign_up_open(command.settings()));
  object.exact("mail", mail_mode(command));
  object.flag("alert_mails", sends_alert_mails(command.parts.core));
  object.object("service", [&](model::object_writer& service) {
    service.exact("base_url", command.settings().text("server.base_url"));
    service.exact("version", version);
  });
  object.close();
  return out;
}

}  // namespace freshet::detail

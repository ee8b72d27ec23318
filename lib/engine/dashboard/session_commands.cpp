// Signing up, in and out, passwords and sessions, as commands with JSON in and out. What a mail
// says stands here; the rules stand in lib/account.
#include <account/users/email.hpp>
#include <algorithm>
#include <base/clock.hpp>
#include <base/time_text.hpp>
#include <base/url.hpp>
#include <boost/json/array.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <freshet/version.hpp>

namespace freshet::detail {
namespace {

std::string dashboard_url(const dashboard_command& of) {
  auto base = of.settings().text("server.base_url");
  while (base.ends_with('/')) base.pop_back();
  return base + "/dashboard";
}

/// Unless the operator says: a server that only its own machine reaches is open, since who reaches
/// it may use it anyway; one with a public name gives nothing away unasked.
bool is_sign_up_open(const config& from) {
  if (const auto said = from.flag("dashboard.open_sign_up")) return *said;
  const auto base = base::parse_url(from.text("server.base_url"));
  if (!base) return false;
  return base->host == "localhost" || base->host == "[::1]" || base->host.starts_with("127.");
}

std::string mail_mode(const dashboard_command& of) { return of.with.mail ? "smtp" : "log"; }

/// Who asked, for the reader of a mail to judge.
std::string asked_by(const dashboard_command& of) {
  return "It was asked for at " + base::format_time(base::system_clock().now()) +
         " from the address " + (of.from.address.empty() ? "(unknown)" : of.from.address) + ".\n";
}

dashboard_answer signed_in_answer(const dashboard_command& of, account::opened_session opened) {
  dashboard_answer made;
  made.body = session_body(of, opened.account, opened.token);
  made.session = std::move(opened.token);
  return made;
}

dashboard_result show_session(dashboard_command& of) {
  dashboard_answer made;
  const auto who = of.who ? std::optional(of.who->account) : std::nullopt;
  made.body = session_body(of, who, of.asked.session);
  if (!of.who && !of.asked.session.empty()) made.session = "";
  return made;
}

dashboard_result sign_up(dashboard_command& of) {
  if (!is_sign_up_open(of.settings())) {
    return error(errc::sign_up_closed, "accounts are made by the operator here");
  }
  const auto email = of.text("email");
  const auto token = of.users().begin_sign_up(email, of.text("password"), of.from);
  if (!token) return token.error();
  const auto to = account::normal_email(email);
  if (*token) {
    send_mail(of, to, "Confirm your address",
              "Open this link to finish signing up at Freshet; it works once, for 24 hours:\n\n" +
                  dashboard_url(of) + "/verify?token=" + **token + "\n\n" + asked_by(of) +
                  "If that was not you, do not open the link: without it there is no account.\n");
  } else {
    send_mail(of, to, "You have an account already",
              "Somebody wanted to sign up at Freshet with this address, which has an account.\n"
              "Sign in, or set a new password, at:\n\n" +
                  dashboard_url(of) + "\n\n" + asked_by(of) +
                  "If that was not you, there is nothing to do.\n");
  }
  dashboard_answer made;
  made.status = 202;
  made.body = {{"next", "verify"}, {"mail", mail_mode(of)}};
  return made;
}

dashboard_result verify(dashboard_command& of) {
  auto opened = of.users().confirm_sign_up(
      of.text("token"), of.settings().text("dashboard.sign_up_plan"), of.from, of.asked.session);
  if (!opened) return opened.error();
  return signed_in_answer(of, std::move(*opened));
}

dashboard_result sign_in(dashboard_command& of) {
  auto opened =
      of.users().sign_in(of.text("email"), of.text("password"), of.from, of.asked.session);
  if (!opened) return opened.error();
  return signed_in_answer(of, std::move(*opened));
}

dashboard_result sign_out(dashboard_command& of) {
  if (auto done = of.users().sign_out(of.asked.session, of.from); !done) return done.error();
  dashboard_answer made;
  made.session = "";
  return made;
}

dashboard_result request_reset(dashboard_command& of) {
  const auto email = of.text("email");
  const auto token = of.users().begin_reset(email, of.from);
  if (!token) return token.error();
  if (*token) {
    send_mail(of, account::normal_email(email), "Set a new password",
              "Open this link to set a new password at Freshet; it works once, for an hour:\n\n" +
                  dashboard_url(of) + "/reset?token=" + **token + "\n\n" + asked_by(of) +
                  "If that was not you, there is nothing to do: your password stays as it is.\n");
  }
  dashboard_answer made;
  made.status = 202;
  made.body = {{"mail", mail_mode(of)}};
  return made;
}

dashboard_result confirm_reset(dashboard_command& of) {
  auto opened = of.users().confirm_reset(of.text("token"), of.text("password"), of.from);
  if (!opened) return opened.error();
  return signed_in_answer(of, std::move(*opened));
}

dashboard_result change_password(dashboard_command& of) {
  auto opened = of.users().change_password(*of.who, of.text("current_password"),
                                           of.text("new_password"), of.from);
  if (!opened) return opened.error();
  return signed_in_answer(of, std::move(*opened));
}

dashboard_result list_sessions(dashboard_command& of) {
  json::array list;
  for (const auto& one : of.users().sessions_of(of.who->account.id)) {
    list.push_back(json::object{{"id", one.id},
                                {"created_at", base::format_time(one.created_at)},
                                {"last_used_at", base::format_time(one.last_used_at)},
                                {"address", one.address},
                                {"user_agent", one.user_agent},
                                {"current", one.id == of.who->session.id}});
  }
  dashboard_answer made;
  made.body = {{"sessions", std::move(list)}};
  return made;
}

dashboard_result end_session(dashboard_command& of) {
  const auto id = of.text("id");
  if (auto done = of.users().end_session(of.who->account.id, id, of.from); !done) {
    return done.error();
  }
  dashboard_answer made;
  if (id == of.who->session.id) made.session = "";
  return made;
}

constexpr std::string_view credentials[] = {"email", "password"};
constexpr std::string_view token_only[] = {"token"};
constexpr std::string_view email_only[] = {"email"};
constexpr std::string_view token_and_password[] = {"token", "password"};
constexpr std::string_view passwords[] = {"current_password", "new_password"};
constexpr std::string_view id_only[] = {"id"};

constexpr dashboard_row session_table[] = {
    {{"session", required_role::anybody, false}, lane::quick, {}, show_session},
    {{"sign-up", required_role::anybody, true}, lane::hashing, credentials, sign_up},
    {{"verify", required_role::anybody, true}, lane::quick, token_only, verify},
    {{"sign-in", required_role::anybody, true}, lane::hashing, credentials, sign_in},
    {{"sign-out", required_role::anybody, true}, lane::quick, {}, sign_out},
    {{"reset/request", required_role::anybody, true}, lane::quick, email_only, request_reset},
    {{"reset/confirm", required_role::anybody, true},
     lane::hashing,
     token_and_password,
     confirm_reset},
    {{"password", required_role::signed_in, true}, lane::hashing, passwords, change_password},
    {{"sessions", required_role::signed_in, false}, lane::quick, {}, list_sessions},
    {{"sessions/end", required_role::signed_in, true}, lane::quick, id_only, end_session},
};

}  // namespace

std::span<const dashboard_row> session_rows() noexcept { return session_table; }

json::object session_body(const dashboard_command& of,
                          const std::optional<account::account_record>& who,
                          std::string_view token) {
  json::object body;
  body["signed_in"] = who.has_value();
  body["csrf_token"] = nullptr;
  body["account"] = nullptr;
  if (who) {
    body["csrf_token"] = of.users().csrf_token(token);
    body["account"] = json::object{{"id", who->public_id},
                                   {"email", who->email},
                                   {"email_verified", who->verified_at.has_value()},
                                   {"plan", who->plan},
                                   {"operator", who->is_operator},
                                   {"created_at", base::format_time(who->created_at)}};
  }
  body["sign_up_open"] = is_sign_up_open(of.settings());
  body["mail"] = mail_mode(of);
  body["service"] =
      json::object{{"base_url", of.settings().text("server.base_url")}, {"version", version}};
  return body;
}

void send_mail(const dashboard_command& of, const std::string& to, const std::string& subject,
               const std::string& text) {
  if (!of.with.mail) {
    // Whoever runs the server for themselves finds the link here.
    auto line = "mail to " + to + " (mail.url is not set): " + subject + ": " + text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    of.with.in.log("info", line);
    return;
  }
  if (auto queued = of.with.mail->send({to, subject, text}); !queued) {
    of.with.in.log("error", queued.error().detail());
  }
}

}  // namespace freshet::detail

// Second factors of one's own account, as commands with JSON in and out: codes by time, passkeys,
// and what a browser is asked for. The rules stand in lib/account.
#include <base/digest.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>
#include <engine/admin/given_name.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail {
namespace {

constexpr std::int64_t browser_timeout_ms = 120'000;

dashboard_result show_factor(dashboard_command& command) {
  const auto factor = command.users().second_factor_of(command.login->account.id);
  if (!factor) return factor.error();
  dashboard_answer made;
  made.body.clear();
  model::object_writer object(made.body);
  object.flag("on", factor->is_on());
  object.flag("codes", factor->has_codes);
  if (object.begin("passkeys")) append_list(made.body, factor->passkeys, append_passkey);
  object.flag("passkeys_possible", !command.users().site().host.empty());
  object.integer("recovery_codes", factor->recovery_codes);
  object.flag("required", needs_factor(command));
  object.close();
  return made;
}

dashboard_result begin_codes(dashboard_command& command) {
  const given_proof proof(command);
  const auto fresh = command.users().begin_second_factor(*command.login, command.text("password"),
                                                         command.origin, proof.shown());
  if (!fresh) return fresh.error();
  dashboard_answer made;
  made.body.clear();
  model::object_writer object(made.body);
  object.exact("secret", fresh->secret);
  object.exact("uri", fresh->uri);
  object.close();
  return made;
}

dashboard_result recovery_answer(const result<std::vector<std::string>>& codes) {
  if (!codes) return codes.error();
  return dashboard_answer{
      .body = json::serialize(json::object{{"recovery_codes", json::value_from(*codes)}})};
}

dashboard_result confirm_codes(dashboard_command& command) {
  return recovery_answer(
      command.users().confirm_second_factor(*command.login, command.text("code"), command.origin));
}

dashboard_result remove_codes(dashboard_command& command) {
  const given_proof proof(command);
  if (auto done = command.users().remove_second_factor(*command.login, command.text("password"),
                                                       proof.shown(), command.origin);
      !done) {
    return done.error();
  }
  return dashboard_answer{};
}

json::array descriptors(const std::vector<std::string>& credentials) {
  json::array out;
  for (const std::string& each : credentials)
    out.push_back(json::object{{"type", "public-key"}, {"id", each}});
  return out;
}

/// PublicKeyCredentialRequestOptionsJSON.
dashboard_result question_to_show(const result<account::passkey_question>& asked) {
  if (!asked) return asked.error();
  return dashboard_answer{
      .body = json::serialize(json::object{{"challenge", asked->challenge},
                                           {"rpId", asked->site.host},
                                           {"allowCredentials", descriptors(asked->credentials)},
                                           {"userVerification", "preferred"},
                                           {"timeout", browser_timeout_ms}})};
}

dashboard_result ask_for_passkey(dashboard_command& command) {
  const auto token = command.text("token");
  if (!token.empty()) return question_to_show(command.users().ask_for_passkey(token));
  const auto email = command.text("email");
  if (!email.empty() || !command.login)
    return question_to_show(
        command.users().ask_for_passkey(email, command.text("password"), command.origin));
  return question_to_show(command.users().ask_for_passkey(*command.login));
}

/// PublicKeyCredentialCreationOptionsJSON.
dashboard_result begin_passkey(dashboard_command& command) {
  const given_proof proof(command);
  const auto asked = command.users().begin_passkey(*command.login, command.text("password"),
                                                   proof.shown(), command.origin);
  if (!asked) return asked.error();
  const auto& account = command.login->account;
  json::array kinds;
  for (const int algorithm : account::passkey_algorithms)
    kinds.push_back(json::object{{"type", "public-key"}, {"alg", algorithm}});
  return dashboard_answer{.body = json::serialize(json::object{
                              {"challenge", asked->challenge},
                              {"rp", {{"id", asked->site.host}, {"name", "Freshet"}}},
                              {"user",
                               {{"id", base::base64url(account.public_id)},
                                {"name", account.email},
                                {"displayName", account.email}}},
                              {"pubKeyCredParams", std::move(kinds)},
                              {"excludeCredentials", descriptors(asked->credentials)},
                              {"authenticatorSelection",
                               {{"residentKey", "preferred"}, {"userVerification", "preferred"}}},
                              {"attestation", "none"},
                              {"timeout", browser_timeout_ms}})};
}

dashboard_result add_passkey(dashboard_command& command) {
  const auto name = command.text("name");
  if (auto fine = check_given_name(name); !fine) return fine.error();
  return recovery_answer(
      command.users().add_passkey(*command.login, name, command.text("passkey"), command.origin));
}

dashboard_result remove_passkey(dashboard_command& command) {
  const given_proof proof(command);
  if (auto done =
          command.users().remove_passkey(*command.login, command.text("id"),
                                         command.text("password"), proof.shown(), command.origin);
      !done) {
    return done.error();
  }
  return dashboard_answer{};
}

constexpr std::string_view proven[] = {"password", "code", "passkey"};
constexpr std::string_view code_only[] = {"code"};
constexpr std::string_view asking[] = {"email", "password", "token"};
constexpr std::string_view new_passkey[] = {"name", "passkey"};
constexpr std::string_view removing[] = {"id", "password", "code", "passkey"};

constexpr dashboard_row factor_table[] = {
    {{"second-factor", required_role::signed_in, false}, lane::quick, {}, show_factor},
    {{"second-factor/begin", required_role::signed_in, true}, lane::hashing, proven, begin_codes},
    {{"second-factor/confirm", required_role::signed_in, true},
     lane::quick,
     code_only,
     confirm_codes},
    {{"second-factor/remove", required_role::signed_in, true}, lane::hashing, proven, remove_codes},
    {{"passkeys/ask", required_role::anybody, true}, lane::hashing, asking, ask_for_passkey},
    {{"passkeys/begin", required_role::signed_in, true}, lane::hashing, proven, begin_passkey},
    {{"passkeys/add", required_role::signed_in, true}, lane::quick, new_passkey, add_passkey},
    {{"passkeys/remove", required_role::signed_in, true}, lane::hashing, removing, remove_passkey},
};

}  // namespace

bool needs_factor(const dashboard_command& command) {
  return command.login && command.login->account.is_operator &&
         command.settings().flag("dashboard.second_factor_for_operators").value_or(false);
}

void append_passkey(std::string& out, const account::passkey_record& passkey) {
  model::object_writer object(out);
  object.exact("id", passkey.id);
  object.text("name", passkey.name);
  object.time("created_at", passkey.created_at);
  object.time("last_used_at", passkey.last_used_at);
  object.close();
}

std::span<const dashboard_row> factor_rows() noexcept { return factor_table; }

}  // namespace freshet::detail

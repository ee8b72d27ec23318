// What a signed-in person reads of the service and of their own data, and the end of their account.
// An export holds what is theirs and no secret: no key, no hash, no password.
#include <account/ledger/ledger.hpp>
#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <engine/admin/account_answers.hpp>
#include <engine/admin/list_page.hpp>
#include <engine/admin/service_answers.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <engine/runtime/archives.hpp>
#include <model/object_writer.hpp>

namespace freshet::detail {
namespace {

constexpr int ledger_page = 1000;

dashboard_result list_sources(dashboard_command& command) {
  dashboard_answer made;
  made.body = R"({"sources":)";
  append_sources(made.body, command.parts.core, command.parts.core.recent.show(0));
  made.body += '}';
  return made;
}

dashboard_result show_status(dashboard_command& command) {
  return dashboard_answer{.body = public_status(command.parts.core)};
}

dashboard_result list_plans(dashboard_command& command) {
  auto names = command.settings().names_under("plans");
  if (std::ranges::find(names, "free") == names.end()) {
    names.insert(names.begin(), "free");
  }
  const account::plan usual;
  json::array list;
  for (const auto& name : names) {
    const auto prefix = "plans." + name + ".";
    const auto& settings = command.settings();
    list.push_back(
        json::object{{"name", name},
                     {"monthly_credits",
                      settings.integer(prefix + "monthly_credits").value_or(usual.monthly.value)},
                     {"rate", settings.number(prefix + "rate").value_or(usual.rate)},
                     {"burst", settings.integer(prefix + "burst").value_or(usual.burst)}});
  }
  return dashboard_answer{.body = json::serialize(json::object{{"plans", std::move(list)}})};
}

// What an export holds of each, in this order: a text that nobody gave is "".
constexpr std::string_view exported_account[] = {"id",   "email",    "email_verified_at",
                                                 "plan", "operator", "created_at"};
constexpr std::string_view exported_key[] = {
    "id",         "name",       "mode",       "scopes",       "last_four", "monthly_budget",
    "created_at", "expires_at", "revoked_at", "last_used_at", "origins"};
constexpr std::string_view exported_entry[] = {"id",       "created_at", "kind",
                                               "amount",   "balance",    "reason",
                                               "endpoint", "request_id", "refund_of"};

/// What one answer holds of a ledger: less than a megabyte. What is older is asked for behind it.
constexpr std::size_t exported_entries = 2'000;

/// The newest rows before an entry, page by page: nobody waits behind a long book.
result<std::vector<account::ledger_row>> part_of_ledger(const dashboard_command& command,
                                                        std::int64_t before) {
  std::vector<account::ledger_row> part;
  while (part.size() < exported_entries) {
    auto rows = command.accounts().ledger(command.login->account.id, before, ledger_page);
    if (!rows) return rows.error();
    part.insert(part.end(), std::make_move_iterator(rows->begin()),
                std::make_move_iterator(rows->end()));
    if (rows->size() < ledger_page) break;
    before = part.back().seq;
  }
  return part;
}

result<void> append_ledger(const dashboard_command& command, model::object_writer& object,
                           std::string& out, std::int64_t before) {
  const auto ledger = part_of_ledger(command, before);
  if (!ledger) return ledger.error();
  if (object.begin("ledger")) {
    append_list(out, *ledger, [](std::string& text, const account::ledger_row& row) {
      model::append_members(text, ledger_answer(row, {}), {exported_entry, false});
    });
  }
  if (ledger->size() >= exported_entries)
    object.exact("ledger_before", account::entry_name(ledger->back().seq));
  return {};
}

/// All that is kept of an account but what of its ledger is older than one answer holds, or that
/// part of the ledger alone.
dashboard_result export_data(dashboard_command& command) {
  const auto& account = command.login->account;
  dashboard_answer made;
  made.body.clear();
  model::object_writer object(made.body);
  if (const auto before = command.text("before"); !before.empty()) {
    const auto entry = account::entry_number(before);
    if (!entry || *entry <= 0)
      return base::invalid_parameter("/before", "invalid_value",
                                     "give the ledger_before of the part before, \"led_…\"");
    if (auto done = append_ledger(command, object, made.body, *entry); !done) return done.error();
    object.close();
    return made;
  }
  const auto keys = command.accounts().list_keys(account.id);
  if (!keys) return keys.error();
  const auto factor = command.users().second_factor_of(account.id);
  if (!factor) return factor.error();
  const auto alerts = command.accounts().alerts_of(account.id);
  if (!alerts) return alerts.error();
  if (object.begin("account")) {
    model::append_members(made.body, account_answer(account), {exported_account, false});
  }
  if (object.begin("keys")) {
    append_list(made.body, *keys, [](std::string& text, const account::key_record& key) {
      model::append_members(text, key_answer(key), {exported_key, false});
    });
  }
  if (alerts->has_value() && object.begin("alerts"))
    model::append_alerts(made.body, alerts_answer(account, **alerts));
  if (object.begin("passkeys")) append_list(made.body, factor->passkeys, append_passkey);
  if (object.begin("sessions")) {
    append_list(made.body, command.users().sessions_of(account.id),
                [](std::string& text, const account::session_record& session) {
                  append_session(text, session, std::nullopt);
                });
  }
  if (auto done = append_ledger(command, object, made.body, 0); !done) return done.error();
  object.close();
  made.file_name = "freshet-" + account.public_id + ".json";
  return made;
}

dashboard_result delete_account(dashboard_command& command) {
  if (auto done = command.users().erase(*command.login, command.text("password"), command.origin);
      !done) {
    return done.error();
  }
  const auto& log = command.parts.core.requests;
  if (log != nullptr) log->forget(command.login->account.public_id);
  command.parts.pictures.forget(command.login->account.public_id);
  return dashboard_answer{.session = ""};
}

void show_picture(dashboard_command& command, dashboard_taker give) {
  const auto& of_answers = command.parts.core.pictures;
  const auto hand_on = [give](result<picture_service::shown_picture> shown) {
    if (!shown) return give(shown.error());
    dashboard_answer made;
    made.body = std::move(shown->bytes);
    made.media_type = shown->media_type;
    give(std::move(made));
  };
  const auto name = command.text("name");
  if (const auto example = of_answers.read(picture_addresses::whoever, name))
    return hand_on(picture_service::draw(*example));
  if (!command.login) return give(error(errc::not_signed_in, "sign in to see this picture"));
  const auto picture = of_answers.read(command.request.session, name);
  if (!picture) return give(error(errc::not_found, "no answer to this session had such a picture"));
  auto& fetching = *command.parts.lanes[static_cast<std::size_t>(lane::fetching)];
  command.parts.pictures.show(*picture, command.login->account, fetching, hand_on);
}

constexpr std::string_view before_only[] = {"before"};
constexpr std::string_view name_only[] = {"name"};
constexpr std::string_view password_only[] = {"password"};

constexpr dashboard_row member_table[] = {
    {{"status", required_role::anybody, false}, lane::quick, {}, show_status},
    {{"sources", required_role::signed_in, false}, lane::quick, {}, list_sources},
    {{"plans", required_role::signed_in, false}, lane::quick, {}, list_plans},
    {{"picture", required_role::anybody, false}, lane::fetching, name_only, nullptr, show_picture},
    {{"export", required_role::signed_in, false}, lane::reporting, before_only, export_data},
    {{"delete", required_role::signed_in, true}, lane::hashing, password_only, delete_account},
};

}  // namespace

std::span<const dashboard_row> member_rows() noexcept { return member_table; }

}  // namespace freshet::detail

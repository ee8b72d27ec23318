// The audit of an operator's commands, and the commands about people, which need more than the
// books.
#include "engine/admin/operators.hpp"

#include <algorithm>
#include <base/invalid_parameter.hpp>
#include <base/json.hpp>
#include <base/time_text.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <charconv>
#include <engine/admin/admin_commands.hpp>
#include <map>

namespace freshet::detail {
namespace {

namespace json = boost::json;

constexpr std::int64_t default_entries = 50;
constexpr std::int64_t most_entries = 500;

/// The commands that change something.
constexpr std::string_view changing[] = {"accounts.create", "accounts.plan", "accounts.operator",
                                         "accounts.link",   "credits.grant", "credits.refund",
                                         "keys.create",     "keys.rotate",   "keys.revoke"};

std::string text_of(const json::object& arguments, std::string_view name) {
  const auto* found = arguments.if_contains(name);
  return found == nullptr ? std::string() : base::text_of(*found);
}

result<void> check_names(const json::object& arguments,
                         std::initializer_list<std::string_view> known, std::string_view command) {
  for (const auto& [key, value] : arguments) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      return base::invalid_parameter("/" + std::string(key), "unknown_parameter",
                                     "unknown argument of " + std::string(command));
    }
  }
  return {};
}

/// What the log says of a command: to what it was done, and its arguments without any address and
/// without what an owner calls a key, since nothing can be taken out of the log again.
account::audit_note note_of(const operator_name& who, const core& in, std::string_view command,
                            json::object arguments) {
  account::audit_note note{who.actor, std::string(command), text_of(arguments, "id"), "",
                           who.address};
  if (note.subject.empty()) note.subject = text_of(arguments, "request_id");
  if (const auto email = text_of(arguments, "email"); !email.empty()) {
    const auto account = in.accounts->find_account(email);
    note.subject = account ? account->public_id : "";
    arguments.erase("email");
  }
  arguments.erase("name");
  if (!arguments.empty()) note.detail = json::serialize(arguments);
  return note;
}

result<std::string> set_operator(const json::object& arguments, core& in,
                                 const account::audit_note& note) {
  if (auto fine = check_names(arguments, {"email", "off"}, "accounts.operator"); !fine) {
    return fine.error();
  }
  const auto* off = arguments.if_contains("off");
  const bool on = off == nullptr || !base::flag_of(*off).value_or(false);
  const auto account = in.users->set_operator(text_of(arguments, "email"), on, note);
  if (!account) return account.error();
  return json::serialize(json::object{{"email", account->email}, {"operator", on}});
}

result<std::string> make_link(const json::object& arguments, core& in,
                              const account::audit_note& note) {
  if (auto fine = check_names(arguments, {"email"}, "accounts.link"); !fine) return fine.error();
  const auto email = text_of(arguments, "email");
  const auto token = in.users->make_link(email, note);
  if (!token) return token.error();
  auto base = in.settings.text("server.base_url");
  if (base.empty()) base = "http://" + in.settings.text("server.listen");
  while (base.ends_with('/')) base.pop_back();
  return json::serialize(
      json::object{{"email", email},
                   {"link", base + "/dashboard/reset?token=" + *token},
                   {"expires_s", std::chrono::seconds(account::reset_lifetime).count()}});
}

/// "operator:acc_1" as "operator:me@example.org", while there is such an account.
std::string shown_name(const core& in, std::map<std::string, std::string, std::less<>>& known,
                       const std::string& name) {
  const auto at = name.find("acc_");
  if (at == std::string::npos) return name;
  const auto id = name.substr(at);
  const auto [found, is_new] = known.try_emplace(id);
  if (is_new) found->second = in.users->email_of(id);
  return name.substr(0, at) + (found->second.empty() ? id : found->second);
}

result<std::string> list_audit(const json::object& arguments, core& in) {
  if (auto fine = check_names(arguments, {"limit", "cursor"}, "audit.list"); !fine) {
    return fine.error();
  }
  std::int64_t limit = default_entries;
  if (const auto* given = arguments.if_contains("limit")) {
    const auto value = base::integer_of(*given);
    if (!value || *value < 1 || *value > most_entries) {
      return base::invalid_parameter("/limit", "invalid_format",
                                     "give a whole number from 1 to 500");
    }
    limit = *value;
  }
  std::int64_t before = 0;
  if (const auto cursor = text_of(arguments, "cursor"); !cursor.empty()) {
    const auto end = cursor.data() + cursor.size();
    const auto read = std::from_chars(cursor.data(), end, before);
    if (read.ec != std::errc() || read.ptr != end || before < 1) {
      return base::invalid_parameter("/cursor", "invalid_format",
                                     "give the next_cursor of the page before");
    }
  }
  auto entries = in.users->audit(before, static_cast<int>(limit) + 1);
  if (!entries) return entries.error();
  const bool more = entries->size() > static_cast<std::size_t>(limit);
  if (more) entries->pop_back();
  std::map<std::string, std::string, std::less<>> known;
  json::array list;
  for (const auto& one : *entries) {
    list.push_back(json::object{{"id", "aud_" + std::to_string(one.id)},
                                {"at", base::format_time(one.at)},
                                {"actor", shown_name(in, known, one.actor)},
                                {"action", one.action},
                                {"subject", shown_name(in, known, one.subject)},
                                {"detail", one.detail},
                                {"address", one.address}});
  }
  json::object out{{"entries", std::move(list)}, {"next_cursor", nullptr}};
  if (more) out["next_cursor"] = std::to_string(entries->back().id);
  return json::serialize(out);
}

/// Written when it is made, since there is nobody to name before.
result<std::string> create_account(const operator_name& who, json::object arguments, core& in) {
  const auto* flag = arguments.if_contains("operator");
  const bool is_operator = flag != nullptr && base::flag_of(*flag).value_or(false);
  arguments.erase("operator");
  auto made =
      run_admin_command(*in.accounts, in.settings, "accounts.create", json::serialize(arguments));
  if (!made) return made;
  const auto email = text_of(arguments, "email");
  const auto note = note_of(who, in, "accounts.create", std::move(arguments));
  if (auto written = in.users->record(note); !written) return written.error();
  if (!is_operator) return made;
  auto promotion = note;
  promotion.action = "accounts.operator";
  promotion.detail.clear();
  const auto account = in.users->set_operator(email, true, promotion);
  if (!account) return account.error();
  auto body = base::parse_json(*made);
  if (!body) return body.error();
  body->as_object()["operator"] = true;
  return json::serialize(*body);
}

}  // namespace

result<std::string> run_admin_command_as(const operator_name& who, core& in,
                                         std::string_view command, std::string_view arguments) {
  auto parsed = base::parse_json(arguments.empty() ? "{}" : arguments, true);
  if (!parsed) return parsed.error();
  if (!parsed->is_object()) return error(errc::invalid_json, "the arguments are one JSON object");
  const auto& given = parsed->as_object();
  if (command == "audit.list") return list_audit(given, in);
  if (command == "accounts.create") return create_account(who, given, in);
  const auto note = note_of(who, in, command, given);
  if (command == "accounts.operator") return set_operator(given, in, note);
  if (command == "accounts.link") return make_link(given, in, note);
  const bool changes =
      std::find(std::begin(changing), std::end(changing), command) != std::end(changing);
  if (changes) {
    if (auto written = in.users->record(note); !written) return written.error();
  }
  auto done = run_admin_command(*in.accounts, in.settings, command, arguments);
  if (changes && !done) {
    // The entry stands already: this one says that nothing came of it.
    auto failed = note;
    failed.action += ".failed";
    failed.detail = describe(done.error().code()).name;
    if (auto written = in.users->record(failed); !written) return written.error();
  }
  return done;
}

}  // namespace freshet::detail

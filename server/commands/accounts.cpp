// Administration: accounts, credits, keys and the ledger. Each command goes to the server that runs
// on the data folder, or opens the accounts itself when none does.
#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <server/commands/admin_socket.hpp>
#include <server/commands/administration.hpp>

namespace freshet::server {
namespace {

namespace json = boost::json;

/// Carries out a command wherever the accounts are. Errors: what stops the order from being heard;
/// a command's own error is in the answer.
result<admin_answer> carry_out(const config& settings, std::string_view command,
                               const std::string& arguments) {
  const std::string data_dir = settings.text("storage.data_dir");
  auto asked = ask_running_server(data_dir, command, arguments);
  if (!asked) return asked.error();
  if (*asked) return std::move(**asked);
  if (const auto made = make_data_dir(data_dir); !made) return made.error();
  const auto opened = engine::open({settings, true, nullptr, false});
  if (!opened) return opened.error();
  const result<std::string> done = (*opened)->run_admin_command(command, arguments);
  if (done) return admin_answer{true, *done};
  return admin_answer{false, (*opened)->problem(done.error(), make_request_id()).body};
}

}  // namespace

int run_admin_command(const invocation& with, std::string_view command,
                      const json::object& arguments, printer show) {
  const result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  const auto answer = carry_out(*settings, command, json::serialize(arguments));
  if (!answer) return failed_with(answer.error());
  if (!answer->ok) return failed_with(answer->body);
  if (with.options.has("--json")) return print(answer->body + "\n") ? exit_ok : exit_failed;
  boost::system::error_code failed;
  const json::value read = json::parse(answer->body, failed);
  if (failed || !read.is_object()) return failed_with(error(errc::internal, "unreadable answer"));
  return print(show(read.get_object())) ? exit_ok : exit_failed;
}

std::string shown(const json::object& of, std::string_view name) {
  const json::value* found = of.if_contains(name);
  if (found == nullptr || found->is_null()) return "-";
  if (found->is_string()) return std::string(std::string_view(found->get_string()));
  return json::serialize(*found);
}

namespace {

/// A whole number above zero; false if the text is not one.
bool read_count(const std::string& text, std::int64_t& into) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && into > 0;
}

int create_account(const invocation& with) {
  json::object arguments{{"email", with.options.operands()[0]},
                         {"plan", with.options.text("--plan", "free")}};
  if (with.options.has("--operator")) arguments["operator"] = true;
  return run_admin_command(with, "accounts.create", arguments, [](const json::object& made) {
    return "created " + shown(made, "email") + " (" + shown(made, "id") + "), plan " +
           shown(made, "plan") + ", " + shown(made, "balance") + " credits\n";
  });
}

int grant_credits(const invocation& with) {
  std::int64_t amount = 0;
  if (!read_count(with.options.operands()[1], amount)) {
    return wrong_usage("'" + with.options.operands()[1] + "' is not a whole number of credits");
  }
  if (!with.options.has("--reason")) return wrong_usage("credits grant needs --reason TEXT");
  return run_admin_command(with, "credits.grant",
                           {{"email", with.options.operands()[0]},
                            {"credits", amount},
                            {"reason", with.options.text("--reason")}},
                           [](const json::object& done) {
                             return "granted " + shown(done, "credits") + " credits to " +
                                    shown(done, "email") + ", balance " + shown(done, "balance") +
                                    "\n";
                           });
}

int change_plan(const invocation& with) {
  return run_admin_command(
      with, "accounts.plan",
      {{"email", with.options.operands()[0]}, {"plan", with.options.operands()[1]}},
      [](const json::object& done) {
        const std::string change = shown(done, "change");
        return shown(done, "email") + " has plan " + shown(done, "plan") + ", " +
               (change.starts_with("-") || change == "0" ? "" : "+") + change +
               " credits this month, balance " + shown(done, "balance") + "\n";
      });
}

int list_accounts(const invocation& with) {
  json::object arguments;
  if (!with.options.operands().empty()) arguments["q"] = with.options.operands()[0];
  if (with.options.has("--cursor")) arguments["cursor"] = with.options.text("--cursor");
  if (with.options.has("--limit")) {
    std::int64_t limit = 0;
    if (!read_count(with.options.text("--limit"), limit)) {
      return wrong_usage("--limit takes a whole number");
    }
    arguments["limit"] = limit;
  }
  return run_admin_command(with, "accounts.list", arguments, [](const json::object& answer) {
    std::string out;
    const json::value* accounts = answer.if_contains("accounts");
    if (accounts == nullptr || !accounts->is_array()) return out;
    for (const json::value& one : accounts->get_array()) {
      if (!one.is_object()) continue;
      const json::object& account = one.get_object();
      out += shown(account, "id") + "  " + shown(account, "email");
      for (const char* name : {"plan", "balance", "keys", "created_at"}) {
        out.append("  ").append(name).append("=").append(shown(account, name));
      }
      out += "\n";
    }
    if (shown(answer, "next_cursor") != "-") {
      out += "more: --cursor " + shown(answer, "next_cursor") + "\n";
    }
    return out;
  });
}

int refund_credits(const invocation& with) {
  if (!with.options.has("--reason")) return wrong_usage("credits refund needs --reason TEXT");
  json::object arguments{{"request_id", with.options.operands()[0]},
                         {"reason", with.options.text("--reason")}};
  if (with.options.has("--credits")) {
    std::int64_t amount = 0;
    if (!read_count(with.options.text("--credits"), amount)) {
      return wrong_usage("--credits takes a whole number of credits");
    }
    arguments["credits"] = amount;
  }
  return run_admin_command(with, "credits.refund", arguments, [](const json::object& done) {
    return "refunded " + shown(done, "credits") + " credits of " + shown(done, "refund_of") +
           " to " + shown(done, "email") + ", balance " + shown(done, "balance") + "\n";
  });
}

/// The key, alone: it is shown this once, and scripts take it from standard output.
std::string key_alone(const json::object& made) { return shown(made, "key") + "\n"; }

int create_key(const invocation& with) {
  json::object arguments{{"email", with.options.operands()[0]}};
  if (with.options.has("--test")) arguments["test"] = true;
  if (with.options.has("--name")) arguments["name"] = with.options.text("--name");
  if (with.options.has("--scope")) arguments["scope"] = with.options.text("--scope");
  if (with.options.has("--expires")) arguments["expires"] = with.options.text("--expires");
  if (with.options.has("--monthly-budget")) {
    std::int64_t budget = 0;
    if (!read_count(with.options.text("--monthly-budget"), budget)) {
      return wrong_usage("--monthly-budget takes a whole number of credits");
    }
    arguments["monthly_budget"] = budget;
  }
  return run_admin_command(with, "keys.create", arguments, key_alone);
}

int list_keys(const invocation& with) {
  return run_admin_command(
      with, "keys.list", {{"email", with.options.operands()[0]}}, [](const json::object& answer) {
        std::string out;
        const json::value* keys = answer.if_contains("keys");
        if (keys == nullptr || !keys->is_array()) return out;
        for (const json::value& one : keys->get_array()) {
          if (!one.is_object()) continue;
          const json::object& key = one.get_object();
          std::string line = shown(key, "id");
          line.append("  ")
              .append(shown(key, "mode"))
              .append("  ")
              .append(shown(key, "prefix"))
              .append("...")
              .append(shown(key, "last_four"));
          for (const char* name : {"name", "scopes", "monthly_budget", "budget_used", "created_at",
                                   "expires_at", "rotated_at", "revoked_at", "last_used_at"}) {
            line.append("  ").append(name).append("=").append(shown(key, name));
          }
          out.append(line).append("\n");
        }
        return out;
      });
}

int rotate_key(const invocation& with) {
  json::object arguments{{"id", with.options.operands()[0]}};
  if (with.options.has("--grace")) arguments["grace"] = with.options.text("--grace");
  return run_admin_command(with, "keys.rotate", arguments, key_alone);
}

int revoke_key(const invocation& with) {
  return run_admin_command(
      with, "keys.revoke", {{"id", with.options.operands()[0]}},
      [](const json::object& done) { return "revoked " + shown(done, "id") + "\n"; });
}

int verify_ledger(const invocation& with) {
  const result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  const auto answer = carry_out(*settings, "ledger.verify", "{}");
  if (!answer) return failed_with(answer.error());
  if (!answer->ok) return failed_with(answer->body);
  boost::system::error_code failed;
  const json::value read = json::parse(answer->body, failed);
  if (failed || !read.is_object()) return failed_with(error(errc::internal, "unreadable answer"));
  const json::object& report = read.get_object();
  const bool sound = report.contains("ok") && report.at("ok") == json::value(true);
  std::string text;
  if (with.options.has("--json")) {
    text = answer->body + "\n";
  } else if (sound) {
    text = "the ledger is sound: " + shown(report, "rows") + " rows\n";
  } else if (report.contains("findings") && report.at("findings").is_array()) {
    for (const json::value& finding : report.at("findings").get_array()) {
      if (finding.is_string()) text.append(std::string_view(finding.get_string())).append("\n");
    }
  }
  const bool printed = print(text);
  if (!sound) return failed_with(error(errc::internal, "the ledger is not sound"));
  return printed ? exit_ok : exit_failed;
}

constexpr std::array plain_options{json_option, config_option, set_option, data_option};
constexpr std::array account_options{
    option_spec{"--plan", "NAME", "the account's plan (default: free)"},
    option_spec{"--operator", "", "an operator's account"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr std::array grant_options{option_spec{"--reason", "TEXT", "why; it stands in the ledger"},
                                   json_option, config_option, set_option, data_option};
constexpr std::array accounts_options{
    option_spec{"--limit", "N", "how many, 1 to 500 (default: 50)"},
    option_spec{"--cursor", "CURSOR", "go on where the list before ended"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr std::array refund_options{
    option_spec{"--reason", "TEXT", "why; it stands in the ledger"},
    option_spec{"--credits", "N", "how many (default: all that is left of the charge)"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr std::array create_key_options{
    option_spec{"--name", "TEXT", "what you call it"},
    option_spec{"--test", "", "a test key: the sandbox, no network, no credits"},
    option_spec{"--scope", "SCOPE", "read or account (default: both)"},
    option_spec{"--monthly-budget", "N", "the most credits it may use in a month"},
    option_spec{"--expires", "TIME", "end after this time, such as 30d"},
    json_option,
    config_option,
    set_option,
    data_option};
constexpr std::array rotate_options{
    option_spec{"--grace", "TIME", "how long the old key still works (default: 1h)"}, json_option,
    config_option, set_option, data_option};

constexpr std::array account_rows{
    command{"accounts create", "EMAIL", "Create an account.",
            "freshet accounts create me@example.org --plan free", account_options, 1, 1,
            create_account},
    command{"accounts list", "[PART]", "List accounts, newest first, by a part of the address.",
            "freshet accounts list example.org", accounts_options, 0, 1, list_accounts},
    command{"accounts plan", "EMAIL PLAN", "Change an account's plan, at once.",
            "freshet accounts plan me@example.org free", plain_options, 2, 2, change_plan},
    command{"credits refund", "REQUEST_ID", "Give back what a call was charged, or a part of it.",
            "freshet credits refund req_01KATZ --reason 'the page was empty'", refund_options, 1, 1,
            refund_credits},
    command{"credits grant", "EMAIL N", "Give an account credits.",
            "freshet credits grant me@example.org 500 --reason 'welcome'", grant_options, 2, 2,
            grant_credits},
    command{"keys create", "EMAIL", "Create an API key and print it, once.",
            "freshet keys create me@example.org --scope read --expires 30d", create_key_options, 1,
            1, create_key},
    command{"keys list", "EMAIL", "List an account's keys.", "freshet keys list me@example.org",
            plain_options, 1, 1, list_keys},
    command{"keys rotate", "ID", "Replace a key and print the new one, once.",
            "freshet keys rotate key_01KATZ --grace 1h", rotate_options, 1, 1, rotate_key},
    command{"keys revoke", "ID", "End a key at once.", "freshet keys revoke key_01KATZ",
            plain_options, 1, 1, revoke_key},
    command{"ledger verify", "", "Replay the ledger: balances, the sum of zero, the hash chain.",
            "freshet ledger verify --json", plain_options, 0, 0, verify_ledger},
};

}  // namespace

std::span<const command> account_commands() noexcept { return account_rows; }

}  // namespace freshet::server

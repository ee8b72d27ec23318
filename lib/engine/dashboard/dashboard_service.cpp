// From a request to its command: session, CSRF token, who may, arguments; then a thread that may
// block, and the answer.
#include "engine/dashboard/dashboard_service.hpp"

#include <algorithm>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>
#include <boost/json/serialize.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <model/json.hpp>

namespace freshet::detail {
namespace {

/// Threads of each lane, in its order: no more passwords at once than memory is meant for.
constexpr std::array<std::size_t, 3> lane_widths{1, 2, 1};
/// Commands in each lane; of passwords that is a second or two.
constexpr std::array<std::size_t, 3> lane_limits{1024, 64, 64};
constexpr std::chrono::seconds overload_retry{2};

const dashboard_row* find_row(std::string_view name) {
  for (const auto family : {session_rows(), member_rows(), operator_rows()}) {
    for (const auto& row : family) {
      if (row.command.name == name) return &row;
    }
  }
  return nullptr;
}

result<json::object> read_arguments(const freshet::dashboard_request& what,
                                    const dashboard_row& row) {
  auto parsed = base::parse_json(what.arguments.empty() ? "{}" : what.arguments, true);
  if (!parsed) return parsed.error();
  if (!parsed->is_object()) return error(errc::invalid_json, "the arguments are one JSON object");
  // An operator's arguments are checked where the command line's are.
  if (row.command.who == required_role::operators) return std::move(parsed->as_object());
  for (const auto& [key, value] : parsed->as_object()) {
    const bool known =
        std::find(row.arguments.begin(), row.arguments.end(), key) != row.arguments.end();
    if (!known)
      return base::invalid_parameter("/" + std::string(key), "unknown_parameter",
                                     "unknown argument of " + what.command);
    if (!value.is_string())
      return base::invalid_parameter("/" + std::string(key), "wrong_type", "give a string");
  }
  return std::move(parsed->as_object());
}

/// Whether this caller may give this command. Fills in who it is.
result<void> authorize(dashboard_command& of, const dashboard_row& row) {
  const auto& asked = of.asked;
  if (auto who = of.users().authenticate(asked.session)) {
    of.who = std::move(*who);
  } else if (row.command.who != required_role::anybody) {
    return who.error();
  }
  if (of.who && row.command.guarded &&
      !base::equal_in_constant_time(asked.csrf_token, of.users().csrf_token(asked.session))) {
    return error(errc::csrf_failed,
                 "send the csrf_token of GET /dashboard/api/session as X-CSRF-Token");
  }
  if (row.command.who == required_role::operators && !of.who->account.is_operator) {
    return error(errc::forbidden_scope, "this is an operator's command");
  }
  return {};
}

dashboard_response refuse(const error& why, const std::string& request_id) {
  dashboard_response made;
  made.answer = model::make_problem(why, request_id, {0, std::nullopt});
  made.answer.code = why.code();
  made.answer.retry_after = why.retry_after;
  made.answer.request_id = request_id;
  return made;
}

dashboard_response run(dashboard_command& of, const dashboard_row& row) {
  auto made = row.run(of);
  if (!made) return refuse(made.error(), of.asked.request_id);
  dashboard_response out;
  out.answer.status = made->status;
  out.answer.body = json::serialize(made->body);
  out.answer.request_id = of.asked.request_id;
  out.session = std::move(made->session);
  out.file_name = std::move(made->file_name);
  return out;
}

result<void> check_seconds(const config& from, std::string_view key) {
  constexpr std::int64_t ten_years_s = 315'360'000;
  const auto value = from.integer(key).value_or(0);
  if (value >= 1 && value <= ten_years_s) return {};
  return error(errc::invalid_configuration,
               std::string(key) + ": a number of seconds from 1 to ten years is expected");
}

mail::mail_options mail_options_of(const core& in) {
  mail::mail_options options;
  options.url = in.settings.text("mail.url");
  options.from = in.settings.text("mail.from");
  options.username = in.settings.text("mail.username");
  options.password = in.settings.text("mail.password");
  options.require_tls = in.settings.flag("mail.require_tls").value_or(true);
  options.ca_file = in.settings.text("mail.ca_file");
  options.log = in.log;
  return options;
}

}  // namespace

result<void> check_dashboard(const config& from) {
  for (const auto key : {"dashboard.session_idle_s", "dashboard.session_lifetime_s"}) {
    if (auto fine = check_seconds(from, key); !fine) return fine;
  }
  const auto plan = from.text("dashboard.sign_up_plan");
  const auto plans = from.names_under("plans");
  if (plan == "free" || std::find(plans.begin(), plans.end(), plan) != plans.end()) return {};
  return error(errc::invalid_configuration,
               "dashboard.sign_up_plan: there is no plan '" + plan + "' under plans");
}

dashboard_service::dashboard_service(std::unique_ptr<parts> inside) : parts_(std::move(inside)) {}
dashboard_service::~dashboard_service() = default;

result<std::unique_ptr<dashboard_service>> dashboard_service::open(core& in) {
  auto inside = std::make_unique<parts>(in);
  if (!in.settings.text("mail.url").empty()) {
    auto opened = mail::mailer::open(mail_options_of(in));
    if (!opened) return opened.error();
    inside->mail = std::move(*opened);
  }
  for (std::size_t i = 0; i < lane_widths.size(); ++i) {
    inside->lanes[i].threads = std::make_unique<workers>(lane_widths[i]);
  }
  return std::unique_ptr<dashboard_service>(new dashboard_service(std::move(inside)));
}

void dashboard_service::submit(freshet::dashboard_request what, done_handler done) {
  if (what.request_id.empty()) {
    what.request_id = base::make_id("req_", base::system_clock().now());
  }
  const dashboard_row* const row = find_row(what.command);
  if (row == nullptr) {
    return done(refuse(error(errc::unknown_endpoint, "no command '" + what.command + "'"),
                       what.request_id));
  }
  const auto asked = std::make_shared<const freshet::dashboard_request>(std::move(what));
  const auto made = std::make_shared<dashboard_command>(
      dashboard_command{*parts_, *asked, {asked->address, asked->user_agent}, {}, {}});
  if (auto may = authorize(*made, *row); !may) return done(refuse(may.error(), asked->request_id));
  auto arguments = read_arguments(*asked, *row);
  if (!arguments) return done(refuse(arguments.error(), asked->request_id));
  made->arguments = std::move(*arguments);
  const auto index = static_cast<std::size_t>(row->waits_in);
  lane_threads& way = parts_->lanes[index];
  if (way.commands.fetch_add(1) >= lane_limits[index]) {
    --way.commands;
    error full(errc::overloaded, "too many people wait just now");
    full.retry_after = overload_retry;
    return done(refuse(full, asked->request_id));
  }
  way.threads->post([&way, made, asked, row, done = std::move(done)] {
    auto answer = run(*made, *row);
    --way.commands;
    done(std::move(answer));
  });
}

result<account::principal> authenticate_session(const core& in, const request& asked) {
  if (in.users == nullptr) {
    return error(errc::invalid_configuration, "this engine was opened without accounts");
  }
  const auto who = in.users->authenticate(asked.session);
  if (!who) return who.error();
  if (!base::equal_in_constant_time(asked.csrf_token, in.users->csrf_token(asked.session))) {
    return error(errc::csrf_failed,
                 "send the csrf_token of GET /dashboard/api/session as X-CSRF-Token");
  }
  return in.accounts->principal_of(
      who->account.id, asked.sandbox ? account::key_mode::test : account::key_mode::live);
}

}  // namespace freshet::detail

namespace freshet {

std::span<const dashboard_action> dashboard_commands() noexcept {
  static const std::vector<dashboard_action> all = [] {
    std::vector<dashboard_action> made;
    for (const auto family :
         {detail::session_rows(), detail::member_rows(), detail::operator_rows()}) {
      for (const auto& row : family) made.push_back(row.command);
    }
    return made;
  }();
  return all;
}

}  // namespace freshet

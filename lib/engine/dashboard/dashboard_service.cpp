// From a request to its command: session, CSRF token, who may, arguments; then a thread that may
// block, and the answer.
#include "engine/dashboard/dashboard_service.hpp"

#include <account/users/sessions.hpp>
#include <algorithm>
#include <base/digest.hpp>
#include <base/ids.hpp>
#include <base/invalid_parameter.hpp>
#include <engine/dashboard/dashboard_command.hpp>
#include <model/json.hpp>

namespace freshet::detail {
namespace {

/// Of each lane, in its order: no more passwords at once than memory is meant for, and so many in
/// all as take a second or two.
constexpr std::array<dashboard_lane_limits, 4> lane_limits{
    {{1, 1024, 128}, {2, 64, 8, true, true}, {1, 64, 8}, {2, 512, 128, true}}};
constexpr std::chrono::seconds overload_retry{2};

const dashboard_row* find_row(std::string_view name) {
  for (const auto family : {session_rows(), factor_rows(), member_rows(), operator_rows()}) {
    for (const auto& row : family) {
      if (row.command.name == name) return &row;
    }
  }
  return nullptr;
}

result<json::object> read_arguments(const freshet::dashboard_request& request,
                                    const dashboard_row& row) {
  auto parsed = base::parse_json(request.arguments.empty() ? "{}" : request.arguments, true);
  if (!parsed) return parsed.error();
  if (!parsed->is_object()) return error(errc::invalid_json, "the arguments are one JSON object");
  // An operator's arguments are checked where the command line's are.
  if (row.command.who == required_role::operators) return std::move(parsed->as_object());
  for (const auto& [key, value] : parsed->as_object()) {
    const bool known =
        std::ranges::find(row.arguments, std::string_view(key)) != row.arguments.end();
    if (!known)
      return base::invalid_parameter("/" + std::string(key), "unknown_parameter",
                                     "unknown argument of " + request.command);
    if (!value.is_string())
      return base::invalid_parameter("/" + std::string(key), "wrong_type", "give a string");
  }
  return std::move(parsed->as_object());
}

/// Whether this caller may give this command. Fills in who it is.
result<void> authorize(dashboard_command& command, const dashboard_row& row) {
  const auto& request = command.request;
  if (auto login = command.users().authenticate(request.session)) {
    command.login = std::move(*login);
  } else if (row.command.who != required_role::anybody) {
    return login.error();
  }
  if (command.login && row.command.guarded &&
      !base::equal_in_constant_time(request.csrf_token,
                                    command.users().csrf_token(request.session))) {
    return error(errc::csrf_failed,
                 "send the csrf_token of GET /dashboard/api/session as X-CSRF-Token");
  }
  if (row.command.who == required_role::operators && !command.login->account.is_operator) {
    return error(errc::forbidden_scope, "this is an operator's command");
  }
  if (row.command.who == required_role::signed_in && row.command.guarded)
    return command.users().take_change(*command.login);
  return {};
}

/// Asked where it may read the disk.
result<void> check_factor(const dashboard_command& command, const dashboard_row& row) {
  if (row.command.who != required_role::operators || !needs_factor(command)) return {};
  const auto factor = command.users().second_factor_of(command.login->account.id);
  if (!factor) return factor.error();
  if (factor->is_on()) return {};
  return error(errc::second_factor_missing, "turn a second factor on first, under Account");
}

/// Whose place in a lane it takes: its account's, or its address's where nobody is signed in.
owner_id owner_of(const dashboard_command& command) {
  if (command.login) return command.login->account.id;
  const std::size_t site = std::hash<std::string>()(account::site_of(command.origin.address));
  return -1 - static_cast<owner_id>(site >> 1);
}

dashboard_response refuse(const error& why, const std::string& request_id) {
  dashboard_response made;
  made.answer = model::make_problem(why, request_id, {0, std::nullopt});
  made.answer.code = why.code();
  made.answer.request_id = request_id;
  return made;
}

dashboard_response response_of(dashboard_result&& made, const std::string& request_id) {
  if (!made) return refuse(made.error(), request_id);
  dashboard_response out;
  out.answer.status = made->status;
  out.answer.body = std::move(made->body);
  out.answer.request_id = request_id;
  out.session = std::move(made->session);
  out.file_name = std::move(made->file_name);
  if (!made->media_type.empty()) out.answer.content_type = made->media_type;
  return out;
}

void run(dashboard_command& command, const dashboard_row& row, const dashboard_taker& give) {
  if (auto may = check_factor(command, row); !may) return give(may.error());
  row.run != nullptr ? give(row.run(command)) : row.begin(command, give);
}

result<void> check_seconds(const config& settings, std::string_view key) {
  constexpr std::int64_t ten_years_s = 315'360'000;
  const auto value = settings.integer(key).value_or(0);
  if (value >= 1 && value <= ten_years_s) return {};
  return error(errc::invalid_configuration,
               std::string(key) + ": a number of seconds from 1 to ten years is expected");
}

}  // namespace

result<void> check_dashboard(const config& settings) {
  for (const auto key : {"dashboard.session_idle_s", "dashboard.session_lifetime_s"}) {
    if (auto fine = check_seconds(settings, key); !fine) return fine;
  }
  const auto plan = settings.text("dashboard.sign_up_plan");
  const auto plans = settings.names_under("plans");
  if (plan == "free" || std::ranges::find(plans, plan) != plans.end()) return {};
  return error(errc::invalid_configuration,
               "dashboard.sign_up_plan: there is no plan '" + plan + "' under plans");
}

dashboard_service::dashboard_service(std::unique_ptr<parts> inside) : parts_(std::move(inside)) {}
dashboard_service::~dashboard_service() = default;

std::unique_ptr<dashboard_service> dashboard_service::open(core& shared) {
  auto inside = std::make_unique<parts>(shared);
  for (std::size_t i = 0; i < lane_limits.size(); ++i) {
    inside->lanes[i] = std::make_unique<dashboard_lane>(lane_limits[i]);
  }
  return std::unique_ptr<dashboard_service>(new dashboard_service(std::move(inside)));
}

void dashboard_service::submit(freshet::dashboard_request given, done_handler done) {
  if (given.request_id.empty()) {
    given.request_id = base::make_id("req_", base::system_clock().now());
  }
  const dashboard_row* const row = find_row(given.command);
  if (row == nullptr) {
    return done(refuse(error(errc::unknown_endpoint, "no command '" + given.command + "'"),
                       given.request_id));
  }
  const auto request = std::make_shared<const freshet::dashboard_request>(std::move(given));
  const auto made = std::make_shared<dashboard_command>(
      dashboard_command{*parts_, *request, {request->address, request->user_agent}, {}, {}});
  if (auto may = authorize(*made, *row); !may)
    return done(refuse(may.error(), request->request_id));
  auto arguments = read_arguments(*request, *row);
  if (!arguments) return done(refuse(arguments.error(), request->request_id));
  made->arguments = std::move(*arguments);
  // What stands there is answered where memory runs out on the way.
  const auto answer =
      std::make_shared<dashboard_response>(refuse(error(errc::overloaded), request->request_id));
  const owner_id owner = owner_of(*made);
  dashboard_lane& lane = *parts_->lanes[static_cast<std::size_t>(row->waits_in)];
  const bool waits = lane.post(
      owner,
      [made, request, row, answer](const dashboard_lane::place& place) {
        run(*made, *row, [made, request, answer, place](dashboard_result got) {
          *answer = response_of(std::move(got), request->request_id);
        });
      },
      [answer, done] { done(std::move(*answer)); }, owner < 0 && made->users().knows(made->origin));
  if (waits) return;
  error full(errc::overloaded, "too many people wait just now");
  full.retry_after = overload_retry;
  done(refuse(full, request->request_id));
}

result<account::principal> authenticate_session(const core& shared, const request& call) {
  if (shared.users == nullptr) {
    return error(errc::invalid_configuration, "this engine was opened without accounts");
  }
  const auto login = shared.users->authenticate(call.session);
  if (!login) return login.error();
  if (!base::equal_in_constant_time(call.csrf_token, shared.users->csrf_token(call.session))) {
    return error(errc::csrf_failed,
                 "send the csrf_token of GET /dashboard/api/session as X-CSRF-Token");
  }
  return shared.accounts->principal_of(
      login->account.id, call.sandbox ? account::key_mode::test : account::key_mode::live);
}

}  // namespace freshet::detail

namespace freshet {

std::span<const dashboard_action> dashboard_commands() noexcept {
  static const std::vector<dashboard_action> all = [] {
    std::vector<dashboard_action> made;
    for (const auto family : {detail::session_rows(), detail::factor_rows(), detail::member_rows(),
                              detail::operator_rows()}) {
      for (const auto& row : family) made.push_back(row.command);
    }
    return made;
  }();
  return all;
}

}  // namespace freshet

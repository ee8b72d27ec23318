// Visits without a server: what the engine itself refuses, whatever door they come through.
#include <algorithm>
#include <boost/json.hpp>
#include <catch2/catch.hpp>
#include <freshet/engine.hpp>
#include <future>
#include <mutex>
#include <support/temporary_folder.hpp>
#include <vector>

using namespace freshet;
namespace json = boost::json;

namespace {

constexpr const char* password = "a tide of gauges";

/// An engine with accounts, and its log.
struct house {
  test::temporary_folder at;
  std::mutex mutex;
  std::string log;
  std::unique_ptr<engine> inside;

  explicit house(bool with_accounts = true) {
    engine_options options;
    options.with_accounts = with_accounts;
    options.log = [this](std::string_view, std::string_view line) {
      const std::lock_guard lock(mutex);
      log.append(line).append("\n");
    };
    REQUIRE(options.config.set("storage.data_dir", at.path()).has_value());
    REQUIRE(options.config.set("dashboard.open_sign_up", "true").has_value());
    auto opened = engine::open(std::move(options));
    REQUIRE(opened.has_value());
    inside = std::move(*opened);
  }

  dashboard_response give(dashboard_request what) {
    std::promise<dashboard_response> told;
    auto answer = told.get_future();
    inside->submit_dashboard(std::move(what),
                             [&](dashboard_response made) { told.set_value(std::move(made)); });
    return answer.get();
  }
  dashboard_response give(const std::string& command, const json::object& arguments,
                          const std::string& session = "", const std::string& csrf = "") {
    return give({command, json::serialize(arguments), session, csrf, "192.0.2.1", "test", ""});
  }
  std::string last_token() {
    const std::lock_guard lock(mutex);
    const auto at_token = log.rfind("token=");
    REQUIRE(at_token != std::string::npos);
    return log.substr(at_token + 6, 43);
  }
  /// A new person's session, with its CSRF token.
  std::pair<std::string, std::string> sign_up(const std::string& email) {
    CHECK(give("sign-up", {{"email", email}}).answer.status == 202);
    const auto made = give("verify", {{"token", last_token()}, {"password", password}});
    REQUIRE(made.answer.status == 200);
    const auto body = json::parse(made.answer.body);
    return {made.session.value(), std::string(body.at("csrf_token").as_string())};
  }
};

errc code_of(const dashboard_response& made) { return made.answer.code; }

}  // namespace

TEST_CASE("an engine without accounts has no visitors") {
  house empty(false);
  CHECK(code_of(empty.give("session", {})) == errc::invalid_configuration);
  request call;
  call.endpoint = "account/show";
  call.session = "x";
  CHECK(empty.inside->call(call).code == errc::invalid_configuration);
}

TEST_CASE("every guarded command wants the session's CSRF token, through any door") {
  house in;
  const auto [session, csrf] = in.sign_up("a@example.org");
  const auto [other, other_csrf] = in.sign_up("b@example.org");
  std::size_t guarded = 0;
  for (const auto& one : dashboard_commands()) {
    if (!one.guarded) continue;
    ++guarded;
    for (const auto& wrong : {std::string(), other_csrf, csrf.substr(1), csrf + "x"})
      CHECK(code_of(in.give(std::string(one.name), {}, session, wrong)) == errc::csrf_failed);
  }
  CHECK(guarded >= 18);
  request call;
  call.endpoint = "account/show";
  call.session = session;
  call.csrf_token = other_csrf;
  CHECK(in.inside->call(call).code == errc::csrf_failed);
  call.csrf_token = csrf;
  const auto shown = in.inside->call(call);
  CHECK(shown.status == 200);
  CHECK(shown.credits_used == 0);
  call.session = "no session";
  CHECK(in.inside->call(call).code == errc::not_signed_in);
  CHECK(in.give("session", {}, session).answer.status == 200);
}

TEST_CASE("commands are for those they are for") {
  house in;
  const auto [session, csrf] = in.sign_up("a@example.org");
  const std::string mistyped = (session.front() == 'x' ? "y" : "x") + session.substr(1);
  for (const auto& one : dashboard_commands()) {
    const std::string name(one.name);
    if (one.who == required_role::anybody) continue;
    CHECK(code_of(in.give(name, {})) == errc::not_signed_in);
    CHECK(code_of(in.give(name, {}, mistyped, csrf)) == errc::not_signed_in);
    if (one.who == required_role::operators)
      CHECK(code_of(in.give(name, {}, session, csrf)) == errc::forbidden_scope);
  }
  REQUIRE(in.inside->run_admin_command("accounts.operator", R"({"email":"a@example.org"})")
              .has_value());
  const auto log = in.give("operator/audit.list", {}, session, csrf);
  CHECK(log.answer.status == 200);
  CHECK(log.answer.credits_used == 0);
}

TEST_CASE("what is no command and no argument is refused") {
  house in;
  CHECK(code_of(in.give("nothing", {})) == errc::unknown_endpoint);
  CHECK(code_of(in.give("sign-in", {{"mail", "x"}})) == errc::invalid_request);
  CHECK(code_of(in.give("sign-in", {{"email", 5}})) == errc::invalid_request);
  for (const char* const text : {"[]", "{", "null", "{\"a\":1,\"a\":2}"})
    CHECK(in.give({"sign-in", text, "", "", "", "", ""}).answer.status == 400);
  const auto named = in.give({"session", "", "", "", "", "", "req_mine"});
  CHECK(named.answer.request_id == "req_mine");
  CHECK_FALSE(named.session.has_value());
}

TEST_CASE("a session that has ended is taken back from its bearer") {
  house in;
  const auto [session, csrf] = in.sign_up("a@example.org");
  CHECK(in.give("sign-out", {}, session, csrf).session == "");
  const auto after = in.give("session", {}, session);
  CHECK(after.answer.status == 200);
  CHECK(after.session == "");
}

TEST_CASE("an export holds a bounded part of a ledger, and says where the rest begins", "[alone]") {
  constexpr int grants = 2003;
  house in;
  const auto [session, csrf] = in.sign_up("a@example.org");
  const auto whole = json::parse(in.give("export", {}, session).answer.body).as_object();
  CHECK(whole.contains("account"));
  CHECK(whole.at("ledger").as_array().empty());  // its month begins with its first movement
  CHECK_FALSE(whole.contains("ledger_before"));
  for (int i = 0; i < grants; ++i)
    REQUIRE(in.inside
                ->run_admin_command("credits.grant",
                                    R"({"email":"a@example.org","credits":1,"reason":"x"})")
                .has_value());
  const auto first = json::parse(in.give("export", {}, session).answer.body).as_object();
  const auto& newest = first.at("ledger").as_array();
  REQUIRE(newest.size() == 2000);
  REQUIRE(first.at("ledger_before") == newest.back().at("id"));
  const auto second = in.give("export", {{"before", first.at("ledger_before")}}, session);
  CHECK(second.file_name.empty());
  const auto rest = json::parse(second.answer.body).as_object();
  CHECK(rest.size() == 1);
  const auto& oldest = rest.at("ledger").as_array();
  REQUIRE(oldest.size() == grants + 1 - 2000);
  CHECK(oldest.back().at("balance") == 1000);
  CHECK(oldest.front().at("balance").as_int64() + 1 == newest.back().at("balance").as_int64());
  for (const char* const wrong : {"2000", "led_", "led_0", "led_x", "led_-1"})
    CHECK(code_of(in.give("export", {{"before", wrong}}, session)) == errc::invalid_request);
}

TEST_CASE("six networks of strangers do not take all the places of those who sign in") {
  house in;
  in.sign_up("a@example.org");
  std::vector<std::promise<errc>> told(6 * 8 + 1);
  const auto guess = [&](std::size_t number, const std::string& address, const char* words) {
    const json::object arguments{{"email", "a@example.org"}, {"password", words}};
    in.inside->submit_dashboard(
        {"sign-in", json::serialize(arguments), "", "", address, "test", ""},
        [&told, number](const dashboard_response& made) {
          told[number].set_value(made.answer.code);
        });
  };
  for (std::size_t i = 0; i < 6 * 8; ++i) {
    guess(i, "2001:db8:" + std::to_string(i / 8) + ":" + std::to_string(i) + "::1",
          "a wrong guess");
  }
  guess(6 * 8, "203.0.113.5", password);
  std::vector<errc> codes;
  for (auto& each : told) codes.push_back(each.get_future().get());
  CHECK(codes.back() == errc{});
  // Nor do many networks of one site have more than one network.
  CHECK(std::ranges::count(codes, errc::overloaded) > 0);
}

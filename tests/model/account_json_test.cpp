#include <base/json.hpp>
#include <catch2/catch.hpp>
#include <model/account_json.hpp>
#include <support/schema_check.hpp>

using namespace freshet;
using namespace freshet::model;

namespace {

/// Parses what was written and holds it to the catalogue.
void check(const std::string& text, std::string_view object,
           const std::vector<std::string>& fields = {}) {
  INFO(text);
  const auto parsed = base::parse_json(text, true);
  REQUIRE(parsed.has_value());
  const auto* schema = catalog::find_object_schema(object);
  REQUIRE(schema != nullptr);
  for (const auto& problem : test::schema_problems(*parsed, *schema, fields)) {
    FAIL_CHECK(problem);
  }
}

const time_point november{std::chrono::seconds(1'793'491'200)};

}  // namespace

TEST_CASE("an account is what the catalogue says") {
  account_answer what;
  what.id = "acc_1";
  what.email = "a@b.example";
  what.plan = "free";
  what.balance = 999;
  what.period.start = november;
  what.period.end = november + std::chrono::days(30);
  what.period.grant = 1000;
  what.key.id = "key_1";
  what.key.mode = "live";
  what.key.scopes = {"read", "account"};
  what.key.last_four = "a1B2";
  what.limits.rate = 2;
  what.limits.burst = 10;
  std::string out;
  append_account(out, what);
  check(out, "account");
  CHECK(out ==
        R"({"object":"account","id":"acc_1","email":"a@b.example","plan":"free","balance":999,)"
        R"("reserved":0,"period":{"start":"2026-11-01T00:00:00Z","end":"2026-12-01T00:00:00Z",)"
        R"("grant":1000},"key":{"id":"key_1","mode":"live","scopes":["read","account"],)"
        R"("last_four":"a1B2","monthly_budget":null,"expires_at":null,"name":null,)"
        R"("budget_used":null},"limits":{"rate":2,"burst":10}})");
  what.key.monthly_budget = 5;
  what.key.expires_at = november;
  what.limits.rate = 0.5;
  out.clear();
  append_account(out, what);
  check(out, "account");
}

TEST_CASE("what an owner is told of") {
  alerts_answer what;
  what.id = "acc_1";
  what.credits_left = {"20", "0"};
  what.key_budgets = true;
  std::string out;
  append_alerts(out, what);
  check(out, "alert_settings");
  CHECK(out ==
        R"({"object":"alert_settings","id":"acc_1","credits_left":["20","0"],"key_budgets":true,)"
        R"("failing_sources":false,"mail":false,"email":null,"webhook":null,)"
        R"("webhook_secret":null})");
  what.email = "a@b.example";
  what.webhook = "https://hooks.example/";
  what.webhook_secret = "whsec_x";
  out.clear();
  append_alerts(out, what);
  check(out, "alert_settings");
}

TEST_CASE("where a test alert went") {
  std::string out;
  alert_test_answer sent;
  sent.id = "acc_1";
  sent.webhook = "https://hooks.example/";
  append_alert_test(out, sent);
  check(out, "alert_test");
  CHECK(out ==
        R"({"object":"alert_test","id":"acc_1","email":null,"webhook":"https://hooks.example/"})");
}

TEST_CASE("a row of usage and an entry of the ledger") {
  std::string out;
  append_usage(out, {"day:2026-11-21", "2026-11-21", 3, 7, "2026-11-21"});
  CHECK(out == R"({"object":"usage_row","id":"day:2026-11-21","group":"2026-11-21",)"
               R"("calls":3,"credits":7,"day":"2026-11-21","endpoint":null,"key_id":null,)"
               R"("source":null})");
  check(out, "usage_row");
  out.clear();
  append_usage(out, {"day,source:2026-11-21,feeds", "2026-11-21,feeds", 1, 1, "2026-11-21", "", "",
                     "feeds"});
  check(out, "usage_row");

  ledger_answer entry;
  entry.id = "led_1";
  entry.created_at = november;
  entry.kind = "usage";
  entry.amount = -1;
  entry.balance = 999;
  entry.hash = "00ff";
  out.clear();
  append_ledger(out, entry);
  check(out, "ledger_entry");
  CHECK(out.find(R"("reason":null)") != std::string::npos);
  entry.reason = "monthly grant 2026-11";
  entry.endpoint = "news/search";
  entry.request_id = "req_1";
  entry.key_id = "key_1";
  out.clear();
  append_ledger(out, entry);
  check(out, "ledger_entry");
  out.clear();
  entry.refund_of = "led_3";
  append_ledger(out, entry);
  CHECK(out.ends_with(R"("refund_of":"led_3"})"));
  check(out, "ledger_entry");
  out.clear();
  append_ledger(out, entry, std::vector<std::string>{"amount"});
  CHECK(out == R"({"object":"ledger_entry","id":"led_1","amount":-1})");
}

TEST_CASE("a key shows its secret only when it is given") {
  key_answer what;
  what.id = "key_1";
  what.mode = "test";
  what.scopes = {"read"};
  what.last_four = "a1B2";
  what.created_at = november;
  what.prefix = "frs_test_";
  std::string out;
  append_key(out, what);
  check(out, "api_key");
  CHECK(out.ends_with(R"("key":null,"name":null,"prefix":"frs_test_","budget_used":null,)"
                      R"("rotated_at":null,"origins":[]})"));
  what.key = "frs_test_x";
  what.name = "the laptop";
  what.monthly_budget = 1;
  what.budget_used = 0;
  what.expires_at = what.revoked_at = what.last_used_at = what.rotated_at = november;
  out.clear();
  append_key(out, what);
  check(out, "api_key");
  CHECK(out.find(R"("key":"frs_test_x","name":"the laptop")") != std::string::npos);
}

TEST_CASE("other layouts have the same members in another order") {
  key_answer key;
  key.id = "key_1";
  key.mode = "live";
  key.created_at = november;
  key.state = "expired";
  constexpr std::string_view names[] = {"mode", "id", "name", "rotated_at", "state", "nothing"};
  std::string out;
  append_members(out, key, {names});
  CHECK(out == R"({"mode":"live","id":"key_1","name":null,"rotated_at":null,"state":"expired"})");
  out.clear();
  append_members(out, key, {names, false});
  CHECK(out == R"({"mode":"live","id":"key_1","name":"","rotated_at":null,"state":"expired"})");

  account_answer account;
  account.verified_at = november;
  constexpr std::string_view told[] = {"email_verified", "email_verified_at", "deleted_at"};
  out.clear();
  append_members(out, account, {told});
  CHECK(out == R"({"email_verified":true,"email_verified_at":"2026-11-01T00:00:00Z",)"
               R"("deleted_at":null})");

  ledger_answer entry;
  constexpr std::string_view reasons[] = {"reason", "amount"};
  out.clear();
  append_members(out, entry, {reasons, false});
  CHECK(out == R"({"reason":"","amount":0})");
}

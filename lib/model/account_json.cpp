// The account calls' answers as JSON, in the order of the catalogue's schemas.
#include <model/account_json.hpp>
#include <model/object_writer.hpp>

namespace freshet::model {

void append_account(std::string& out, const account_answer& what,
                    std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "account");
  to.exact("id", what.id);
  to.exact("email", what.email);
  to.exact("plan", what.plan);
  to.integer("balance", what.balance);
  to.integer("reserved", what.reserved);
  to.object("period", [&](object_writer& inside) {
    inside.time("start", what.period.start);
    inside.time("end", what.period.end);
    inside.integer("grant", what.period.grant);
  });
  to.object("key", [&](object_writer& inside) {
    inside.exact("id", what.key.id);
    inside.exact("mode", what.key.mode);
    inside.strings("scopes", what.key.scopes);
    inside.exact("last_four", what.key.last_four);
    inside.integer("monthly_budget", what.key.monthly_budget);
    inside.time("expires_at", what.key.expires_at);
    inside.text("name", what.key.name);
    inside.integer("budget_used", what.key.budget_used);
  });
  to.object("limits", [&](object_writer& inside) {
    inside.number("rate", what.limits.rate);
    inside.integer("burst", what.limits.burst);
  });
  to.close();
}

void append_usage(std::string& out, const usage_answer& what, std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "usage_row");
  to.exact("id", what.id);
  to.exact("group", what.group);
  to.integer("calls", what.calls);
  to.integer("credits", what.credits);
  to.text("day", what.day);
  to.text("endpoint", what.endpoint);
  to.text("key_id", what.key_id);
  to.text("source", what.source);
  to.close();
}

void append_ledger(std::string& out, const ledger_answer& what,
                   std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "ledger_entry");
  to.exact("id", what.id);
  to.time("created_at", what.created_at);
  to.exact("kind", what.kind);
  to.integer("amount", what.amount);
  to.integer("balance", what.balance);
  to.text("reason", what.reason);
  to.text("endpoint", what.endpoint);
  to.text("request_id", what.request_id);
  to.text("key_id", what.key_id);
  to.exact("hash", what.hash);
  to.text("refund_of", what.refund_of);
  to.close();
}

void append_key(std::string& out, const key_answer& what, std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "api_key");
  to.exact("id", what.id);
  to.exact("mode", what.mode);
  to.strings("scopes", what.scopes);
  to.exact("last_four", what.last_four);
  to.integer("monthly_budget", what.monthly_budget);
  to.time("created_at", what.created_at);
  to.time("expires_at", what.expires_at);
  to.time("revoked_at", what.revoked_at);
  to.time("last_used_at", what.last_used_at);
  to.text("key", what.key);
  to.text("name", what.name);
  to.exact("prefix", what.prefix);
  to.integer("budget_used", what.budget_used);
  to.time("rotated_at", what.rotated_at);
  to.close();
}

}  // namespace freshet::model

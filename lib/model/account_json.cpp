// The members of the account calls' answers: one table for each object, in the order of the
// catalogue's schemas. A layout takes of it what it names; nothing else knows how a member is
// written.
#include <algorithm>
#include <model/account_json.hpp>
#include <model/object_writer.hpp>

namespace freshet::model {
namespace {

/// Where a member is written, and under which name.
struct member_place {
  object_writer& object;
  std::string_view name;
  bool has_nulls = true;
};

template <class Answer>
struct member {
  std::string_view name;
  void (*write)(const member_place&, const Answer&);
};

template <auto field, class Answer>
void value(const member_place& place, const Answer& answer) {
  place.object.value(place.name, answer.*field);
}
/// Empty: nobody gave it.
template <auto field, class Answer>
void text(const member_place& place, const Answer& answer) {
  if (!place.has_nulls) return value<field>(place, answer);
  place.object.text(place.name, answer.*field);
}

void write_period(const member_place& place, const account_answer& account) {
  place.object.object(place.name, [&](object_writer& inside) {
    inside.time("start", account.period.start);
    inside.time("end", account.period.end);
    inside.integer("grant", account.period.grant);
  });
}

void write_limits(const member_place& place, const account_answer& account) {
  place.object.object(place.name, [&](object_writer& inside) {
    inside.number("rate", account.limits.rate);
    inside.integer("burst", account.limits.burst);
  });
}

void write_verified(const member_place& place, const account_answer& account) {
  place.object.flag(place.name, account.verified_at.has_value());
}

template <class Answer>
void write_object_name(const member_place& place, const Answer&) {
  constexpr bool is_account = std::is_same_v<Answer, account_answer>;
  constexpr bool is_key = std::is_same_v<Answer, key_answer>;
  place.object.exact(place.name, is_account ? "account" : is_key ? "api_key" : "ledger_entry");
}

constexpr member<ledger_answer> ledger_members[] = {
    {"object", write_object_name},
    {"id", value<&ledger_answer::id>},
    {"created_at", value<&ledger_answer::created_at>},
    {"kind", value<&ledger_answer::kind>},
    {"amount", value<&ledger_answer::amount>},
    {"balance", value<&ledger_answer::balance>},
    {"reason", text<&ledger_answer::reason>},
    {"endpoint", text<&ledger_answer::endpoint>},
    {"request_id", text<&ledger_answer::request_id>},
    {"key_id", text<&ledger_answer::key_id>},
    {"hash", value<&ledger_answer::hash>},
    {"refund_of", text<&ledger_answer::refund_of>},
};

constexpr member<key_answer> key_members[] = {
    {"object", write_object_name},
    {"id", value<&key_answer::id>},
    {"mode", value<&key_answer::mode>},
    {"scopes", value<&key_answer::scopes>},
    {"last_four", value<&key_answer::last_four>},
    {"monthly_budget", value<&key_answer::monthly_budget>},
    {"created_at", value<&key_answer::created_at>},
    {"expires_at", value<&key_answer::expires_at>},
    {"revoked_at", value<&key_answer::revoked_at>},
    {"last_used_at", value<&key_answer::last_used_at>},
    {"key", text<&key_answer::key>},
    {"name", text<&key_answer::name>},
    {"prefix", value<&key_answer::prefix>},
    {"budget_used", value<&key_answer::budget_used>},
    {"rotated_at", value<&key_answer::rotated_at>},
    {"origins", value<&key_answer::origins>},
    // The API says no more of a key: api_key_members.
    {"state", text<&key_answer::state>},
};

constexpr std::size_t api_key_members = 16;
static_assert(key_members[api_key_members].name == "state");

template <class Answer>
void append_all(std::string& out, std::span<const member<Answer>> members, const Answer& answer,
                std::span<const std::string> fields) {
  object_writer object(out, fields);
  for (const auto& one : members) one.write({object, one.name}, answer);
  object.close();
}

template <class Answer>
void write_named(object_writer& object, std::span<const member<Answer>> members,
                 const Answer& answer, const member_layout& layout) {
  for (const auto name : layout.names) {
    const auto found =
        std::ranges::find_if(members, [&](const auto& one) { return one.name == name; });
    if (found != members.end()) found->write({object, name, layout.has_nulls}, answer);
  }
}

template <class Answer>
void append_named(std::string& out, std::span<const member<Answer>> members, const Answer& answer,
                  const member_layout& layout) {
  object_writer object(out);
  write_named(object, members, answer, layout);
  object.close();
}

void write_calling_key(const member_place& place, const account_answer& account) {
  constexpr std::string_view names[] = {
      "id", "mode", "scopes", "last_four", "monthly_budget", "expires_at", "name", "budget_used"};
  place.object.object(place.name, [&](object_writer& inside) {
    write_named<key_answer>(inside, key_members, account.key, {names});
  });
}

constexpr member<account_answer> account_members[] = {
    {"object", write_object_name},
    {"id", value<&account_answer::id>},
    {"email", value<&account_answer::email>},
    {"plan", value<&account_answer::plan>},
    {"balance", value<&account_answer::balance>},
    {"reserved", value<&account_answer::reserved>},
    {"period", write_period},
    {"key", write_calling_key},
    {"limits", write_limits},
    // The API says no more of an account: api_account_members.
    {"keys", value<&account_answer::keys>},
    {"operator", value<&account_answer::is_operator>},
    {"email_verified", write_verified},
    {"email_verified_at", value<&account_answer::verified_at>},
    {"created_at", value<&account_answer::created_at>},
    {"deleted_at", value<&account_answer::deleted_at>},
};

constexpr std::size_t api_account_members = 9;
static_assert(account_members[api_account_members].name == "keys");

}  // namespace

void append_account(std::string& out, const account_answer& account,
                    std::span<const std::string> fields) {
  append_all<account_answer>(out, std::span(account_members).first(api_account_members), account,
                             fields);
}

void append_usage(std::string& out, const usage_answer& usage,
                  std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "usage_row");
  to.exact("id", usage.id);
  to.exact("group", usage.group);
  to.integer("calls", usage.calls);
  to.integer("credits", usage.credits);
  to.text("day", usage.day);
  to.text("endpoint", usage.endpoint);
  to.text("key_id", usage.key_id);
  to.text("source", usage.source);
  to.close();
}

void append_ledger(std::string& out, const ledger_answer& entry,
                   std::span<const std::string> fields) {
  append_all<ledger_answer>(out, ledger_members, entry, fields);
}

void append_verification(std::string& out, const verification_answer& made,
                         std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "ledger_verification");
  to.exact("id", made.id);
  to.flag("ok", made.findings.empty());
  to.integer("entries", made.entries);
  to.flag("complete", made.is_complete);
  to.text("head", made.head);
  to.integer("balance", made.balance);
  to.value("findings", made.findings);
  to.close();
}

void append_key(std::string& out, const key_answer& key, std::span<const std::string> fields) {
  append_all<key_answer>(out, std::span(key_members).first(api_key_members), key, fields);
}

void append_request(std::string& out, const request_answer& request,
                    std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "request");
  to.exact("id", request.id);
  to.time("created_at", request.created_at);
  to.exact("endpoint", request.endpoint);
  to.exact("key_id", request.key_id);
  to.text("key_name", request.key_name);
  to.exact("mode", request.mode);
  to.integer("status", request.status);
  to.text("code", request.code);
  to.integer("credits", request.credits);
  to.integer("elapsed_ms", request.elapsed_ms);
  to.integer("items", request.items);
  to.text("completeness", request.completeness);
  to.flag("replayed", request.replayed);
  to.objects("sources", request.sources, [](object_writer& row, const source_report& one) {
    row.exact("name", one.name);
    row.text("instance", one.instance);
    row.exact("status", one.status);
    row.text("code", one.code);
    row.integer("items_read", one.items_read);
    row.integer("items", one.items);
    row.text("cache", one.cache);
    row.integer("elapsed_ms", one.elapsed_ms);
  });
  to.text("ledger_entry", request.ledger_entry);
  to.text("body", request.body);
  to.text("answer", request.answer);
  to.close();
}

void append_alerts(std::string& out, const alerts_answer& alerts,
                   std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "alert_settings");
  to.exact("id", alerts.id);
  to.value("credits_left", alerts.credits_left);
  to.flag("key_budgets", alerts.key_budgets);
  to.flag("failing_sources", alerts.failing_sources);
  to.flag("mail", alerts.mail);
  to.text("email", alerts.email);
  to.text("webhook", alerts.webhook);
  to.text("webhook_secret", alerts.webhook_secret);
  to.close();
}

void append_alert_test(std::string& out, const alert_test_answer& sent,
                       std::span<const std::string> fields) {
  object_writer to(out, fields);
  to.exact("object", "alert_test");
  to.exact("id", sent.id);
  to.text("email", sent.email);
  to.text("webhook", sent.webhook);
  to.close();
}

void append_members(std::string& out, const account_answer& account, const member_layout& layout) {
  append_named<account_answer>(out, account_members, account, layout);
}

void append_members(std::string& out, const ledger_answer& entry, const member_layout& layout) {
  append_named<ledger_answer>(out, ledger_members, entry, layout);
}

void append_members(std::string& out, const key_answer& key, const member_layout& layout) {
  append_named<key_answer>(out, key_members, key, layout);
}

}  // namespace freshet::model

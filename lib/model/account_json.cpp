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

// The ways to write a field of an answer.
template <auto field, class Answer>
void exact(const member_place& place, const Answer& answer) {
  place.object.exact(place.name, answer.*field);
}
/// Empty: nobody gave it.
template <auto field, class Answer>
void text(const member_place& place, const Answer& answer) {
  if (place.has_nulls) {
    place.object.text(place.name, answer.*field);
  } else {
    place.object.exact(place.name, answer.*field);
  }
}
template <auto field, class Answer>
void strings(const member_place& place, const Answer& answer) {
  place.object.strings(place.name, answer.*field);
}
template <auto field, class Answer>
void integer(const member_place& place, const Answer& answer) {
  place.object.integer(place.name, answer.*field);
}
template <auto field, class Answer>
void time(const member_place& place, const Answer& answer) {
  place.object.time(place.name, answer.*field);
}
template <auto field, class Answer>
void flag(const member_place& place, const Answer& answer) {
  place.object.flag(place.name, answer.*field);
}

void write_period(const member_place& place, const account_answer& account) {
  place.object.object(place.name, [&](object_writer& inside) {
    inside.time("start", account.period.start);
    inside.time("end", account.period.end);
    inside.integer("grant", account.period.grant);
  });
}

void write_calling_key(const member_place& place, const account_answer& account) {
  place.object.object(place.name, [&](object_writer& inside) {
    inside.exact("id", account.key.id);
    inside.exact("mode", account.key.mode);
    inside.strings("scopes", account.key.scopes);
    inside.exact("last_four", account.key.last_four);
    inside.integer("monthly_budget", account.key.monthly_budget);
    inside.time("expires_at", account.key.expires_at);
    inside.text("name", account.key.name);
    inside.integer("budget_used", account.key.budget_used);
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

constexpr member<account_answer> account_members[] = {
    {"object", write_object_name},
    {"id", exact<&account_answer::id>},
    {"email", exact<&account_answer::email>},
    {"plan", exact<&account_answer::plan>},
    {"balance", integer<&account_answer::balance>},
    {"reserved", integer<&account_answer::reserved>},
    {"period", write_period},
    {"key", write_calling_key},
    {"limits", write_limits},
    // The API says no more of an account: api_account_members.
    {"keys", integer<&account_answer::keys>},
    {"operator", flag<&account_answer::is_operator>},
    {"email_verified", write_verified},
    {"email_verified_at", time<&account_answer::verified_at>},
    {"created_at", time<&account_answer::created_at>},
    {"deleted_at", time<&account_answer::deleted_at>},
};

constexpr std::size_t api_account_members = 9;
static_assert(account_members[api_account_members].name == "keys");

constexpr member<ledger_answer> ledger_members[] = {
    {"object", write_object_name},
    {"id", exact<&ledger_answer::id>},
    {"created_at", time<&ledger_answer::created_at>},
    {"kind", exact<&ledger_answer::kind>},
    {"amount", integer<&ledger_answer::amount>},
    {"balance", integer<&ledger_answer::balance>},
    {"reason", text<&ledger_answer::reason>},
    {"endpoint", text<&ledger_answer::endpoint>},
    {"request_id", text<&ledger_answer::request_id>},
    {"key_id", text<&ledger_answer::key_id>},
    {"hash", exact<&ledger_answer::hash>},
    {"refund_of", text<&ledger_answer::refund_of>},
};

constexpr member<key_answer> key_members[] = {
    {"object", write_object_name},
    {"id", exact<&key_answer::id>},
    {"mode", exact<&key_answer::mode>},
    {"scopes", strings<&key_answer::scopes>},
    {"last_four", exact<&key_answer::last_four>},
    {"monthly_budget", integer<&key_answer::monthly_budget>},
    {"created_at", time<&key_answer::created_at>},
    {"expires_at", time<&key_answer::expires_at>},
    {"revoked_at", time<&key_answer::revoked_at>},
    {"last_used_at", time<&key_answer::last_used_at>},
    {"key", text<&key_answer::key>},
    {"name", text<&key_answer::name>},
    {"prefix", exact<&key_answer::prefix>},
    {"budget_used", integer<&key_answer::budget_used>},
    {"rotated_at", time<&key_answer::rotated_at>},
};

template <class Answer>
void append_all(std::string& out, std::span<const member<Answer>> members, const Answer& answer,
                std::span<const std::string> fields) {
  object_writer object(out, fields);
  for (const auto& one : members) one.write({object, one.name}, answer);
  object.close();
}

template <class Answer>
void append_named(std::string& out, std::span<const member<Answer>> members, const Answer& answer,
                  const member_layout& layout) {
  object_writer object(out);
  for (const auto name : layout.names) {
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const auto& one) { return one.name == name; });
    if (found != members.end()) found->write({object, name, layout.has_nulls}, answer);
  }
  object.close();
}

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

void append_key(std::string& out, const key_answer& key, std::span<const std::string> fields) {
  append_all<key_answer>(out, key_members, key, fields);
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

// The schemas of everything that can be in `data`: the contract's section 3 as tables, key by key
// in the order in which lib/model writes them. Those of items are made of the one table of their
// keys, include/freshet/item_fields.def; here stand the account's.
#include <algorithm>
#include <array>
#include <catalog/endpoint.hpp>

namespace freshet::catalog {
namespace {

constexpr field required(std::string_view name, field_type type, std::string_view doc,
                         std::span<const field> fields = {}) {
  return {name, type, false, doc, fields};
}

constexpr field nullable(std::string_view name, field_type type, std::string_view doc,
                         std::span<const field> fields = {}) {
  return {name, type, true, doc, fields};
}

using enum field_type;

// The items, made of their table: the fields of each part, of item_common and of each kind.
// clang-format off
#define FRESHET_PART(name, doc) constexpr field name##_fields[] = {
#define FRESHET_ITEM(name, doc) FRESHET_PART(name, doc)
#define FRESHET_FIELD(type, key, presence, json, doc) presence(#key, json, doc),
#define FRESHET_OBJECT(part, key, presence, doc) presence(#key, object, doc, part##_fields),
#define FRESHET_LIST(part, key, doc) required(#key, object_list, doc, part##_fields),
#define FRESHET_DERIVED(key, json, doc) required(#key, json, doc),
#define FRESHET_END() };
// clang-format on
#include <freshet/item_fields.def>

/// The keys of every item; `metrics` differs by object and stands in their middle.
constexpr auto common_with(std::span<const field> metrics) {
  auto fields = std::to_array(item_common_fields);
  for (auto& one : fields) {
    if (one.name == "metrics") one.fields = metrics;
  }
  return fields;
}

#define FRESHET_PART(name, doc) constexpr std::string_view name##_doc = doc;
#define FRESHET_ITEM(name, doc)                   \
  constexpr auto name##_common = common_with({}); \
  constexpr object_schema name{#name, doc, name##_common, name##_fields};
#define FRESHET_COUNTED_ITEM(name, counts, doc)                \
  constexpr auto name##_common = common_with(counts##_fields); \
  constexpr object_schema name{#name, doc, name##_common, name##_fields};
#include <freshet/item_fields.def>

constexpr field account_common[] = {
    required("object", string, "What this is"),
    required("id", string, "The identifier"),
};

constexpr field period_fields[] = {
    required("start", time, "The first moment of the month, UTC"),
    required("end", time, "The first moment of the next month, UTC"),
    required("grant", integer, "The credits that the plan grants for the period"),
};

constexpr field calling_key_fields[] = {
    required("id", string, "`key_…`, or `dashboard` where a signed-in person calls"),
    required("mode", string, "`live` or `test`"),
    required("scopes", string_list, "`read`, `account`"),
    required("last_four", string, "The last four characters of the key"),
    nullable("monthly_budget", integer, "Credits that the key may use a month; null: no limit"),
    nullable("expires_at", time, "When the key ends; null: never"),
    nullable("name", string, "What its owner calls it"),
    nullable("budget_used", integer, "What is used of the budget this month; null: no budget"),
};

constexpr field limits_fields[] = {
    required("rate", number, "Requests a second"),
    required("burst", integer, "Requests at once"),
};

constexpr field account_own[] = {
    required("email", string, "Who owns the account"),
    required("plan", string, "The plan's name"),
    required("balance", integer, "Credits, those reserved included"),
    required("reserved", integer, "Credits held for calls that are running"),
    required("period", object, "The month that the grant is for", period_fields),
    required("key", object, "The key that made this call", calling_key_fields),
    required("limits", object, "The plan's rate limit", limits_fields),
};

constexpr field usage_row_own[] = {
    required("group", string,
             "A day (`2026-11-21`), an endpoint, a key's id or a source; two of them joined by a "
             "comma"),
    required("calls", integer, "Charged calls"),
    required("credits", integer, "Credits that they used"),
    nullable("day", string, "The day that the row stands for; null: all of them"),
    nullable("endpoint", string, "The endpoint; null: all of them"),
    nullable("key_id", string, "The key, or `dashboard`; null: all of them"),
    nullable("source", string, "The source; null: all of them"),
};

constexpr field ledger_entry_own[] = {
    required("created_at", time, "When it was booked"),
    required("kind", string, "`grant`, `usage`, `refund` or `expiry`"),
    required("amount", integer, "Credits; negative when they were used"),
    required("balance", integer, "The account's balance after it"),
    nullable("reason", string, "Why, in words"),
    nullable("endpoint", string, "The endpoint that was called"),
    nullable("request_id", string, "The call that was charged"),
    nullable("key_id", string, "The key that made the call, or `dashboard`"),
    required("hash", string, "Of this entry and the account's one before it, in hexadecimal"),
    nullable("refund_of", string, "The `id` of the entry that this one refunds"),
};

constexpr field ledger_verification_own[] = {
    required("ok", boolean, "Whether nothing was found"),
    required("entries", integer, "Entries that were read"),
    required("complete", boolean, "Whether the last of them is the newest; false: call again"),
    nullable("head", string,
             "The last of them, by its number and its hash: keep it, and give it as `known_head` "
             "the next time; null: there is none"),
    required("balance", integer, "The account's balance after it"),
    required("findings", string_list, "What is wrong, an entry a line"),
};

constexpr field api_key_own[] = {
    required("mode", string, "`live` or `test`"),
    required("scopes", string_list, "`read`, `account`"),
    required("last_four", string, "The last four characters of the key"),
    nullable("monthly_budget", integer, "Credits that the key may use a month; null: no limit"),
    required("created_at", time, "When the key was made"),
    nullable("expires_at", time, "When the key ends; null: never"),
    nullable("revoked_at", time, "When the key was revoked; null: it was not"),
    nullable("last_used_at", time, "When the key was last used"),
    nullable("key", string, "The key itself: only in the answer that makes it, else null"),
    nullable("name", string, "What its owner calls it"),
    required("prefix", string, "What the key begins with: `frs_live_` or `frs_test_`"),
    nullable(
        "budget_used", integer,
        "What is used of the budget this month, with the keys that it was rotated from and to; "
        "null: no budget"),
    nullable("rotated_at", time, "When another key took its place; null: none did"),
    required("origins", string_list, "Of web pages that may use the key from a browser"),
};

constexpr field request_source_fields[] = {
    required("name", string, "The source"),
    nullable("instance", string, "Its address, where it may have several"),
    required("status", string, "`ok`, `error`, `not_configured` or `skipped`"),
    nullable("code", string, "The error's code"),
    required("items_read", integer, "What it gave, before filters and the page's size"),
    required("items", integer, "Those of them that stood in the answer"),
    nullable("cache", string, "`miss`, `hit` or `revalidated`"),
    required("elapsed_ms", integer, "How long it took"),
};

constexpr field request_own[] = {
    required("created_at", time, "When the call began"),
    required("endpoint", string, "The endpoint that was called"),
    required("key_id", string, "The key that made the call, or `dashboard`"),
    nullable("key_name", string, "What its owner calls it"),
    required("mode", string, "`live` or `test`"),
    required("status", integer, "The status of the answer, as over HTTP"),
    nullable("code", string, "Why it failed; null: it did not"),
    required("credits", integer, "Credits that it was charged"),
    required("elapsed_ms", integer, "From its beginning to its answer"),
    nullable("items", integer, "Items in the answer; null where there are none to count"),
    nullable("completeness", string, "`complete` or `partial`; null: nothing was asked of sources"),
    required("replayed", boolean, "Whether it was answered with an earlier call's answer"),
    required("sources", object_list, "A row for each source and instance that was to be asked",
             request_source_fields),
    nullable("ledger_entry", string, "The `id` of the ledger's entry; null: nothing was charged"),
    nullable("body", string, "What was sent, byte by byte; null: not kept"),
    nullable("answer", string, "What was answered, byte by byte; null: not kept"),
};

constexpr field alert_settings_own[] = {
    required("credits_left", string_list, "At which parts of the month's credits, in percent"),
    required("key_budgets", boolean, "Whether it is told that a key's budget refuses calls"),
    required("failing_sources", boolean, "Whether it is told that a source fails for long"),
    required("mail", boolean, "Whether it is told by mail"),
    nullable("email", string, "Where mail goes; null: no address was confirmed"),
    nullable("webhook", uri, "The address that is told, too; null: none"),
    nullable("webhook_secret", string,
             "With which those requests are signed: only in the answer that sets the webhook, else "
             "null"),
};

constexpr field alert_test_own[] = {
    nullable("email", string, "The address to which a mail is on its way; null: none is"),
    nullable("webhook", uri, "The address to which a request is on its way; null: none is"),
};

constexpr object_schema account{"account", "The account of the calling key", account_common,
                                account_own};
constexpr object_schema usage_row{"usage_row", "What one day, endpoint, key or source has used",
                                  account_common, usage_row_own};
constexpr object_schema ledger_entry{"ledger_entry", "One movement of credits", account_common,
                                     ledger_entry_own};
constexpr object_schema ledger_verification{"ledger_verification",
                                            "What became of replaying an account's entries",
                                            account_common, ledger_verification_own};
constexpr object_schema api_key{"api_key", "An API key", account_common, api_key_own};

constexpr object_schema request_schema{"request", "A call, as the request log has it",
                                       account_common, request_own};

constexpr object_schema alert_settings{"alert_settings",
                                       "What the account's owner is told of, and how",
                                       account_common, alert_settings_own};

constexpr object_schema alert_test{"alert_test", "Where a test alert is on its way to",
                                   account_common, alert_test_own};

constexpr const object_schema* all_schemas[] = {
#define FRESHET_ITEM(name, doc) &name,
#include <freshet/item_fields.def>
    &account, &usage_row,      &ledger_entry,   &ledger_verification,
    &api_key, &request_schema, &alert_settings, &alert_test,
};

constexpr shared_fields all_shared[] = {
    {"Author", author_doc, author_fields},
    {"Media", media_doc, media_fields},
    {"SafetyMark", safety_mark_doc, safety_mark_fields},
};

}  // namespace

std::span<const object_schema* const> object_schemas() noexcept { return all_schemas; }

std::span<const shared_fields> shared_objects() noexcept { return all_shared; }

const object_schema* find_object_schema(std::string_view name) noexcept {
  const auto* found = std::ranges::find_if(
      all_schemas, [&](const object_schema* one) { return one->name == name; });
  return found == std::end(all_schemas) ? nullptr : *found;
}

}  // namespace freshet::catalog

// What the account calls, the operator's commands and the export say of accounts, keys and ledgers,
// as values and as JSON: `account`, `usage_row`, `ledger_entry`, `api_key`, `request`,
// `alert_settings` and `alert_test`. Each has one writer, whoever asks; the accounts themselves are
// above, and fill these.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::model {

/// The object `api_key`.
struct key_answer {
  std::string id;    ///< "key_…"
  std::string mode;  ///< "live" or "test"
  std::vector<std::string> scopes;
  std::string last_four;
  count monthly_budget;
  time_point created_at;
  std::optional<time_point> expires_at, revoked_at, last_used_at;
  std::string key;     ///< the secret, only from create and rotate; "" is null
  std::string name;    ///< "" is null
  std::string prefix;  ///< "frs_live_"
  count budget_used;
  std::optional<time_point> rotated_at;
  std::vector<std::string> origins;
  std::string state = {};  ///< "good", "revoked" or "expired", for operators; "" is null
};

/// The object `account`: the answer of account/show. What only operators and owners are told
/// stands behind `limits`.
struct account_answer {
  std::string id;  ///< "acc_…"
  std::string email;
  std::string plan;
  std::int64_t balance = 0;   ///< credits, those reserved included
  std::int64_t reserved = 0;  ///< credits held for running calls
  struct {
    time_point start, end;   ///< the first moments of this month and of the next
    std::int64_t grant = 0;  ///< credits
  } period;
  key_answer key;  ///< that which asks: what the API says of it
  struct {
    double rate = 0;  ///< requests per second
    std::int64_t burst = 0;
  } limits;
  std::int64_t keys = 0;  ///< that were made, revoked ones too
  bool is_operator = false;
  std::optional<time_point> verified_at;  ///< when the address was proven
  time_point created_at;
  std::optional<time_point> deleted_at;
};

/// The object `usage_row`.
struct usage_answer {
  std::string id;     ///< unique in the list: "day:2026-11-21"
  std::string group;  ///< "2026-11-21", "microblog/search", "key_…", "feeds" or two of them
  std::int64_t calls = 0;
  std::int64_t credits = 0;
  std::string day = {}, endpoint = {}, key_id = {}, source = {};  ///< "" is null
};

/// The object `ledger_entry`.
struct ledger_answer {
  std::string id;
  time_point created_at;
  std::string kind;  ///< "grant", "usage", "refund" or "expiry"
  std::int64_t amount = 0;
  std::int64_t balance = 0;                          ///< after it
  std::string reason, endpoint, request_id, key_id;  ///< "" is null
  std::string refund_of;                             ///< "" is null
  std::string hash;                                  ///< hexadecimal
};

/// The object `ledger_verification`.
struct verification_answer {
  std::string id;  ///< of the account
  std::int64_t entries = 0;
  bool is_complete = false;
  std::string head = {};  ///< "" is null
  std::int64_t balance = 0;
  std::vector<std::string> findings = {};
};

/// The object `request`.
struct request_answer {
  std::string id;  ///< the request id
  time_point created_at;
  std::string endpoint, key_id, key_name, mode;  ///< a name that is "" is null
  std::int64_t status = 0;
  std::string code;  ///< "" is null
  std::int64_t credits = 0, elapsed_ms = 0;
  count items;
  std::string completeness;  ///< "" is null
  bool replayed = false;
  std::vector<source_report> sources;
  std::string ledger_entry, body, answer;  ///< "" is null
};

/// The object `alert_settings`.
struct alerts_answer {
  std::string id;  ///< of the account
  std::vector<std::string> credits_left;
  bool key_budgets = false, failing_sources = false, mail = false;
  std::string email, webhook, webhook_secret;  ///< "" is null
};

/// The object `alert_test`.
struct alert_test_answer {
  std::string id;              ///< of the account
  std::string email, webhook;  ///< "" is null
};

/// Append one object. `fields`: the keys to write beside `object` and `id`; empty means all.
void append_account(std::string& out, const account_answer& account,
                    std::span<const std::string> fields = {});
void append_usage(std::string& out, const usage_answer& usage,
                  std::span<const std::string> fields = {});
void append_ledger(std::string& out, const ledger_answer& entry,
                   std::span<const std::string> fields = {});
void append_verification(std::string& out, const verification_answer& made,
                         std::span<const std::string> fields = {});
void append_key(std::string& out, const key_answer& key, std::span<const std::string> fields = {});
void append_request(std::string& out, const request_answer& request,
                    std::span<const std::string> fields = {});
void append_alerts(std::string& out, const alerts_answer& alerts,
                   std::span<const std::string> fields = {});
void append_alert_test(std::string& out, const alert_test_answer& sent,
                       std::span<const std::string> fields = {});

/// Which members an object has where it is not the API's, in their order.
struct member_layout {
  std::span<const std::string_view> names;  ///< static storage; an unknown one is left out
  bool has_nulls = true;                    ///< false: a text that nobody gave is ""
};

/// Append one object in another layout than the API's. The account has these members besides:
/// `keys`, `operator`, `email_verified`, `email_verified_at`, `created_at` and `deleted_at`; a key
/// has `state`.
void append_members(std::string& out, const account_answer& account, const member_layout& layout);
void append_members(std::string& out, const ledger_answer& entry, const member_layout& layout);
void append_members(std::string& out, const key_answer& key, const member_layout& layout);

}  // namespace freshet::model

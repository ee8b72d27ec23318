// What the account calls answer, as values and as JSON: `account`, `usage_row`, `ledger_entry` and
// `api_key`. Plain values only: the accounts themselves are above, and fill these.
#pragma once

#include <cstdint>
#include <freshet/item.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace freshet::model {

/// The object `account`: the answer of account/show.
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
  struct {
    std::string id;    ///< "key_…"
    std::string mode;  ///< "live" or "test"
    std::vector<std::string> scopes;
    std::string last_four;
    count monthly_budget;
    std::optional<time_point> expires_at;
    std::string name;  ///< "" is null
    count budget_used;
  } key;
  struct {
    double rate = 0;  ///< requests per second
    std::int64_t burst = 0;
  } limits;
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
};

/// Append one object. `fields`: the keys to write beside `object` and `id`; empty means all.
void append_account(std::string& out, const account_answer& what,
                    std::span<const std::string> fields = {});
void append_usage(std::string& out, const usage_answer& what,
                  std::span<const std::string> fields = {});
void append_ledger(std::string& out, const ledger_answer& what,
                   std::span<const std::string> fields = {});
void append_key(std::string& out, const key_answer& what, std::span<const std::string> fields = {});

}  // namespace freshet::model

// The values of the accounts module.
#pragma once

#include <account/keys/key.hpp>
#include <account/rules/passkey.hpp>
#include <array>
#include <base/disk_room.hpp>
#include <compare>
#include <cstdint>
#include <freshet/item.hpp>
#include <freshet/response.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

/// How many batches had up to 1, 2, 4, … pieces of work, and more than the last of these.
inline constexpr std::size_t batch_size_steps = 11;
using batch_sizes = std::array<std::uint64_t, batch_size_steps + 1>;

/// Whole credits, never floating point, never mixed with other numbers by accident.
struct credits {
  std::int64_t value = 0;
  friend constexpr auto operator<=>(credits, credits) = default;
  friend constexpr credits operator+(credits a, credits b) { return {a.value + b.value}; }
  friend constexpr credits operator-(credits a, credits b) { return {a.value - b.value}; }
};

struct plan {
  std::string name = "free";
  credits monthly{1000};
  double rate = 2.0;        ///< requests per second
  std::int64_t burst = 10;  ///< requests at once
  /// What may be under way at the same time; the engine holds calls to it.
  std::int64_t concurrency = 16;            ///< calls
  std::int64_t bytes_in_flight = 64 << 20;  ///< of answers that are being read
  double processor_share = 0.25;            ///< processor seconds a second, in the long run
  double browser_share = 0.5;               ///< seconds of a browser a second, in the long run
};

/// The rate of test keys. Where nothing is set it is the usual one, or the plan's if that is more.
struct test_key_rate {
  std::optional<double> rate;
  std::optional<std::int64_t> burst;
};
inline constexpr double usual_test_rate = 50;
inline constexpr std::int64_t usual_test_burst = 200;

struct account_record {
  std::int64_t id = 0;
  std::string public_id;  ///< "acc_…"
  std::string email;      ///< "" once it was deleted
  std::string plan;
  time_point created_at;
  bool is_operator = false;
  std::optional<time_point> verified_at{};  ///< when the address was proven
  std::optional<time_point> deleted_at{};   ///< its books stay, nobody can use it
};

struct key_record {
  std::int64_t id = 0;
  std::string public_id;  ///< "key_…"
  std::int64_t account_id = 0;
  key_mode mode = key_mode::live;
  std::string name;  ///< what its owner calls it; "" for none
  std::string last_four;
  bool scope_read = true;
  bool scope_account = true;
  std::vector<std::string> origins;  ///< of web pages that may use it: "https://app.example"
  std::optional<credits> monthly_budget;
  /// What is charged to the budget this month, by the keys that it was rotated from and to as well;
  /// null without a budget.
  std::optional<credits> budget_used;
  std::optional<time_point> expires_at;
  std::optional<time_point> rotated_at;  ///< when another took its place
  std::optional<time_point> revoked_at;
  std::optional<time_point> last_used_at;
  time_point created_at;
};

/// What stands for the key where a signed-in person calls: no public id of a key looks like it.
inline constexpr std::string_view session_key_id = "dashboard";

/// Who calls: the result of authentication. A value. Where a signed-in person calls, `key.id` is 0
/// and `key.public_id` session_key_id.
struct principal {
  account_record account;
  key_record key;
  account::plan plan;
};

/// A row of the ledger: a movement of an account's book.
struct ledger_row {
  std::int64_t seq = 0;
  std::int64_t number = 0;  ///< in its book's own chain; 0 for one of the first era
  std::int64_t movement = 0;
  std::string book;          ///< "account:<id>"
  std::int64_t amount = 0;   ///< signed
  std::int64_t balance = 0;  ///< of the book after the row
  std::string kind;          ///< "grant", "usage", "refund", "expiry"
  std::string reason;        ///< "monthly grant 2026-11", an operator's words
  std::string endpoint;
  std::string request_id;
  std::string refund_of;    ///< of a refund: the entry that it gives back, "led_…"
  std::int64_t key_id = 0;  ///< 0: no key, such as a grant or a signed-in person's call
  time_point at;
  std::string hash;  ///< hex; rules/chain.hpp
};

/// What was answered to an idempotent call, kept 24 hours.
struct stored_answer {
  std::string fingerprint;  ///< hash of endpoint and canonical body
  int status = 200;
  std::string content_type;
  std::string body;
  std::int64_t credits_used = 0;
  std::size_t data_offset = 0, data_size = 0;
  /// False: it was too large, even compressed; that it was given is all that is known.
  bool is_kept = true;
};

/// A finished, successful call: what settle() writes in one transaction.
struct usage {
  std::string endpoint;
  std::string request_id;
  std::string sources;          ///< names joined by commas, for account/usage
  std::string idempotency_key;  ///< "" for none
  stored_answer answer;         ///< kept when there is an idempotency key
};

/// How much the kept answers may take, as they are stored. Beyond it the oldest go: of the account,
/// or of the account that has the most.
struct answer_limits {
  std::int64_t of_account = 64 << 20;
  std::int64_t of_all = std::int64_t{4} << 30;
  /// Of the disk of a book in a file, for all else that is written to it: with less a new answer
  /// takes the place of older ones.
  std::int64_t left_bytes = base::room_of_book;
};

/// Somebody who is signed in, as long as they are.
struct session_record {
  std::string id;  ///< "ses_…"
  std::int64_t account_id = 0;
  time_point created_at, last_used_at;
  std::string address, user_agent;
};

/// A passkey of an account.
struct passkey_record {
  std::string id;          ///< "psk_…"
  std::string credential;  ///< the authenticator's name for it, in base64url
  passkey_key key;
  std::int64_t uses = 0;  ///< its own counter, when it was last used
  std::string name;       ///< the owner's for it
  time_point created_at;
  std::optional<time_point> last_used_at;
};

/// What an account's owner wants to be told of, and how.
struct alert_settings {
  std::vector<int> credits_left;  ///< when so many percent of the month's credits are left
  bool key_budgets = true;        ///< when calls are refused because a key's budget is used
  bool failing_sources = false;   ///< when a source that is called has failed for long
  bool mail = true;               ///< to the account's address, once it was proven
  std::string webhook;            ///< "" for none
  time_point webhook_since{};     ///< when it was set; its secret changes with it
};

/// What settings became by a change.
struct changed_alerts {
  alert_settings now;
  bool has_new_webhook = false;  ///< another address than before, or the first
};

/// That an owner was told of something, which is not told again for a while.
struct alert_mark {
  std::string_view kind;   ///< "credits", "key_budget", "source", "test"
  std::string_view about;  ///< which share, key or source
  time_point quiet_until;
};
/// So many marks of one kind an account may have at a time: beyond it nothing more is told.
inline constexpr std::int64_t max_alert_marks = 32;

/// One line of the audit log. Actors and subjects are "acc_…", "key_…" and the like, never an
/// address: what is said of an account whose owner has deleted it names nobody.
struct audit_entry {
  std::int64_t id = 0;
  time_point at;
  std::string actor;    ///< "command line", "operator:acc_…", "account:acc_…", "anonymous"
  std::string action;   ///< "sign_in", "credits.grant"
  std::string subject;  ///< what it was done to: an id, or ""
  std::string detail;
  std::string address;  ///< of the network; "" for the command line
};

/// An entry to be written; the time is the clock's.
struct audit_note {
  std::string actor, action, subject, detail, address;
};

}  // namespace freshet::account

// What goes to and comes from the store: rows as values, in the words of the accounts. Nothing here
// knows how they are kept.
#pragma once

#include <account/rules/book.hpp>
#include <account/rules/chain.hpp>
#include <account/rules/month.hpp>
#include <account/types.hpp>
#include <base/digest.hpp>
#include <chrono>
#include <optional>
#include <string>

namespace freshet::account {

/// What became of a step, or of a whole transaction.
enum class store_status : std::uint8_t {
  done,
  refused,    ///< the fault lies in what was written, not in the storage: alone it spoils nothing
  held,       ///< somebody else holds a row of what was written; the storage is as it was before
  failed,     ///< the storage refused, and is as it was before
  uncertain,  ///< nobody can say what is stored: a failed sync, a corrupt file
};

/// How long the book has been open, over all restarts: what answers are kept by. Unlike the wall's
/// time it neither jumps nor goes back, and a time in which nobody could ask again does not count.
using running_time = std::chrono::milliseconds;

/// How the body of an answer is stored. The numbers are the file's.
enum class answer_form : std::uint8_t {
  plain = 0,     ///< as it is: by a program before schema 6
  sealed = 1,    ///< account/answer_box.hpp
  not_kept = 2,  ///< not at all
};

/// An answer as it is stored.
struct sealed_answer {
  stored_answer answer;  ///< the body as `form` says
  answer_form form = answer_form::plain;
};

/// A key as it is stored.
struct stored_key {
  key_record record;
  std::int64_t family = 0;  ///< the first key of a chain of rotations: they share one budget
  base::sha256_digest hash{};
  month_index budget_month = no_month;  ///< in which the family was charged last
  std::int64_t budget_used = 0;         ///< by the family, in that month
};

/// What is judged of a key without reading it.
struct indexed_key {
  std::int64_t id = 0, account_id = 0;
  std::optional<time_point> expires_at{};
  bool is_revoked = false, scope_read = true, scope_account = true;
};

[[nodiscard]] inline indexed_key indexed(const key_record& record) {
  return {record.id,         record.account_id,   record.expires_at, record.revoked_at.has_value(),
          record.scope_read, record.scope_account};
}

/// Where an account's book and its months stand.
struct stored_book {
  account_book book;
  month_index month = no_month;  ///< the newest that has an allowance
};

/// An account as it is stored.
struct stored_account {
  account_record record;
  stored_book book;
};

/// An account as it is listed.
struct listed_account {
  stored_account stored;
  std::int64_t keys = 0;  ///< that were made, revoked ones too
};

/// Where the ledger ends.
struct ledger_end {
  chain_head head;
  bool has_head = false;      ///< no head is stored for a ledger that was never written
  std::int64_t last_seq = 0;  ///< of the rows: beyond the head's, somebody has added some
};

/// An account's book, and who may spend of it: what is leased is spoken for.
struct leased_book {
  account_book book;
  std::int64_t own = 0;     ///< credits that are leased to this server
  std::int64_t others = 0;  ///< to all others together
};

/// What a family of keys has used in a month.
struct stored_use {
  std::int64_t family = 0;
  month_index month = no_month;
  std::int64_t used = 0;
};

/// A mail that is not sent yet, as it is stored: sealed (account/kept_mails.hpp).
struct stored_mail {
  std::string id, sealed;
  std::int64_t takes = 0;  ///< how many servers have taken it over
  time_point written_at;
};

/// What one server tells the others of its commits. What it says is so from now on; what it only
/// names is read anew.
struct peer_news {
  enum class kind : std::uint8_t {
    account,   ///< the record of account `id`
    key,       ///< key `id`
    sessions,  ///< of account `id`
    past_grants,
    book,        ///< of account `id`: its balance and its monthly credits are these
    budget,      ///< of family `id`: in that month so much was used
    recall,      ///< somebody needs credits of account `id`: what is not needed is to go back
    freed,       ///< some went back
    everything,  ///< nobody knows what was missed
  };
  kind what = kind::everything;
  std::int64_t id = 0;
  std::int64_t first = 0, second = 0;  ///< balance and monthly credits; month and use
};

/// A charged call of an account.
struct usage_charge {
  time_point at;
  std::int64_t price = 0;
  std::string_view endpoint, sources;
  std::string_view key;  ///< a public id, session_key_id
};

/// Which charges are looked for: the entry `seq`, or else those of a request id, which its caller
/// may have chosen.
struct charge_search {
  std::optional<std::int64_t> seq{};
  std::string_view request_id{};
  int limit = 1;
  std::string book{};  ///< of whom alone, the newest first; "": of anybody, the oldest first
};

/// The charge of a call, as the ledger has it.
struct call_charge {
  std::int64_t seq = 0, account_id = 0, credits = 0, key_id = 0;
  std::string endpoint, request_id;
};

/// What an account has beside its password.
struct stored_factor {
  std::string sealed_secret;
  bool is_on = false;          ///< a code of it was given: until then nothing asks for one
  std::int64_t last_step = 0;  ///< of the newest code that was used
};

/// A passkey that was shown.
struct passkey_use {
  std::string public_id;
  std::int64_t uses = 0;
  time_point at;
};

/// How a second factor was shown. None of them: there is none to show.
struct factor_use {
  std::optional<std::int64_t> step;                       ///< of a code by time
  std::optional<base::sha256_digest> recovery_code = {};  ///< its hash
  std::optional<passkey_use> passkey = {};
};

/// A link as it begins to be good.
struct new_link {
  std::string_view purpose;  ///< "verify", "reset"
  base::sha256_digest hash{};
  std::string_view email;
  time_point expires_at;
};

/// Which rows of a book are read.
struct ledger_page {
  std::string_view book;
  std::int64_t before_seq = 0;
  int limit = 0;
  std::string_view kind;  ///< "" for all
  time_point since;
};

}  // namespace freshet::account

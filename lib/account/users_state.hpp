// What people holds in memory: sessions by the keyed hash of their token, and who has tried how
// often. Sessions follow the disk: they change when a commit has succeeded; when one was last used
// is written later.
//
// Lock order: the accounts' mutex before this one.
#pragma once

#include <account/state.hpp>
#include <account/throttle.hpp>
#include <account/users.hpp>

namespace freshet::account {

using sqlite::database;
using sqlite::database_use;
using sqlite::fail_hook;
using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;
using sqlite::statement;

/// Of a session, of a link: more than anybody guesses.
inline constexpr std::size_t token_bytes = 32;

struct session_entry {
  session_record record;
  time_point stored_at;  ///< the last use that the disk knows
};

/// Guesses of a password. Each is taken before the guess and given back when it was right.
inline constexpr throttle_rule guesses_by_address{30, std::chrono::seconds(60)};
inline constexpr throttle_rule guesses_by_pair{10, std::chrono::seconds(90)};
inline constexpr throttle_rule guesses_by_account{50, std::chrono::seconds(72)};
/// Mails that somebody makes us send.
inline constexpr throttle_rule mails_by_account{5, std::chrono::seconds(720)};
inline constexpr throttle_rule mails_by_address{20, std::chrono::seconds(180)};

struct users::state {
  state(accounts_state& with, users_options how) : accounts(with), options(how) {}

  result<void> open();
  [[nodiscard]] base::sha256_digest digest(std::string_view use, std::string_view token) const;
  [[nodiscard]] bool is_alive(const session_record& of, time_point now) const;
  [[nodiscard]] time_point now() const { return accounts.now(); }

  // Inside a batch's transaction.
  struct new_session {
    std::string token;
    base::sha256_digest hash{};
    session_record record;
  };
  [[nodiscard]] new_session make_session(std::int64_t account_id, const origin& from) const;
  [[nodiscard]] bool is_purge_due(const new_session& made) const noexcept;
  [[nodiscard]] sqlite_code insert_session(const new_session& made);
  [[nodiscard]] sqlite_code delete_session(const base::sha256_digest& hash);
  [[nodiscard]] sqlite_code delete_sessions(std::int64_t account_id);
  [[nodiscard]] sqlite_code insert_token(std::string_view purpose, const std::string& token,
                                         std::string_view email, std::string_view password,
                                         std::chrono::seconds lifetime);
  [[nodiscard]] sqlite_code delete_tokens(std::string_view email);
  [[nodiscard]] sqlite_code note(const audit_note& what);

  // When it has committed, under the accounts' mutex.
  void remember_session(const new_session& made);
  void forget_session(const base::sha256_digest& hash);
  void forget_sessions(std::int64_t account_id);

  /// A link that is good now.
  struct link {
    std::string email, password;
  };
  [[nodiscard]] result<link> find_link(std::string_view purpose, std::string_view token) const;
  [[nodiscard]] result<std::string> password_of(std::int64_t account_id) const;
  [[nodiscard]] std::optional<account_record> find_account(std::string_view normal_email) const;
  [[nodiscard]] std::optional<account_record> find_account(std::int64_t id) const;
  [[nodiscard]] bool knows_address(std::int64_t account_id, std::string_view network) const;

  /// One guess of an account's password, with its limits. Error: invalid_credentials,
  /// rate_limited.
  struct guess {
    std::string hash;  ///< what is stored
    bool outdated = false;
  };
  [[nodiscard]] result<guess> check_guess(std::string_view name,
                                          const std::optional<account_record>& of,
                                          std::string_view password, const origin& from,
                                          std::string_view action);
  [[nodiscard]] result<void> take_mail_token(std::string_view email, const origin& from);
  /// Replaces the password and every session by one, and ends the links.
  [[nodiscard]] result<opened_session> set_password(const account_record& of, std::string_view hash,
                                                    const origin& from, std::string_view action);

  accounts_state& accounts;
  users_options options;
  std::string no_password;  ///< a hash that no password has, for addresses without an account
  throttle attempts;
  time_point last_purge{};  ///< of sessions; the ledger thread's alone

  mutable std::mutex mutex;  ///< everything from here on
  std::unordered_map<base::sha256_digest, session_entry, digest_hash, digest_equal> sessions;
};

/// Of an IPv6 address its /64, which one person has whole; any other text as it is.
[[nodiscard]] std::string network_of(std::string_view address);
[[nodiscard]] std::string actor_of(const account_record& who);

}  // namespace freshet::account

// What users holds: the sessions, and who has tried how often. Links and the audit log are in the
// store alone.
#pragma once

#include <account/users/challenges.hpp>
#include <account/users/sessions.hpp>
#include <account/users/throttle.hpp>
#include <atomic>

namespace freshet::account {

/// Guesses of a password. Each is taken before the guess and given back when it was right.
inline constexpr throttle_rule guesses_by_address{30, std::chrono::seconds(60)};
inline constexpr throttle_rule guesses_by_pair{10, std::chrono::seconds(90)};
inline constexpr throttle_rule guesses_by_account{50, std::chrono::seconds(72)};
/// Of a second factor, by who has the password.
inline constexpr throttle_rule codes_by_account{10, std::chrono::seconds(60)};
/// What the audit log keeps for ever: of each account's owner, and of all strangers together, whose
/// further lines are counted in the next that is written.
inline constexpr throttle_rule changes_by_account{200, std::chrono::seconds(20)};
inline constexpr throttle_rule lines_of_strangers{1000, std::chrono::seconds(10)};
/// Mails that somebody makes us send.
inline constexpr throttle_rule sign_ups_by_mailbox{3, std::chrono::seconds(1800)};
inline constexpr throttle_rule resets_by_mailbox{5, std::chrono::seconds(720)};
inline constexpr throttle_rule mails_by_address{20, std::chrono::seconds(180)};
/// Accounts that somebody with mailboxes without end could have, each with a plan's credits.
inline constexpr throttle_rule sign_ups_by_address{20, std::chrono::hours(1)};
/// Looks at links, which cost a read each.
inline constexpr throttle_rule links_by_address{60, std::chrono::seconds(10)};

/// An IPv6 site counts as so many networks: each limit by address holds for it so many times over.
inline constexpr int networks_of_site = 5;

/// Who acts where nobody is signed in, in the audit log.
inline constexpr std::string_view stranger = "anonymous";
[[nodiscard]] error wrong_password();
[[nodiscard]] error bad_link();
[[nodiscard]] error wrong_code();
/// For what a passkey is asked for at sign-in, where there is no session yet.
inline constexpr std::string_view use_of_sign_in = "sign in";

class users::state {
 public:
  state(owners& parts, const users_options& options)
      : all(parts),
        site(options.site),
        password_memory_kib(options.password_memory_kib),
        sessions(parts, options) {}
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  ~state();
  [[nodiscard]] result<void> open();

  /// Runs `write`, which may be null, and the line of the audit log in one transaction. A line of
  /// nobody about nobody may be left out; then the disk is written to all the same, so that what it
  /// takes does not tell such a one from others.
  [[nodiscard]] result<void> run_noted(std::function<void(transaction&)> write,
                                       const audit_note& line, std::function<void()> commit);
  void add_link(transaction& running, std::string_view purpose, std::string_view token,
                std::string_view email) const;
  /// One that nobody has, and that goes when the next is added.
  void add_dead_link(transaction& running) const;
  /// The address of a link that is good now. Errors: invalid_token, storage_unavailable.
  [[nodiscard]] result<std::string> find_link(std::string_view purpose,
                                              std::string_view token) const;
  /// Null if there is none. Error: storage_unavailable.
  [[nodiscard]] result<std::optional<account_record>> find_account(
      const std::string& normal_email) const;
  /// The same of the mailbox that the address reaches; one with this very address goes first.
  [[nodiscard]] result<std::optional<account_record>> find_account_of_mailbox(
      const std::string& normal_email) const;
  /// The same of one that was not deleted, which is in memory then.
  [[nodiscard]] result<std::optional<account_record>> find_account(std::int64_t id) const;

  /// One guess of an account's password, with its limits. Error: invalid_credentials,
  /// rate_limited.
  struct guess {
    std::string hash;  ///< what is stored
    bool outdated = false;
  };
  [[nodiscard]] result<guess> check_guess(std::string_view name,
                                          const std::optional<account_record>& account,
                                          std::string_view password, const origin& asker,
                                          std::string_view action);
  /// One guess of an account's second factor, with its limit; none where the account has none.
  /// `use`: for what a passkey was asked for. What comes of it is used up in the transaction that
  /// it is for. Errors: second_factor_required, invalid_second_factor, rate_limited.
  [[nodiscard]] result<factor_use> check_proof(const account_record& account,
                                               const factor_proof& proof, const std::string& use,
                                               const origin& asker, std::string_view action);
  /// Both, of who is signed in.
  [[nodiscard]] result<factor_use> check_owner(const login& who, std::string_view password,
                                               const factor_proof& proof, const origin& asker,
                                               std::string_view action);
  /// For what a challenge may be good.
  [[nodiscard]] static std::string use_to_make(const login& who);
  [[nodiscard]] static std::string use_of_session(const login& who);
  [[nodiscard]] std::string use_of_link(std::string_view token) const;
  [[nodiscard]] result<passkey_question> ask(const account_record& account, const std::string& use);
  /// Recovery codes, written down for the account.
  [[nodiscard]] std::vector<std::string> make_recovery_codes() const;
  void add_recovery_codes(transaction& running, std::int64_t account_id,
                          const std::vector<std::string>& codes) const;
  /// Of a factor that is stored. Error: storage_unavailable, where the file was changed.
  [[nodiscard]] result<std::string> secret_of(std::int64_t account_id,
                                              const stored_factor& factor) const;
  [[nodiscard]] std::string seal_secret(std::int64_t account_id, std::string_view secret) const;
  /// For something that an account's owner does and that is written down. Error: rate_limited.
  [[nodiscard]] result<void> take_change(std::int64_t account_id);
  /// `purpose`: "sign-up" or "reset". Error: rate_limited.
  [[nodiscard]] result<void> take_mail_token(std::string_view purpose, std::string_view email,
                                             const origin& asker);
  /// Before a look at a link. Error: rate_limited.
  [[nodiscard]] result<void> take_link_look(const origin& asker);
  /// Replaces the password and every session by one, and ends the links.
  [[nodiscard]] result<opened_session> set_password(const account_record& account,
                                                    std::string_view hash,
                                                    const std::optional<factor_use>& shown,
                                                    const origin& asker, std::string_view action);

  owners& all;
  const passkey_site site;
  const std::uint32_t password_memory_kib;
  account::sessions sessions;
  account::challenges challenges;

 private:
  [[nodiscard]] const std::string& no_password();
  /// `codes`: by time, where they are on.
  [[nodiscard]] result<factor_use> match_code(const account_record& account,
                                              const std::optional<stored_factor>& codes,
                                              std::string_view typed) const;
  [[nodiscard]] result<factor_use> match_passkey(const account_record& account,
                                                 const std::vector<passkey_record>& known,
                                                 std::string_view answer, const std::string& use);

  std::once_flag no_password_made_;
  std::string no_password_;  ///< a hash that no password has, for addresses without an account
  throttle attempts_;
  std::atomic<std::uint64_t> unwritten_ = 0;  ///< lines of strangers since the last
};

}  // namespace freshet::account

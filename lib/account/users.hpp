// People: who signs up, signs in and is signed in, beside the keys that programs carry. It keeps
// passwords (Argon2id), one-time links, sessions and the audit log in the accounts' database, by
// the accounts' one writer. It sends no mail and knows no cookie: it gives tokens, once.
#pragma once

#include <account/accounts.hpp>
#include <account/users/password.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::account {

/// How long a link lives.
inline constexpr std::chrono::hours verify_lifetime{24};
inline constexpr std::chrono::hours reset_lifetime{1};
/// With more, the least recently used session ends.
inline constexpr std::size_t max_sessions_per_account = 50;

struct users_options {
  passkey_site site{};  ///< for which passkeys are made
  std::chrono::seconds session_idle = std::chrono::hours(12);
  std::chrono::seconds session_lifetime = std::chrono::hours(24 * 30);
  /// Of a password's hash: OWASP's. Less is for tests, whose people have many passwords.
  std::uint32_t password_memory_kib = account::password_memory_kib;
};

/// How many come with the first second factor; each is good once.
inline constexpr std::size_t recovery_codes = 10;
inline constexpr std::size_t max_passkeys_per_account = 10;
inline constexpr std::size_t max_passkey_name_bytes = 64;

/// A mail that goes with a link, kept by the commit that makes the link.
struct link_mail {
  /// Null: none. Of the token of the link, and of the account's address that the mailbox has
  /// already, one is "".
  std::function<std::string(std::string_view token, std::string_view known_as)> text;
  std::string id{};  ///< of what was kept; "" while nothing is
};

/// From where somebody asks.
struct origin {
  std::string address;  ///< of the network, as text
  std::string user_agent;
};

/// A session as it begins. The token is known to nobody else and not stored.
struct opened_session {
  std::string token;
  account_record account;
};

/// What an account has beside its password.
struct second_factor {
  bool has_codes = false;  ///< by time, of an authenticator
  std::vector<passkey_record> passkeys;
  std::int64_t recovery_codes = 0;  ///< that are left
  [[nodiscard]] bool is_on() const noexcept { return has_codes || !passkeys.empty(); }
};

/// How somebody shows a second factor: by one of them.
struct factor_proof {
  std::string_view code = {};     ///< by time, or for recovery
  std::string_view passkey = {};  ///< the browser's answer to a passkey_question, as JSON
};

/// What is mailed to who asks for an account: one of both.
struct sign_up_request {
  std::optional<std::string> token;  ///< of the link that proves the address
  std::string known_as;              ///< the address of the account that its mailbox has
};

/// What a browser is asked for.
struct passkey_question {
  std::string challenge;  ///< in base64url
  passkey_site site;
  std::vector<std::string> credentials;  ///< those that the account has, in base64url
};

/// A second factor as it begins: for an authenticator to be shown, once.
struct new_second_factor {
  std::string secret;  ///< in base 32, to be typed
  std::string uri;     ///< otpauth://, for a QR code
};

/// A session as it is used.
struct login {
  account_record account;
  session_record session;
};

/// Thread-safe. Functions that hash a password ("slow") take tens of milliseconds and 19 MiB each:
/// whoever calls bounds how many run at once. All but authenticate(), csrf_token() and the reading
/// ones wait for a commit. Errors of all that write: storage_unavailable.
class users {
 public:
  /// `accounts` must outlive it. Error: storage_unavailable.
  [[nodiscard]] static result<std::unique_ptr<users>> open(accounts& accounts,
                                                           users_options options);
  ~users();

  // Signing up.
  /// Remembers that the address wants an account, unless its mailbox has one: that is the same
  /// work. Whoever asks chooses nothing: they need not be who reads the mail. `mail` goes to
  /// either. Errors: invalid_request (the address), rate_limited.
  [[nodiscard]] result<sign_up_request> begin_sign_up(std::string_view email, const origin& origin,
                                                      link_mail* mail = nullptr);
  /// Slow. Makes the account that a token stands for, with its password, and a session. Errors:
  /// invalid_token, invalid_request (the password; the link stays good), internal (an unknown
  /// plan).
  [[nodiscard]] result<opened_session> confirm_sign_up(std::string_view token,
                                                       std::string_view password,
                                                       std::string_view plan, const origin& origin,
                                                       std::string_view current_session);

  // Signing in.
  /// Slow. `current_session`, if it is one, ends. Errors: invalid_credentials (the same text, work
  /// and time whether the address or the password is wrong), second_factor_required and
  /// invalid_second_factor (only with the right password), rate_limited.
  ///
  /// Failures are counted by the caller's address, by account and address together, and by
  /// account. The last count does not hold for addresses from which a session of the account
  /// lives, every count refills by itself, and a reset by mail clears the account's: nobody can
  /// lock an owner out by failing in their name.
  [[nodiscard]] result<opened_session> sign_in(std::string_view email, std::string_view password,
                                               const origin& origin,
                                               std::string_view current_session,
                                               const factor_proof& proof = {});
  /// The token of a link that sets a password, which also proves the address; null for an address
  /// without an account, to which no `mail` goes, after the same work. Errors: invalid_request,
  /// rate_limited.
  [[nodiscard]] result<std::optional<std::string>> begin_reset(std::string_view email,
                                                               const origin& origin,
                                                               link_mail* mail = nullptr);
  /// Slow. Sets the password, ends every other session and link; whoever reads the mail needs the
  /// second factor all the same. Errors: invalid_token, invalid_request (the password),
  /// second_factor_required, invalid_second_factor, rate_limited (the link stays good).
  [[nodiscard]] result<opened_session> confirm_reset(std::string_view token,
                                                     std::string_view password,
                                                     const origin& origin,
                                                     const factor_proof& proof = {});
  /// Slow. Ends every other session. Errors: invalid_credentials, invalid_request, rate_limited.
  [[nodiscard]] result<opened_session> change_password(const login& who,
                                                       std::string_view current_password,
                                                       std::string_view new_password,
                                                       const origin& origin);

  // A second factor: codes by time, as authenticators show them, and passkeys. One is enough to
  // sign in, and to change them. The first one ends every other session and comes with recovery
  // codes, which are known to nobody else and not stored; those after it come with none. All that
  // take a proof: second_factor_required, invalid_second_factor, rate_limited.
  [[nodiscard]] result<second_factor> second_factor_of(std::int64_t account_id) const;
  /// Slow. Codes are asked for only once they are confirmed. Errors: invalid_credentials,
  /// invalid_request (they are on).
  [[nodiscard]] result<new_second_factor> begin_second_factor(const login& who,
                                                              std::string_view password,
                                                              const origin& origin,
                                                              const factor_proof& proof = {});
  /// Turns them on. Errors: invalid_second_factor, invalid_request (none were begun).
  [[nodiscard]] result<std::vector<std::string>> confirm_second_factor(const login& who,
                                                                       std::string_view code,
                                                                       const origin& origin);
  /// Slow. Error: invalid_credentials.
  [[nodiscard]] result<void> remove_second_factor(const login& who, std::string_view password,
                                                  const factor_proof& proof, const origin& origin);

  // Passkeys. A question is good once, for five minutes, for who asked.
  /// Where they are for; without a host there can be none.
  [[nodiscard]] const passkey_site& site() const noexcept;
  /// Slow. What to ask a browser to make one. Errors: invalid_credentials, invalid_request (there
  /// can be none, or no more).
  [[nodiscard]] result<passkey_question> begin_passkey(const login& who, std::string_view password,
                                                       const factor_proof& proof,
                                                       const origin& origin);
  /// Of the browser's answer. Errors: invalid_second_factor, invalid_request (the name, one too
  /// many, or one that is known).
  [[nodiscard]] result<std::vector<std::string>> add_passkey(const login& who,
                                                             std::string_view name,
                                                             std::string_view answer,
                                                             const origin& origin);
  /// Slow. Errors: invalid_credentials, not_found.
  [[nodiscard]] result<void> remove_passkey(const login& who, std::string_view public_id,
                                            std::string_view password, const factor_proof& proof,
                                            const origin& origin);
  /// What to ask a browser to show one, while somebody is signed in. Error: not_found (there is
  /// none).
  [[nodiscard]] result<passkey_question> ask_for_passkey(const login& who);
  /// Slow. The same to sign in. Errors: invalid_credentials, rate_limited, not_found.
  [[nodiscard]] result<passkey_question> ask_for_passkey(std::string_view email,
                                                         std::string_view password,
                                                         const origin& origin);
  /// The same of a link that sets a password. Errors: invalid_token, not_found.
  [[nodiscard]] result<passkey_question> ask_for_passkey(std::string_view reset_token);

  /// Whether somebody has signed in from the asker's network since the start, or has a session that
  /// began there.
  [[nodiscard]] bool knows(const origin& asker) const;
  /// Whether a link would do what it is for, and no more: it stays as good as it was. `purpose`:
  /// "verify" or "reset". Errors: invalid_token, rate_limited, storage_unavailable.
  [[nodiscard]] result<void> check_link(std::string_view purpose, std::string_view token,
                                        const origin& origin);

  // Sessions.
  /// In memory, but for an account that is not and is read. Errors: not_signed_in (unknown, ended,
  /// expired, or the account is gone), storage_unavailable.
  [[nodiscard]] result<login> authenticate(std::string_view session);
  /// What a page of this session's own must say with everything that changes something.
  [[nodiscard]] std::string csrf_token(std::string_view session) const;
  /// The most recently used first.
  [[nodiscard]] std::vector<session_record> sessions_of(std::int64_t account_id) const;
  /// Error: not_found (another account's too).
  [[nodiscard]] result<void> end_session(std::int64_t account_id, std::string_view session_id,
                                         const origin& origin);
  /// Ends the session if it is one.
  [[nodiscard]] result<void> sign_out(std::string_view session, const origin& origin);

  // The account itself.
  /// Slow. Forgets address, password, links and stored answers, ends sessions and keys. The books
  /// stay, under the account's number. Errors: invalid_credentials, rate_limited.
  [[nodiscard]] result<void> erase(const login& who, std::string_view password,
                                   const origin& origin);

  // For operators, who are trusted. Error: not_found.
  [[nodiscard]] result<account_record> set_operator(std::string_view email, bool is_operator,
                                                    const audit_note& note);
  /// For who has lost theirs, after the operator has made sure who asks.
  [[nodiscard]] result<void> drop_second_factor(std::string_view email, const audit_note& note);
  /// As begin_reset() gives it.
  [[nodiscard]] result<std::string> make_link(std::string_view email, const audit_note& note);

  // The audit log.
  /// Before something that who is signed in does and that the log keeps. Error: rate_limited.
  [[nodiscard]] result<void> take_change(const login& who);
  [[nodiscard]] result<void> record(const audit_note& what);
  /// The newest first, before `before_id` (0: from the newest).
  [[nodiscard]] result<std::vector<audit_entry>> audit(std::int64_t before_id, int limit) const;
  /// The addresses of accounts by their public ids, for showing the log.
  [[nodiscard]] std::string email_of(std::string_view public_id) const;

 private:
  class state;
  explicit users(std::unique_ptr<state> inside);
  std::unique_ptr<state> state_;
};

}  // namespace freshet::account

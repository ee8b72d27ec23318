// The sessions of those who are signed in, by the keyed hash of their token. They follow the disk:
// they change when a commit has succeeded; when one was last used is written later.
//
// Lock order: the commit queue's lock before this one's own.
#pragma once

#include <account/owners.hpp>
#include <account/users.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace freshet::account {

/// Of a session, of a link: more than anybody guesses.
inline constexpr std::size_t token_bytes = 32;

/// A session as it begins.
struct new_session {
  std::string token;
  base::sha256_digest hash{};
  session_record record;
};

/// Thread-safe.
class sessions {
 public:
  sessions(owners& all, const users_options& options) : owners_(all), options_(options) {}
  [[nodiscard]] result<void> load();

  /// HMAC-SHA-256 of a token for one use ("session", "csrf", "verify", "reset").
  [[nodiscard]] base::sha256_digest digest(std::string_view use, std::string_view token) const;
  [[nodiscard]] base::sha256_digest digest(std::string_view session) const {
    return digest("session", session);
  }
  [[nodiscard]] new_session make(std::int64_t account_id, const origin& asker) const;
  /// In a transaction, then remember(), when it has committed.
  void add(transaction& running, const new_session& made) const;
  void remember(const new_session& made);
  void forget(const base::sha256_digest& hash);
  /// But for the one whose public id is `kept`; "" for all.
  void forget_all(const account_record& account, std::string_view kept);

  /// Another server has changed those of an account, or, 0, of any.
  void reread(std::int64_t account_id);

  /// Error: not_signed_in.
  [[nodiscard]] result<session_record> use(std::string_view session);
  /// The most recently used first.
  [[nodiscard]] std::vector<session_record> list(std::int64_t account_id) const;
  [[nodiscard]] std::optional<base::sha256_digest> find(std::int64_t account_id,
                                                        std::string_view session_id) const;
  /// Whether a session of the account began in that network, since its password was last changed:
  /// one that lives, one that was here since the start, or one of the audit log's last lines then.
  [[nodiscard]] bool knows_network(const account_record& account, std::string_view network) const;
  /// The same of any account, whatever has become of its password.
  [[nodiscard]] bool knows_network(std::string_view network) const;

 private:
  struct past_homes {
    std::vector<std::string> networks;
    bool is_whole = false;  ///< older ones were with another password
  };
  struct entry {
    session_record record;
    time_point stored_at;  ///< the last use that the disk knows
  };
  [[nodiscard]] bool is_alive(const session_record& session, time_point now) const;
  void add_home(const session_record& session);
  void load_past_homes();
  void add_past_home(const audit_entry& line);
  void add_network(const std::string& network);
  [[nodiscard]] bool is_purge_due(const new_session& made) const noexcept;

  owners& owners_;
  const users_options options_;
  time_point last_purge_{};  ///< the queue's thread's alone

  mutable std::mutex mutex_;  ///< of those below
  using entry_map = std::unordered_map<base::sha256_digest, entry, digest_hash, digest_equal>;
  entry_map entries_;
  /// Where sessions of an account began, the last at the end: they outlive those that were ended.
  std::unordered_map<std::int64_t, std::vector<std::string>> homes_;
  /// The same of who had none any more at the start, by who acts; the last first.
  std::unordered_map<std::string, past_homes> past_homes_;
  std::unordered_set<std::string> networks_;  ///< where some began
  std::uint64_t changes_ = 0;                 ///< by commits of this server
};

/// Of an IPv6 address its /64, which one person has whole; any other text as it is.
[[nodiscard]] std::string network_of(std::string_view address);
/// Of an IPv6 address its /48, of whose 65,536 networks one customer may have all; any other text
/// as it is.
[[nodiscard]] std::string site_of(std::string_view address);
[[nodiscard]] std::string actor_of(const account_record& who);

}  // namespace freshet::account

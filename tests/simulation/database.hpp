// What PostgreSQL does with the statements of the account store, in memory and as events of the
// simulation: sessions and transactions, the lock that all take, commits that are seen before they
// are on the disk and that a crash takes back from the end, locks of sessions, notices, and a clock
// of its own. Only the statements that a server needs that opens a book and charges are known; the
// program ends at any other. A flaw is a mistake as it would be if the store asked for less.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <ostream>
#include <simulation/virtual_time.hpp>

namespace freshet::simulation {

/// What is planted, for the simulation to find.
enum class flaw : std::uint8_t {
  none,
  no_lock,            ///< nobody waits for another one's transaction
  no_fence,           ///< who was retired may write, and spend what is not leased to it
  told_too_early,     ///< a commit is told as done that is not on the disk
  counts_no_batches,  ///< of a commit that was lost nobody can say whether it is in
  own_clock,          ///< who is seen is told by the clocks of servers
  leases_for_ever,    ///< who is retired keeps what was leased to it
  forgets_months,     ///< a month's grant is made by whoever finds it due
};

using column = std::optional<std::string>;
using columns = std::vector<column>;

struct answer {
  std::string state;  ///< of SQL; "" where it is done
  std::vector<columns> rows;
  bool gives_rows = false, is_last = false;
};

struct ledger_row {
  std::int64_t seq = 0, number = 0, movement = 0, amount = 0, balance = 0, monthly_left = 0;
  std::string book, kind, reason, endpoint, request_id, sources, refund_of, period, hash;
  std::int64_t key_id = 0, at = 0;
};

/// What a transaction can see, but for the ledger's rows, which are only added.
struct tables {
  struct account {
    std::string public_id, email, plan;
    std::int64_t created_at = 0;
  };
  struct node {
    std::string token;
    std::int64_t batches = 0;
    bool is_retired = false;
  };
  struct beat {
    moment seen_at = 0;
    std::int64_t backend = 0;
  };
  struct head {
    std::int64_t seq = 0, movement = 0;
    std::string hash;
  };
  std::map<std::string, std::string> secrets;
  std::map<std::int64_t, account> accounts;
  std::map<std::int64_t, node> nodes;
  std::map<std::int64_t, beat> beats;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> leases;  ///< of account and node
  std::map<std::pair<std::int64_t, std::int64_t>, std::array<std::int64_t, 4>> allowances;
  std::optional<head> top;
  std::int64_t running_ms = 0;
  std::size_t rows = 0;  ///< of the ledger
};

struct statement {
  std::string text;
  columns given;
  std::vector<bool> is_bytes = {};  ///< of each that is given
};

struct connection;
class recording;

struct session {
  std::int64_t pid = 0;
  connection* client = nullptr;  ///< null: it is gone, which nobody has seen yet
  bool is_in = false, has_failed = false, waits_for_no_disk = false, listens = false;
  bool waits_for_no_disk_now = false;  ///< within this transaction
  std::vector<std::function<void(tables&)>> writes;
  std::optional<tables> own;
  std::vector<ledger_row> added;
  std::vector<std::string> notices;
  moment statement_timeout = 10 * second, idle_timeout = 10 * second;
  std::uint64_t requests = 0;
};

struct request {
  std::int64_t pid = 0;
  std::vector<statement> all;
  std::size_t next = 0;
  std::vector<answer> answers;
  bool is_prepared = false;
};

/// A server's end of a connection, as libpq has it.
struct connection {
  machine of = 0;
  std::int64_t pid = 0;
  int file = 0;
  bool is_open = false, is_broken = false, is_answered = false, is_in = false;
  bool is_heard = false;  ///< the answer was taken in
  std::vector<answer> answers;
  std::size_t taken = 0;
  std::deque<std::string> notices, heard;  ///< that came; that were taken in
  moment last_notice = 0;
  std::map<std::string, std::string> prepared;
};

class database {
 public:
  explicit database(flaw planted, std::ostream* record);
  ~database();
  [[nodiscard]] static database* current() noexcept;
  static void use(database* one) noexcept;

  // The network, as a machine has it.
  void open(connection& made);
  void send(connection& sender, std::vector<statement> all, bool is_prepared);
  void close(connection& gone);
  /// Nothing of the machine goes either way until then.
  void cut_off(machine which, moment until);
  /// It stands still until then: what is sent to it is taken by its machine, and done later.
  void hang(moment until) { hung_until_ = std::max(hung_until_, until); }
  /// Its process is gone; with `silently` its machine is, too, and nobody is told.
  void lose(machine which, bool silently);
  [[nodiscard]] bool is_lost(machine which) const { return lost_.contains(which); }

  // The server.
  /// What is not on the disk may be gone; comes back then, maybe with another clock.
  void crash(moment until, moment clock);
  [[nodiscard]] const tables& now() const noexcept { return now_; }
  [[nodiscard]] const std::vector<ledger_row>& ledger() const noexcept { return ledger_; }
  /// What was never to be seen; "" if nothing was.
  [[nodiscard]] const std::string& fault() const noexcept { return fault_; }
  [[nodiscard]] std::uint64_t fences() const noexcept { return fences_; }
  [[nodiscard]] std::uint64_t taken_back() const noexcept { return taken_back_; }

 private:
  struct known {
    const char* begins;
    bool (database::*run)(session&, const columns&, answer&);
  };
  static const known all_known[];
  void arrive(const std::shared_ptr<request>& what);
  void proceed(const std::shared_ptr<request>& what);
  void reply(const request& what);
  void end(std::int64_t pid);
  void hand_lock_over();
  void watch_idle(session& of);
  void break_off(connection& one, moment when);
  [[nodiscard]] bool is_there(int file, std::int64_t pid) const;
  [[nodiscard]] bool is_cut(machine which) const;
  [[nodiscard]] static moment delay();
  [[nodiscard]] moment heard_at(machine which) const;
  [[nodiscard]] moment beat_of(const session& asker) const;
  [[nodiscard]] moment clock() const { return world::current()->now() + clock_; }
  void read_timeout(session& asker, std::string_view text);
  void write(session& asker, std::function<void(tables&)> change);
  [[nodiscard]] const tables& seen_by(const session& asker) const {
    return asker.own ? *asker.own : now_;
  }
  [[nodiscard]] const ledger_row* last_of(const session& asker, const std::string& book) const;
  void commit(session& asker);
  void drop(session& asker);
  void remember();
  void flush_to(std::uint64_t place);
  void check();
  void blame(std::string what);
  bool take_lock(session& asker, const std::shared_ptr<request>& asked);

  bool begin(session&, const columns&, answer&);
  bool commit_it(session&, const columns&, answer&);
  bool roll_back(session&, const columns&, answer&);
  bool nothing(session&, const columns&, answer&);
  bool empty(session&, const columns&, answer&);
  bool no_rows(session&, const columns&, answer&);
  bool one(session&, const columns&, answer&);
  bool listen(session&, const columns&, answer&);
  bool wait_for_no_disk(session&, const columns&, answer&);
  bool wait_for_no_disk_now(session&, const columns&, answer&);
  bool leave_mark(session&, const columns&, answer&);
  bool version(session&, const columns&, answer&);
  bool find_secret(session&, const columns&, answer&);
  bool list_secrets(session&, const columns&, answer&);
  bool put_secret(session&, const columns&, answer&);
  bool count_accounts(session&, const columns&, answer&);
  bool find_named(session&, const columns&, answer&);
  bool lock_node(session&, const columns&, answer&);
  bool add_node(session&, const columns&, answer&);
  bool put_connection(session&, const columns&, answer&);
  bool end_connection(session&, const columns&, answer&);
  [[nodiscard]] bool may_judge(const session&, const columns&) const;
  bool end_unseen(session&, const columns&, answer&);
  bool retire_one(session&, const columns&, answer&);
  bool retire_unseen(session&, const columns&, answer&);
  bool remove_leases_of_gone(session&, const columns&, answer&);
  bool remove_beats_of_gone(session&, const columns&, answer&);
  bool is_in_service(session&, const columns&, answer&);
  bool put_beat(session&, const columns&, answer&);
  bool count_others(session&, const columns&, answer&);
  bool count_batch(session&, const columns&, answer&);
  bool find_batches(session&, const columns&, answer&);
  bool find_leased(session&, const columns&, answer&);
  bool put_leases(session&, const columns&, answer&);
  bool remove_leases(session&, const columns&, answer&);
  bool notify(session&, const columns&, answer&);
  bool add_rows(session&, const columns&, answer&);
  bool put_head(session&, const columns&, answer&);
  bool find_allowance(session&, const columns&, answer&);
  bool put_allowance(session&, const columns&, answer&);
  bool put_running_time(session&, const columns&, answer&);
  bool find_running_time(session&, const columns&, answer&);
  bool find_head(session&, const columns&, answer&);
  bool has_email(session&, const columns&, answer&);
  bool add_account(session&, const columns&, answer&);
  bool find_account(session&, const columns&, answer&);
  void give_account(const session&, std::int64_t id, answer&) const;

  flaw planted_;
  std::unique_ptr<recording> record_;
  tables now_;
  std::vector<ledger_row> ledger_;
  std::map<std::int64_t, session> sessions_;
  std::map<std::int64_t, std::int64_t> node_locks_;  ///< node to session
  std::int64_t lock_owner_ = 0, next_pid_ = 100, next_node_ = 1, next_account_ = 1;
  std::deque<std::shared_ptr<request>> lock_waiters_;
  std::map<std::uint64_t, tables> history_;  ///< what is not on the disk, and the last that is
  std::uint64_t place_ = 0, flushed_ = 0, epoch_ = 0, fences_ = 0, taken_back_ = 0;
  moment clock_ = 0, down_until_ = 0, hung_until_ = 0;
  std::map<machine, moment> cut_;
  std::set<machine> lost_;
  std::map<int, connection*> connections_;  ///< by their files
  std::string fault_;
};

}  // namespace freshet::simulation

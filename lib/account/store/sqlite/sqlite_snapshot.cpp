// Everything is read in the order of the rows' numbers, which is that of the file: no index is
// walked, and nothing is sorted.
#include <account/store/sqlite/sqlite_rows.hpp>
#include <account/store/sqlite/sqlite_snapshot.hpp>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::statement;

class sqlite_snapshot final : public ledger_snapshot {
 public:
  explicit sqlite_snapshot(database& on) : on_(on) {}

  result<void> check_storage(const reader<std::string>& rows,
                             const std::function<bool()>& watch) override {
    bool is_ended = false;
    on_.watch_steps([&] { return !(is_ended = !watch()); });
    statement check(on_, "query", "PRAGMA integrity_check(20)");
    auto read = check.each_row("integrity check", [&] {
      if (check.text(0) != "ok") rows(std::string(check.text(0)));
    });
    on_.watch_steps(nullptr);
    if (is_ended) return ended();
    return read;
  }

  result<std::int64_t> last_seq() override {
    return on_.integer("SELECT ifnull(max(seq), 0) FROM ledger");
  }

  result<void> read_chain(
      std::int64_t after,
      const std::function<bool(const chain_row&, std::string_view)>& function) override {
    statement rows(on_, "query", movements_where("seq>? ORDER BY seq"));
    bool is_ended = false;
    const bool is_read =
        each_movement_of(rows.bind(after), [&](const chain_row& row, std::string_view hash) {
          is_ended = row.seq > after && !function(row, hash);
          return !is_ended;
        });
    if (is_ended) return ended();
    if (!is_read) return on_.last_error("reading the ledger");
    return {};
  }

  result<std::optional<chain_position>> position_at(std::int64_t seq) override {
    statement rows(on_, "query", movements_where("seq>=? ORDER BY seq LIMIT 1"));
    std::optional<chain_position> found;
    const bool is_read =
        each_movement_of(rows.bind(seq), [&](const chain_row& row, std::string_view hash) {
          if (row.seq == seq) found = chain_position{row.number, base::as_digest(hash)};
          return true;
        });
    if (!is_read) return on_.last_error("reading the ledger");
    return found;
  }

  result<account_book> book_at(std::string_view book, std::int64_t seq) override {
    account_book found;
    const auto keep = [&](const chain_row& row, std::string_view hash) {
      if (row.seq > seq) return false;
      found = {row.balance, row.monthly_left, {row.number, base::as_digest(hash)}};
      return true;
    };
    statement before(on_, "query", movements_where("book=? AND seq<=? ORDER BY seq DESC LIMIT 1"));
    // A row goes by its last movement: that one may be among those of the next.
    statement next(on_, "query", movements_where("book=? AND seq>? ORDER BY seq LIMIT 1"));
    if (!each_movement_of(before.bind(book, seq), keep) ||
        !each_movement_of(next.bind(book, seq), keep))
      return on_.last_error("reading the ledger");
    return found;
  }

  result<void> read_head(const reader<chain_head, std::string_view>& to) override {
    statement stored(on_, "query", "SELECT seq, movement, hash, mac FROM ledger_head");
    return stored.each_row("reading the ledger's head", [&] {
      chain_head said;
      std::string_view mac;
      stored.read(said.seq, said.movement, said.hash, mac);
      to(said, mac);
    });
  }

 private:
  static error ended() { return error(errc::cancelled, "the verification was ended"); }

  database& on_;
};

}  // namespace

result<void> read_snapshot(database& database, const std::function<void(ledger_snapshot&)>& read) {
  if (database.execute("BEGIN") != sqlite::sqlite_ok) return database.last_error("verifying");
  sqlite_snapshot snapshot(database);
  read(snapshot);
  if (database.execute("ROLLBACK") != sqlite::sqlite_ok) return database.last_error("verifying");
  return {};
}

}  // namespace freshet::account

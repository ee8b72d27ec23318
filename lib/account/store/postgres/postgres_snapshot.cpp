// In the order of the rows' numbers, by the primary key. Of its storage the server itself is asked
// nothing: it has checksums and tools of its own for that.
#include <account/store/postgres/durability.hpp>
#include <account/store/postgres/postgres_rows.hpp>
#include <account/store/postgres/postgres_snapshot.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr std::int64_t rows_of_chain = 4'000;
/// What judges the rows between two reads takes no time that counts.
constexpr std::chrono::minutes snapshot_idle{5};

class postgres_snapshot final : public ledger_snapshot {
 public:
  explicit postgres_snapshot(pg_connection& on) : on_(on) {}

  result<void> check_storage(const reader<std::string>&, const std::function<bool()>&) override {
    return {};
  }

  result<std::int64_t> last_seq() override {
    return on_.integer("SELECT coalesce(max(seq), 0) FROM ledger");
  }

  result<void> read_chain(
      std::int64_t after,
      const std::function<bool(const chain_row&, std::string_view)>& function) override {
    for (;;) {
      pg_statement rows(on_, "query",
                        std::string("SELECT ") + chain_columns +
                            " FROM ledger WHERE seq>$1 ORDER BY seq LIMIT $2");
      if (rows.bind(after, rows_of_chain).run() != pg_outcome::done)
        return on_.last_error("reading the ledger");
      while (rows.next()) {
        chain_row row;
        const auto hash = read_chain_row(rows, row);
        after = row.seq;
        if (!function(row, hash)) return error(errc::cancelled, "the verification was ended");
      }
      if (static_cast<std::int64_t>(rows.rows()) < rows_of_chain) return {};
    }
  }

  result<std::optional<chain_position>> position_at(std::int64_t seq) override {
    pg_statement row(on_, "query", "SELECT number, hash FROM ledger WHERE seq=$1");
    if (row.bind(seq).run() != pg_outcome::done) return on_.last_error("reading the ledger");
    std::optional<chain_position> found;
    if (!row.next()) return found;
    chain_position& at = found.emplace();
    row.read(at.number, at.hash);
    return found;
  }

  result<account_book> book_at(std::string_view book, std::int64_t seq) override {
    pg_statement row(on_, "query",
                     "SELECT balance, monthly_left, number, hash FROM ledger WHERE book=$1 AND "
                     "seq<=$2 ORDER BY seq DESC LIMIT 1");
    if (row.bind(book, seq).run() != pg_outcome::done) return on_.last_error("reading the ledger");
    account_book found;
    if (row.next())
      row.read(found.balance, found.monthly_left, found.chain.number, found.chain.hash);
    return found;
  }

  result<void> read_head(const reader<chain_head, std::string_view>& to) override {
    pg_statement stored(on_, "query", "SELECT seq, movement, hash, mac FROM ledger_head");
    if (stored.run() != pg_outcome::done) return on_.last_error("reading the ledger's head");
    while (stored.next()) {
      chain_head said;
      std::string_view mac;
      stored.read(said.seq, said.movement, said.hash, mac);
      to(said, mac);
    }
    return {};
  }

 private:
  pg_connection& on_;
};

}  // namespace

result<void> open_for_snapshot(pg_connection& connection, const std::string& url,
                               std::function<bool()> is_gone) {
  postgres::connection_options options;
  options.url = url;
  options.statement_timeout = std::chrono::milliseconds(0);
  options.idle_timeout = snapshot_idle;
  options.is_gone = std::move(is_gone);
  return connection.open(options);
}

result<void> read_snapshot(pg_connection& connection,
                           const std::function<void(ledger_snapshot&)>& read) {
  constexpr const char* begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
  if (connection.execute(begin) != pg_outcome::done) return connection.last_error("verifying");
  postgres_snapshot snapshot(connection);
  read(snapshot);
  if (connection.execute("ROLLBACK") != pg_outcome::done) return connection.last_error("verifying");
  if (settle_reading(connection) != pg_outcome::done) return connection.last_error("verifying");
  return {};
}

}  // namespace freshet::account::on_postgres

// Two passes: in the order of writing for the chain, the pairs and the sum; in the order of the
// books for their balances.
#include <account/ledger_writer.hpp>
#include <account/verify.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

constexpr const char* columns =
    "seq, movement, book, amount, balance, monthly_left, kind, reason, endpoint, request_id, "
    "sources, period, key_id, at, hash";

/// Sums that wrap: the numbers of a tampered file can be anything.
std::int64_t plus(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

chain_row read_chain_row(const statement& from) {
  chain_row row;
  row.seq = from.integer(0);
  row.movement = from.integer(1);
  row.book = from.text(2);
  row.amount = from.integer(3);
  row.balance = from.integer(4);
  row.monthly_left = from.integer(5);
  row.kind = from.text(6);
  row.reason = from.text(7);
  row.endpoint = from.text(8);
  row.request_id = from.text(9);
  row.sources = from.text(10);
  row.period = from.text(11);
  row.key_id = from.integer(12);
  row.at_ms = from.integer(13);
  return row;
}

class replay {
 public:
  replay(database& on, std::string_view pepper) : on_(on), pepper_(pepper) {}

  result<verify_report> run() {
    for (const auto pass : {&replay::check_file, &replay::check_chain, &replay::check_books}) {
      if (auto passed = (this->*pass)(); !passed) return passed.error();
    }
    if (more_ > 0) report_.findings.push_back("and " + std::to_string(more_) + " more");
    report_.ok = report_.findings.empty();
    return std::move(report_);
  }

 private:
  void find(std::string what) {
    if (report_.findings.size() < max_findings)
      report_.findings.push_back(std::move(what));
    else
      ++more_;
  }

  void find_in_row(std::int64_t seq, std::string_view what) {
    find("row " + std::to_string(seq) + ": " + std::string(what));
  }

  result<void> check_file() {
    statement check(on_, "query", "PRAGMA integrity_check(20)");
    sqlite_code code = check.step();
    for (; code == sqlite_row; code = check.step())
      if (check.text(0) != "ok") find("file: " + std::string(check.text(0)));
    // A file that is too broken to be read is a finding, not a failure to look.
    if (code != sqlite_done) find("file: " + on_.last_error("integrity check").detail());
    return {};
  }

  void check_sequence(const chain_row& row) {
    const std::int64_t expected = plus(head_.seq, 1);
    if (row.seq == expected) return;
    const std::int64_t last = plus(row.seq, -1);
    find(last == expected
             ? "row " + std::to_string(expected) + " is missing"
             : "rows " + std::to_string(expected) + " to " + std::to_string(last) + " are missing");
  }

  void check_pair(const chain_row& row) {
    const bool of_system = row.book == grants_book || row.book == revenue_book;
    if (open_ && row.movement == head_.movement) {
      if (plus(row.amount, open_amount_) != 0)
        find_in_row(row.seq, "its movement does not sum to zero");
      if (!of_system) find_in_row(row.seq, "its movement has no system book");
      open_ = false;
      return;
    }
    if (open_)
      find_in_row(row.seq, "movement " + std::to_string(head_.movement) + " has one row only");
    if (row.movement != plus(head_.movement, 1))
      find_in_row(row.seq, "its movement is out of order");
    if (of_system) find_in_row(row.seq, "its movement does not begin with an account");
    open_ = true;
    open_amount_ = row.amount;
  }

  result<void> check_chain() {
    statement rows(on_, "query", std::string("SELECT ") + columns + " FROM ledger ORDER BY seq");
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) {
      const chain_row row = read_chain_row(rows);
      check_sequence(row);
      check_pair(row);
      const std::string_view stored = rows.text(14);
      if (stored != base::as_text(link(head_.hash, row)))
        find_in_row(row.seq, "it, or the row before it, was altered: the hash does not fit");
      head_.seq = row.seq;
      head_.movement = row.movement;
      // From what is stored, so that one altered row does not hide the others.
      std::copy_n(stored.begin(), std::min(stored.size(), head_.hash.size()), head_.hash.begin());
      ++report_.rows;
    }
    if (code != sqlite_done) find("file: " + on_.last_error("reading the ledger").detail());
    if (open_) find_in_row(head_.seq, "its movement has one row only");
    report_.head = base::hex(base::as_text(head_.hash));
    return check_head();
  }

  result<void> check_head() {
    statement stored(on_, "query", "SELECT seq, movement, hash, mac FROM ledger_head");
    const sqlite_code code = stored.step();
    if (code == sqlite_done) {
      find("head: it is missing");
      return {};
    }
    if (code != sqlite_row) return on_.last_error("reading the ledger's head");
    chain_head said;
    said.seq = stored.integer(0);
    said.movement = stored.integer(1);
    const std::string_view hash = stored.text(2);
    std::copy_n(hash.begin(), std::min(hash.size(), said.hash.size()), said.hash.begin());
    if (said.seq > head_.seq)
      find("head: rows " + std::to_string(plus(head_.seq, 1)) + " to " + std::to_string(said.seq) +
           " are missing at the end");
    if (said.seq < head_.seq)
      find("head: rows after " + std::to_string(said.seq) + " were added from outside");
    if (said.seq == head_.seq && (said.hash != head_.hash || said.movement != head_.movement))
      find("head: it does not fit the last row");
    if (!base::equal_in_constant_time(base::as_text(seal(said, pepper_)), stored.text(3)))
      find("head: its seal does not fit: it was written from outside, or under another pepper");
    return {};
  }

  result<void> check_books() {
    statement rows(on_, "query",
                   "SELECT seq, book, amount, balance, monthly_left FROM ledger "
                   "ORDER BY book, seq");
    std::string book;
    std::int64_t balance = 0, sum = 0;
    sqlite_code code = rows.step();
    for (; code == sqlite_row; code = rows.step()) {
      if (rows.text(1) != book) {
        book = rows.text(1);
        balance = 0;
      }
      const std::int64_t seq = rows.integer(0), amount = rows.integer(2);
      const std::int64_t after = rows.integer(3), monthly_left = rows.integer(4);
      if (after != plus(balance, amount))
        find_in_row(seq, "the balance of " + book + " does not fit");
      balance = after;
      sum = plus(sum, amount);
      const bool of_system = book == grants_book || book == revenue_book;
      if (!of_system && (after < 0 || monthly_left < 0 || monthly_left > after))
        find_in_row(seq, "the balance of " + book + " is out of bounds");
    }
    if (code != sqlite_done) find("file: " + on_.last_error("reading the ledger").detail());
    if (sum != 0) find("sum: all rows sum to " + std::to_string(sum) + ", not to zero");
    return {};
  }

  database& on_;
  std::string_view pepper_;
  verify_report report_;
  chain_head head_;
  bool open_ = false;  ///< whether the movement of the last row waits for its second row
  std::int64_t open_amount_ = 0;
  std::size_t more_ = 0;
};

}  // namespace

result<verify_report> verify_ledger(database& on, std::string_view pepper) {
  if (on.execute("BEGIN") != sqlite_ok) return on.last_error("verifying");
  auto report = replay(on, pepper).run();
  if (on.execute("ROLLBACK") != sqlite_ok) return on.last_error("verifying");
  return report;
}

}  // namespace freshet::account

// Replays the ledger and says what is wrong in it, in two passes: in the order of writing for the
// chain, the pairs and the sum; in the order of the books for their balances. It reads one row at a
// time: memory does not grow with the ledger. It changes nothing.
#include <account/owners.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// Findings beyond this many are only counted.
constexpr std::size_t max_findings = 100;

/// Sums that wrap: the numbers of a tampered file can be anything.
std::int64_t plus(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

class ledger_replay {
 public:
  ledger_replay(ledger_snapshot& rows, std::string_view pepper) : rows_(rows), pepper_(pepper) {}

  result<verify_report> run() {
    check_file();
    check_chain();
    if (auto passed = check_head(); !passed) return passed.error();
    check_books();
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

  void find_in_row(std::int64_t seq, std::string_view text) {
    find("row " + std::to_string(seq) + ": " + std::string(text));
  }

  /// A file that is too broken to be read is a finding, not a failure to look.
  void find_failure(const result<void>& read) {
    if (!read) find("file: " + read.error().detail());
  }

  void check_file() {
    find_failure(rows_.check_storage([&](const std::string& line) { find("file: " + line); }));
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

  void check_chain() {
    find_failure(rows_.read_chain(
        [&](const chain_row& row, std::string_view hash) { check_link(row, hash); }));
    if (open_) find_in_row(head_.seq, "its movement has one row only");
    report_.head = base::hex(base::as_text(head_.hash));
  }

  void check_link(const chain_row& row, std::string_view hash) {
    check_sequence(row);
    check_pair(row);
    if (hash != base::as_text(link(head_.hash, row)))
      find_in_row(row.seq, "it, or the row before it, was altered: the hash does not fit");
    head_.seq = row.seq;
    head_.movement = row.movement;
    // From what is stored, so that one altered row does not hide the others.
    std::copy_n(hash.begin(), std::min(hash.size(), head_.hash.size()), head_.hash.begin());
    ++report_.rows;
  }

  result<void> check_head() {
    bool is_there = false;
    auto read = rows_.read_head([&](const chain_head& stored, std::string_view mac) {
      is_there = true;
      compare_head(stored, mac);
    });
    if (read && !is_there) find("head: it is missing");
    return read;
  }

  void compare_head(const chain_head& said, std::string_view mac) {
    if (said.seq > head_.seq)
      find("head: rows " + std::to_string(plus(head_.seq, 1)) + " to " + std::to_string(said.seq) +
           " are missing at the end");
    if (said.seq < head_.seq)
      find("head: rows after " + std::to_string(said.seq) + " were added from outside");
    if (said.seq == head_.seq && (said.hash != head_.hash || said.movement != head_.movement))
      find("head: it does not fit the last row");
    if (!base::equal_in_constant_time(base::as_text(seal(said, pepper_)), mac))
      find("head: its seal does not fit: it was written from outside, or under another pepper");
  }

  void check_books() {
    std::string book;
    std::int64_t balance = 0, sum = 0;
    find_failure(rows_.read_books([&](const chain_row& row) {
      if (row.book != book) {
        book = row.book;
        balance = 0;
      }
      if (row.balance != plus(balance, row.amount))
        find_in_row(row.seq, "the balance of " + book + " does not fit");
      balance = row.balance;
      sum = plus(sum, row.amount);
      const bool of_system = book == grants_book || book == revenue_book;
      if (!of_system && (row.balance < 0 || row.monthly_left < 0 || row.monthly_left > row.balance))
        find_in_row(row.seq, "the balance of " + book + " is out of bounds");
    }));
    if (sum != 0) find("sum: all rows sum to " + std::to_string(sum) + ", not to zero");
  }

  ledger_snapshot& rows_;
  std::string_view pepper_;
  verify_report report_;
  chain_head head_;
  bool open_ = false;  ///< whether the movement of the last row waits for its second row
  std::int64_t open_amount_ = 0;
  std::size_t more_ = 0;
};

}  // namespace

result<verify_report> accounts::verify() const {
  account_store& books = *owners_->books;
  result<verify_report> report = verify_report();
  auto read = books.read_snapshot(
      [&](ledger_snapshot& rows) { report = ledger_replay(rows, books.pepper()).run(); });
  if (!read) return read.error();
  return report;
}

}  // namespace freshet::account

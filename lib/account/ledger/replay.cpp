// One pass over the rows, in the order of writing: the chain, the pairs, and every book's balance.
// It reads one row at a time; what grows in memory is a number for each book, not for each row.
#include <account/ledger/replay.hpp>
#include <account/rules/book.hpp>
#include <algorithm>
#include <limits>
#include <unordered_map>

namespace freshet::account {
namespace {

/// Findings beyond this many are only counted.
constexpr std::size_t max_findings = 100;

/// Sums that wrap: the numbers of a tampered file can be anything.
std::int64_t plus(std::int64_t a, std::int64_t b) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// Behind which all rows are, those of a tampered file, too.
constexpr std::int64_t every_row = std::numeric_limits<std::int64_t>::min();
/// Rows between two words to whoever watches.
constexpr std::int64_t watched_rows = 8192;

/// Rows between two notes of how far the ledger is sound.
constexpr std::int64_t noted_rows = 1 << 18;

/// Where a replay begins, and who notes how far it has come.
struct replay_course {
  std::optional<chain_head> after;
  std::function<void(const chain_head&)> note;
};

class ledger_replay {
 public:
  ledger_replay(ledger_snapshot& rows, std::string_view pepper, const replay_options& options,
                const replay_course& course)
      : rows_(rows), pepper_(pepper), options_(options), course_(course) {}

  result<verify_report> run() {
    if (auto looked = begin(); !looked) return looked.error();
    if (auto looked = check_chain(); !looked) return looked.error();
    if (auto passed = check_head(); !passed) return passed.error();
    if (auto passed = check_known(); !passed) return passed.error();
    if (sum_ != 0) find("sum: all rows sum to " + std::to_string(sum_) + ", not to zero");
    if (more_ > 0) report_.findings.push_back("and " + std::to_string(more_) + " more");
    report_.ok = report_.findings.empty();
    note_sound();
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

  /// A file that is too broken to be read is a finding, not a failure to look; to be ended is none.
  result<void> find_failure(const result<void>& read) {
    if (read) return {};
    if (read.error().code() == errc::cancelled) return read;
    find("file: " + read.error().detail());
    return {};
  }

  [[nodiscard]] bool goes_on(std::string_view step, std::int64_t done, std::int64_t all) const {
    return !options_.watch || options_.watch(step, done, all);
  }

  /// Looks at the file as a whole, or goes on where it was sound before.
  result<void> begin() {
    if (!course_.after) return check_file();
    const auto hash = rows_.hash_at(course_.after->seq);
    if (!hash) return hash.error();
    head_ = *course_.after;
    report_.begun_after = head_.seq;
    if (*hash != head_.hash && head_.seq != 0)
      find_in_row(head_.seq, "it was altered after it had been found sound");
    return {};
  }

  void note_sound() const {
    if (course_.note && report_.findings.empty() && !open_) course_.note(head_);
  }

  result<void> check_file() {
    return find_failure(rows_.check_storage([&](const std::string& line) { find("file: " + line); },
                                            [&] { return goes_on("checking the file", 0, 0); }));
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
    const auto last = rows_.last_seq();
    const std::int64_t all = last ? *last : 0;
    const std::int64_t after = course_.after ? course_.after->seq : every_row;
    result<void> looked;
    auto read = rows_.read_chain(after, [&](const chain_row& row, std::string_view hash) {
      check_link(row, hash);
      looked = check_book(row);
      if (!looked) return false;
      if (report_.rows % noted_rows == 0) note_sound();
      return report_.rows % watched_rows != 0 ||
             goes_on("replaying", report_.begun_after + report_.rows, all);
    });
    if (!looked) return looked;
    if (open_) find_in_row(head_.seq, "its movement has one row only");
    report_.head = head_;
    return find_failure(read);
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

  result<void> check_book(const chain_row& row) {
    const auto [book, is_new] = balances_.try_emplace(std::string(row.book), 0);
    if (is_new && course_.after) {
      const auto before = rows_.balance_at(row.book, course_.after->seq);
      if (!before) return before.error();
      book->second = *before;
    }
    if (row.balance != plus(book->second, row.amount))
      find_in_row(row.seq, "the balance of " + book->first + " does not fit");
    book->second = row.balance;
    sum_ = plus(sum_, row.amount);
    const bool of_system = row.book == grants_book || row.book == revenue_book;
    if (!of_system && (row.balance < 0 || row.monthly_left < 0 || row.monthly_left > row.balance))
      find_in_row(row.seq, "the balance of " + book->first + " is out of bounds");
    return {};
  }

  /// Whether the book continues the head that was kept of it.
  result<void> check_known() {
    if (!options_.known || options_.known->seq == 0) return {};
    const std::string name = head_name(*options_.known);
    const auto hash = rows_.hash_at(options_.known->seq);
    if (!hash) return hash.error();
    if (options_.known->seq > head_.seq)
      find("known head: the book is older than " + name + ": it ends at row " +
           std::to_string(head_.seq));
    else if (*hash != options_.known->hash)
      find("known head: the book does not continue " + name +
           ": it is another, or was written anew before that row");
    return {};
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

  ledger_snapshot& rows_;
  std::string_view pepper_;
  const replay_options& options_;
  const replay_course& course_;
  verify_report report_;
  chain_head head_;
  bool open_ = false;  ///< whether the movement of the last row waits for its second row
  std::int64_t open_amount_ = 0;
  std::size_t more_ = 0;
  std::unordered_map<std::string, std::int64_t> balances_;  ///< by book
  std::int64_t sum_ = 0;
};

}  // namespace

result<verify_report> replay(ledger_snapshot& rows, std::string_view pepper,
                             const replay_options& options) {
  return ledger_replay(rows, pepper, options, {}).run();
}

result<verify_report> replay(ledger_source& from, const replay_options& options) {
  const replay_course course{options.resumes ? from.sound_until() : std::nullopt,
                             [&](const chain_head& head) { from.put_sound_until(head); }};
  result<verify_report> report = verify_report();
  auto read = from.read_snapshot([&](ledger_snapshot& rows) {
    report = ledger_replay(rows, from.pepper(), options, course).run();
  });
  if (!read) return read.error();
  return report;
}

}  // namespace freshet::account

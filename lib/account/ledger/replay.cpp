// One pass over the rows, in the order of writing: the pairs and the one chain of the first era,
// then every account's own chain, the head over all of them, and every book's balance. It reads one
// row at a time; what grows in memory is where each book stands, not each row.
#include <account/ledger/entry_check.hpp>
#include <account/ledger/replay.hpp>
#include <algorithm>
#include <limits>
#include <unordered_map>

namespace freshet::account {
namespace {

/// Findings beyond this many are only counted.
constexpr std::size_t max_findings = 100;

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
    check_known();
    if (sum_ != 0) find("sum: the rows of pairs sum to " + std::to_string(sum_) + ", not to zero");
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
    // What a head was can only be said on the way.
    if (course_.after && options_.known && options_.known->seq < course_.after->seq)
      course_.after.reset();
    if (!course_.after) return check_file();
    const auto last = rows_.position_at(course_.after->seq);
    if (!last) return last.error();
    head_ = *course_.after;
    report_.begun_after = head_.seq;
    // In the first era the row's hash was the head's.
    const bool is_as_it_was = *last && ((*last)->number != 0 || (*last)->hash == head_.hash);
    if (!is_as_it_was && head_.seq != 0)
      find_in_row(head_.seq, "it was altered after it had been found sound");
    has_chains_ = *last && (*last)->number != 0;
    note_known();
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
    const std::int64_t expected = wrapping_sum(head_.seq, 1);
    if (row.seq == expected) return;
    const std::int64_t last = wrapping_sum(row.seq, -1);
    find(last == expected
             ? "row " + std::to_string(expected) + " is missing"
             : "rows " + std::to_string(expected) + " to " + std::to_string(last) + " are missing");
  }

  void check_pair(const chain_row& row) {
    if (has_chains_) find_in_row(row.seq, "it is of the first era, behind rows that are not");
    const bool of_system = row.book == grants_book || row.book == revenue_book;
    if (open_ && row.movement == head_.movement) {
      if (wrapping_sum(row.amount, open_amount_) != 0)
        find_in_row(row.seq, "its movement does not sum to zero");
      if (!of_system) find_in_row(row.seq, "its movement has no system book");
      open_ = false;
      return;
    }
    if (open_)
      find_in_row(row.seq, "movement " + std::to_string(head_.movement) + " has one row only");
    if (row.movement != wrapping_sum(head_.movement, 1))
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
      const auto book = book_of(row);
      if (!book) {
        looked = book.error();
        return false;
      }
      check_row(row, hash, **book);
      if (report_.rows % noted_rows == 0) note_sound();
      return report_.rows % watched_rows != 0 ||
             goes_on("replaying", report_.begun_after + report_.rows, all);
    });
    if (!looked) return looked;
    if (open_) find_in_row(head_.seq, "its movement has one row only");
    report_.head = head_;
    return find_failure(read);
  }

  void check_row(const chain_row& row, std::string_view hash, account_book& book) {
    check_sequence(row);
    if (row.number == 0) {
      check_pair(row);
      if (hash != base::as_text(link(head_.hash, row)))
        find_in_row(row.seq, "it, or the row before it, was altered: the hash does not fit");
      sum_ = wrapping_sum(sum_, row.amount);
    } else {
      check_movement(row);
    }
    check_entry(row, hash, book, [&](const std::string& what) { find_in_row(row.seq, what); });
    head_.seq = row.seq;
    head_.movement = row.movement;
    head_.hash = row.number == 0 ? book.chain.hash : extend(head_.hash, book.chain.hash);
    note_known();
    ++report_.rows;
  }

  /// A row that is a movement by itself.
  void check_movement(const chain_row& row) {
    if (open_)
      find_in_row(row.seq, "movement " + std::to_string(head_.movement) + " has one row only");
    open_ = false;
    has_chains_ = true;
    if (row.movement != wrapping_sum(head_.movement, 1))
      find_in_row(row.seq, "its movement is out of order");
    if (row.book == grants_book || row.book == revenue_book)
      find_in_row(row.seq, "it is of no account's book");
  }

  /// Where its book stood before a row, as far as it was read.
  result<account_book*> book_of(const chain_row& row) {
    const auto [book, is_new] = books_.try_emplace(std::string(row.book));
    if (is_new && course_.after) {
      const auto before = rows_.book_at(row.book, course_.after->seq);
      if (!before) return before.error();
      book->second = *before;
    }
    return &book->second;
  }

  void note_known() {
    if (options_.known && options_.known->seq == head_.seq)
      continues_known_ = options_.known->hash == head_.hash;
  }

  /// Whether the book continues the head that was kept of it.
  void check_known() {
    if (!options_.known || options_.known->seq == 0 || continues_known_) return;
    const std::string name = head_name(*options_.known);
    if (options_.known->seq > head_.seq)
      find("known head: the book is older than " + name + ": it ends at row " +
           std::to_string(head_.seq));
    else
      find("known head: the book does not continue " + name +
           ": it is another, or was written anew before that row");
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
      find("head: rows " + std::to_string(wrapping_sum(head_.seq, 1)) + " to " +
           std::to_string(said.seq) + " are missing at the end");
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
  replay_course course_;
  verify_report report_;
  chain_head head_;
  bool has_chains_ = false;       ///< whether the first era has ended
  bool continues_known_ = false;  ///< the known head was met on the way
  bool open_ = false;             ///< whether the movement of the last row waits for its second row
  std::int64_t open_amount_ = 0;
  std::size_t more_ = 0;
  std::unordered_map<std::string, account_book> books_;
  std::int64_t sum_ = 0;
};

}  // namespace

result<verify_report> replay(ledger_snapshot& rows, std::string_view pepper,
                             const replay_options& options) {
  return ledger_replay(rows, pepper, options, {}).run();
}

result<verify_report> replay(ledger_source& source, const replay_options& options) {
  const replay_course course{options.resumes ? source.sound_until() : std::nullopt,
                             [&](const chain_head& head) { source.put_sound_until(head); }};
  result<verify_report> report = verify_report();
  auto read = source.read_snapshot([&](ledger_snapshot& rows) {
    report = ledger_replay(rows, source.pepper(), options, course).run();
  });
  if (!read) return read.error();
  return report;
}

}  // namespace freshet::account

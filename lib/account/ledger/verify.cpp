// The verification of the accounts that are open, on connections that nobody waits behind.
#include <account/ledger/entry_check.hpp>
#include <account/owners.hpp>

namespace freshet::account {
namespace {

/// Findings beyond so many say nothing new.
constexpr std::size_t max_entry_findings = 20;
/// Rows between two questions whether somebody still waits.
constexpr std::int64_t entries_between_questions = 1024;

/// Follows a book from the row that `after` names, or from its first.
class entry_walk {
 public:
  explicit entry_walk(const entry_range& range) : range_(range) {}

  /// Whether to go on.
  bool read(const chain_row& row, std::string_view hash) {
    if (range_.after && !is_begun_) return begin(row, hash);
    if (report_.entries == range_.most) {
      report_.is_complete = false;
      return false;
    }
    check_entry(row, hash, book_, [&](const std::string& what) { find(row.seq, what); });
    report_.seq = row.seq;
    ++report_.entries;
    is_ended_ =
        report_.entries % entries_between_questions == 0 && range_.is_wanted && !range_.is_wanted();
    return !is_ended_;
  }

  result<entry_report> take() {
    if (is_ended_) return error(errc::cancelled, "the verification was ended");
    if (range_.after && !is_begun_) find_other_book();
    report_.hash = book_.chain.hash;
    report_.balance = book_.balance;
    return std::move(report_);
  }

 private:
  bool begin(const chain_row& row, std::string_view hash) {
    if (row.seq != range_.after->seq || hash != base::as_text(range_.after->hash)) return false;
    is_begun_ = true;
    book_ = {row.balance, row.monthly_left, {row.number, range_.after->hash}};
    report_.seq = row.seq;
    return true;
  }

  void find(std::int64_t seq, const std::string& wanted) {
    if (report_.findings.size() < max_entry_findings)
      report_.findings.push_back(entry_name(seq) + ": " + wanted);
  }

  void find_other_book() {
    report_.findings.push_back("the book does not continue " + head_name(*range_.after) +
                               ": it is another, or was written anew before that entry");
  }

  const entry_range& range_;
  entry_report report_{.is_complete = true};
  account_book book_;
  bool is_begun_ = false, is_ended_ = false;
};

}  // namespace

result<verify_report> accounts::verify(const replay_options& options) const {
  account_store& books = *owners_->books;
  result<verify_report> report = verify_report();
  auto read = books.read_snapshot(
      [&](ledger_snapshot& rows) { report = replay(rows, books.pepper(), options); });
  if (!read) return read.error();
  return report;
}

result<entry_report> accounts::verify_entries(std::int64_t account_id,
                                              const entry_range& range) const {
  entry_walk walk(range);
  const auto read = owners_->books->read_book(
      account_book_name(account_id), range.after ? range.after->seq : 0,
      [&](const chain_row& row, std::string_view hash) { return walk.read(row, hash); });
  if (!read) return read.error();
  return walk.take();
}

}  // namespace freshet::account

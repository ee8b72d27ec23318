// The rows of the ledger and its head. Memory follows the disk: positions move on only after the
// commit.
#include <account/ledger/ledger.hpp>
#include <algorithm>
#include <base/number.hpp>

namespace freshet::account {
namespace {

constexpr std::string_view entry_prefix = "led_";

}  // namespace

std::string entry_name(std::int64_t seq) { return std::string(entry_prefix) + std::to_string(seq); }

bool is_entry_name(std::string_view name) noexcept { return name.starts_with(entry_prefix); }

std::optional<std::int64_t> entry_number(std::string_view name) noexcept {
  if (!is_entry_name(name)) return std::nullopt;
  return base::parse_number<std::int64_t>(name.substr(entry_prefix.size()));
}

result<void> ledger::load(account_store& books) {
  const auto end = books.read_ledger_end();
  if (!end) return end.error();
  committed_ = end->head;
  // More rows than the head knows: somebody added some. Going on behind them keeps the service
  // alive and the evidence in place, for verify() to find.
  committed_.seq = std::max(committed_.seq, end->last_seq);
  working_ = committed_;
  last_movement_ = committed_.movement;
  if (end->has_head) return {};
  // The head of an empty ledger is written at once: a missing one is then always a finding.
  const auto put_head = [&](transaction& running) {
    running.put_head(working_, account::seal(working_, pepper_));
  };
  if (books.write(put_head) == store_status::done) return {};
  return error(errc::storage_unavailable, "starting the ledger: it cannot be written");
}

void ledger::append(transaction& running, std::int64_t account_id, const book_change& change,
                    const movement_note& note, account_book& book) {
  const std::string name = account_book_name(account_id);
  chain_row row;
  static_cast<movement_note&>(row) = note;
  row.seq = ++working_.seq;
  row.number = book.chain.number + 1;
  row.movement = ++working_.movement;
  row.book = name;
  row.amount = change.amount;
  row.balance = book.balance + change.amount;
  row.monthly_left = change.monthly_left;
  book = {row.balance, row.monthly_left, {row.number, link(book.chain.hash, row)}};
  working_.hash = extend(working_.hash, book.chain.hash);
  running.append(row, book.chain.hash);
}

void ledger::begin(transaction& running, std::span<const std::int64_t>) {
  if (const auto head = running.find_head()) committed_ = working_ = *head;
}

void ledger::seal(transaction& running) {
  if (working_.seq == committed_.seq) return;
  running.put_head(working_, account::seal(working_, pepper_));
}

void ledger::take() {
  committed_ = working_;
  last_movement_ = committed_.movement;
}

}  // namespace freshet::account

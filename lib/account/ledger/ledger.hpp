// The ledger: movements of accounts' books, chained and sealed. It refuses no movement by itself:
// what may be charged was decided when it was reserved, and the store's checks guard the rest.
#pragma once

#include <account/commit_queue.hpp>

namespace freshet::account {

/// "led_<seq>": an entry of the ledger, as people name it.
[[nodiscard]] std::string entry_name(std::int64_t seq);
/// The number in an entry's name; null for any other text.
[[nodiscard]] std::optional<std::int64_t> entry_number(std::string_view name) noexcept;
/// Whether a text means an entry, be it a good one or not.
[[nodiscard]] bool is_entry_name(std::string_view name) noexcept;

/// Used by the queue's thread alone, except where it says otherwise.
class ledger final : public follower {
 public:
  /// `pepper` must outlive it.
  explicit ledger(std::string_view pepper) : pepper_(pepper) {}
  /// Goes on where the store's ledger ends, whose head it writes if there is none. Error:
  /// storage_unavailable.
  [[nodiscard]] result<void> load(account_store& books);

  /// Moves credits into or out of an account's book, which is brought up to date.
  void append(transaction& running, std::int64_t account_id, const book_change& change,
              const movement_note& note, account_book& book);
  /// The number of the last movement that was committed. Any thread.
  [[nodiscard]] std::int64_t last_movement() const noexcept { return last_movement_; }

  /// Where others write, too, it goes on from where they have ended.
  void begin(transaction& running, std::span<const std::int64_t> accounts) override;
  void seal(transaction& running) override;
  void drop() noexcept override { working_ = committed_; }
  void take() override;

 private:
  std::string_view pepper_;
  chain_head committed_, working_;
  std::atomic<std::int64_t> last_movement_{0};
};

}  // namespace freshet::account

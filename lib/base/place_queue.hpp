// Whose work comes next where places are few and each piece takes one for as long as it likes:
// browsers, and the programs that read PDFs. Owners have their turns by the seconds that they had
// places, none has all of them while another waits, and none fills the queue. Only numbers.
#pragma once

#include <base/fair_queue.hpp>
#include <cstdint>
#include <map>
#include <optional>

namespace freshet::base {

/// Pieces of work by their tickets. Not thread-safe.
class place_queue {
 public:
  explicit place_queue(std::size_t places) : most_of_one_(places > 1 ? places - 1 : 1) {}

  void push(owner_id owner, std::uint64_t ticket);
  /// Takes out who is next; done() must follow for each. Who has one's part of the places already
  /// gets another where nobody else waits: over_share() says whose work must step back then.
  std::optional<std::uint64_t> next() noexcept;
  /// The same for work that cannot step back: nobody gets more than one's part.
  std::optional<std::uint64_t> next_within_share() noexcept;
  /// The same for whose work, waiting and in places, is the fewest; of several for who has fewer
  /// places, then for who came first.
  std::optional<std::uint64_t> next_of_fewest() noexcept;
  /// Work of `owner` has left its place, which it had for so long.
  void done(owner_id owner, double seconds) noexcept;
  /// What waits no longer.
  void remove(owner_id owner, std::uint64_t ticket);

  /// The owner who has more places than is one's part while another waits for one: work of its must
  /// step back where no place is free. Not the engine itself.
  [[nodiscard]] std::optional<owner_id> over_share() const noexcept;
  /// What came last of the owner who fills the queue, and gives its room to work of `owner`; null
  /// if nobody has so many more than that.
  [[nodiscard]] std::optional<std::uint64_t> displaced_by(owner_id owner) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  void clear() noexcept;

 private:
  std::optional<std::uint64_t> take(
      std::optional<fair_queue<std::uint64_t>::taken_entry> one) noexcept;

  std::size_t most_of_one_;
  fair_queue<std::uint64_t> order_;
  std::map<owner_id, std::size_t> running_;
  /// Those that wait, in the order of their coming.
  std::map<std::uint64_t, owner_id> waiting_;
};

}  // namespace freshet::base

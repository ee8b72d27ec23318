// Whose page comes next: browsers are few, and a page takes one for as long as it likes. Owners
// have their turns by the seconds that their pages took, none has all browsers while another waits,
// and none fills the queue. Only numbers; no browser is touched here.
#pragma once

#include <base/fair_queue.hpp>
#include <cstdint>
#include <map>
#include <optional>

namespace freshet::browser {

/// Pages by their tickets. Not thread-safe.
class page_queue {
 public:
  explicit page_queue(std::size_t max_browsers)
      : most_of_one_(max_browsers > 1 ? max_browsers - 1 : 1) {}

  void push(base::owner_id owner, std::uint64_t ticket);
  /// Takes out who is next; done() must follow for each.
  std::optional<std::uint64_t> next() noexcept;
  /// A page of `owner` has left its browser, which it had for so long.
  void done(base::owner_id owner, double seconds) noexcept;
  /// A page that waits no longer.
  void remove(base::owner_id owner, std::uint64_t ticket);

  /// The owner who has more browsers than is one's part while another waits for one: a page of its
  /// must step back where no browser is free. Not the engine itself.
  [[nodiscard]] std::optional<base::owner_id> over_share() const noexcept;
  /// The newest waiting page of the owner who fills the queue, which gives its place to a page of
  /// `owner`; null if nobody has so many more than that.
  [[nodiscard]] std::optional<std::uint64_t> displaced_by(base::owner_id owner) const noexcept;

  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  void clear() noexcept;

 private:
  std::size_t most_of_one_;
  base::fair_queue<std::uint64_t> order_;
  std::map<base::owner_id, std::size_t> running_;
  /// Those that wait, in the order of their coming.
  std::map<std::uint64_t, base::owner_id> waiting_;
};

}  // namespace freshet::browser

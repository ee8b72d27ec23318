// Who has an account: the records of those that are in memory, found by number. It holds neither
// books nor keys, and writes and reads nothing: it is brought up to date when a commit has
// succeeded, and by whoever reads an account. It also knows which accounts have changed since
// somebody began to read them.
#pragma once

#include <account/types.hpp>
#include <array>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::account {

/// Under the commit queue's lock.
class directory {
 public:
  void add(const account_record& record);
  void remove(std::int64_t id);
  /// One that is in memory, as it was read anew, and marks any.
  void replace(const account_record& record);
  [[nodiscard]] std::vector<std::int64_t> ids() const;
  /// Null if there is none in memory. Deleted accounts are there, too.
  [[nodiscard]] const account_record* find(std::int64_t id) const;
  /// One that was not deleted.
  [[nodiscard]] const account_record* find_living(std::int64_t id) const;
  [[nodiscard]] std::size_t size() const noexcept { return by_id_.size(); }

  // Whoever uses an account over more than one holding of the lock keeps it in memory so long.
  void keep(std::int64_t id) { ++by_id_.at(id).keepers; }
  void let_go(std::int64_t id) { --by_id_.at(id).keepers; }
  [[nodiscard]] bool is_kept(std::int64_t id) const { return by_id_.at(id).keepers > 0; }

  /// What is stored of an account, of its book or of its keys has changed, be it in memory or not.
  void mark_changed(std::int64_t id) { ++changes_[slot_of(id)]; }
  /// Different from before where the account has changed meanwhile, or, seldom, another.
  [[nodiscard]] std::uint64_t changes_of(std::int64_t id) const { return changes_[slot_of(id)]; }

  // These change an account that is in memory, and mark any.
  void set_plan(std::int64_t id, const std::string& plan);
  void set_operator(std::int64_t id, bool is_operator);  ///< not of a deleted account
  void set_verified(std::int64_t id, time_point verified_at);
  /// Forgets whose it was.
  void remove_person(std::int64_t id, time_point deleted_at);

 private:
  struct entry {
    account_record record;
    std::size_t keepers = 0;
  };
  static constexpr std::size_t slots = 1024;
  [[nodiscard]] static std::size_t slot_of(std::int64_t id) {
    return static_cast<std::uint64_t>(id) % slots;
  }
  /// Marks it; null if it is not in memory.
  [[nodiscard]] account_record* change(std::int64_t id);

  std::unordered_map<std::int64_t, entry> by_id_;
  std::array<std::uint64_t, slots> changes_{};
};

}  // namespace freshet::account

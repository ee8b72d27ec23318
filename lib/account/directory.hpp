// Who has an account: its record, found by number, address and public id. It holds neither books
// nor keys, and writes nothing: it is brought up to date when a commit has succeeded.
#pragma once

#include <account/types.hpp>
#include <atomic>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::account {

/// Under the commit queue's lock. Its thread, which alone changes it, may read it without.
class directory {
 public:
  void add(const account_record& record);
  /// Null if there is none. Deleted accounts are found by number and public id only.
  [[nodiscard]] const account_record* find(std::int64_t id) const;
  [[nodiscard]] const account_record* find_by_email(const std::string& normal_email) const;
  [[nodiscard]] const account_record* find_by_public_id(const std::string& public_id) const;
  /// One that is there and was not deleted.
  [[nodiscard]] const account_record* find_living(std::int64_t id) const;
  /// Every number, deleted accounts' too.
  [[nodiscard]] std::vector<std::int64_t> ids() const;
  /// How many there are; may be read without the lock, and after this is gone.
  [[nodiscard]] std::shared_ptr<const std::atomic<std::size_t>> size() const { return size_; }

  void set_plan(std::int64_t id, const std::string& plan);
  void set_operator(std::int64_t id, bool is_operator);  ///< not of a deleted account
  void set_verified(std::int64_t id, time_point verified_at);
  /// Forgets whose it was.
  void remove_person(std::int64_t id, time_point deleted_at);

 private:
  std::shared_ptr<std::atomic<std::size_t>> size_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::unordered_map<std::int64_t, account_record> by_id_;
  std::unordered_map<std::string, std::int64_t> by_email_;
  std::unordered_map<std::string, std::int64_t> by_public_id_;  ///< deleted ones too
};

}  // namespace freshet::account

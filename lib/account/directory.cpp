// The three ways to a record.
#include <account/directory.hpp>

namespace freshet::account {

void directory::add(const account_record& record) {
  if (!record.deleted_at) by_email_.emplace(record.email, record.id);
  by_public_id_.emplace(record.public_id, record.id);
  by_id_.emplace(record.id, record);
  size_->store(by_id_.size(), std::memory_order_relaxed);
}

const account_record* directory::find(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second;
}

const account_record* directory::find_by_email(const std::string& normal_email) const {
  const auto found = by_email_.find(normal_email);
  return found == by_email_.end() ? nullptr : find(found->second);
}

const account_record* directory::find_by_public_id(const std::string& public_id) const {
  const auto found = by_public_id_.find(public_id);
  return found == by_public_id_.end() ? nullptr : find(found->second);
}

const account_record* directory::find_living(std::int64_t id) const {
  const account_record* const found = find(id);
  return found == nullptr || found->deleted_at ? nullptr : found;
}

std::vector<std::int64_t> directory::ids() const {
  std::vector<std::int64_t> all;
  all.reserve(by_id_.size());
  for (const auto& [id, record] : by_id_) all.push_back(id);
  return all;
}

void directory::set_plan(std::int64_t id, const std::string& plan) { by_id_.at(id).plan = plan; }

void directory::set_operator(std::int64_t id, bool is_operator) {
  account_record& record = by_id_.at(id);
  if (!record.deleted_at) record.is_operator = is_operator;
}

void directory::set_verified(std::int64_t id, time_point verified_at) {
  by_id_.at(id).verified_at = verified_at;
}

void directory::remove_person(std::int64_t id, time_point deleted_at) {
  account_record& record = by_id_.at(id);
  by_email_.erase(record.email);
  record.email.clear();
  record.is_operator = false;
  record.verified_at.reset();
  record.deleted_at = deleted_at;
}

}  // namespace freshet::account

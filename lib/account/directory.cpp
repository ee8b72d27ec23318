// The records, and what happens to them.
#include <account/directory.hpp>

namespace freshet::account {

void directory::add(const account_record& record) { by_id_.try_emplace(record.id, entry{record}); }

void directory::remove(std::int64_t id) { by_id_.erase(id); }

void directory::replace(const account_record& record) {
  if (account_record* const known = change(record.id)) *known = record;
}

std::vector<std::int64_t> directory::ids() const {
  std::vector<std::int64_t> all;
  all.reserve(by_id_.size());
  for (const auto& [id, one] : by_id_) all.push_back(id);
  return all;
}

const account_record* directory::find(std::int64_t id) const {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second.record;
}

const account_record* directory::find_living(std::int64_t id) const {
  const account_record* const found = find(id);
  return found == nullptr || found->deleted_at ? nullptr : found;
}

account_record* directory::change(std::int64_t id) {
  mark_changed(id);
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &found->second.record;
}

void directory::set_plan(std::int64_t id, const std::string& plan) {
  if (account_record* const record = change(id)) record->plan = plan;
}

void directory::set_operator(std::int64_t id, bool is_operator) {
  account_record* const record = change(id);
  if (record != nullptr && !record->deleted_at) record->is_operator = is_operator;
}

void directory::set_verified(std::int64_t id, time_point verified_at) {
  if (account_record* const record = change(id)) record->verified_at = verified_at;
}

void directory::remove_person(std::int64_t id, time_point deleted_at) {
  account_record* const record = change(id);
  if (record == nullptr) return;
  record->email.clear();
  record->is_operator = false;
  record->verified_at.reset();
  record->deleted_at = deleted_at;
}

}  // namespace freshet::account

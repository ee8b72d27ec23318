// Reading what is not there, and making room for it.
#include <account/owners.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// So often is an account read again that changes while it is read.
constexpr int most_tries = 50;
/// Of the keys in memory, what one account may have.
constexpr std::size_t share_of_account = 8;

}  // namespace

stay::~stay() {
  if (in_ != nullptr) in_->leave(account_id_, key_id_);
}

residents::residents(commit_queue& queue, account_store& books, directory& accounts,
                     balances& money, keyring& keys, const past_grants& granted, limits most)
    : queue_(queue),
      books_(books),
      accounts_(accounts),
      money_(money),
      keys_(keys),
      granted_(granted),
      was_read_(std::move(most.was_read)),
      recent_accounts_(std::max<std::size_t>(most.accounts, 1)),
      recent_keys_(std::max<std::size_t>(most.keys, 1)),
      keys_of_account_(std::max<std::size_t>(most.keys / share_of_account, 2)) {}

bool residents::has(std::int64_t account_id, std::int64_t key_id) {
  make_room();
  if (accounts_.find(account_id) == nullptr) return false;
  const key_record* const key = key_id == 0 ? nullptr : keys_.find(key_id);
  if (key_id != 0 && key == nullptr) return false;
  recent_accounts_.use(account_id);
  if (key != nullptr) use_key(key->account_id, key_id);
  return true;
}

void residents::use_key(std::int64_t account_id, std::int64_t key_id) {
  recent_keys_.use(key_id);
  const auto own = own_keys_.try_emplace(account_id, keys_of_account_).first;
  own->second.use(key_id);
  if (own->second.size() > keys_of_account_) crowded_.insert(account_id);
}

void residents::add(const stored_account& account) {
  const account_record& record = account.record;
  if (accounts_.find(record.id) == nullptr) {
    accounts_.add(record);
    money_.add(record.id, account.book);
    money_.skip_month(record.id, granted_.month_of(record));
  }
  recent_accounts_.use(record.id);
}

void residents::add(const stored_key& key) {
  if (keys_.find(key.record.id) == nullptr) keys_.add(key);
  use_key(key.record.account_id, key.record.id);
}

void residents::keep(std::int64_t account_id, std::int64_t key_id) {
  accounts_.keep(account_id);
  if (key_id != 0) keys_.keep(key_id);
}

void residents::leave(std::int64_t account_id, std::int64_t key_id) {
  const auto guard = queue_.lock();
  accounts_.let_go(account_id);
  if (key_id != 0) keys_.let_go(key_id);
}

void residents::make_room() {
  const auto may_go = [this](std::int64_t id) {
    return !accounts_.is_kept(id) && money_.is_idle(id);
  };
  while (const auto id = recent_accounts_.take_excess(may_go)) {
    accounts_.remove(*id);
    money_.remove(*id);
  }
  const auto key_may_go = [this](std::int64_t id) { return !keys_.is_kept(id); };
  for (const std::int64_t account_id : std::exchange(crowded_, {})) make_room_of(account_id);
  while (const auto id = recent_keys_.take_excess(key_may_go)) remove_key(*id);
}

/// What is in use stays, until its account uses another one.
void residents::make_room_of(std::int64_t account_id) {
  const auto own = own_keys_.find(account_id);
  if (own == own_keys_.end()) return;
  const auto may_go = [this](std::int64_t id) { return !keys_.is_kept(id); };
  // A place is left at least, so that the list outlives its keys.
  while (const auto id = own->second.take_excess(may_go)) {
    recent_keys_.forget(*id);
    keys_.remove(*id);
  }
}

void residents::remove_key(std::int64_t key_id) {
  const auto own = own_keys_.find(keys_.find(key_id)->account_id);
  own->second.forget(key_id);
  if (own->second.size() == 0) own_keys_.erase(own);
  keys_.remove(key_id);
}

result<residents::found_ones> residents::read(std::int64_t account_id, std::int64_t key_id) {
  found_ones found;
  ++reads_;
  auto account = books_.find_account(account_id);
  if (!account) return account.error();
  found.account = std::move(*account);
  if (key_id == 0) return found;
  auto key = books_.find_key(key_id);
  if (!key) return key.error();
  found.key = std::move(*key);
  return found;
}

result<stay> residents::admit(std::int64_t account_id, std::int64_t key_id) {
  for (int tries = 0; tries < most_tries; ++tries) {
    std::uint64_t before = 0;
    {
      const auto guard = queue_.lock();
      if (has(account_id, key_id)) {
        keep(account_id, key_id);
        return stay(*this, account_id, key_id);
      }
      before = accounts_.changes_of(account_id);
    }
    const auto found = read(account_id, key_id);
    if (was_read_) was_read_();
    if (!found) return found.error();
    if (!found->account) return error(errc::not_found, "no such account");
    if (key_id != 0 && (!found->key || found->key->record.account_id != account_id))
      return error(errc::not_found, "no such key");
    const auto guard = queue_.lock();
    // What was read may be older than a commit that has concluded since: it is read again.
    if (accounts_.changes_of(account_id) != before) continue;
    add(*found->account);
    if (found->key) add(*found->key);
    keep(account_id, key_id);
    make_room();
    return stay(*this, account_id, key_id);
  }
  return storage_failure();
}

}  // namespace freshet::account

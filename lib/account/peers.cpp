// What servers over one book have to know of each other: which idempotent calls are running
// anywhere, and what others have committed, taken into memory. What they name is read
// anew, and read again where this server has changed it meanwhile: its own commits are in memory
// already, and newer than what was read.
#include <account/owners.hpp>
#include <account/servers.hpp>

namespace freshet::account {
namespace {

/// So often is something read again that changes while it is read.
constexpr int most_rereads = 50;
/// Marks of calls that could not be ended: as many as may fail while a database is away.
constexpr std::size_t most_left_calls = 100'000;

}  // namespace

int count_servers(const accounts& book) noexcept { return book.inside().books->peers() + 1; }

std::string answer_name(key_mode mode, std::string_view key) {
  return (mode == key_mode::test ? "\t" : "") + std::string(key);
}

result<void> owners::begin_elsewhere(const marked_call& call, std::string_view fingerprint) {
  if (!books->is_shared()) return {};
  const std::string name = answer_name(call.mode, call.key);
  std::optional<std::string> running;
  const auto write = [&](transaction& writing) {
    running = writing.begin_call(call.account_id, name, fingerprint);
  };
  if (auto done = queue.run(write, nullptr); !done) return done;
  if (running) return idempotency_conflict(*running, fingerprint);
  return {};
}

void owners::end_now(std::int64_t account_id, key_mode mode, std::string_view key) noexcept {
  if (!books->is_shared()) return;
  try {
    const marked_call call{account_id, mode, std::string(key)};
    queue.post(std::make_unique<plain_work>(
        [name = answer_name(call.mode, call.key), call](transaction& writing) {
          writing.end_call(call.account_id, name);
        },
        [this, call](bool committed) {
          if (!committed) end_later(call);
        }));
  } catch (const std::bad_alloc&) {
    // The call that comes next with this key, on this server, ends it.
  }
}

void owners::end_later(marked_call call) {
  if (books->is_shared() && left_calls_.size() < most_left_calls)
    left_calls_.push_back(std::move(call));
}

std::unique_ptr<work> owners::end_left_calls() {
  if (left_calls_.empty()) return nullptr;
  auto left = std::exchange(left_calls_, {});
  // Of those that run again the mark is that of the later call.
  std::erase_if(left, [this](const marked_call& call) {
    return keyring.has_mark(call.account_id, call.mode, call.key);
  });
  return std::make_unique<plain_work>(
      [left](transaction& writing) {
        for (const marked_call& call : left)
          writing.end_call(call.account_id, answer_name(call.mode, call.key));
      },
      [this, left](bool committed) {
        if (committed) return;
        for (const marked_call& call : left) end_later(call);
      });
}

void owners::hear(const peer_news& what) {
  switch (what.what) {
    case peer_news::kind::account:
      return reread_account(what.id);
    case peer_news::kind::key:
      return reread_key(what.id);
    case peer_news::kind::sessions:
      return tell_sessions(what.id);
    case peer_news::kind::past_grants:
      return static_cast<void>(load_past_grants());
    case peer_news::kind::everything:
      return reread_everything();
    case peer_news::kind::book:
    case peer_news::kind::budget:
    case peer_news::kind::recall:
    case peer_news::kind::freed:
      break;
  }
  const auto guard = queue.lock();
  if (what.what == peer_news::kind::book) {
    directory.mark_changed(what.id);
    balances.show(what.id, what.first, what.second);
  } else if (what.what == peer_news::kind::budget) {
    keyring.show_use(what.id, static_cast<month_index>(what.first), what.second);
  } else if (what.what == peer_news::kind::recall) {
    balances.give_back(what.id);
  } else {
    balances.ask_again(what.id);
  }
}

void owners::reread_account(std::int64_t account_id) {
  if (accounts->load(std::memory_order_relaxed) < 2)
    if (const auto several = books->count_accounts(2))
      accounts->store(*several, std::memory_order_relaxed);
  for (int tries = 0; tries < most_rereads; ++tries) {
    std::uint64_t before = 0;
    {
      const auto guard = queue.lock();
      // Who is reading it just now reads it again.
      if (tries == 0) directory.mark_changed(account_id);
      if (directory.find(account_id) == nullptr) return;
      before = directory.changes_of(account_id);
    }
    const auto found = books->find_account(account_id);
    if (!found || !*found) return;
    {
      const auto guard = queue.lock();
      if (directory.changes_of(account_id) != before) continue;
      if (!take_news(account_id, **found)) return;
    }
    return tell_deletion((*found)->record.public_id);
  }
}

/// Whether it says that another server has deleted the account. Under the lock.
bool owners::take_news(std::int64_t account_id, const stored_account& read) {
  const bool was_there = directory.find_living(account_id) != nullptr;
  directory.replace(read.record);
  if (directory.find(account_id) == nullptr) return false;
  const account_book& book = read.book.book;
  balances.show(account_id, book.balance, book.monthly_left);
  return was_there && read.record.deleted_at;
}

void owners::reread_key(std::int64_t key_id) {
  auto found = books->find_key(key_id);
  for (int tries = 0; tries < most_rereads && found && *found; ++tries) {
    const std::int64_t account_id = (*found)->record.account_id;
    std::uint64_t before = 0;
    {
      const auto guard = queue.lock();
      if (tries == 0) directory.mark_changed(account_id);
      before = directory.changes_of(account_id);
    }
    found = books->find_key(key_id);
    if (!found || !*found) return;
    const auto guard = queue.lock();
    if (directory.changes_of(account_id) != before) continue;
    const stored_key& key = **found;
    key_index.put(key.hash, indexed(key.record));
    keyring.replace(key);
    origins.add(key.record.origins);
    return;
  }
}

void owners::reread_everything() {
  static_cast<void>(load_past_grants());
  static_cast<void>(load_origins());
  static_cast<void>(
      books->read_key_index([this](const base::sha256_digest& hash, const indexed_key& key) {
        const auto guard = queue.lock();
        key_index.put(hash, key);
      }));
  std::vector<std::int64_t> account_ids, key_ids;
  {
    const auto guard = queue.lock();
    account_ids = directory.ids();
    key_ids = keyring.ids();
  }
  for (const std::int64_t id : account_ids) reread_account(id);
  for (const std::int64_t id : key_ids) reread_key(id);
  tell_sessions(0);
}

void owners::on_sessions(std::function<void(std::int64_t)> told) {
  const std::lock_guard guard(sessions_mutex_);
  sessions_changed_ = std::move(told);
}

void owners::on_deletion(std::function<void(const std::string&)> told) {
  const std::lock_guard guard(deletions_mutex_);
  deleted_ = std::move(told);
}

void owners::tell_deletion(const std::string& public_id) {
  const std::lock_guard guard(deletions_mutex_);
  if (deleted_) deleted_(public_id);
}

void owners::tell_sessions(std::int64_t account_id) {
  const std::lock_guard guard(sessions_mutex_);
  if (sessions_changed_) sessions_changed_(account_id);
}

}  // namespace freshet::account

// The ledger thread: takes whatever has queued since its last commit, writes it in one transaction
// and concludes it in memory. A batch that fails leaves disk and memory as they were.
#include <account/state.hpp>
#include <future>

namespace freshet::account {
namespace {

/// How often a database that refused a write is tried again.
constexpr std::chrono::milliseconds probe_interval{250};
/// How long a key's last use may wait in memory.
constexpr std::chrono::seconds flush_interval{30};
constexpr std::chrono::minutes purge_interval{1};
constexpr std::int64_t max_purged_at_once = 10'000;

/// Work that its caller waits for.
class job final : public work {
 public:
  job(std::function<sqlite_code(batch&)> write, std::function<void()> commit)
      : write_(std::move(write)), commit_(std::move(commit)) {}
  sqlite_code write(batch& in) override { return write_(in); }
  void conclude(accounts_state&, bool committed) override {
    if (committed && commit_) commit_();
  }
  void tell(bool committed) override { outcome_.set_value(committed); }
  std::future<bool> outcome() { return outcome_.get_future(); }

 private:
  std::function<sqlite_code(batch&)> write_;
  std::function<void()> commit_;
  std::promise<bool> outcome_;
};

/// Writes when keys were last used.
class flush_work final : public work {
 public:
  explicit flush_work(std::vector<std::pair<std::int64_t, std::int64_t>> used)
      : used_(std::move(used)) {}
  sqlite_code write(batch& in) override {
    statement update(in.state().writer, "upkeep", "UPDATE keys SET last_used_at=? WHERE id=?");
    for (const auto& [id, at_ms] : used_)
      if (const auto code = update.bind(at_ms).bind(id).run(); code != sqlite_ok) return code;
    return sqlite_ok;
  }
  void conclude(accounts_state& in, bool committed) override {
    if (committed) return;
    in.keys_used = true;
    for (const auto& use : used_)
      if (key_entry* const key = in.find_key(use.first)) key->used_since_flush = true;
  }
  void tell(bool) override {}

 private:
  std::vector<std::pair<std::int64_t, std::int64_t>> used_;  ///< key and milliseconds
};

/// Removes answers that are too old to be given again.
class purge_work final : public work {
 public:
  explicit purge_work(time_point before) : before_(before) {}
  sqlite_code write(batch& in) override {
    statement purge(in.state().writer, "upkeep",
                    "DELETE FROM answers WHERE id IN "
                    "(SELECT id FROM answers WHERE at<? ORDER BY at LIMIT ?)");
    return purge.bind(to_ms(before_)).bind(max_purged_at_once).run();
  }
  void conclude(accounts_state&, bool) override {}
  void tell(bool) override {}

 private:
  time_point before_;
};

}  // namespace

batch::changed_book& batch::book_of(std::int64_t account_id) {
  const auto [at, is_new] = changed_.try_emplace(account_id);
  // Only this thread changes committed books, so it may read them without the mutex.
  if (is_new) at->second.book = of_.accounts_by_id.at(account_id).book;
  return at->second;
}

void accounts_state::start() {
  last_flush = options.clock->steady();
  last_purge = last_flush - purge_interval;
  movements = ledger->last_movement();
  thread = std::thread([this] { loop(); });
}

void accounts_state::stop() {
  if (!thread.joinable()) return;
  {
    const std::lock_guard guard(mutex);
    stopping = true;
    queue_filled.notify_one();
  }
  thread.join();
}

bool accounts_state::on_ledger_thread() const noexcept {
  return std::this_thread::get_id() == thread.get_id();
}

void accounts_state::post(std::unique_ptr<work> item) {
  queue.push_back(std::move(item));
  queue_filled.notify_one();
}

result<void> accounts_state::run(std::function<sqlite_code(batch&)> write,
                                 std::function<void()> commit) {
  if (on_ledger_thread())
    return error(errc::internal, "the ledger thread was asked to wait for itself");
  auto item = std::make_unique<job>(std::move(write), std::move(commit));
  std::future<bool> outcome = item->outcome();
  {
    const std::lock_guard guard(mutex);
    post(std::move(item));
  }
  if (!outcome.get()) return storage_failure();
  return {};
}

void accounts_state::loop() {
  std::vector<std::unique_ptr<work>> items;
  for (bool last = false; !last;) {
    {
      std::unique_lock guard(mutex);
      const auto ready = [this] { return stopping || !queue.empty(); };
      if (!writable)
        queue_filled.wait_for(guard, probe_interval, ready);
      else if (keys_used)
        queue_filled.wait_for(guard, flush_interval, ready);
      else
        queue_filled.wait(guard, [&] { return ready() || keys_used; });
      last = stopping && queue.empty();
      while (!queue.empty() && items.size() < options.max_batch) {
        items.push_back(std::move(queue.front()));
        queue.pop_front();
      }
      add_upkeep(items, last);
    }
    if (!items.empty()) {
      process(items);
    } else if (!writable && !uncertain) {
      const std::lock_guard guard(writer.mutex);
      writable = probe();
    }
    items.clear();
  }
}

void accounts_state::add_upkeep(std::vector<std::unique_ptr<work>>& items, bool last) {
  const auto steady = options.clock->steady();
  if (keys_used && (last || steady - last_flush >= flush_interval)) {
    std::vector<std::pair<std::int64_t, std::int64_t>> used;
    for (auto& [id, key] : keys_by_id) {
      if (!key.used_since_flush || !key.record.last_used_at) continue;
      key.used_since_flush = false;
      used.emplace_back(id, to_ms(*key.record.last_used_at));
    }
    keys_used = false;
    last_flush = steady;
    items.push_back(std::make_unique<flush_work>(std::move(used)));
  }
  if (steady - last_purge < purge_interval) return;
  last_purge = steady;
  items.push_back(std::make_unique<purge_work>(now() - answer_lifetime));
}

void accounts_state::process(std::vector<std::unique_ptr<work>>& items) {
  if (uncertain) return conclude(items, nullptr);
  batch in(*this);
  sqlite_code code = sqlite_ok;
  {
    const std::lock_guard guard(writer.mutex);
    code = write_batch(items, in);
    if (code != sqlite_ok) recover(code);
  }
  if (code == sqlite_ok) {
    ++batches;
    movements = ledger->last_movement();
    writable = true;
    return conclude(items, &in);
  }
  if (!is_fault_of_row(code) || items.size() == 1) return conclude(items, nullptr);
  // One of them is at fault, not the storage: alone, it cannot spoil the others.
  for (auto& item : items) {
    std::vector<std::unique_ptr<work>> alone;
    alone.push_back(std::move(item));
    process(alone);
  }
}

sqlite_code accounts_state::write_batch(std::vector<std::unique_ptr<work>>& items, batch& in) {
  if (const sqlite_code code = ledger->begin(); code != sqlite_ok) return code;
  for (const auto& item : items)
    if (const sqlite_code code = item->write(in); code != sqlite_ok) return code;
  return ledger->commit();
}

void accounts_state::recover(sqlite_code after) {
  ++failed_batches;
  if (!ledger->rollback() || is_uncertain(after)) uncertain = true;
  // One that passes at once was the batch's own trouble; the others need not be refused for it.
  writable = !uncertain && probe();
}

bool accounts_state::probe() {
  sqlite_code code = writer.execute("probe", "BEGIN IMMEDIATE");
  if (code == sqlite_ok) code = writer.execute("UPDATE probe SET writes=writes+1");
  if (code == sqlite_ok) code = writer.execute("COMMIT");
  if (code == sqlite_ok) return true;
  if (writer.in_transaction() && writer.execute("ROLLBACK") != sqlite_ok) uncertain = true;
  if (is_uncertain(code)) uncertain = true;
  return false;
}

void accounts_state::conclude(std::vector<std::unique_ptr<work>>& items, const batch* committed) {
  {
    const std::lock_guard guard(mutex);
    if (committed != nullptr)
      for (const auto& [id, changed] : committed->changed())
        accounts_by_id.at(id).book = changed.book;
    for (const auto& item : items) item->conclude(*this, committed != nullptr);
    for (const auto& item : items) item->observe(*this);
  }
  for (const auto& item : items) item->tell(committed != nullptr);
}

}  // namespace freshet::account

// Opening: what is kept in memory of everybody, read from the store, in the order in which it is
// needed. It takes as long as there are keys, and no longer with accounts or calls.
#include <account/owners.hpp>
#include <account/rules/shares.hpp>
#include <account/users/email.hpp>
#include <algorithm>

namespace freshet::account {
namespace {

/// How long a key's last use may wait in memory.
constexpr std::chrono::seconds flush_interval{30};
constexpr std::size_t max_flushed = 2'000;
constexpr std::chrono::minutes purge_interval{1};
/// Between two commits of upkeep that is behind and has nobody to go with.
constexpr std::chrono::milliseconds catching_up{10};
constexpr std::size_t secret_bytes = 32;
/// Of a line of the audit log.
constexpr std::size_t max_detail_size = 1000;

}  // namespace

account_upkeep::account_upkeep(keyring& keys, balances& money, const base::clock& clock,
                               const running_clock& running,
                               std::function<std::unique_ptr<work>()> left)
    : keys_(keys),
      money_(money),
      clock_(clock),
      running_(running),
      left_(std::move(left)),
      last_flush_(clock.steady()),
      last_purge_(last_flush_ - purge_interval) {}

std::optional<std::chrono::milliseconds> account_upkeep::due_in() const {
  auto next = money_.due_in();
  if (more_answers_ || more_uses_ || keys_.has_many_uses())
    return std::min(next.value_or(catching_up), catching_up);
  if (keys_.has_uses())
    return std::min<std::chrono::milliseconds>(next.value_or(flush_interval), flush_interval);
  return next;
}

void account_upkeep::add_due(std::vector<std::unique_ptr<work>>& items, bool last) {
  money_.add_due(items, last);
  const auto steady = clock_.steady();
  const bool at_once = last || more_uses_ || keys_.has_many_uses();
  if (keys_.has_uses() && (at_once || steady - last_flush_ >= flush_interval)) {
    last_flush_ = steady;
    add_uses(items, last);
  }
  if (!last && !more_answers_ && steady - last_purge_ < purge_interval) return;
  last_purge_ = steady;
  if (auto item = left_()) items.push_back(std::move(item));
  add_purge(items);
}

void account_upkeep::add_uses(std::vector<std::unique_ptr<work>>& items, bool last) {
  const std::size_t most = last ? std::numeric_limits<std::size_t>::max() : max_flushed;
  const auto uses = std::make_shared<const std::vector<key_use>>(keys_.take_uses(most));
  more_uses_ = uses->size() == most;
  items.push_back(std::make_unique<plain_work>(
      [uses](transaction& running) {
        for (const key_use& one : *uses) running.put_last_use(one.key_id, one.at);
      },
      [this, uses](bool committed) {
        if (committed) return;
        keys_.give_back(*uses);
        more_uses_ = false;
      }));
}

void account_upkeep::add_purge(std::vector<std::unique_ptr<work>>& items) {
  const auto more = std::make_shared<bool>(false);
  items.push_back(std::make_unique<plain_work>(
      [more, now = running_.now()](transaction& running) {
        *more = running.purge_answers(now - answer_lifetime);
        running.put_running_time(now);
      },
      [this, more](bool committed) { more_answers_ = committed && *more; }));
}

base::sha256_digest past_grants::mark_of(std::string_view email) const {
  return base::hmac_sha256(pepper_, "past grant:" + mailbox_of(email));
}

void past_grants::put(const base::sha256_digest& mark, month_index month) {
  month_index& last = months_.try_emplace(mark, month).first->second;
  last = std::max(last, month);
}

month_index past_grants::month_of(const account_record& account) const {
  if (months_.empty() || account.email.empty()) return no_month;
  const auto found = months_.find(mark_of(account.email));
  if (found == months_.end()) return no_month;
  return account::month_of(account.created_at) < found->second ? no_month : found->second;
}

result<void> secrets::load(account_store& books) {
  return books.read_secrets(
      [this](const std::string& name, const std::string& value) { values_.emplace(name, value); });
}

result<std::string> secrets::get(std::string_view name) {
  {
    const auto guard = queue_.lock();
    if (const auto known = values_.find(name); known != values_.end()) return known->second;
  }
  std::string value;
  const auto write = [&](transaction& running) {
    // Two callers may ask at once: the queue's thread makes it once. It alone changes the map, so
    // it may read it.
    const auto known = values_.find(name);
    if (known != values_.end()) {
      value = known->second;
    } else if (auto made = running.find_secret(name)) {
      value = std::move(*made);  // by another server
    } else {
      value = base::random_bytes(secret_bytes);
      running.put_secret(name, value);
    }
  };
  const auto commit = [&] { values_.emplace(std::string(name), value); };
  if (auto done = queue_.run(write, commit); !done) return done.error();
  return value;
}

namespace {

std::vector<int> in_order(std::vector<int> shares) {
  std::ranges::sort(shares);
  return shares;
}

}  // namespace

owners::owners(accounts_options options, plan_table known_plans,
               std::unique_ptr<account_store> opened)
    : clock(*options.clock),
      max_queue(options.max_queue),
      max_rotated_keys(options.max_rotated_keys),
      plans(std::move(known_plans)),
      answers(options.answers),
      watched_shares(in_order(std::move(options.watched_shares))),
      fell(std::move(options.fell)),
      books(std::move(opened)),
      past_grants(books->pepper()),
      running(clock),
      upkeep(keyring, balances, clock, running, [this] { return end_left_calls(); }),
      queue(*books, upkeep, options.max_batch),
      ledger(books->pepper()),
      balances(*books, queue, ledger, directory, plans, clock),
      residents(queue, *books, directory, balances, keyring, past_grants,
                {options.accounts_in_memory, options.keys_in_memory, std::move(options.was_read)}),
      secrets(queue) {
  queue.follow({&ledger, &balances, &keyring});
  queue.expect([this] { return balances.holds(); });
  queue.on_loss(std::move(options.lost));
}

owners::~owners() {
  books->on_news(nullptr);
  books->on_loss(nullptr);
  books->stop_waiting();
  queue.stop();
}

result<std::unique_ptr<owners>> owners::open(accounts_options options) {
  if (options.clock == nullptr) options.clock = &base::system_clock();
  auto plans = plan_table::build(std::move(options.plans), options.test_keys);
  if (!plans) return plans.error();
  std::optional<shared_rates_options> shared;
  if (!options.redis.empty()) {
    auto where = redis::read_address(options.redis);
    if (!where) return where.error();
    shared.emplace();
    shared->where = std::move(*where);
    shared->timeout = options.redis_timeout;
    shared->changed = options.redis_changed;
  }
  auto books = account_store::open(
      {options.database_path, options.fail, options.tell, options.folder, options.replica});
  if (!books) return books.error();
  auto opened = std::make_unique<owners>(std::move(options), std::move(*plans), std::move(*books));
  if (auto done = opened->load(); !done) return done.error();
  if (shared) opened->share_rates(std::move(*shared));
  opened->queue.start();
  opened->books->on_loss([all = opened.get()] { all->queue.doubt(); });
  opened->books->on_news([all = opened.get()](const peer_news& what) { all->hear(what); });
  return opened;
}

void owners::share_rates(shared_rates_options shared) {
  // Whoever has the pepper serves this book: another book's servers may use the same Redis.
  const auto mark = base::hmac_sha256(books->pepper(), "redis");
  shared.prefix = "freshet:" + base::hex(base::as_text(mark).substr(0, 6)) + ":rate:";
  shared.servers = [this] { return books->peers() + 1; };
  shared.clock = &clock;
  rates = std::make_unique<shared_rates>(std::move(shared));
}

result<void> owners::load() {
  if (auto done = secrets.load(*books); !done) return done;
  if (auto done = ledger.load(*books); !done) return done;
  const auto ran = books->read_running_time();
  if (!ran) return ran.error();
  running.begin(*ran);
  const auto several = books->count_accounts(2);
  if (!several) return several.error();
  accounts->store(*several, std::memory_order_relaxed);
  if (auto done = load_past_grants(); !done) return done;
  if (auto done = load_origins(); !done) return done;
  return books->read_key_index([this](const base::sha256_digest& hash, const indexed_key& key) {
    key_index.put(hash, key);
  });
}

result<void> owners::load_past_grants() {
  return books->read_past_grants(
      month_of(now()), [this](const base::sha256_digest& mark, const month_index& granted) {
        const auto guard = queue.lock();
        past_grants.put(mark, granted);
      });
}

result<void> owners::load_origins() {
  return books->read_origins(
      [this](const std::string& joined) { origins.add(split_origins(joined)); });
}

std::optional<balance_fall> owners::fall_by(std::int64_t account_id, std::int64_t price,
                                            std::int64_t left) const {
  if (!fell || watched_shares.empty()) return std::nullopt;
  const account_record* const account = directory.find_living(account_id);
  const plan* const of = account == nullptr ? nullptr : plans.find(account->plan);
  if (of == nullptr) return std::nullopt;
  if (!share_reached(left + price, left, of->monthly.value, watched_shares)) return std::nullopt;
  return balance_fall{account_id,       account->public_id,
                      account->email,   account->verified_at.has_value(),
                      left + price,     left,
                      of->monthly.value};
}

void owners::note(transaction& writing, audit_note line) const {
  if (line.detail.size() > max_detail_size) line.detail.resize(max_detail_size);
  writing.note(line, now());
}

void owners::add_account(const account_record& record) {
  accounts->fetch_add(1, std::memory_order_relaxed);
  residents.add(stored_account{record, {}});
}

void owners::add_key(const stored_key& key) {
  const key_record& record = key.record;
  key_index.put(key.hash, indexed(record));
  directory.mark_changed(record.account_id);
  residents.add(key);
}

}  // namespace freshet::account

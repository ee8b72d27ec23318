// Opening and closing: the lock, the file, its migrations, the pepper, and everything that is kept
// in memory, read from what is on the disk.
#include <account/schema.hpp>
#include <account/state.hpp>
#include <cstring>
#include <utility>

namespace freshet::account {
namespace {

constexpr std::string_view pepper_check_name = "pepper_check";

std::optional<std::int64_t> optional_integer(const statement& from, int column) {
  if (from.is_null(column)) return std::nullopt;
  return from.integer(column);
}

std::optional<time_point> optional_time(const statement& from, int column) {
  if (from.is_null(column)) return std::nullopt;
  return from_ms(from.integer(column));
}

key_entry read_key(const statement& from) {
  key_entry key;
  key.record.id = from.integer(0);
  key.record.public_id = from.text(1);
  key.record.account_id = from.integer(2);
  key.family = from.integer(3);
  key.record.mode = from.integer(5) == 0 ? key_mode::live : key_mode::test;
  key.record.last_four = from.text(6);
  key.record.scope_read = from.integer(7) != 0;
  key.record.scope_account = from.integer(8) != 0;
  if (const auto budget = optional_integer(from, 9)) key.record.monthly_budget = credits{*budget};
  key.record.expires_at = optional_time(from, 10);
  key.record.revoked_at = optional_time(from, 11);
  key.record.last_used_at = optional_time(from, 12);
  key.record.created_at = from_ms(from.integer(13));
  key.record.name = from.text(14);
  key.record.rotated_at = optional_time(from, 15);
  return key;
}

}  // namespace

std::size_t digest_hash::operator()(const base::sha256_digest& digest) const noexcept {
  std::size_t first = 0;
  std::memcpy(&first, digest.data(), sizeof first);
  return first;
}

accounts::accounts() = default;
accounts::~accounts() {
  if (state_) state_->stop();
}

result<std::unique_ptr<accounts>> accounts::open(accounts_options options) {
  std::unique_ptr<accounts> opened(new accounts);
  opened->state_ = std::make_unique<accounts_state>(std::move(options));
  if (auto done = opened->state_->open(); !done) return done.error();
  return opened;
}

accounts_state::~accounts_state() { stop(); }

result<void> accounts_state::open() {
  if (options.clock == nullptr) options.clock = &base::system_clock();
  options.max_batch = std::max<std::size_t>(options.max_batch, 1);
  in_memory = options.database_path == ":memory:";
  writer.fail = options.fail;
  using step = result<void> (accounts_state::*)();
  for (const step next : {&accounts_state::prepare_plans, &accounts_state::open_files,
                          &accounts_state::check_pepper, &accounts_state::load_accounts,
                          &accounts_state::load_books, &accounts_state::load_past_grants,
                          &accounts_state::load_keys, &accounts_state::load_budgets})
    if (auto done = (this->*next)(); !done) return done;
  start();
  return {};
}

result<void> accounts_state::prepare_plans() {
  options.plans.try_emplace("free");
  for (auto& [name, plan] : options.plans) {
    plan.name = name;
    const auto rule = rate_rule::from(plan);
    if (!rule) return rule.error();
    if (plan.monthly.value < 0 || plan.monthly.value > max_grant)
      return error(
          errc::invalid_configuration,
          "plans." + name + ".monthly_credits must be from 0 to " + std::to_string(max_grant));
    rates.emplace(name, *rule);
  }
  return {};
}

result<void> accounts_state::open_files() {
  const std::string& path = options.database_path;
  if (!in_memory) {
    auto taken = file_lock::acquire(path + ".lock");
    if (!taken) return taken.error();
    lock = std::move(*taken);
    if (auto made = make_private_file(path); !made) return made;
  }
  if (auto done = writer.open(path, database_use::write); !done) return done;
  if (auto done = migrate(writer, migrations()); !done) return done;
  if (in_memory) return {};
  if (auto done = lookup_reader.open(path, database_use::read); !done) return done;
  return report_reader.open(path, database_use::read);
}

result<void> accounts_state::check_pepper() {
  statement all(writer, "query", "SELECT name, value FROM secrets");
  sqlite_code code = all.step();
  for (; code == sqlite_row; code = all.step())
    secrets.emplace(std::string(all.text(0)), std::string(all.text(1)));
  if (code != sqlite_done) return writer.last_error("reading the secrets");
  const auto known = secrets.find(pepper_check_name);
  const bool is_new = known == secrets.end();
  if (in_memory) {
    pepper = base::hex(base::random_bytes(32));
  } else {
    auto loaded = load_pepper(beside(options.database_path, "pepper"), is_new);
    if (!loaded) return loaded.error();
    pepper = std::move(*loaded);
  }
  const base::sha256_digest check = base::hmac_sha256(pepper, "freshet pepper check");
  if (is_new) {
    statement insert(writer, "open", "INSERT INTO secrets (name, value) VALUES (?, ?)");
    if (insert.bind(pepper_check_name).bind_blob(base::as_text(check)).run() != sqlite_ok)
      return writer.last_error("storing the pepper's check");
  } else if (known->second != base::as_text(check)) {
    return error(errc::invalid_configuration,
                 beside(options.database_path, "pepper") + " does not belong to the database");
  }
  ledger = std::make_unique<ledger_writer>(writer, pepper);
  insert_answer = std::make_unique<statement>(
      writer, "answer",
      "INSERT OR REPLACE INTO answers (account_id, key, fingerprint, status, content_type, body, "
      "credits_used, data_offset, data_size, at) SELECT ?,?,?,?,?,?,?,?,?,? WHERE EXISTS "
      "(SELECT 1 FROM accounts WHERE id=?1 AND deleted_at IS NULL)");
  return ledger->load();
}

result<void> accounts_state::load_accounts() {
  statement all(writer, "query",
                "SELECT id, public_id, email, plan, created_at, is_operator, verified_at, "
                "deleted_at FROM accounts ORDER BY id");
  sqlite_code code = all.step();
  for (; code == sqlite_row; code = all.step()) {
    account_entry entry;
    entry.record = {all.integer(0),           std::string(all.text(1)), std::string(all.text(2)),
                    std::string(all.text(3)), from_ms(all.integer(4)),  all.integer(5) != 0,
                    optional_time(all, 6),    optional_time(all, 7)};
    if (entry.record.deleted_at) {
      entry.record.email.clear();  // the column only holds what makes it unique
    } else {
      accounts_by_email.emplace(entry.record.email, entry.record.id);
    }
    accounts_by_public_id.emplace(entry.record.public_id, entry.record.id);
    accounts_by_id.emplace(entry.record.id, std::move(entry));
  }
  if (code != sqlite_done) return writer.last_error("reading the accounts");
  return {};
}

result<void> accounts_state::load_books() {
  statement last(writer, "query",
                 "SELECT balance, monthly_left FROM ledger WHERE book=? "
                 "ORDER BY seq DESC LIMIT 1");
  statement newest(writer, "query", "SELECT max(month) FROM allowances WHERE account_id=?");
  for (auto& [id, entry] : accounts_by_id) {
    const std::string book = account_book_name(id);
    const sqlite_code code = last.bind(book).step();
    if (code == sqlite_row) entry.book = {last.integer(0), last.integer(1)};
    if (code != sqlite_row && code != sqlite_done) return writer.last_error("reading the ledger");
    last.reset();
    if (newest.bind(id).step() != sqlite_row) return writer.last_error("reading the allowances");
    if (!newest.is_null(0)) entry.month = static_cast<month_index>(newest.integer(0));
    newest.reset();
  }
  return {};
}

result<void> accounts_state::load_past_grants() {
  statement all(writer, "query", "SELECT address, month FROM past_grants WHERE month>=?");
  const month_index month = month_of(now());
  all.bind(month);
  sqlite_code code = all.step();
  for (; code == sqlite_row; code = all.step())
    past_grants.emplace(base::as_digest(all.text(0)), static_cast<month_index>(all.integer(1)));
  if (code != sqlite_done) return writer.last_error("reading the past grants");
  if (past_grants.empty()) return {};
  for (const auto& [email, id] : accounts_by_email) {
    const auto past = past_grants.find(address_mark(email));
    account_entry& entry = accounts_by_id.at(id);
    if (past != past_grants.end()) entry.month = std::max(entry.month, past->second);
  }
  return {};
}

result<void> accounts_state::load_keys() {
  statement all(writer, "query",
                "SELECT id, public_id, account_id, family, hash, is_test, last_four, scope_read, "
                "scope_account, monthly_budget, expires_at, revoked_at, last_used_at, created_at, "
                "name, rotated_at FROM keys ORDER BY id");
  sqlite_code code = all.step();
  for (; code == sqlite_row; code = all.step())
    remember_key(read_key(all), base::as_digest(all.text(4)));
  if (code != sqlite_done) return writer.last_error("reading the keys");
  return {};
}

void accounts_state::remember_key(key_entry key, const base::sha256_digest& hash) {
  account_entry* const owner = find_account(key.record.account_id);
  if (owner == nullptr) return;  // a damaged file: nobody to authenticate as
  owner->keys.push_back(key.record.id);
  keys_by_hash.emplace(hash, key.record.id);
  keys_by_public_id.emplace(key.record.public_id, key.record.id);
  keys_by_id.emplace(key.record.id, std::move(key));
}

result<void> accounts_state::load_budgets() {
  const month_index month = month_of(now());
  const std::int64_t since_ms = to_ms(start_of(month));
  statement used(writer, "query",
                 "SELECT keys.family, sum(-amount) FROM ledger JOIN keys ON keys.id=key_id "
                 "WHERE book=? AND kind='usage' AND amount<0 AND at>=? GROUP BY keys.family");
  for (const auto& [id, account] : accounts_by_id) {
    bool any = false;
    for (const std::int64_t key : account.keys) {
      const key_entry& entry = keys_by_id.at(key);
      if (!entry.record.monthly_budget) continue;
      any = true;
      // Known from now on, used or not: a clock that goes back finds this month begun.
      budgets[entry.family].month = month;
    }
    if (!any) continue;
    const std::string book = account_book_name(id);
    used.bind(book).bind(since_ms);
    sqlite_code code = used.step();
    for (; code == sqlite_row; code = used.step())
      budgets[used.integer(0)] = {month, used.integer(1), 0};
    if (code != sqlite_done) return writer.last_error("reading the ledger");
    used.reset();
  }
  return {};
}

bool accounts::healthy() const noexcept {
  if (state_->uncertain || !state_->writable) return false;
  database& reader = state_->lookups();
  const std::unique_lock guard(reader.mutex, std::try_to_lock);
  // Somebody reads just now: it answers.
  if (!guard.owns_lock()) return true;
  return reader.execute("SELECT only FROM probe") == sqlite_ok;
}

accounts_stats accounts::stats() const {
  const std::lock_guard guard(state_->mutex);
  return {state_->key_lookups, state_->batches, state_->failed_batches, state_->movements,
          state_->queue.size()};
}

}  // namespace freshet::account

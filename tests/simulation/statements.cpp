// What each statement of the store does, by how its text begins: transactions, credits and
// accounts.
#include <algorithm>
#include <simulation/values.hpp>

namespace freshet::simulation {

const database::known database::all_known[] = {
    {"BEGIN", &database::begin},
    {"COMMIT", &database::commit_it},
    {"ROLLBACK", &database::roll_back},
    {"SET LOCAL synchronous_commit=off", &database::wait_for_no_disk_now},
    {"SET synchronous_commit=off", &database::wait_for_no_disk},
    {"SET ", &database::nothing},
    {"CREATE TABLE IF NOT EXISTS freshet_schema", &database::nothing},
    {"SELECT pg_advisory_xact_lock", &database::empty},
    {"SELECT pg_backend_pid()", &database::one},
    {"SELECT 1 FROM state FOR UPDATE", &database::one},
    {"UPDATE state SET probes", &database::leave_mark},
    {"SELECT pg_logical_emit_message", &database::leave_mark},
    {"SELECT coalesce(max(version), 0) FROM freshet_schema", &database::version},
    {"SELECT value FROM secrets", &database::find_secret},
    {"SELECT name, value FROM secrets", &database::list_secrets},
    {"INSERT INTO secrets", &database::put_secret},
    {"SELECT count(*) FROM accounts", &database::count_accounts},
    {"SELECT count(*) FROM (SELECT 1 FROM accounts", &database::count_accounts},
    {"SELECT id FROM nodes WHERE token", &database::find_named},
    {"SELECT pg_try_advisory_lock(hashtext('freshet node", &database::lock_node},
    {"SELECT pg_try_advisory_lock_shared", &database::one},
    {"WITH node AS (INSERT INTO nodes", &database::add_node},
    {"UPDATE heartbeats SET seen_at=clock_timestamp(), backend=pid", &database::put_connection},
    {"UPDATE heartbeats SET seen_at=clock_timestamp() WHERE", &database::put_beat},
    {"SELECT count(pg_terminate_backend(pid))", &database::end_connection},
    {"SELECT count(*), count(pg_terminate_backend(pid))", &database::end_unseen},
    {"UPDATE nodes SET retired_at=now() WHERE id=$1", &database::retire_one},
    {"UPDATE nodes SET retired_at=now() FROM heartbeats", &database::retire_unseen},
    {"DELETE FROM leases USING nodes", &database::remove_leases_of_gone},
    {"DELETE FROM running_calls USING nodes", &database::nothing},
    {"DELETE FROM heartbeats USING nodes", &database::remove_beats_of_gone},
    {"SELECT 1 FROM nodes WHERE id=$1 AND retired_at IS NULL", &database::is_in_service},
    {"SELECT count(*) FROM heartbeats WHERE node<>$1", &database::count_others},
    {"WITH me AS (UPDATE nodes SET batches", &database::count_batch},
    {"SELECT batches FROM nodes", &database::find_batches},
    {"SELECT wanted.id, last.balance", &database::find_leased},
    {"INSERT INTO leases", &database::put_leases},
    {"DELETE FROM leases WHERE node=$2", &database::remove_leases},
    {"SELECT pg_notify", &database::notify},
    {"DO $$ BEGIN EXECUTE format('LISTEN", &database::listen},
    {"INSERT INTO ledger (", &database::add_rows},
    {"INSERT INTO ledger_tops", &database::nothing},
    {"INSERT INTO ledger_head", &database::put_head},
    {"SELECT head.seq, head.movement", &database::find_head},
    {"SELECT day_credits", &database::find_allowance},
    {"INSERT INTO allowances", &database::put_allowance},
    {"UPDATE state SET running_ms", &database::put_running_time},
    {"SELECT greatest(running_ms", &database::find_running_time},
    {"SELECT only_one FROM state", &database::one},
    {"WITH gone AS (DELETE FROM answers", &database::nothing},
    {"SELECT 1 FROM answers WHERE at<", &database::no_rows},
    {"SELECT address, month FROM past_grants", &database::no_rows},
    {"SELECT DISTINCT origins FROM keys", &database::no_rows},
    {"SELECT hash, id, account_id", &database::no_rows},
    {"SELECT 1 FROM accounts WHERE email", &database::has_email},
    {"INSERT INTO accounts", &database::add_account},
    {"SELECT accounts.id", &database::find_account},
    {"SELECT password FROM accounts", &database::no_rows},
    {nullptr, nullptr},
};

bool database::nothing(session&, const columns&, answer&) { return true; }

/// What a function gives that gives nothing.
bool database::empty(session&, const columns&, answer& result) {
  give(result, {""});
  return true;
}

bool database::no_rows(session&, const columns&, answer& result) {
  return result.gives_rows = true;
}

bool database::one(session&, const columns&, answer& result) {
  give(result, numbers({1}));
  return true;
}

bool database::begin(session& asker, const columns&, answer&) { return asker.is_in = true; }

bool database::commit_it(session& asker, const columns&, answer&) {
  if (asker.has_failed)
    drop(asker);
  else
    commit(asker);
  return true;
}

bool database::roll_back(session& asker, const columns&, answer&) {
  drop(asker);
  return true;
}

bool database::listen(session& asker, const columns&, answer&) { return asker.listens = true; }

bool database::wait_for_no_disk(session& asker, const columns&, answer&) {
  return asker.waits_for_no_disk = true;
}

bool database::wait_for_no_disk_now(session& asker, const columns&, answer&) {
  return asker.waits_for_no_disk_now = true;
}

bool database::leave_mark(session& asker, const columns&, answer& result) {
  write(asker, [](tables&) {});
  return result.gives_rows = true;
}

bool database::version(session&, const columns&, answer& result) {
  give(result, numbers({6}));
  return true;
}

bool database::find_secret(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const auto& secrets = seen_by(asker).secrets;
  const auto found = secrets.find(*given[0]);
  if (found != secrets.end()) give(result, {found->second});
  return true;
}

bool database::list_secrets(session& asker, const columns&, answer& result) {
  result.gives_rows = true;
  for (const auto& [name, value] : seen_by(asker).secrets) give(result, {name, value});
  return true;
}

bool database::put_secret(session& asker, const columns& given, answer&) {
  write(asker, [name = *given[0], value = *given[1]](tables& in) { in.secrets[name] = value; });
  return true;
}

bool database::count_accounts(session& asker, const columns&, answer& result) {
  give(result, numbers({static_cast<std::int64_t>(seen_by(asker).accounts.size())}));
  return true;
}

// Credits.

const ledger_row* database::last_of(const session& asker, const std::string& book) const {
  for (auto row = asker.added.rbegin(); row != asker.added.rend(); ++row)
    if (row->book == book) return &*row;
  for (std::size_t i = ledger_.size(); i-- > 0;)
    if (ledger_[i].book == book) return &ledger_[i];
  return nullptr;
}

bool database::find_leased(session& asker, const columns& given, answer& result) {
  const tables& in = seen_by(asker);
  const std::int64_t node = number(given[1]);
  for (const std::string& wanted : parts_of(given[0])) {
    const std::int64_t id = number(wanted);
    const ledger_row* const last = last_of(asker, "account:" + wanted);
    std::int64_t own = 0, others = 0;
    for (auto one = in.leases.lower_bound({id, 0});
         one != in.leases.end() && one->first.first == id; ++one)
      (one->first.second == node ? own : others) += one->second;
    columns row = numbers({id});
    for (int i = 0; i < 4; ++i) row.emplace_back();
    if (last != nullptr) {
      row[1] = bytes_of(last->balance);
      row[2] = bytes_of(last->monthly_left);
      row[3] = bytes_of(last->number);
      row[4] = last->hash;
    }
    row.emplace_back(bytes_of(own));
    row.emplace_back(bytes_of(others));
    give(result, std::move(row));
  }
  return true;
}

bool database::put_leases(session& asker, const columns& given, answer& result) {
  const auto accounts = parts_of(given[0]), credits = parts_of(given[2]);
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    if (number(credits[i]) <= 0 && planted_ != flaw::no_fence) {
      result.state = "23514";
      return true;
    }
    write(asker, [id = number(accounts[i]), node = number(given[1]),
                  value = number(credits[i])](tables& in) {
      in.leases[{id, node}] = value;
    });
  }
  return true;
}

bool database::remove_leases(session& asker, const columns& given, answer&) {
  for (const std::string& id : parts_of(given[0]))
    write(asker, [id = number(id), node = number(given[1])](tables& in) {
      in.leases.erase({id, node});
    });
  return true;
}

bool database::notify(session& asker, const columns& given, answer& result) {
  asker.notices.push_back(*given[0]);
  give(result, {""});
  return true;
}

bool database::add_rows(session& asker, const columns& given, answer& result) {
  std::vector<std::vector<std::string>> all;
  for (const column& one : given) all.push_back(parts_of(one));
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    ledger_row row;
    row.seq = number(all[0][i]);
    row.number = number(all[1][i]);
    row.movement = number(all[2][i]);
    row.book = all[3][i];
    row.amount = number(all[4][i]);
    row.balance = number(all[5][i]);
    row.monthly_left = number(all[6][i]);
    std::size_t next = 7;
    for (std::string* const field : {&row.kind, &row.reason, &row.endpoint, &row.request_id,
                                     &row.sources, &row.refund_of, &row.period})
      *field = all[next++][i];
    row.key_id = number(all[14][i]);
    row.at = number(all[15][i]);
    row.hash = all[16][i];
    const std::int64_t last = !asker.added.empty() ? asker.added.back().seq
                              : ledger_.empty()    ? 0
                                                   : ledger_.back().seq;
    const auto is_same_period = [&](const ledger_row& other) {
      return !row.period.empty() && other.book == row.book && other.period == row.period;
    };
    const bool is_given = std::any_of(ledger_.begin(), ledger_.end(), is_same_period) &&
                          planted_ != flaw::forgets_months;
    if (row.balance < 0 || row.monthly_left < 0 || row.monthly_left > row.balance ||
        row.seq <= last || is_given) {
      result.state = "23514";
      return true;
    }
    asker.added.push_back(std::move(row));
  }
  return true;
}

bool database::put_head(session& asker, const columns& given, answer&) {
  write(asker, [of = tables::head{number(given[0]), number(given[1]), *given[2]}](tables& in) {
    in.top = of;
  });
  return true;
}

bool database::find_head(session& asker, const columns&, answer& result) {
  const auto& top = seen_by(asker).top;
  columns row(3);
  if (top) row = {bytes_of(top->seq), bytes_of(top->movement), top->hash};
  row.emplace_back(bytes_of(ledger_.empty() ? 0 : ledger_.back().seq));
  give(result, std::move(row));
  return true;
}

bool database::find_allowance(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  const auto& all = seen_by(asker).allowances;
  const auto found = all.find({number(given[0]), number(given[1])});
  if (found == all.end() || planted_ == flaw::forgets_months) return true;
  columns row;
  for (const std::int64_t one : found->second) row.emplace_back(bytes_of(one));
  give(result, std::move(row));
  return true;
}

bool database::put_allowance(session& asker, const columns& given, answer&) {
  write(asker, [key = std::pair(number(given[0]), number(given[1])),
                what = std::array{number(given[2]), number(given[3]), number(given[4]),
                                  number(given[5])}](tables& in) { in.allowances[key] = what; });
  return true;
}

bool database::put_running_time(session& asker, const columns& given, answer&) {
  write(asker,
        [ms = number(given[0])](tables& in) { in.running_ms = std::max(in.running_ms, ms); });
  return true;
}

bool database::find_running_time(session& asker, const columns&, answer& result) {
  give(result, numbers({seen_by(asker).running_ms}));
  return true;
}

// Accounts.

bool database::has_email(session& asker, const columns& given, answer& result) {
  result.gives_rows = true;
  for (const auto& [id, one] : seen_by(asker).accounts)
    if (one.email == *given[0]) give(result, numbers({1}));
  return true;
}

bool database::add_account(session& asker, const columns& given, answer& result) {
  const std::int64_t id = next_account_++;
  write(asker, [id, of = tables::account{*given[0], *given[1], *given[2], number(given[3])}](
                   tables& in) { in.accounts[id] = of; });
  give(result, numbers({id}));
  return true;
}

void database::give_account(const session& asker, std::int64_t id, answer& result) const {
  result.gives_rows = true;
  const auto found = seen_by(asker).accounts.find(id);
  if (found == seen_by(asker).accounts.end()) return;
  const tables::account& one = found->second;
  columns row = {
      bytes_of(id),         one.public_id, one.email,   one.plan, bytes_of(one.created_at),
      std::string(1, '\0'), std::nullopt,  std::nullopt};
  row.resize(13);
  if (const ledger_row* const last = last_of(asker, "account:" + std::to_string(id))) {
    row[8] = bytes_of(last->balance);
    row[9] = bytes_of(last->monthly_left);
    row[10] = bytes_of(last->number);
    row[11] = last->hash;
  }
  for (const auto& [key, given] : seen_by(asker).allowances)
    if (key.first == id) row[12] = bytes_of(key.second);
  give(result, std::move(row));
}

bool database::find_account(session& asker, const columns& given, answer& result) {
  give_account(asker, number(given[0]), result);
  return true;
}

}  // namespace freshet::simulation

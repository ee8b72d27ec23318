// Sessions, transactions, the network, crashes. Everything here is an event: nothing waits, and so
// the threads of a server that stands still do not keep its commits from being seen.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <simulation/connections.hpp>
#include <simulation/database.hpp>
#include <simulation/recording.hpp>

namespace freshet::simulation {
namespace {

database* serving = nullptr;
/// TCP gives up, and libpq with it.
constexpr moment longest_silence = 10 * second, longest_connect = 3 * second;
/// That of the book is the second.
constexpr const char* seen_no_more = "57P01";

}  // namespace

database::database(flaw planted, std::ostream* record)
    : planted_(planted), record_(std::make_unique<recording>(record)) {
  remember();
}
database::~database() = default;

database* database::current() noexcept { return serving; }
void database::use(database* one) noexcept { serving = one; }

moment database::delay() {
  world& in = *world::current();
  return in.chance(50) == 0 ? in.between(millisecond, 60 * millisecond)
                            : in.between(millisecond / 20, 2 * millisecond);
}

bool database::is_cut(machine which) const {
  const auto found = cut_.find(which);
  return found != cut_.end() && found->second > world::current()->now();
}

/// When a machine is reached by what is sent now.
moment database::heard_at(machine which) const {
  const auto cut = cut_.find(which);
  const moment now = std::max(world::current()->now(), hung_until_);
  return (cut == cut_.end() ? now : std::max(cut->second, now)) + delay();
}

void database::blame(std::string what) {
  if (fault_.empty()) fault_ = std::move(what);
}

// The network.

void database::break_off(connection& one, moment when) {
  world::current()->at(when, [this, of = &one, file = one.file, pid = one.pid] {
    if (!is_there(file, pid)) return;
    of->is_broken = true;
    wake_polls(file);
  });
}

/// Files are never used twice.
bool database::is_there(int file, std::int64_t pid) const {
  const auto found = connections_.find(file);
  return found != connections_.end() && found->second->pid == pid;
}

void database::open(connection& made) {
  world& in = *world::current();
  const machine of = in.here();
  if (is_cut(of) || in.now() < hung_until_) return in.sleep(longest_connect);
  in.sleep(delay());
  if (in.now() < down_until_ || lost_.contains(of) || is_cut(of)) return;
  made.of = of;
  made.pid = next_pid_++;
  made.is_open = true;
  connections_[made.file] = &made;
  session& with = sessions_[made.pid];
  with.pid = made.pid;
  with.client = &made;
  record_->opened(made.pid);
  in.sleep(delay());
}

void database::close(connection& gone) {
  connections_.erase(gone.file);
  const auto found = sessions_.find(gone.pid);
  if (found == sessions_.end()) return;
  found->second.client = nullptr;
  if (!is_cut(gone.of) && !lost_.contains(gone.of))
    world::current()->at(heard_at(gone.of), [this, pid = gone.pid] { end(pid); });
}

void database::send(connection& sender, std::vector<statement> all, bool is_prepared) {
  world& in = *world::current();
  sender.answers.clear();
  sender.taken = 0;
  sender.is_answered = sender.is_heard = false;
  if (lost_.contains(sender.of) || sender.is_broken) return break_off(sender, in.now());
  auto what = std::make_shared<request>();
  what->pid = sender.pid;
  what->all = std::move(all);
  what->is_prepared = is_prepared;
  // What is cut off comes late, or never; what has come is done, whoever is gone by then.
  const moment when = heard_at(sender.of);
  in.at(when, [this, what, of = &sender, file = sender.file, is_cut_off = is_cut(sender.of)] {
    const bool is_awaited = is_there(file, what->pid) && !of->is_broken;
    if (sessions_.contains(what->pid) && (is_awaited || !is_cut_off)) return arrive(what);
    if (is_awaited) break_off(*of, world::current()->now());
  });
}

void database::reply(const request& what) {
  const auto found = sessions_.find(what.pid);
  if (found == sessions_.end()) return;
  record_->answered(what);
  connection* const to = found->second.client;
  watch_idle(found->second);
  if (to == nullptr) return;
  const bool is_in = found->second.is_in;
  const moment when = heard_at(to->of);
  world::current()->at(when,
                       [this, to, file = to->file, is_in, pid = what.pid, answers = what.answers] {
                         if (!is_there(file, pid) || to->is_broken) return;
                         to->answers = answers;
                         to->is_answered = true;
                         to->is_in = is_in;
                         wake_polls(file);
                       });
}

void database::cut_off(machine which, moment until) {
  cut_[which] = std::max(cut_[which], until);
  if (cut_[which] - world::current()->now() < longest_silence) return;
  for (const auto& [file, one] : connections_)
    if (one->of == which) break_off(*one, world::current()->now() + longest_silence);
}

void database::lose(machine which, bool silently) {
  lost_.insert(which);
  for (const auto& [file, one] : connections_) {
    if (one->of != which) continue;
    break_off(*one, world::current()->now());
    const auto found = sessions_.find(one->pid);
    if (found == sessions_.end()) continue;
    found->second.client = nullptr;
    if (!silently && !is_cut(which))
      world::current()->after(delay(), [this, pid = one->pid] { end(pid); });
  }
}

// Sessions.

void database::watch_idle(session& of) {
  if (!of.is_in) return;
  world::current()->after(of.idle_timeout, [this, pid = of.pid, before = of.requests] {
    const auto found = sessions_.find(pid);
    if (found != sessions_.end() && found->second.requests == before) end(pid);
  });
}

void database::end(std::int64_t pid) {
  const auto found = sessions_.find(pid);
  if (found == sessions_.end()) return;
  // Who is cut off learns of it when it can.
  if (connection* const client = found->second.client; client != nullptr)
    break_off(*client, heard_at(client->of));
  std::erase_if(node_locks_, [&](const auto& one) { return one.second == pid; });
  std::erase_if(lock_waiters_, [&](const auto& one) { return one->pid == pid; });
  sessions_.erase(found);
  record_->ended(pid);
  if (lock_owner_ != pid) return;
  lock_owner_ = 0;
  hand_lock_over();
}

void database::arrive(const std::shared_ptr<request>& what) {
  ++sessions_.at(what->pid).requests;
  record_->asked(*what, clock());
  proceed(what);
}

bool database::take_lock(session& asker, const std::shared_ptr<request>& asked) {
  if (lock_owner_ == asker.pid || planted_ == flaw::no_lock) return true;
  if (lock_owner_ == 0) {
    lock_owner_ = asker.pid;
    return true;
  }
  lock_waiters_.push_back(asked);
  record_->blocked(asked->pid);
  world::current()->after(asker.statement_timeout, [this, asked] {
    const auto found = std::find(lock_waiters_.begin(), lock_waiters_.end(), asked);
    if (found == lock_waiters_.end()) return;
    lock_waiters_.erase(found);
    sessions_.at(asked->pid).has_failed = true;
    asked->answers.push_back({"57014", {}, false, true});
    reply(*asked);
  });
  return false;
}

void database::hand_lock_over() {
  if (lock_owner_ != 0 || lock_waiters_.empty()) return;
  // PostgreSQL has no order among them: who waits for a row that was changed begins anew.
  const auto chosen = lock_waiters_.begin() +
                      static_cast<std::ptrdiff_t>(world::current()->chance(lock_waiters_.size()));
  const auto next = *chosen;
  lock_waiters_.erase(chosen);
  lock_owner_ = next->pid;
  record_->let_go(next->pid);
  world::current()->after(0, [this, next] {
    if (sessions_.contains(next->pid)) proceed(next);
  });
}

void database::read_timeout(session& asker, std::string_view text) {
  const std::pair<std::string_view, moment*> all[] = {
      {"SET statement_timeout=", &asker.statement_timeout},
      {"SET idle_in_transaction_session_timeout=", &asker.idle_timeout}};
  for (const auto& [name, to] : all)
    if (text.starts_with(name))
      *to = std::strtoll(text.data() + name.size(), nullptr, 10) * millisecond;
}

void database::proceed(const std::shared_ptr<request>& what) {
  session& asker = sessions_.at(what->pid);
  for (; what->next < what->all.size(); ++what->next) {
    const statement& one = what->all[what->next];
    const bool locks = one.text.starts_with("SELECT 1 FROM state FOR UPDATE") ||
                       one.text.starts_with("UPDATE state SET probes");
    if (locks && !take_lock(asker, what)) return;
    answer given;
    const bool ends = one.text == "COMMIT" || one.text == "ROLLBACK";
    if (asker.has_failed && !ends) {
      given.state = "25P02";
    } else {
      const known* found = all_known;
      while (found->begins != nullptr && !one.text.starts_with(found->begins)) ++found;
      if (found->begins == nullptr) {
        std::fprintf(stderr, "simulation: what is %s\n", one.text.c_str());
        std::abort();
      }
      const std::uint64_t before = place_;
      const bool is_durable =
          !(asker.is_in ? asker.waits_for_no_disk_now : false) && !asker.waits_for_no_disk;
      read_timeout(asker, one.text);
      static_cast<void>((this->*found->run)(asker, one.given, given));
      if (!asker.is_in && locks) {  // by itself
        lock_owner_ = 0;
        hand_lock_over();
      }
      given.is_last = true;
      if (place_ != before && is_durable && planted_ != flaw::told_too_early) {
        what->answers.push_back(std::move(given));
        ++what->next;
        world& in = *world::current();
        const moment takes = in.chance(20) == 0 ? in.between(0, 400 * millisecond)
                                                : in.between(millisecond, 10 * millisecond);
        in.after(takes, [this, what, place = place_, epoch = epoch_] {
          if (epoch != epoch_) return;
          flush_to(place);
          if (sessions_.contains(what->pid)) proceed(what);
        });
        return;
      }
    }
    const bool failed = !given.state.empty();
    what->answers.push_back(std::move(given));
    if (!failed) continue;
    asker.has_failed = asker.is_in;
    break;
  }
  reply(*what);
}

// Transactions.

void database::write(session& asker, std::function<void(tables&)> change) {
  if (!asker.is_in) {
    change(now_);
    ++place_;
    remember();
    return;
  }
  if (!asker.own) asker.own = now_;
  change(*asker.own);
  asker.writes.push_back(std::move(change));
}

void database::drop(session& asker) {
  asker.is_in = asker.has_failed = asker.waits_for_no_disk_now = false;
  asker.writes.clear();
  asker.own.reset();
  asker.added.clear();
  asker.notices.clear();
  if (lock_owner_ != asker.pid) return;
  lock_owner_ = 0;
  hand_lock_over();
}

void database::commit(session& asker) {
  const bool is_any = !asker.writes.empty() || !asker.added.empty();
  for (const auto& one : asker.writes) one(now_);
  for (ledger_row& row : asker.added) ledger_.push_back(std::move(row));
  now_.rows = ledger_.size();
  for (const std::string& text : asker.notices) record_->told(text);
  for (auto& [pid, other] : sessions_) {
    connection* const to = other.client;
    if (!other.listens || to == nullptr) continue;
    for (const std::string& text : asker.notices) {
      const moment when = std::max(heard_at(to->of), to->last_notice);
      to->last_notice = when;
      world::current()->at(when, [this, to, file = to->file, text, of = pid] {
        if (!is_there(file, of) || to->is_broken) return;
        to->notices.push_back(text);
        wake_polls(file);
      });
    }
  }
  drop(asker);
  if (!is_any) return;
  ++place_;
  remember();
  check();
}

void database::check() {
  std::map<std::int64_t, std::int64_t> leased;
  for (const auto& [of, credits] : now_.leases) {
    leased[of.first] += credits;
    if (credits < 0) blame("spent without a lease");
  }
  for (const auto& [account, credits] : leased) {
    const ledger_row* const last = last_of({}, "account:" + std::to_string(account));
    if (last == nullptr || last->balance < credits) blame("more is leased than there is");
  }
}

void database::remember() {
  history_[place_] = now_;
  world* const in = world::current();
  if (in == nullptr || in->chance(4) != 0) return;
  // The database writes its log by itself, too.
  in->after(in->between(0, 200 * millisecond), [this, place = place_, epoch = epoch_] {
    if (epoch == epoch_) flush_to(place);
  });
}

void database::flush_to(std::uint64_t place) {
  if (place <= flushed_) return;
  flushed_ = place;
  history_.erase(history_.begin(), history_.find(place));
}

void database::crash(moment until, moment clock) {
  down_until_ = until;
  hung_until_ = 0;
  clock_ = clock;
  ++epoch_;
  lock_owner_ = 0;
  lock_waiters_.clear();
  node_locks_.clear();
  sessions_.clear();
  for (const auto& [file, one] : connections_) break_off(*one, heard_at(one->of));
  const std::uint64_t kept = flushed_ + world::current()->chance(place_ - flushed_ + 1);
  if (kept < place_) taken_back_ += place_ - kept;
  now_ = history_.at(kept);
  ledger_.resize(now_.rows);
  history_.clear();
  // Places are never used twice.
  flushed_ = ++place_;
  history_[place_] = now_;
}

}  // namespace freshet::simulation

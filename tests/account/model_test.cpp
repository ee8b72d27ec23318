// The accounts against a reference model: seeded random operations under a virtual clock that jumps
// to and fro, faults at every kind of step of the store, several calls at once, restarts. After
// each step both must say the same. A gate before the ledger thread's transactions decides what
// falls into one batch, so that a seed does the same each time.
#include <account/fixture.hpp>
#include <account/model.hpp>
#include <atomic>
#include <base/ids.hpp>
#include <catch2/catch.hpp>
#include <cstdio>
#include <mutex>
#include <random>
#include <thread>

#include "support/sanitized.hpp"

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

constexpr std::int64_t budget = 15;
constexpr int steps = 24;
/// Seeds of the default run: also with sanitizers some of the stores are files. Over PostgreSQL one
/// takes as long as fifteen do over SQLite.
const unsigned default_seeds = freshet::test::cases(freshet::test::sanitized ? 300U : 10'000U,
                                                    on_postgres_server() ? 40U : 200U, 60U);
/// That run stores at once over PostgreSQL: most of the time one waits for the other.
constexpr unsigned most_threads = 4;
/// Seeds that share one store, one after the other, each with accounts of its own: opening one
/// costs more than a seed does.
constexpr unsigned seeds_a_store = 20;
/// Every so many stores are files, with restarts and failed syncs: in memory there is nothing to
/// come back to.
constexpr unsigned stores_a_file = 8;
/// Every so many keep one account and one key in memory, where there are at least two in use.
constexpr unsigned stores_a_small_memory = 3;

constexpr std::pair<const char*, std::int64_t> plans[] = {
    {"free", 20}, {"tiny", 3}, {"pro", 60}, {"prepaid", 0}};

struct hold {
  std::size_t account;
  std::int64_t price;
  bool by_key;
  reservation held;
};

class simulation {
 public:
  /// With `memory` for all accounts and keys, or for so few that they come and go.
  simulation(const std::string& path, std::size_t memory)
      : in_file_(path != ":memory:" || on_postgres_server()) {
    options_ = options_for(path, clock_);
    options_.accounts_in_memory = options_.keys_in_memory = memory;
    for (const auto& [name, monthly] : plans) options_.plans[name].monthly = {monthly};
    options_.fail = [this](std::string_view stage) { return strikes(stage); };
    store_ = open_or_throw(options_);
  }

  void run(unsigned seed) {
    begin(seed);
    for (step_ = 0; step_ < steps; ++step_) {
      at_ = pick(model_.size());
      const auto kind = pick(32);
      if (kind == 31 && in_file_) {
        restart();
      } else if (kind >= 28) {
        jump();
      } else if (kind >= 26) {
        midnight();
      } else {
        // Each step from here on is one batch at most: the month's grant is a step of its own.
        touch();
        one_of(kind);
      }
      compare();
    }
    holds_.clear();
    check_usage();
  }

  [[nodiscard]] const std::string& database() const noexcept { return options_.database_path; }
  void verify() {
    const auto report = store_->verify();
    check(report.has_value() && report->ok, "verify");
    check(report->rows == store_->stats().movements, "rows");
  }

 private:
  void begin(unsigned seed) {
    random_.seed(seed);
    seed_ = seed;
    step_ = -1;
    secrets_.clear();
    keys_.clear();
    users_.clear();
    model_.clear();
    answers_.clear();
    clock_.set(start_time);
    key_options with;
    with.monthly_budget = credits{budget};
    for (const char* name : {"a", "b"}) {
      email_ = name + std::to_string(seed) + "@example.com";
      const auto account = store_->create_account(email_, "free").value();
      const auto key = store_->create_key(account.id, with).value();
      keys_.push_back(store_->authenticate(key.secret).value());
      users_.push_back(store_->principal_of(account.id, key_mode::live).value());
      secrets_.push_back(key.secret);
      model_.emplace_back();
      model_.back().monthly = plans[0].second;
      check(store_->balance_of(keys_.back()).has_value(), "first grant");
      model_.back().roll(clock_.now());
    }
    settle_down();
  }

  void one_of(std::size_t kind) {
    if (kind < 9) return reserve();
    if (kind < 14) return settle_one();
    if (kind < 16) return settle_two();
    if (kind < 18) return release_one();
    if (kind < 19) return grant();
    if (kind < 22) return change_plan();
    if (kind < 24) return refund();
    replay();
  }

  // Chance, checks and faults.
  std::size_t pick(std::size_t below) { return random_() % below; }
  [[nodiscard]] model_account& model() { return model_[at_]; }
  [[nodiscard]] time_point now() const { return clock_.now(); }
  void check(bool good, const char* name, const std::string& why = {}) const {
    if (!good)
      throw std::runtime_error("seed " + std::to_string(seed_) + ", step " + std::to_string(step_) +
                               ": " + name + (why.empty() ? "" : ": ") + why);
  }
  bool strikes(std::string_view stage) {
    if (stage == "begin") gate_.pass();
    // A probe is only repeated a quarter of a real second later.
    // An answer that is lost loses nothing, which is shown elsewhere.
    if (stage == "probe" || stage == "reply" || (stage == "query" && !reads_too_)) return false;
    if (stage == "sync" && !in_file_) return false;  // nothing is known after it: a restart
    if (countdown_ == 0 || --countdown_ != 0) return false;
    if (stage == "sync") uncertain_ = true;
    return true;
  }
  void arm() {
    armed_ = pick(4) == 0;
    countdown_ = armed_ ? static_cast<int>(pick(14)) + 1 : 0;
  }
  /// Whether the fault that was set struck; takes it away.
  bool disarm() {
    const bool struck = armed_ && countdown_ == 0;
    countdown_ = 0;
    armed_ = false;
    return struck;
  }
  /// Whether the store, on a machine as slow as that, may have given credits back that it holds for
  /// accounts which have been idle for a minute: by work of its own, which a fault may strike.
  [[nodiscard]] bool returns_leases() const {
    return on_postgres_server() &&
           std::chrono::steady_clock::now() - opened_ > std::chrono::seconds(55);
  }
  /// Runs `operation` under a fault, perhaps. It fails if and only if the fault struck.
  template <class Operation>
  bool succeeds(const char* name, Operation operation) {
    arm();
    const auto done = operation();
    const bool struck = disarm();
    check(!done || !struck || returns_leases(), name, "done in spite of the fault");
    check(done || struck, name, done ? "" : done.error().detail());
    check(done || done.error().code() == errc::storage_unavailable, name);
    if (uncertain_) restart();
    return done.has_value();
  }
  /// Until the ledger thread has nothing left to do that no step has asked for.
  void settle_down() { check(!store_->create_account(email_, "free"), "two accounts"); }

  // Steps.
  void touch() {
    const auto operation = [&] { return store_->balance_of(keys_[at_]); };
    if (!succeeds("touch", operation)) check(operation().has_value(), "a fault did not pass");
    model().roll(now());
  }
  void reserve() {
    const auto price = static_cast<std::int64_t>(pick(9));
    const bool by_key = pick(4) != 0;
    const errc expected = model().may_hold(price, by_key, budget, now());
    auto held = store_->reserve(by_key ? keys_[at_] : users_[at_], {price});
    check(held ? expected == errc{} : held.error().code() == expected, "reserve");
    if (!held) return;
    model().hold(price, by_key);
    holds_.push_back({at_, price, by_key, std::move(*held)});
  }
  hold take_hold() {
    const auto index = static_cast<std::ptrdiff_t>(pick(holds_.size()));
    hold one = std::move(holds_[static_cast<std::size_t>(index)]);
    holds_.erase(holds_.begin() + index);
    return one;
  }
  usage usage_of_next() {
    usage what;
    what.endpoint = "news/search";
    what.sources = "feeds";
    // Of our own making or not: charges of the former are packed where they meet in a batch.
    what.request_id =
        pick(3) == 0 ? "req_" + std::to_string(++requests_) : base::make_id("req_", now());
    return what;
  }
  void settled(const hold& one, std::int64_t price, const usage& usage, bool charged) {
    model_account& of = model_[one.account];
    of.release(one.price, one.by_key);
    if (charged) of.charge({usage.request_id, price, 0, now(), one.by_key});
  }
  void settle_one() {
    if (holds_.empty()) return;
    hold one = take_hold();
    const auto price = static_cast<std::int64_t>(pick(static_cast<std::size_t>(one.price) + 1));
    usage what = usage_of_next();
    if (pick(2) == 0) what.idempotency_key = "k" + std::to_string(pick(5));
    what.answer.body = what.request_id;
    std::int64_t told = 0;
    const bool charged = succeeds("settle", [&] {
      const auto after = settle(*store_, std::move(one.held), price, what);
      if (after) told = after->posted.value;
      // In files a fault of the sync restarts the store; what the step holds of it must be gone.
      settled(one, price, what, after.has_value());
      return after;
    });
    if (!charged) return;
    check(told == model_[one.account].posted, "balance told");
    if (!what.idempotency_key.empty())
      answers_[{one.account, what.idempotency_key}] = {what.request_id, clock_.steady()};
    // Twice resolved is told, and changes nothing.
    check(settle(*store_, std::move(one.held), price).error().code() == errc::internal, "twice");
  }
  /// Two that fall into one batch, behind a third that holds the gate.
  void settle_two() {
    if (holds_.size() < 2) return;
    std::vector<hold> both;
    both.push_back(take_hold());
    both.push_back(take_hold());
    std::vector<usage> what{usage_of_next(), usage_of_next()};
    std::vector<std::promise<result<balance>>> told(2);
    gate_.close();
    errc third_told{};
    std::thread third([&] { third_told = store_->create_account(email_, "free").error().code(); });
    gate_.await();
    arm();
    for (std::size_t i = 0; i < 2; ++i)
      store_->settle(std::move(both[i].held), {both[i].price}, what[i],
                     [&told, i](result<balance> after) { told[i].set_value(std::move(after)); });
    gate_.open();
    third.join();
    std::vector<bool> charged;
    for (auto& one : told) charged.push_back(one.get_future().get().has_value());
    check(charged[0] == charged[1], "half a batch");
    const bool one_failed = !charged[0] || third_told == errc::storage_unavailable;
    check(one_failed == disarm(), "two at once");
    for (std::size_t i = 0; i < 2; ++i) settled(both[i], both[i].price, what[i], charged[i]);
    both.clear();
    if (uncertain_) restart();
  }
  void release_one() {
    if (holds_.empty()) return;
    hold one = take_hold();
    model_[one.account].release(one.price, one.by_key);
    one.held.release();
    one.held.release();
  }
  void grant() {
    const auto amount = static_cast<std::int64_t>(pick(10)) + 1;
    const auto operation = [&] {
      const auto after = store_->grant(keys_[at_].account.id, {amount}, "gift");
      if (after) model().posted += amount;
      return after;
    };
    static_cast<void>(succeeds("grant", operation));
  }
  void change_plan() {
    const auto& [name, monthly] = plans[pick(std::size(plans))];
    static_cast<void>(succeeds("change of plan", [&] {
      const auto done = store_->change_plan(keys_[at_].account.id, name);
      if (!done) return done;
      const bool same = model().monthly == monthly;
      const auto change = same ? 0 : model().change_plan(monthly, now());
      check(done->change.value == change, "what a change of plan gives");
      check(done->account.plan == name, "the plan");
      return done;
    }));
  }
  void refund() {
    if (model().charges.empty()) return;
    model_charge& of = model().charges[pick(model().charges.size())];
    const std::int64_t left = of.price - of.refunded;
    std::optional<credits> amount;
    if (pick(2) == 0) amount = credits{static_cast<std::int64_t>(pick(6)) + 1};
    if (left < (amount ? amount->value : 1)) {
      const auto refused = store_->refund(of.request_id, amount, "sorry");
      check(!refused && refused.error().code() == errc::invalid_request, "more than was charged");
      return;
    }
    static_cast<void>(succeeds("refund", [&] {
      const auto done = store_->refund(of.request_id, amount, "sorry");
      if (!done) return done;
      check(done->refunded.value == (amount ? amount->value : left), "what was refunded");
      check(done->left.value == left - done->refunded.value, "what is left to refund");
      model().refund(of, done->refunded.value);
      return done;
    }));
  }
  void replay() {
    const std::string key = "k" + std::to_string(pick(5));
    reads_too_ = !in_file_;
    arm();
    const auto found = store_->begin_idempotent(keys_[at_], key, "");
    if (found && !*found) store_->end_idempotent(keys_[at_], key);
    // Where other servers see the mark its end is written, too, and nobody is told of a fault
    // there.
    static_cast<void>(store_->create_account(email_, "free"));
    const bool struck = disarm();
    check(found || (struck && found.error().code() == errc::storage_unavailable), "replay");
    if (found) check_answer(key, *found);
    if (uncertain_) restart();
    reads_too_ = false;
    if (!struck) return;
    auto again = store_->begin_idempotent(keys_[at_], key, "");
    check(again.has_value(), "a mark stayed behind a fault");
    if (!*again) store_->end_idempotent(keys_[at_], key);
    settle_down();
  }
  void check_answer(const std::string& key, const std::optional<stored_answer>& found) {
    const auto known = answers_.find({at_, key});
    if (found) {
      check(known != answers_.end() && known->second.body == found->body, "another's answer");
    } else if (known != answers_.end()) {
      check(clock_.steady() - known->second.at >= std::chrono::hours(24), "an answer is gone");
    }
  }
  void jump() {
    const std::int64_t hours[] = {1, 9, 24, 24 * 31, 24 * 62, -1, -9, -24, -24 * 31};
    const std::chrono::hours by(hours[pick(std::size(hours))]);
    // Time passes, or the clock is set: answers are kept by what has passed.
    if (by > std::chrono::hours(0) && pick(2) == 0)
      clock_.advance(by);
    else
      clock_.jump(by);
  }
  /// A key and a person call at once in the first second of a month.
  void midnight() {
    touch();
    // What is due beside the calls is done before them, so that a fault strikes theirs.
    check(store_->authenticate(secrets_[at_]).has_value(), "authenticate");
    settle_down();
    const auto today = std::chrono::floor<std::chrono::days>(now());
    const std::chrono::year_month_day date{today};
    const auto next = date.year() / date.month() / 1 + std::chrono::months(1);
    clock_.set(time_point{std::chrono::sys_days{next}} + std::chrono::milliseconds(pick(1000)));
    const auto price = static_cast<std::int64_t>(pick(12));
    std::vector<std::optional<result<reservation>>> told(2);
    arm();
    std::thread other([&] {
      static_cast<void>(store_->authenticate(secrets_[at_]));
      told[0].emplace(store_->reserve(keys_[at_], {price}));
    });
    told[1].emplace(store_->reserve(users_[at_], {price}));
    other.join();
    const bool struck = disarm();
    std::size_t failed = 0;
    for (const auto& one : told) failed += is_failure(*one) ? 1 : 0;
    // After a failed sync everybody is refused.
    check(uncertain_ || failed <= (struck ? 1 : 0), "a fault that was told without a cause");
    if (uncertain_) {
      told.clear();
      restart();
      // Whether the month had begun before the sync that failed is open where the two had a
      // transaction each.
      if (written() != model().posted) model().roll(now());
      return;
    }
    settle_down();
    model().roll(now());
    hold_both(told, price);
  }
  static bool is_failure(const result<reservation>& one) {
    return !one && one.error().code() == errc::storage_unavailable;
  }
  /// Which of two at once came first is open: what was refused must have been to refuse before or
  /// after the other.
  void hold_both(std::vector<std::optional<result<reservation>>>& told, std::int64_t price) {
    std::vector<errc> before;
    for (const std::size_t i : {0U, 1U}) {
      before.push_back(model().may_hold(price, i == 0, budget, now()));
    }
    for (const std::size_t i : {0U, 1U}) {
      if (!told[i]->has_value()) continue;
      check(model().may_hold(price, i == 0, budget, now()) == errc{}, "held at midnight");
      model().hold(price, i == 0);
      holds_.push_back({at_, price, i == 0, std::move(**told[i])});
    }
    for (const std::size_t i : {0U, 1U}) {
      if (told[i]->has_value() || is_failure(*told[i])) continue;
      const errc code = told[i]->error().code();
      check(code == before[i] || code == model().may_hold(price, i == 0, budget, now()),
            "refused at midnight");
    }
  }
  void restart() {
    if (uncertain_ && !returns_leases()) {
      check(!store_->healthy(), "healthy after a failed sync");
      check(!store_->reserve(users_[0], {0}), "a store that is uncertain went on");
    }
    uncertain_ = false;
    holds_.clear();
    store_.reset();
    opened_ = std::chrono::steady_clock::now();
    store_ = open_or_throw(options_);
    for (auto& one : model_) one.restart();
    settle_down();
  }

  /// What the account of this step has by the newest entry of its book.
  std::int64_t written() {
    const auto rows = store_->ledger(keys_[at_].account.id, 0, 1).value();
    return rows.empty() ? 0 : rows[0].balance;
  }
  void compare() {
    for (std::size_t i = 0; i < model_.size(); ++i) {
      const model_account& one = model_[i];
      check(one.posted >= one.reserved && one.reserved >= 0, "the model itself");
      if (!one.is_rolled(now())) continue;
      const auto said = store_->balance_of(keys_[i]).value();
      check(said.posted.value == one.posted, "posted in memory");
      check(said.reserved.value == one.reserved, "reserved");
    }
    check(written() == model().posted, "posted on the disk",
          std::to_string(written()) + " for " + std::to_string(model().posted) +
              (model().is_rolled(now()) ? "" : ", not rolled"));
  }
  void check_usage() {
    for (std::size_t i = 0; i < model_.size(); ++i) {
      std::int64_t used = 0, said = 0;
      for (const auto& one : model_[i].charges) used += one.price;
      for (const auto& row : store_->usage_of(keys_[i].account.id, {}).value())
        said += row.used.value;
      check(said == used, "usage");
    }
  }

  struct answer {
    std::string body;
    std::chrono::steady_clock::time_point at;
  };

  std::mt19937 random_;
  unsigned seed_ = 0;
  bool in_file_;
  std::string email_;  ///< of an account that is there
  int step_ = -1;
  std::size_t at_ = 0;  ///< the account of this step
  manual_clock clock_;
  gate gate_;
  std::atomic<int> countdown_{0};
  std::atomic<bool> reads_too_{false}, uncertain_{false};
  bool armed_ = false;
  int requests_ = 0;
  accounts_options options_;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  std::unique_ptr<accounts> store_;
  std::vector<std::string> secrets_;
  std::vector<principal> keys_, users_;
  std::vector<model_account> model_;
  std::map<std::pair<std::size_t, std::string>, answer> answers_;
  std::vector<hold> holds_;  ///< after the store: they must go before it
};

/// Where a sync costs nothing: it is only pretended here, and fails when it is told to.
std::filesystem::path shared_memory() {
  const std::filesystem::path there = "/dev/shm";
  return std::filesystem::is_directory(there) ? there : std::filesystem::temp_directory_path();
}

void simulate_store(unsigned store) {
  const temporary_folder folder(shared_memory());
  std::string database;
  {
    simulation in(store % stores_a_file == 0 ? folder.file("ledger.db") : ":memory:",
                  store % stores_a_small_memory == 0 ? 1 : 1000);
    for (unsigned i = 0; i < seeds_a_store; ++i) in.run(store * seeds_a_store + i);
    in.verify();
    database = in.database();
  }
  if (on_postgres_server()) freshet::test::drop_schema_at(database);
}

/// The stores from `first` on, each with its seeds.
void simulate(unsigned first, unsigned last) {
  std::atomic<unsigned> next = first;
  std::mutex mutex;
  std::string failure;  // the first
  const auto run = [&] {
    while (true) {
      const auto store = next++;
      if (store >= last) return;
      try {
        simulate_store(store);
      } catch (const std::exception& failed) {
        next = last;
        const std::lock_guard guard(mutex);
        if (failure.empty()) failure = failed.what();
      }
    }
  };
  const auto several = std::min(on_postgres_server() ? most_threads : 1U, last - first);
  std::vector<std::thread> others;
  for (unsigned i = 1; i < several; ++i) others.emplace_back(run);
  run();
  for (auto& other : others) other.join();
  CHECK(failure == "");
}

}  // namespace

TEST_CASE("the accounts do what the reference model does", "[alone][many]") {
  simulate(0, default_seeds / seeds_a_store);
}

TEST_CASE("the accounts do what the reference model does: many seeds", "[.long]") {
  simulate(default_seeds / seeds_a_store, 20'000);
}

TEST_CASE("the accounts do what the reference model does: FRESHET_SEED", "[.seed]") {
  unsigned first = 0, last = 0;
  const char* const wanted = std::getenv("FRESHET_SEED");  // "17", or "17-99"
  REQUIRE(wanted != nullptr);
  REQUIRE(std::sscanf(wanted, "%u-%u", &first, &last) > 0);
  simulate(first / seeds_a_store, std::max(first, last) / seeds_a_store + 1);
}

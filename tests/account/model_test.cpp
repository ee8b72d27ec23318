// The accounts against a reference model of a hundred lines: seeded random operations, faults at
// random steps, clocks that jump, restarts. After each step both must say the same.
#include <account/fixture.hpp>
#include <catch2/catch.hpp>
#include <random>
#include <set>

using namespace freshet;
using namespace freshet::account;
using namespace freshet::account::test;

namespace {

constexpr std::int64_t monthly = 20;
constexpr std::int64_t budget = 15;

/// What an account ought to be.
struct model_account {
  std::int64_t posted = 0, of_month = 0, reserved = 0, used = 0;
  std::string month, budget_month;
  std::set<std::string> granted;

  void roll(const std::string& now) {
    if (month == now) return;
    month = now;
    if (!granted.insert(now).second) return;
    const std::int64_t kept =
        std::clamp<std::int64_t>(reserved - (posted - of_month) - monthly, 0, of_month);
    posted += monthly - of_month + kept;
    of_month = monthly + kept;
  }
  void see(const std::string& now) {
    if (now <= budget_month) return;
    budget_month = now;
    used = 0;
  }
  [[nodiscard]] errc may_hold(std::int64_t price) const {
    if (posted - reserved < price) return errc::insufficient_credits;
    return used + reserved + price > budget ? errc::key_budget_exceeded : errc{};
  }
  void charge(std::int64_t price) {
    posted -= price;
    of_month = std::max<std::int64_t>(0, of_month - price);
    used += price;
  }
};

struct hold {
  std::size_t account;
  std::int64_t price;
  reservation held;
};

class simulation {
 public:
  simulation(unsigned seed, const std::string& path) : random_(seed), seed_(seed) {
    options_ = options_for(path, clock_, monthly);
    options_.fail = [this](std::string_view stage) {
      if (stage == "query" || stage == "sync" || stage == "probe") return false;
      return countdown_ > 0 && --countdown_ == 0;
    };
    store_ = open_or_throw(options_);
    key_options with;
    with.monthly_budget = credits{budget};
    for (const char* email : {"a@example.com", "b@example.com"}) {
      const auto account = store_->create_account(email, "free").value();
      keys_.push_back(store_->create_key(account.id, with).value().secret);
      who_.push_back(store_->authenticate(keys_.back()).value());
      model_.emplace_back();
      // Authentication has begun the month's grant.
      check(store_->balance_of(who_.back()).has_value(), "first grant");
      model_.back().roll(month());
    }
  }

  void run(int steps) {
    for (step_ = 0; step_ < steps; ++step_) {
      const auto at = pick(2);
      const bool faulty = pick(5) == 0;
      // Each step is one batch at most: the month's grant is a step of its own.
      touch(at, faulty);
      const auto kind = pick(20);
      if (kind < 9) {
        reserve(at);
      } else if (kind < 14) {
        settle_one(faulty);
      } else if (kind < 16) {
        release_one();
      } else if (kind < 17) {
        grant(at, faulty);
      } else if (kind < 19) {
        jump();
      } else {
        restart();
      }
      compare();
    }
    holds_.clear();
    const auto report = store_->verify();
    check(report.has_value() && report->ok, "verify");
    check(report->rows == 2 * store_->stats().movements, "rows");
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  [[nodiscard]] std::string month() const {
    const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(clock_.now())};
    const unsigned number = static_cast<unsigned>(day.month());
    return std::to_string(static_cast<int>(day.year())) + (number < 10 ? "-0" : "-") +
           std::to_string(number);
  }
  void check(bool good, const char* what) const {
    if (!good)
      throw std::runtime_error("seed " + std::to_string(seed_) + ", step " + std::to_string(step_) +
                               ": " + what);
  }
  /// Whether the fault that was set struck; takes it away.
  bool disarm() {
    const bool struck = armed_ && countdown_ == 0;
    countdown_ = 0;
    armed_ = false;
    return struck;
  }
  void arm(bool faulty) {
    armed_ = faulty;
    countdown_ = faulty ? static_cast<int>(pick(8)) + 1 : 0;
  }

  void touch(std::size_t at, bool faulty) {
    arm(faulty);
    const auto said = store_->balance_of(who_[at]);
    if (disarm()) {
      check(!said && said.error().code() == errc::storage_unavailable, "a fault was not told");
      check(store_->balance_of(who_[at]).has_value(), "a fault did not pass");
    }
    model_[at].roll(month());
  }
  void reserve(std::size_t at) {
    const auto price = static_cast<std::int64_t>(pick(9));
    model_[at].see(month());
    const errc expected = model_[at].may_hold(price);
    auto held = store_->reserve(who_[at], {price});
    check(held ? expected == errc{} : held.error().code() == expected, "reserve");
    if (!held) return;
    model_[at].reserved += price;
    holds_.push_back({at, price, std::move(*held)});
  }
  void settle_one(bool faulty) {
    if (holds_.empty()) return;
    const auto index = static_cast<std::ptrdiff_t>(pick(holds_.size()));
    hold one = std::move(holds_[static_cast<std::size_t>(index)]);
    holds_.erase(holds_.begin() + index);
    const auto price = static_cast<std::int64_t>(pick(static_cast<std::size_t>(one.price) + 1));
    model_account& model = model_[one.account];
    usage what;
    if (pick(2) == 0) what.idempotency_key = "k" + std::to_string(pick(5));
    arm(faulty);
    const auto after = settle(*store_, std::move(one.held), price, what);
    const bool struck = disarm();
    check(after.has_value() != struck, "settle");
    check(after || after.error().code() == errc::storage_unavailable, "settle's error");
    model.reserved -= one.price;
    model.see(month());
    if (after) model.charge(price);
    check(!after || after->posted.value == model.posted, "balance told");
    // Twice resolved is told, and changes nothing.
    check(settle(*store_, std::move(one.held), price).error().code() == errc::internal, "twice");
  }
  void release_one() {
    if (holds_.empty()) return;
    model_[holds_.back().account].reserved -= holds_.back().price;
    holds_.back().held.release();
    holds_.back().held.release();
    holds_.pop_back();
  }
  void grant(std::size_t at, bool faulty) {
    const auto amount = static_cast<std::int64_t>(pick(10)) + 1;
    arm(faulty);
    const auto after = store_->grant(who_[at].account.id, {amount}, "gift");
    check(after.has_value() != disarm(), "grant");
    if (after) model_[at].posted += amount;
  }
  void jump() {
    const std::int64_t hours[] = {1, 24, 24 * 31, 24 * 62, -1, -24, -24 * 31};
    clock_.advance(std::chrono::hours(hours[pick(std::size(hours))]));
  }
  void restart() {
    if (options_.database_path == ":memory:") return;
    holds_.clear();
    store_.reset();
    store_ = open_or_throw(options_);
    for (auto& model : model_) {
      model.reserved = 0;
      if (!model.granted.empty()) model.month = *model.granted.rbegin();
    }
    // What a key has used is counted again from the ledger, by the month that it is now.
    for (std::size_t at = 0; at < model_.size(); ++at) {
      const auto since = std::chrono::floor<std::chrono::days>(clock_.now());
      const std::chrono::year_month_day day{since};
      const time_point first{std::chrono::sys_days{day.year() / day.month() / 1}};
      model_[at].used = 0;
      for (const auto& row : store_->usage_of(who_[at].account.id, {first, "key"}).value())
        model_[at].used += row.used.value;
      model_[at].budget_month = month();
    }
  }
  void compare() {
    for (std::size_t at = 0; at < model_.size(); ++at) {
      const model_account& model = model_[at];
      const auto rows = store_->ledger(who_[at].account.id, 0, 1).value();
      check((rows.empty() ? 0 : rows[0].balance) == model.posted, "posted");
      check(model.posted >= model.reserved && model.reserved >= 0, "the model itself");
      if (model.month != month()) continue;
      const auto said = store_->balance_of(who_[at]).value();
      check(said.posted.value == model.posted, "posted in memory");
      check(said.reserved.value == model.reserved, "reserved");
    }
  }

  std::mt19937 random_;
  unsigned seed_;
  int step_ = -1;
  manual_clock clock_;
  std::atomic<int> countdown_{0};
  bool armed_ = false;
  accounts_options options_;
  std::unique_ptr<accounts> store_;
  std::vector<std::string> keys_;
  std::vector<principal> who_;
  std::vector<model_account> model_;
  std::vector<hold> holds_;  ///< after the store: they must go before it
};

void simulate(unsigned first, unsigned last, bool in_files) {
  for (unsigned seed = first; seed < last; ++seed) {
    const temporary_folder folder;
    REQUIRE_NOTHROW(simulation(seed, in_files ? folder.file("ledger.db") : ":memory:").run(50));
  }
}

}  // namespace

TEST_CASE("the accounts do what the reference model does: in memory") { simulate(0, 600, false); }

TEST_CASE("the accounts do what the reference model does: in files, with restarts") {
  simulate(10'000, 10'010, true);
}

TEST_CASE("the accounts do what the reference model does: many seeds", "[.long]") {
  simulate(20'000, 40'000, false);
  simulate(50'000, 50'500, true);
}

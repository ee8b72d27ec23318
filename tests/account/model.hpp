// What an account ought to be: the reference that the simulation holds the accounts to. It is
// written from the README, in the plainest way, and shares no code with what it judges: plans are
// counted on a calendar with one entry a day, budgets and refunds by looking at every charge.
#pragma once

#include <account/accounts.hpp>
#include <algorithm>
#include <numeric>

namespace freshet::account::test {

struct model_charge {
  std::string request_id;
  std::int64_t price = 0, refunded = 0;
  time_point at;
  bool by_key = true;
  int budget_month = 0;  ///< whose budget it counts against
};

struct model_month {
  std::vector<std::int64_t> days;  ///< for each day the monthly credits of its plan
  std::int64_t given = 0;
  std::size_t first = 0;  ///< no day before it changes any more
};

class model_account {
 public:
  std::int64_t posted = 0, of_month = 0, reserved = 0, key_reserved = 0;
  std::int64_t monthly = 0;  ///< of the plan
  std::vector<model_charge> charges;

  static std::chrono::year_month_day date(time_point at) {
    return std::chrono::floor<std::chrono::days>(at);
  }
  /// The month as a number that grows.
  static int month(time_point at) {
    return static_cast<int>(date(at).year()) * 12 +
           static_cast<int>(static_cast<unsigned>(date(at).month()));
  }

  void roll(time_point now) {
    rolled_ = month(now);
    if (months_.contains(rolled_)) return;
    const std::int64_t kept =
        std::clamp<std::int64_t>(reserved - (posted - of_month) - monthly, 0, of_month);
    posted += monthly - of_month + kept;
    of_month = monthly + kept;
    const auto last = (date(now).year() / date(now).month() / std::chrono::last).day();
    months_[rolled_] = {std::vector<std::int64_t>(unsigned(last), monthly), monthly};
  }
  [[nodiscard]] bool is_rolled(time_point now) const { return rolled_ == month(now); }

  /// What the change grants, or takes if it is below zero.
  std::int64_t change_plan(std::int64_t end, time_point now) {
    roll(now);
    model_month& in = months_[rolled_];
    in.first = std::max<std::size_t>(in.first, unsigned(date(now).day()) - 1);
    std::fill(in.days.begin() + static_cast<std::ptrdiff_t>(in.first), in.days.end(), end);
    monthly = end;
    const auto sum = std::accumulate(in.days.begin(), in.days.end(), std::int64_t{0});
    const auto wanted = sum / static_cast<std::int64_t>(in.days.size()) - in.given;
    const auto pinned = std::clamp<std::int64_t>(reserved - (posted - of_month), 0, of_month);
    const auto change = std::max(wanted, pinned - of_month);
    in.given += change;
    of_month += change;
    posted += change;
    return change;
  }

  /// The key's budget counts by the latest month in which something was charged to it.
  [[nodiscard]] errc may_hold(std::int64_t price, bool by_key, std::int64_t budget,
                              time_point now) const {
    if (posted - reserved < price) return errc::insufficient_credits;
    int last = month(now);
    std::int64_t used = 0;
    for (const auto& one : charges) last = std::max(last, one.by_key ? one.budget_month : 0);
    for (const auto& one : charges) used += one.by_key && one.budget_month == last ? one.price : 0;
    return by_key && used + key_reserved + price > budget ? errc::key_budget_exceeded : errc{};
  }
  void hold(std::int64_t price, bool by_key) {
    reserved += price;
    if (by_key) key_reserved += price;
  }
  void release(std::int64_t held, bool by_key) { hold(-held, by_key); }
  void charge(const model_charge& what) {
    if (what.price == 0) return;
    posted -= what.price;
    of_month = std::max<std::int64_t>(0, of_month - what.price);
    int counted = month(what.at);
    for (const auto& one : charges) counted = std::max(counted, one.by_key ? one.budget_month : 0);
    charges.push_back(what);
    charges.back().budget_month = counted;
  }
  void refund(model_charge& charge, std::int64_t amount) {
    charge.refunded += amount;
    posted += amount;
  }

  /// Holds are gone.
  void restart() {
    reserved = key_reserved = 0;
    rolled_ = months_.empty() ? 0 : months_.rbegin()->first;
  }

 private:
  std::map<int, model_month> months_;
  int rolled_ = 0;
};

}  // namespace freshet::account::test

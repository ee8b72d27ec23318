// A ring of steps; one whose number is not the present one's begins anew.
#include "engine/runtime/recent_calls.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace freshet::detail {

void duration_steps::add(std::int64_t ms) noexcept {
  const auto step = std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(0, ms)));
  ++steps_[std::min<std::size_t>(static_cast<std::size_t>(step), count - 1)];
}

void duration_steps::add(const duration_steps& other) noexcept {
  for (std::size_t i = 0; i < count; ++i) steps_[i] += other.steps_[i];
}

std::int64_t duration_steps::quantile(double share) const noexcept {
  std::uint64_t all = 0;
  for (const auto one : steps_) all += one;
  if (all == 0) return 0;
  std::uint64_t below = 0;
  for (std::size_t i = 0; i < count; ++i) {
    below += steps_[i];
    if (static_cast<double>(below) >= share * static_cast<double>(all)) return std::int64_t{1} << i;
  }
  return std::int64_t{1} << count;
}

std::int64_t recent_calls::number_of(time_point at) const noexcept {
  return std::chrono::floor<std::chrono::minutes>(at).time_since_epoch() / step;
}

void recent_calls::add(const call& one) noexcept {
  const auto now = clock_.now();
  const auto number = number_of(now);
  try {
    const std::lock_guard lock(mutex_);
    auto& to = ring_[static_cast<std::size_t>(number) % steps];
    if (to.number != number) {
      to = sums();
      to.number = number;
    }
    ++to.calls;
    to.took.add(one.elapsed_ms);
    if (one.failure) {
      ++to.failed;
      ++to.codes[*one.failure];
    }
    const auto known = to.accounts.find(one.account);
    if (known != to.accounts.end()) {
      ++known->second;
    } else if (!one.account.empty() && to.accounts.size() < max_accounts) {
      to.accounts.emplace(one.account, 1);
    }
    for (const auto& source : one.asked) {
      if (source.status != "ok" && source.status != "error") continue;  // it was not asked
      auto& of = to.sources[source.name];
      ++of.asked;
      of.took.add(source.elapsed_ms);
      if (source.status == "ok") continue;
      ++of.failed;
      of.last_error = source.code;
      of.last_error_at = now;
    }
  } catch (const std::bad_alloc&) {
    // The call is answered all the same, and not counted.
  }
}

recent_calls::figures recent_calls::show(std::size_t most_accounts) const {
  figures made;
  std::map<std::string, std::int64_t, std::less<>> accounts;
  const auto last = number_of(clock_.now());
  const std::lock_guard lock(mutex_);
  for (auto number = last - static_cast<std::int64_t>(steps) + 1; number <= last; ++number) {
    const auto& of = ring_[static_cast<std::size_t>(number) % steps];
    if (of.number != number) {
      made.in_steps.emplace_back(0, 0);
      continue;
    }
    made.in_steps.emplace_back(of.calls, of.failed);
    made.calls += of.calls;
    made.failed += of.failed;
    made.took.add(of.took);
    for (const auto& [code, count] : of.codes)
      made.codes[std::string(describe(code).name)] += count;
    for (const auto& [account, count] : of.accounts) accounts[account] += count;
    for (const auto& [name, one] : of.sources) {
      auto& to = made.sources[name];
      to.asked += one.asked;
      to.failed += one.failed;
      to.took.add(one.took);
      if (!one.last_error_at) continue;
      to.last_error = one.last_error;
      to.last_error_at = one.last_error_at;
    }
  }
  made.accounts.assign(accounts.begin(), accounts.end());
  const auto kept = std::min(most_accounts, made.accounts.size());
  std::ranges::partial_sort(made.accounts,
                            made.accounts.begin() + static_cast<std::ptrdiff_t>(kept),
                            [](const auto& a, const auto& b) {
                              return a.second != b.second ? a.second > b.second : a.first < b.first;
                            });
  made.accounts.resize(kept);
  return made;
}

}  // namespace freshet::detail

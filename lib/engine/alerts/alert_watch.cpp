// A call whose sources all answered costs a look at one number, unless some of somebody's fail.
#include "engine/alerts/alert_watch.hpp"

#include <algorithm>

namespace freshet::detail {
namespace {

constexpr std::size_t fewest_calls = 3;
constexpr std::size_t most_watched = 4096, most_lately = 4096;
constexpr std::chrono::minutes lately{10};
/// What failed longer ago, and not since, says nothing of today.
constexpr std::chrono::hours forgotten_after{24};

bool is_failure(const source_report& one) {
  return one.status == "error" && one.code.starts_with("source_");
}

/// Whether any of a source's instances has answered.
bool has_answered(std::span<const source_report> sources, const std::string& name) {
  return std::ranges::any_of(
      sources, [&](const auto& one) { return one.name == name && one.status == "ok"; });
}

}  // namespace

std::vector<failing_source> alert_watch::note(std::int64_t account,
                                              std::span<const source_report> sources,
                                              const noted_at& now) {
  const bool fails = std::ranges::any_of(sources, is_failure);
  if (!fails && watched_.load(std::memory_order_relaxed) == 0) return {};
  std::vector<failing_source> told;
  const std::lock_guard lock(mutex_);
  auto found = failing_.find(account);
  if (found == failing_.end()) {
    if (!fails || !make_room(now.steady)) return {};
    found = failing_.try_emplace(account).first;
  }
  failures& known = found->second;
  for (const auto& one : sources) {
    if (one.status == "ok") known.erase(one.name);
    if (!is_failure(one) || has_answered(sources, one.name)) continue;
    failure& of = known.try_emplace(one.name, failure{now, now, 0}).first->second;
    // Of several instances one counts.
    if (of.calls > 0 && of.last.steady == now.steady) continue;
    if (now.steady - of.last.steady > forgotten_after) of = {now, now, 0};
    of.last = now;
    ++of.calls;
    if (of.calls < fewest_calls || now.steady - of.first.steady < failing_for_) continue;
    if (is_new_here(account, "source " + one.name, now.steady))
      told.push_back({one.name, one.code, of.first.at});
  }
  if (known.empty()) failing_.erase(found);
  watched_.store(failing_.size(), std::memory_order_relaxed);
  return told;
}

bool alert_watch::is_new(std::int64_t account, std::string_view about,
                         std::chrono::steady_clock::time_point now) {
  const std::lock_guard lock(mutex_);
  return is_new_here(account, about, now);
}

bool alert_watch::is_new_here(std::int64_t account, std::string_view about,
                              std::chrono::steady_clock::time_point now) {
  if (lately_.size() >= most_lately) {
    std::erase_if(lately_, [&](const auto& one) { return now - one.second >= lately; });
    if (lately_.size() >= most_lately) lately_.clear();
  }
  auto [known, is_first] =
      lately_.try_emplace(std::to_string(account) + " " + std::string(about), now);
  if (!is_first && now - known->second < lately) return false;
  known->second = now;
  return true;
}

bool alert_watch::make_room(std::chrono::steady_clock::time_point now) {
  if (failing_.size() < most_watched) return true;
  std::erase_if(failing_, [&](const auto& one) {
    return std::ranges::all_of(one.second, [&](const auto& source) {
      return now - source.second.last.steady > forgotten_after;
    });
  });
  return failing_.size() < most_watched;
}

}  // namespace freshet::detail

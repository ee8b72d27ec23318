// A short list, searched from end to end: it holds no more than people can ask for in minutes.
#include <account/users/challenges.hpp>
#include <algorithm>
#include <base/digest.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t challenge_bytes = 32;
constexpr std::chrono::minutes lifetime{5};
constexpr std::size_t most_of_account = 8;
constexpr std::size_t most_of_all = 4096;

}  // namespace

std::string challenges::make(std::int64_t account_id, std::string_view use, time now) {
  std::string made = base::base64url(base::random_bytes(challenge_bytes));
  const std::lock_guard lock(mutex_);
  make_room(account_id, now);
  entries_.push_back({made, std::string(use), account_id, now + lifetime});
  return made;
}

void challenges::make_room(std::int64_t account_id, time now) {
  while (!entries_.empty() && entries_.front().good_until <= now) entries_.pop_front();
  const auto is_theirs = [&](const entry& one) { return one.account_id == account_id; };
  const auto theirs = static_cast<std::size_t>(std::ranges::count_if(entries_, is_theirs));
  if (theirs >= most_of_account) {
    entries_.erase(std::ranges::find_if(entries_, is_theirs));
  } else if (entries_.size() >= most_of_all) {
    entries_.pop_front();
  }
}

bool challenges::take(std::string_view challenge, std::int64_t account_id, std::string_view use,
                      time now) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(entries_, challenge, &entry::challenge);
  if (found == entries_.end()) return false;
  const entry one = std::move(*found);
  entries_.erase(found);
  return one.account_id == account_id && one.use == use && now < one.good_until;
}

}  // namespace freshet::account

// A short list: an answer is asked few things.
#include <algorithm>
#include <http/answer_readings.hpp>

namespace freshet::http {

std::shared_ptr<const void> answer_readings::find(std::string_view purpose) const {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(all_, purpose, &reading::purpose);
  return at == all_.end() ? nullptr : at->what;
}

void answer_readings::put(std::string_view purpose, std::shared_ptr<const void> kept,
                          std::size_t bytes) {
  auto grown = static_cast<std::int64_t>(bytes + purpose.size());
  {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(all_, purpose, &reading::purpose) != all_.end()) return;
    all_.push_back({std::string(purpose), std::move(kept), bytes + purpose.size()});
    if (all_.size() > max_readings) {
      grown -= static_cast<std::int64_t>(all_.front().bytes);
      all_.erase(all_.begin());
    }
  }
  if (const auto on = shelf_.lock()) on->grow(name_, grown);
}

std::size_t answer_readings::bytes() const {
  const std::lock_guard lock(mutex_);
  std::size_t sum = 0;
  for (const reading& each : all_) sum += each.bytes;
  return sum;
}

}  // namespace freshet::http

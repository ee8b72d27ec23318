// Readers do not wait for each other: every request of a page of another origin asks.
#include <account/keys/known_origins.hpp>
#include <functional>
#include <mutex>

namespace freshet::account {

void known_origins::add(const std::vector<std::string>& origins) {
  if (origins.empty()) return;
  const std::unique_lock guard(mutex_);
  for (const std::string& one : origins) hashes_.insert(std::hash<std::string_view>()(one));
}

bool known_origins::has(std::string_view origin) const {
  const std::shared_lock guard(mutex_);
  return hashes_.count(std::hash<std::string_view>()(origin)) != 0;
}

}  // namespace freshet::account

// Two callers may ask at once for one that is not there: the queue's thread makes it once.
#include <account/secrets.hpp>

namespace freshet::account {
namespace {

constexpr std::size_t secret_bytes = 32;

}  // namespace

result<void> secrets::load(account_store& books) {
  return books.read_secrets(
      [this](const std::string& name, const std::string& value) { values_.emplace(name, value); });
}

result<std::string> secrets::get(std::string_view name) {
  {
    const auto guard = queue_.lock();
    if (const auto known = values_.find(name); known != values_.end()) return known->second;
  }
  std::string value;
  const auto write = [&](transaction& running) {
    // Only this thread changes the map, so it may read it.
    const auto known = values_.find(name);
    value = known != values_.end() ? known->second : base::random_bytes(secret_bytes);
    if (known == values_.end()) running.put_secret(name, value);
  };
  const auto commit = [&] { values_.emplace(std::string(name), value); };
  if (auto done = queue_.run(write, commit); !done) return done.error();
  return value;
}

}  // namespace freshet::account

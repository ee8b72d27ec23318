// Bounds, and where it is: in the book's database, or in a file beside the book, whose lock says
// that no other process has it.
#include "engine/settings/request_settings.hpp"

#include <engine/settings/book_settings.hpp>
#include <postgres/postgres.hpp>

namespace freshet::detail {
namespace {

constexpr std::int64_t most_days = 3650;
constexpr std::int64_t least_log_bytes = 1 << 20;

struct bounded_key {
  std::string_view name;
  std::int64_t least = 0, most = 0;
  std::string_view expected;
};

constexpr bounded_key bounded_keys[] = {
    {"requests.keep_days", 0, most_days, "0 to 3650 days are expected"},
    {"requests.bodies_hours", 0, most_days * 24, "0 hours or more are expected"},
    {"requests.body_bytes", 1, 4 << 20, "1 to 4194304 bytes are expected"},
    {"requests.bodies_bytes_per_account", least_log_bytes, INT64_MAX,
     "at least 1048576 is expected"},
    {"requests.bytes_per_account", least_log_bytes, INT64_MAX, "at least 1048576 is expected"},
    {"requests.bytes", least_log_bytes, INT64_MAX, "at least 1048576 is expected"},
};

}  // namespace

result<std::unique_ptr<requests::request_log>> open_request_log(
    const config& config, const log_function& log,
    std::shared_ptr<postgres::read_replica> replica) {
  for (const auto& key : bounded_keys) {
    if (!config.has(key.name)) continue;
    const auto value = config.integer(key.name).value_or(key.least);
    if (value >= key.least && value <= key.most) continue;
    return error(errc::invalid_configuration,
                 std::string(key.name) + ": " + std::string(key.expected));
  }
  const std::chrono::days keep(config.integer("requests.keep_days").value_or(30));
  const std::chrono::hours bodies(config.integer("requests.bodies_hours").value_or(0));
  if (bodies > keep) {
    return error(errc::invalid_configuration,
                 "requests.bodies_hours: no longer than requests.keep_days");
  }
  const auto book = configured_book(config);
  if (!book) return book.error();
  if (keep.count() == 0 || book->database == ":memory:")
    return std::unique_ptr<requests::request_log>();
  requests::log_options options;
  options.database =
      postgres::is_url(book->database) ? book->database : file_of(*book) + ".requests";
  options.replica = std::move(replica);
  auto& limits = options.limits;
  limits.keep = keep;
  limits.keep_bodies = bodies;
  const auto bytes = [&](std::string_view key, std::int64_t usual) {
    return config.integer(key).value_or(usual);
  };
  limits.bytes_of_account = bytes("requests.bytes_per_account", limits.bytes_of_account);
  limits.bytes_of_all = bytes("requests.bytes", limits.bytes_of_all);
  limits.body_bytes_of_account =
      bytes("requests.bodies_bytes_per_account", limits.body_bytes_of_account);
  options.max_body_bytes = static_cast<std::size_t>(
      bytes("requests.body_bytes", static_cast<std::int64_t>(options.max_body_bytes)));
  options.tell = log;
  return requests::request_log::open(std::move(options));
}

}  // namespace freshet::detail

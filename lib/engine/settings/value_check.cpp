// Each value alone: what depends on the machine or on others is judged where it is used.
#include "engine/settings/value_check.hpp"

#include <base/url.hpp>
#include <catalog/endpoint.hpp>
#include <engine/alerts/alerts.hpp>
#include <engine/dashboard/dashboard_service.hpp>
#include <engine/runtime/archives.hpp>
#include <postgres/postgres.hpp>

namespace freshet::detail {
namespace {

/// No setting of rendering or of PDFs is larger: 1 TiB.
constexpr std::int64_t most_render_value = std::int64_t{1} << 40;

/// Silence would let servers that share no book count their callers together.
result<void> check_redis(const config& from) {
  constexpr std::int64_t longest_ms = 10'000;
  const auto timeout_ms = from.integer("storage.redis_timeout_ms").value_or(1);
  if (timeout_ms < 1 || timeout_ms > longest_ms)
    return error(errc::invalid_configuration,
                 "storage.redis_timeout_ms: 1 to 10000 milliseconds are expected");
  constexpr std::int64_t most_answer_bytes = 1 << 20;
  const auto answer_bytes = from.integer("storage.redis_answer_bytes").value_or(0);
  if (answer_bytes < 0 || answer_bytes > most_answer_bytes)
    return error(errc::invalid_configuration,
                 "storage.redis_answer_bytes: 0 to 1048576 bytes are expected");
  if (from.text("storage.redis").empty() || postgres::is_url(from.text("storage.database")))
    return {};
  return error(errc::invalid_configuration,
               "storage.redis: it is for servers that share a storage.database of PostgreSQL; "
               "one alone counts by itself");
}

result<void> check_replica(const config& from) {
  constexpr std::int64_t longest_s = 3600;
  const auto behind_s = from.integer("storage.replica_behind_s").value_or(1);
  if (behind_s < 1 || behind_s > longest_s)
    return error(errc::invalid_configuration,
                 "storage.replica_behind_s: 1 to 3600 seconds are expected");
  const auto named = from.text("storage.replica");
  if (named.empty()) return {};
  if (postgres::is_url(named) && postgres::is_url(from.text("storage.database"))) return {};
  return error(errc::invalid_configuration,
               "storage.replica: postgresql://… is expected, a standby of a storage.database of "
               "PostgreSQL");
}

}  // namespace

result<void> check_values(const config& from) {
  // Links in mails begin with it.
  const auto own = from.text("server.base_url");
  if (const auto read = base::parse_url(own); !own.empty() && (!read || !read->is_http())) {
    return error(errc::invalid_configuration,
                 "server.base_url: '" + own + "' is not an absolute http or https URL, such as " +
                     "https://api.example.org");
  }
  if (auto fine = check_redis(from); !fine) return fine;
  if (auto fine = check_replica(from); !fine) return fine;
  if (from.integer("server.max_memory_bytes").value_or(0) < 0) {
    return error(errc::invalid_configuration,
                 "server.max_memory_bytes: 0, or a number of bytes, is expected");
  }
  if (from.integer("server.max_answer_bytes").value_or(1 << 16) < 1 << 16) {
    return error(errc::invalid_configuration,
                 "server.max_answer_bytes: at least 65536 is expected");
  }
  for (const auto& name : from.names_under("plans")) {
    const auto prefix = "plans." + name + ".";
    const auto rate = from.number(prefix + "rate").value_or(1);
    const auto burst = from.integer(prefix + "burst").value_or(1);
    const auto monthly = from.integer(prefix + "monthly_credits").value_or(0);
    const auto concurrency = from.integer(prefix + "concurrency").value_or(1);
    const auto bytes = from.integer(prefix + "bytes_in_flight").value_or(1);
    const auto share = from.number(prefix + "processor_share").value_or(1);
    const auto browsing = from.number(prefix + "browser_share").value_or(1);
    const bool bounded = concurrency >= 1 && bytes >= 1 && share > 0 && browsing > 0;
    if (rate > 0 && burst >= 1 && monthly >= 0 && bounded) continue;
    return error(errc::invalid_configuration,
                 "plans." + name +
                     ": rate, processor_share and browser_share must be above 0, burst, "
                     "concurrency and bytes_in_flight at least 1, monthly_credits not negative");
  }
  for (const auto* key : {"storage.idempotency_bytes_per_account", "storage.idempotency_bytes"}) {
    if (from.integer(key).value_or(1 << 20) >= 1 << 20) continue;
    return error(errc::invalid_configuration, std::string(key) + ": at least 1048576 is expected");
  }
  if (from.number("sandbox.rate").value_or(1) <= 0 ||
      from.integer("sandbox.burst").value_or(1) < 1) {
    return error(errc::invalid_configuration, "sandbox: rate must be above 0, burst at least 1");
  }
  for (const auto& key : config_keys()) {
    const bool bounded = key.name.starts_with("render.") || key.name.starts_with("pdf.");
    if (!bounded || key.type != "integer") continue;
    const auto value = from.integer(key.name).value_or(0);
    const bool may_be_none = key.name == "render.max_browsers" ||
                             key.name.ends_with(".max_waiting") || key.name == "render.credits";
    if (value >= (may_be_none ? 0 : 1) && value <= most_render_value) continue;
    return error(errc::invalid_configuration, std::string(key.name) + ": a number of at least " +
                                                  (may_be_none ? "0" : "1") + " is expected");
  }
  for (const auto& one : catalog::endpoints()) {
    const auto key = "credits." + std::string(one.path);
    if (!from.has(key) || from.integer(key).value_or(0) >= 0) continue;
    return error(errc::invalid_configuration, key + ": a price is not negative");
  }
  if (auto fine = check_dashboard(from); !fine) return fine;
  if (auto fine = check_alerts(from); !fine) return fine;
  return check_archives(from);
}

}  // namespace freshet::detail

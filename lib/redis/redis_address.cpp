// An address without TLS: hiredis has that from 1.0 on, and Debian 12's is older.
#include <base/number.hpp>
#include <base/url.hpp>
#include <redis/redis_address.hpp>

namespace freshet::redis {
namespace {

constexpr int most_databases = 1'000'000;

error wrong(const char* why) {
  return error(errc::invalid_configuration, std::string("storage.redis: ") + why);
}

}  // namespace

result<redis_address> read_address(std::string_view url) {
  const auto parsed = base::parse_url(url);
  if (parsed && parsed->scheme == "rediss")
    return wrong("rediss:// is not supported; lead redis:// through a tunnel with TLS");
  if (!parsed || parsed->scheme != "redis" || parsed->host.empty() || parsed->has_query ||
      parsed->has_fragment)
    return wrong("redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE] is expected");
  redis_address where;
  where.host = parsed->host;
  if (where.host.starts_with('[')) where.host = where.host.substr(1, where.host.size() - 2);
  where.user = base::percent_decode(parsed->username);
  where.password = base::percent_decode(parsed->password);
  if (!where.user.empty() && where.password.empty()) return wrong("a user has a password, too");
  if (!parsed->port.empty()) {
    const auto port = base::parse_number<int>(parsed->port, 1, 65'535);
    if (!port) return wrong("the port is none");
    where.port = *port;
  }
  std::string_view path = parsed->path;
  if (path.starts_with('/')) path.remove_prefix(1);
  if (!path.empty()) {
    const auto number = base::parse_number<int>(path, 0, most_databases);
    if (!number) return wrong("the database is a number");
    where.database = *number;
  }
  return where;
}

std::string shown(const redis_address& where) {
  const bool is_ipv6 = where.host.find(':') != std::string::npos;
  return "redis://" + (is_ipv6 ? "[" + where.host + "]" : where.host) + ":" +
         std::to_string(where.port) + "/" + std::to_string(where.database);
}

}  // namespace freshet::redis

// The configuration of /mcp, with what the listener knows of its own address.
#include <algorithm>
#include <server/mcp/http_endpoint.hpp>

namespace freshet::server::mcp {

result<http_settings> http_settings_of(const config& settings, bool on_loopback) {
  http_settings out;
  out.base_url = settings.text("server.base_url");
  out.hosts = make_known_hosts(out.base_url, settings.text("server.listen"),
                               settings.list("server.mcp_allowed_hosts"));
  out.open = settings.flag("server.mcp_test_profile").value_or(false);
  if (out.open && !on_loopback) {
    return error(errc::invalid_configuration,
                 "server.mcp_test_profile: it serves without a key, so set server.listen to "
                 "127.0.0.1:PORT, or switch the profile off");
  }
  if (const auto idle = settings.integer("server.mcp_session_idle_s"); idle && *idle > 0) {
    out.sessions.idle = std::chrono::seconds(std::min<std::int64_t>(*idle, 30 * 86400));
  }
  if (const auto most = settings.integer("server.mcp_max_sessions"); most && *most > 0) {
    out.sessions.of_all = static_cast<std::size_t>(*most);
  }
  if (const auto most = settings.integer("server.mcp_max_sessions_per_account");
      most && *most > 0) {
    out.sessions.of_account = static_cast<std::size_t>(*most);
  }
  if (const auto rate = settings.number("server.mcp_rate"); rate && *rate > 0) {
    out.rate.a_second = *rate;
  }
  // Less than one would let nothing pass, ever.
  if (const auto burst = settings.number("server.mcp_burst"); burst && *burst >= 1) {
    out.rate.burst = *burst;
  }
  return out;
}

}  // namespace freshet::server::mcp

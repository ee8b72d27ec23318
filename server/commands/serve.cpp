// `freshet serve`: one process with the engine, the accounts, the HTTP listener and the
// administration socket, from the first bind to the last answer of the drain.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/basic_signal_set.hpp>
#include <boost/asio/io_context.hpp>
#include <csignal>
#include <cstdlib>
#include <server/backend.hpp>
#include <server/commands/admin_socket.hpp>
#include <server/commands/commands.hpp>
#include <server/dropin/dropin.hpp>
#include <server/listener.hpp>
#include <server/log.hpp>
#include <server/mcp/http_endpoint.hpp>
#include <server/mcp/sweeping.hpp>
#include <server/mcp/test_profile.hpp>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using signals = asio::basic_signal_set<asio::io_context::executor_type>;

/// Descriptors that are not connections: the database, the log, and the sockets to the sources.
constexpr std::size_t reserved_descriptors = 128;
constexpr std::size_t wanted_descriptors = 65536;

/// Raises the soft limit of open descriptors as far as it is useful and allowed; returns it.
std::size_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted_descriptors;
  const rlim_t raised = std::min<rlim_t>(limit.rlim_max, wanted_descriptors);
  if (limit.rlim_cur < raised) {
    limit.rlim_cur = raised;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
  }
  return static_cast<std::size_t>(limit.rlim_cur);
}

std::chrono::milliseconds seconds_of(const config& settings, std::string_view key,
                                     std::chrono::milliseconds fallback) {
  const auto seconds = settings.number(key);
  if (!seconds || !(*seconds > 0)) return fallback;
  constexpr double day_s = 86400;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(*seconds, day_s) * 1000));
}

listener_limits limits_of(const config& from) {
  listener_limits limits;
  limits.header_timeout = seconds_of(from, "server.header_timeout_s", limits.header_timeout);
  limits.body_timeout = seconds_of(from, "server.body_timeout_s", limits.body_timeout);
  limits.write_timeout = seconds_of(from, "server.write_timeout_s", limits.write_timeout);
  limits.idle_timeout = seconds_of(from, "server.idle_timeout_s", limits.idle_timeout);
  limits.drain_timeout = seconds_of(from, "server.drain_timeout_s", limits.drain_timeout);
  if (const auto most = from.integer("server.max_connections"); most && *most > 0) {
    limits.max_connections = static_cast<std::size_t>(*most);
  }
  const std::size_t descriptors = raise_descriptor_limit();
  // With few descriptors half of them stay for everything else.
  const std::size_t reserved = std::min(reserved_descriptors, descriptors / 2);
  limits.max_connections = std::min(limits.max_connections, descriptors - reserved);
  if (const auto most = from.integer("server.max_body_bytes"); most && *most > 0) {
    limits.reader.body_bytes = static_cast<std::size_t>(*most);
  }
  return limits;
}

std::string url_of(const asio::ip::tcp::endpoint& at) {
  const std::string address = at.address().to_string();
  return "http://" + (at.address().is_v6() ? "[" + address + "]" : address) + ":" +
         std::to_string(at.port());
}

/// SIGTERM and SIGINT: the first drains, the second ends the process at once.
void wait_for_signal(signals& source, listener& serving, mcp::sweeping& sweeps, logger& log) {
  source.async_wait([&](boost::system::error_code failed, int) {
    if (failed) return;
    log.line("info", "draining: finishing what runs");
    serving.drain([&] {
      sweeps.stop();
      source.cancel();
    });
    source.async_wait([&](boost::system::error_code again, int) {
      if (again) return;
      log.line("warn", "a second signal: ending now");
      std::_Exit(exit_failed);
    });
  });
}

admin_handler administration_of(engine& of) {
  return [&of](std::string_view command, std::string_view arguments) -> admin_answer {
    const result<std::string> done = of.run_admin_command(command, arguments);
    if (done) return {true, *done};
    return {false, of.problem(done.error(), make_request_id()).body};
  };
}

std::shared_ptr<const mcp::offers> offers_of(const engine& core, bool with_fixtures) {
  mcp::offers made = mcp::make_offers(core.tools(), sources_table(), core.openapi());
  if (with_fixtures) made = mcp::with_test_profile(std::move(made));
  return std::make_shared<const mcp::offers>(std::move(made));
}

mcp::key_check key_check_of(const engine& core) {
  return {[&core](std::string_view key) { return core.check_key(key); },
          [&core](const error& why, std::string_view request_id) {
            return core.problem(why, request_id);
          },
          [&core](std::string_view key) { return core.is_key_good(key); }};
}

int serve(const invocation& with) {
  result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  // Declared in the order of need: each outlives what comes after it.
  asio::io_context io(1);
  result<listener::acceptor> bound = bind_to(io, settings->text("server.listen"));
  if (!bound) return failed_with(bound.error());
  boost::system::error_code ignored;
  const asio::ip::tcp::endpoint at = bound->local_endpoint(ignored);
  const std::string url = url_of(at);
  if (!settings->has("server.base_url") && !at.address().is_unspecified()) {
    if (const auto set = settings->set("server.base_url", url); !set) {
      return failed_with(set.error());
    }
  }
  const std::string data_dir = settings->text("storage.data_dir");
  if (const auto made = make_data_dir(data_dir); !made) return failed_with(made.error());
  logger log(STDERR_FILENO, settings->flag("server.access_log").value_or(true));
  const listener_limits limits = limits_of(*settings);
  result<dashboard_settings> dashboard = dashboard_settings_of(*settings);
  if (!dashboard) return failed_with(dashboard.error());
  result<mcp::http_settings> mcp_settings =
      mcp::http_settings_of(*settings, at.address().is_loopback());
  if (!mcp_settings) return failed_with(mcp_settings.error());
  const bool with_dropin = settings->flag("server.dropin").value_or(true);
  const bool with_pages = settings->flag("dashboard.enabled").value_or(true);
  result<std::unique_ptr<engine>> opened = engine::open(
      {std::move(*settings), true,
       [&log](std::string_view level, std::string_view line) { log.line(level, line); }});
  if (!opened) return failed_with(opened.error());
  engine& core = **opened;
  backend behind = backend_of(core, std::move(*dashboard));
  if (with_dropin) behind = dropin::with_dropin(std::move(behind));
  behind.pages = with_pages;
  const auto offered = offers_of(core, mcp_settings->open);
  mcp::http_endpoint mcp_endpoint(std::move(*mcp_settings), offered, core, key_check_of(core));
  behind.mcp = [&mcp_endpoint](http_request what, const request_facts& facts) {
    return mcp_endpoint.receive(std::move(what), facts);
  };
  listener front(io, behind, log, limits);
  const auto admin = admin_server::open(data_dir, administration_of(core));
  if (!admin) return failed_with(admin.error());
  mcp::sweeping sweeps(io, mcp_endpoint);
  signals ends(io.get_executor(), SIGTERM, SIGINT);
  wait_for_signal(ends, front, sweeps, log);
  if (const auto started = front.start(std::move(*bound)); !started) {
    return failed_with(started.error());
  }
  if (!print("listening on " + url + "\n")) log.line("warn", "standard output cannot be written");
  io.run();
  log.line("info", "drained");
  return exit_ok;
}

constexpr std::array serve_options{
    config_option, set_option, data_option,
    option_spec{"--listen", "HOST:PORT", "where to listen; port 0 picks a free one"}};

constexpr std::array serve_rows{
    command{"serve", "", "Run the server: HTTP API, accounts and administration socket.",
            "freshet serve --listen 127.0.0.1:8080 --data ./data", serve_options, 0, 0, serve}};

}  // namespace

std::span<const command> serve_commands() noexcept { return serve_rows; }

}  // namespace freshet::server

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
#include <optional>
#include <server/backend.hpp>
#include <server/commands/admin_socket.hpp>
#include <server/commands/commands.hpp>
#include <server/dropin/dropin.hpp>
#include <server/io_pool.hpp>
#include <server/io_work.hpp>
#include <server/listener.hpp>
#include <server/log.hpp>
#include <server/mcp/http_endpoint.hpp>
#include <server/mcp/one_thread.hpp>
#include <server/mcp/sweeping.hpp>
#include <server/mcp/test_profile.hpp>
#include <server/wire/proxy_header.hpp>
#include <server/wire/tls_watch.hpp>
#include <thread>

namespace freshet::server {
namespace {

namespace asio = boost::asio;
using signals = asio::basic_signal_set<asio::io_context::executor_type>;

/// Descriptors that are not connections: the database, the log, and the sockets to the sources.
constexpr std::size_t reserved_descriptors = 128;
constexpr std::size_t wanted_descriptors = 65536;
/// How long the last line may take where the process ends without a drain.
constexpr std::chrono::milliseconds last_line_time{300};

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

void set_size(std::size_t& limit, const config& config, std::string_view key) {
  if (const auto most = config.integer(key); most && *most > 0) {
    limit = static_cast<std::size_t>(*most);
  }
}

listener_limits limits_of(const config& from) {
  listener_limits limits;
  limits.header_timeout = seconds_of(from, "server.header_timeout_s", limits.header_timeout);
  limits.body_timeout = seconds_of(from, "server.body_timeout_s", limits.body_timeout);
  limits.write_timeout = seconds_of(from, "server.write_timeout_s", limits.write_timeout);
  limits.idle_timeout = seconds_of(from, "server.idle_timeout_s", limits.idle_timeout);
  limits.drain_timeout = seconds_of(from, "server.drain_timeout_s", limits.drain_timeout);
  crowd_limits& crowd = limits.crowd;
  set_size(crowd.of_all, from, "server.max_connections");
  set_size(crowd.of_host, from, "server.max_connections_per_address");
  set_size(crowd.of_network, from, "server.max_connections_per_network");
  set_size(crowd.unsent_of_all, from, "server.max_unsent_bytes");
  set_size(crowd.unsent_of_key, from, "server.max_unsent_bytes_per_key");
  set_size(crowd.held_of_all, from, "server.max_unfinished_bytes");
  const std::size_t descriptors = raise_descriptor_limit();
  // With few descriptors half of them stay for everything else.
  const std::size_t reserved = std::min(reserved_descriptors, descriptors / 2);
  crowd.of_all = std::min(crowd.of_all, descriptors - reserved);
  // Enough for everybody's in a flood of them, and few enough that each of them has its turn.
  constexpr std::size_t share_of_opening = 8, least_opening = 16;
  crowd.opening = std::max(crowd.of_all / share_of_opening, least_opening);
  crowd.guests = std::min(crowd.guests, std::max<std::size_t>(reserved / 2, 1));
  set_size(limits.reader.body_bytes, from, "server.max_body_bytes");
  // One address has an eighth, but can always send a few bodies.
  constexpr std::size_t share = 8, bodies = 4;
  crowd.held_of_host = std::max(crowd.held_of_all / share,
                                std::min(crowd.held_of_all, bodies * limits.reader.body_bytes));
  return limits;
}

/// The threads that connections with a key live on; as many again are for those without one, the
/// main one included.
std::size_t io_thread_count(const config& from) {
  constexpr std::size_t most = 64;
  std::size_t threads = std::thread::hardware_concurrency();
  set_size(threads, from, "server.io_threads");
  return std::clamp<std::size_t>(threads, 1, most);
}

/// The threads that connections live on: those for who has shown no key yield, the main one, too.
class connection_threads {
 public:
  connection_threads(asio::io_context& main, std::size_t count)
      : main_(main), keyless_(count - 1, work_, true), keyed_(count, work_) {}

  [[nodiscard]] io_threads contexts() const {
    io_threads made{keyless_.contexts(), keyed_.contexts()};
    made.keyless.insert(made.keyless.begin(), &main_);
    return made;
  }
  /// Until the main context is stopped.
  void run() {
    keyed_.start();
    keyless_.start();
    yield_to_others();
    take_short_turns();
    work_.run(main_, true);
    keyless_.stop();
    keyed_.stop();
  }
  [[nodiscard]] std::optional<std::string> told() const { return work_.told(); }

 private:
  asio::io_context& main_;
  io_work work_;
  io_pool keyless_, keyed_;
};

std::string url_of(const asio::ip::tcp::endpoint& endpoint, bool with_tls = false) {
  const std::string address = endpoint.address().to_string();
  return (with_tls ? "https://" : "http://") +
         (endpoint.address().is_v6() ? "[" + address + "]" : address) + ":" +
         std::to_string(endpoint.port());
}

/// What the front is made of, beside the engine.
struct front_settings {
  listener_limits limits;
  dashboard_settings dashboard;
  mcp::http_settings mcp;
  std::string operators_at;
  bool with_dropin = true, with_pages = true, proxy_protocol = false;
};

/// Error: invalid_configuration.
result<front_settings> front_settings_of(const config& config,
                                         const asio::ip::tcp::endpoint& endpoint) {
  result<dashboard_settings> dashboard = dashboard_settings_of(config);
  if (!dashboard) return dashboard.error();
  result<mcp::http_settings> mcp = mcp::http_settings_of(config, endpoint.address().is_loopback());
  if (!mcp) return mcp.error();
  mcp->is_https = dashboard->is_https;
  const result<bool> proxy_protocol = proxy_protocol_of(config);
  if (!proxy_protocol) return proxy_protocol.error();
  return front_settings{limits_of(config),
                        std::move(*dashboard),
                        std::move(*mcp),
                        config.text("operations.listen"),
                        config.flag("server.dropin").value_or(true),
                        config.flag("dashboard.enabled").value_or(true),
                        *proxy_protocol};
}

/// The front's TLS, where it has any, which SIGHUP has read again. A server that had SIGHUP end it
/// would not survive what service managers call a reload.
class reloaded_tls {
 public:
  /// Error: invalid_configuration.
  static result<std::unique_ptr<reloaded_tls>> open(asio::io_context& io,
                                                    std::optional<tls_files> files, logger& log) {
    std::unique_ptr<reloaded_tls> made(new reloaded_tls(io, log));
    if (files) {
      auto watch = tls_watch::open(io, std::move(*files), log);
      if (!watch) return watch.error();
      made->watch_ = std::move(*watch);
      made->watch_->start();
    }
    made->wait();
    return made;
  }
  /// Null: plain HTTP.
  [[nodiscard]] const tls_watch* watch() const noexcept { return watch_.get(); }
  void stop() {
    if (watch_) watch_->stop();
    hangups_.cancel();
  }

 private:
  reloaded_tls(asio::io_context& io, logger& log)
      : hangups_(io.get_executor(), SIGHUP), log_(log) {}
  void wait() {
    hangups_.async_wait([this](boost::system::error_code failed, int) {
      if (failed) return;
      if (watch_) {
        watch_->reload();
      } else {
        log_.line("info", "SIGHUP: without TLS there is nothing to read again");
      }
      wait();
    });
  }

  std::unique_ptr<tls_watch> watch_;
  signals hangups_;
  logger& log_;
};

/// SIGTERM and SIGINT: the first drains, then `drained` is called; the second ends the process at
/// once.
void wait_for_signal(signals& source, listener& serving, logger& log,
                     std::function<void()> drained) {
  source.async_wait([&, drained = std::move(drained)](boost::system::error_code failed, int) {
    if (failed) return;
    log.line("info", "draining: finishing what runs");
    serving.drain([&source, drained] {
      drained();
      source.cancel();
    });
    source.async_wait([&](boost::system::error_code again, int) {
      if (again) return;
      log.line("warn", "a second signal: ending now");
      log.flush(last_line_time);
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

/// After a failed sync nothing that the process believes of the disk is to be trusted, and a second
/// one would be told that all is well: it ends before it answers another call.
engine_options options_of(config settings, logger& log) {
  engine_options options;
  options.config = std::move(settings);
  options.with_accounts = true;
  options.log = [&log](std::string_view level, std::string_view line) { log.line(level, line); };
  options.storage_lost = [&log](const error& why) {
    log.line("error", "the accounts cannot be stored (" + why.detail() +
                          "): ending at once; check the disk, then start again: what was answered "
                          "is kept, and calls under way are not charged");
    log.flush(last_line_time);
    std::_Exit(exit_failed);
  };
  return options;
}

mcp::offers offers_of(const engine& core, bool with_fixtures) {
  mcp::offers made =
      mcp::make_offers(core.tools(), sources_table(), [&core] { return core.openapi(); });
  if (with_fixtures) made = mcp::with_test_profile(std::move(made));
  return made;
}

mcp::key_check key_check_of(const engine& core) {
  return {[&core](std::string_view key) { return core.check_key(key); },
          [&core](const error& why, std::string_view request_id) {
            return core.problem(why, request_id);
          },
          [&core](std::string_view key) { return core.is_key_good(key); }};
}

/// What the engine does not know: connections, answers, the log and the process.
std::string server_metrics(const listener& front, const logger& log) {
  metrics_text text;
  constexpr auto plain_http = tls_identity::time();
  const auto end = front.tls() == nullptr ? plain_http : front.tls()->current()->end();
  const std::chrono::duration<double> since_epoch = end.time_since_epoch();
  text.gauge("freshet_tls_certificate_end_seconds",
             "When the certificate ends, in Unix time; 0 where the server speaks plain HTTP.",
             since_epoch.count());
  crowd& all = front.everybody();
  front.answers().write(text);
  text.gauge("freshet_connections", "Open connections.", static_cast<double>(all.size()));
  text.counter("freshet_connections_ended_total", "Connections that went for want of room.",
               static_cast<double>(all.ended()));
  text.gauge("freshet_unsent_bytes", "Bytes of answers that no client has taken yet.",
             static_cast<double>(all.unsent()));
  text.gauge("freshet_unfinished_bytes", "Bytes of requests that have not come to their end.",
             static_cast<double>(all.held()));
  text.counter("freshet_log_lines_dropped_total", "Lines for which the log had no room.",
               static_cast<double>(log.dropped()));
  write_process_metrics(text);
  return text.take();
}

/// The operators' listener: a thread of its own, so that it answers whatever the others do.
class operations {
 public:
  /// Null where it is switched off. Error: invalid_configuration.
  static result<std::unique_ptr<operations>> open(const std::string& address, const engine& core,
                                                  const listener& front, logger& log) {
    if (address.empty()) return std::unique_ptr<operations>();
    std::unique_ptr<operations> made(new operations(core, front, log));
    result<listener::acceptor> bound =
        bind_to(*made->pool_.contexts().front(), address, "operations.listen");
    if (!bound) return bound.error();
    boost::system::error_code ignored;
    const std::string url = url_of(bound->local_endpoint(ignored));
    listener_limits limits;
    limits.crowd.of_all = operators;
    limits.crowd.of_host = operators / 2;
    made->listener_ =
        std::make_unique<listener>(*made->pool_.contexts().front(), made->behind_, log, limits);
    if (const auto begun = made->listener_->start(std::move(*bound)); !begun) return begun.error();
    made->pool_.start();
    log.line("info", "operators are listened to on " + url);
    return made;
  }
  ~operations() { pool_.stop(); }

 private:
  static constexpr std::size_t operators = 64;

  operations(const engine& core, const listener& front, const logger& log) {
    behind_.health_only = true;
    behind_.pages = false;
    behind_.ready = [&core] { return core.ready(); };
    behind_.draining = [&front] { return front.is_draining(); };
    behind_.metrics = [&] { return core.metrics() + server_metrics(front, log); };
    behind_.problem = [&core](const error& what, std::string_view request_id) {
      return core.problem(what, request_id);
    };
  }

  io_work work_;
  io_pool pool_{1, work_};
  backend behind_;
  std::unique_ptr<listener> listener_;
};

int serve(const invocation& with) {
  result<config> settings = load_settings(with.options, with.environment);
  if (!settings) return wrong_usage(settings.error().detail());
  // Declared in the order of need: each outlives what comes after it.
  asio::io_context io(1);
  connection_threads threads(io, io_thread_count(*settings));
  io_work of_mcp;
  io_pool for_mcp(1, of_mcp, true);
  result<listener::acceptor> bound = bind_to(io, settings->text("server.listen"));
  if (!bound) return failed_with(with, bound.error());
  result<std::optional<tls_files>> files = tls_files_of(*settings);
  if (!files) return failed_with(with, files.error());
  boost::system::error_code ignored;
  const asio::ip::tcp::endpoint at = bound->local_endpoint(ignored);
  const std::string url = url_of(at, files->has_value());
  if (!settings->has("server.base_url") && !at.address().is_unspecified()) {
    if (const auto set = settings->set("server.base_url", url); !set) {
      return failed_with(with, set.error());
    }
  }
  const std::string data_dir = settings->text("storage.data_dir");
  if (const auto made = make_data_dir(data_dir); !made) return failed_with(with, made.error());
  logger log(STDERR_FILENO, settings->flag("server.access_log").value_or(true));
  result<front_settings> chosen = front_settings_of(*settings, at);
  if (!chosen) return failed_with(with, chosen.error());
  const auto tls = reloaded_tls::open(io, std::move(*files), log);
  if (!tls) return failed_with(with, tls.error());
  result<std::unique_ptr<engine>> opened = engine::open(options_of(std::move(*settings), log));
  if (!opened) return failed_with(with, opened.error());
  engine& core = **opened;
  backend behind = backend_of(core, std::move(chosen->dashboard));
  if (chosen->with_dropin) {
    auto& shaping = *for_mcp.contexts().front();
    behind = dropin::with_dropin(std::move(behind), dropin::in_turns(shaping));
  }
  behind.pages = chosen->with_pages;
  const auto offered = [&core, open = chosen->mcp.open] { return offers_of(core, open); };
  behind.mcp_open = chosen->mcp.open;
  mcp::http_endpoint mcp_endpoint(std::move(chosen->mcp), offered, core, key_check_of(core));
  behind.mcp = mcp::on_one_thread(*for_mcp.contexts().front(),
                                  [&mcp_endpoint](http_request what, const request_facts& facts) {
                                    return mcp_endpoint.receive(std::move(what), facts);
                                  });
  listener front(threads.contexts(), behind, log, chosen->limits,
                 {(*tls)->watch(), chosen->proxy_protocol});
  const auto operated = operations::open(chosen->operators_at, core, front, log);
  if (!operated) return failed_with(with, operated.error());
  const auto admin = admin_server::open(data_dir, administration_of(core));
  if (!admin) return failed_with(with, admin.error());
  mcp::sweeping sweeps(*for_mcp.contexts().front(), mcp_endpoint);
  signals ends(io.get_executor(), SIGTERM, SIGINT);
  wait_for_signal(ends, front, log, [&] {
    asio::post(*for_mcp.contexts().front(), [&sweeps] { sweeps.stop(); });
    (*tls)->stop();
  });
  if (const auto started = front.start(std::move(*bound)); !started) {
    return failed_with(with, started.error());
  }
  if (!print("listening on " + url + "\n")) log.line("warn", "standard output cannot be written");
  for_mcp.start();
  threads.run();
  for_mcp.stop();
  if (const auto told = threads.told()) log.line("info", *told);
  log.line("info", "drained");
  return exit_ok;
}

constexpr option_spec serve_options[] = {
    config_option,
    set_option,
    data_option,
    {"--listen", "HOST:PORT", "where to listen; port 0 picks a free one"}};

constexpr command serve_rows[] = {
    {"serve", "", "Run the server: HTTP API, accounts and administration socket.",
     "freshet serve --listen 127.0.0.1:8080 --data ./data", serve, serve_options}};

}  // namespace

std::span<const command> serve_commands() noexcept { return serve_rows; }

}  // namespace freshet::server

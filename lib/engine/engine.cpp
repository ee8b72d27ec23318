// The engine: builds what calls share, starts them, and waits for them at the end.
#include <malloc.h>

#include <atomic>
#include <base/ids.hpp>
#include <base/kept_blocks.hpp>
#include <catalog/openapi.hpp>
#include <catalog/tools.hpp>
#include <condition_variable>
#include <engine/admin/admin_command.hpp>
#include <engine/alerts/alerts.hpp>
#include <engine/answer_examples.hpp>
#include <engine/checkup/source_check.hpp>
#include <engine/dashboard/dashboard_service.hpp>
#include <engine/doctor.hpp>
#include <engine/pipeline.hpp>
#include <engine/runtime/archives.hpp>
#include <engine/runtime/core.hpp>
#include <engine/runtime/metrics.hpp>
#include <engine/runtime/outgoing_mail.hpp>
#include <engine/settings/book_settings.hpp>
#include <engine/settings/plan_settings.hpp>
#include <engine/settings/request_settings.hpp>
#include <engine/settings/sharing_settings.hpp>
#include <engine/settings/telemetry_settings.hpp>
#include <engine/settings/value_check.hpp>
#include <freshet/engine.hpp>
#include <map>
#include <model/json.hpp>
#include <mutex>

namespace freshet {
namespace {

/// How long cancelled calls may take to end.
constexpr std::chrono::seconds ending_time{5};

/// Threads for what is short. An account's long report leaves some to the others.
constexpr detail::worker_options short_work{.threads = 4, .threads_per_owner = 2};

/// Of a source, that is read in a moment.
constexpr std::size_t short_answer_bytes = 256 << 10;

/// Threads that read and merge: as many for one account as there are processors, and as many again
/// for the others, and for what is short as many beside. The network and the ledger have one each,
/// first. Reading takes a quarter of the process's memory, and half of that for one account: below
/// where calls are refused.
detail::worker_options long_work(std::size_t memory_bound) {
  const std::size_t cores = std::max(2u, std::thread::hardware_concurrency());
  return {.threads = 2 * cores,
          .threads_per_owner = cores,
          .bytes = memory_bound / 4,
          .bytes_per_owner = memory_bound / 8,
          .short_threads = cores,
          .short_bytes = detail::bytes_to_read(short_answer_bytes),
          .yields = true};
}

/// On a thread of those for what is short: none that others wait for.
void give_memory_back(detail::core& of) {
  try {
    of.pool->post([&of] {
      malloc_trim(0);
      of.memory->on_given_back();
    });
  } catch (const std::bad_alloc&) {
    // It is tried again.
  }
}

/// Likewise: to let go of all that is kept takes a while.
void drop_caches(detail::core& shared, detail::memory_level risen) {
  const auto drop = [&shared] {
    for (const auto* each : {&shared.live, &shared.sandbox}) each->shelf->drop();
  };
  try {
    shared.pool->post([&shared, drop, risen] {
      drop();
      shared.log("warn", risen == detail::memory_level::no_caches
                             ? "memory is short: caches are dropped"
                             : "memory is short: calls are refused until it is not");
    });
  } catch (const std::bad_alloc&) {
    drop();
  }
}

/// Every source that serves an endpoint: the sandbox has them all.
std::vector<std::string> names_of(const std::vector<const detail::configured_source*>& sources) {
  std::vector<std::string> names;
  for (const auto* one : sources) names.emplace_back(one->of->name);
  return names;
}

/// What an engine says of its endpoints. Borrows the engine.
catalog::openapi_options describing(const detail::core& of) {
  catalog::openapi_options options;
  options.base_url = of.settings.text("server.base_url");
  options.price = [&of](const catalog::endpoint& one) { return of.price(one); };
  options.surcharge = [&of](const catalog::endpoint& one) { return of.render_surcharge(one); };
  options.sources = [&of](const catalog::endpoint& one) {
    return names_of(of.sandbox.serving(one.op, of.settings));
  };
  return options;
}

/// The same without an engine: default prices, every source.
catalog::openapi_options describing_defaults() {
  catalog::openapi_options options;
  const auto sandbox =
      std::make_shared<result<detail::environment>>(detail::make_sandbox_environment());
  options.sources = [sandbox](const catalog::endpoint& one) {
    if (!*sandbox) return std::vector<std::string>();
    return names_of((*sandbox)->serving(one.op, config()));
  };
  return options;
}

result<std::unique_ptr<account::accounts>> open_accounts(const config& config,
                                                         const detail::log_function& log,
                                                         std::function<void(const error&)> lost,
                                                         detail::core& shared) {
  auto book = detail::configured_book(config);
  if (!book) return book.error();
  account::accounts_options options;
  options.database_path = std::move(book->database);
  options.folder = std::move(book->folder);
  options.replica = shared.replica;
  options.plans = detail::configured_plans(config);
  options.answers = detail::configured_answers(config);
  options.test_keys = {config.number("sandbox.rate"), config.integer("sandbox.burst")};
  options.clock = &base::system_clock();
  options.lost = std::move(lost);
  options.watched_shares = detail::watched_shares(config);
  options.fell = [&shared](const account::balance_fall& fall) {
    try {
      shared.pool->post([&shared, fall] { detail::tell_of_fall(shared, fall); }, fall.account);
    } catch (const std::bad_alloc&) {
      shared.log("error", "no memory is left to tell that an account's credits are low");
    }
  };
  options.tell = [log](std::string_view line) { log("info", line); };
  options.redis = config.text("storage.redis");
  options.redis_timeout =
      std::chrono::milliseconds(config.integer("storage.redis_timeout_ms").value_or(100));
  options.redis_changed = [log](bool is_here, std::string_view why) {
    if (is_here) return log("info", "Redis is there: servers count the rates of callers together");
    log("warn", "Redis is away (" + std::string(why) +
                    "): each server gives callers its part of their rate");
  };
  return account::accounts::open(std::move(options));
}

result<std::unique_ptr<account::users>> open_users(account::accounts& accounts,
                                                   const config& settings) {
  account::users_options options;
  const auto seconds = [&](std::string_view key) {
    return std::chrono::seconds(settings.integer(key).value_or(0));
  };
  options.site = account::passkey_site_of(settings.text("server.base_url"));
  options.session_idle = seconds("dashboard.session_idle_s");
  options.session_lifetime = seconds("dashboard.session_lifetime_s");
  return account::users::open(accounts, options);
}

/// What there is beside the accounts for those who have one: secrets, sessions, mail, the log.
result<void> open_for_people(detail::core& shared) {
  auto secret = shared.accounts->secret("cursor");
  if (!secret) return secret.error();
  shared.cursor_secret = std::move(*secret);
  auto of_pictures = shared.accounts->secret("pictures");
  if (!of_pictures) return of_pictures.error();
  shared.pictures = detail::picture_addresses(std::move(*of_pictures));
  auto users = open_users(*shared.accounts, shared.settings);
  if (!users) return users.error();
  shared.users = std::move(*users);
  auto mail = detail::open_mailer(shared.settings, *shared.accounts, shared.log);
  if (!mail) return mail.error();
  shared.mail = std::move(*mail);
  shared.watch = detail::open_alert_watch(shared.settings);
  auto requests = detail::open_request_log(shared.settings, shared.log, shared.replica);
  if (!requests) return requests.error();
  shared.requests = std::move(*requests);
  return {};
}

}  // namespace

struct engine::state {
  std::once_flag described;
  std::string description;  ///< made when it is first asked for: it holds answers of the sandbox
  std::mutex mutex;
  std::condition_variable idle;
  std::atomic<std::uint64_t> last_ticket{0};
  std::map<std::uint64_t, std::shared_ptr<detail::pipeline>> running;
  detail::core shared;  ///< after the mutex, so that its threads are joined before that goes
  std::unique_ptr<detail::dashboard_service> users;  ///< null without accounts

  /// Takes a call off the list. It is let go of after the lock: it may be the last owner of much.
  void end(std::uint64_t ticket) noexcept {
    std::shared_ptr<detail::pipeline> finished;
    const std::lock_guard lock(mutex);
    const auto found = running.find(ticket);
    finished = std::move(found->second);
    running.erase(found);
    if (running.empty()) idle.notify_all();
  }
};

engine::engine(std::unique_ptr<state> inside) : state_(std::move(inside)) {}

result<std::unique_ptr<engine>> engine::open(engine_options options) {
  auto made = std::make_unique<state>();
  auto& shared = made->shared;
  shared.settings = std::move(options.config);
  shared.log = options.log ? options.log : [](std::string_view, std::string_view) {};
  if (auto checked = detail::check_values(shared.settings); !checked) return checked.error();
  shared.is_sandbox_alone = shared.settings.flag("network.sandbox").value_or(false);
  auto tracer = detail::open_tracer(shared.settings, shared.log);
  if (!tracer) return tracer.error();
  shared.tracer = std::move(*tracer);
  const auto days = detail::sandbox_days::of(shared.settings);
  if (!days) return days.error();
  auto sandbox = detail::make_sandbox_environment(*days);
  if (!sandbox) return sandbox.error();
  shared.sandbox = std::move(*sandbox);
  if (options.with_accounts) {
    shared.replica = detail::open_replica(shared.settings, shared.log);
    auto accounts =
        open_accounts(shared.settings, shared.log, std::move(options.storage_lost), shared);
    if (!accounts) return accounts.error();
    shared.accounts = std::move(*accounts);
  }
  detail::live_options live_with{.collect = options.collect};
  if (shared.accounts) live_with.has_shares = shared.accounts->is_shared();
  live_with.had_browser = [&shared](base::owner_id whose, std::chrono::nanoseconds time) {
    shared.gate.use_browser(whose, time);
  };
  live_with.used_processor = [&shared](base::owner_id whose, std::chrono::nanoseconds time) {
    shared.gate.use(whose, detail::gate_kind::live, time);
  };
  auto sharing = detail::configured_sharing(shared.settings, shared.accounts.get(), shared.log);
  if (!sharing) return sharing.error();
  live_with.sharing = std::move(*sharing);
  auto live = detail::make_live_environment(shared.settings, shared.log, std::move(live_with));
  if (!live) return live.error();
  shared.live = std::move(*live);
  if (shared.accounts) {
    if (auto opened = open_for_people(shared); !opened) return opened.error();
    made->users = detail::dashboard_service::open(shared);
  } else {
    shared.cursor_secret = base::random_bytes(32);
  }
  auto collecting = detail::start_collector(shared.settings, shared.live, shared.log);
  if (!collecting) return collecting.error();
  shared.collecting = std::move(*collecting);
  auto checkup = detail::open_daily_check(shared.settings, shared.live, shared.sandbox,
                                          options.collect, shared.log);
  if (!checkup) return checkup.error();
  shared.checkup = std::move(*checkup);
  shared.memory = std::make_unique<detail::memory_watch>(
      static_cast<std::size_t>(shared.settings.integer("server.max_memory_bytes").value_or(0)),
      detail::memory_actions{
          .on_rise = [&shared](detail::memory_level risen) { drop_caches(shared, risen); },
          .give_back = [&shared] { give_memory_back(shared); }});
  shared.pool = std::make_unique<detail::workers>(short_work);
  shared.readers = std::make_unique<detail::workers>(long_work(shared.memory->bound()));
  shared.probes = std::make_unique<detail::source_probes>(shared.live, *shared.readers);
  if (shared.requests) {
    shared.accounts->on_deletion(
        [&log = *shared.requests](const std::string& id) { log.forget(id); });
  }
  return std::unique_ptr<engine>(new engine(std::move(made)));
}

engine::~engine() {
  if (state_->shared.accounts) state_->shared.accounts->on_deletion(nullptr);
  std::unique_lock lock(state_->mutex);
  // One by one: a cancelled call may end, and take itself off the list, at once.
  for (auto next = state_->running.begin(); next != state_->running.end();) {
    const auto ticket = next->first;
    const auto call = next->second;
    lock.unlock();
    if (call) call->cancel();
    lock.lock();
    next = state_->running.upper_bound(ticket);
  }
  const auto is_idle = [this] { return state_->running.empty(); };
  if (state_->idle.wait_for(lock, ending_time, is_idle)) return;
  // A commit that a database which is away has not answered would keep its calls for as long.
  lock.unlock();
  if (state_->shared.accounts) state_->shared.accounts->stop_waiting();
  lock.lock();
  state_->idle.wait(lock, is_idle);
}

std::uint64_t engine::submit(request request, std::function<void(response)> done) {
  auto& inside = *state_;
  const std::uint64_t ticket = ++inside.last_ticket;
  const auto call = std::allocate_shared<detail::pipeline>(
      base::kept_block_allocator<detail::pipeline>(), inside.shared, std::move(request),
      [&inside, ticket, done = std::move(done)](response&& made) {
        done(std::move(made));
        inside.end(ticket);
      });
  {
    const std::lock_guard lock(inside.mutex);
    inside.running.emplace(ticket, call);
  }
  call->run();
  return ticket;
}

void engine::cancel(std::uint64_t ticket) {
  std::shared_ptr<detail::pipeline> call;
  {
    const std::lock_guard lock(state_->mutex);
    const auto found = state_->running.find(ticket);
    if (found != state_->running.end()) call = found->second;
  }
  if (call) call->cancel();
}

const std::string& engine::openapi() const {
  std::call_once(state_->described, [this] {
    const auto examples = detail::make_answer_examples();
    auto options = describing(state_->shared);
    const auto find = [](const auto& among, std::string_view name) {
      const auto found = among.find(name);
      return found == among.end() ? std::string() : found->second;
    };
    options.answer = [&](const catalog::endpoint& of) { return find(examples.answers, of.path); };
    options.problem = [&](const errc_info& of) { return find(examples.problems, of.name); };
    state_->description = catalog::openapi_json(options);
  });
  return state_->description;
}

std::string engine::tools() const { return catalog::tools_json(describing(state_->shared)); }

bool engine::has_room() const {
  return state_->shared.memory->level() < detail::memory_level::no_connections;
}

std::string engine::metrics() const {
  metrics_text text;
  detail::write_metrics(text, state_->shared);
  return text.take();
}

bool engine::ready() const noexcept {
  const auto& accounts = state_->shared.accounts;
  return accounts == nullptr || accounts->healthy();
}

result<engine::key_rights> engine::check_key(std::string_view key) const {
  if (key.empty()) return error(errc::missing_api_key, "send Authorization: Bearer <API_KEY>");
  if (state_->shared.accounts == nullptr) {
    const auto mode = account::check_key_format(key);
    if (!mode) return mode.error();
    return key_rights{true, true, 0};
  }
  const auto may = state_->shared.accounts->check_key(key);
  if (!may) return may.error();
  return key_rights{may->scope_read, may->scope_account, may->account_id};
}

bool engine::knows_origin(std::string_view origin) const {
  const auto& accounts = state_->shared.accounts;
  return accounts != nullptr && accounts->knows_origin(origin);
}

bool engine::is_key_good(std::string_view key) const {
  if (state_->shared.accounts == nullptr) return account::check_key_format(key).has_value();
  return state_->shared.accounts->is_key_good(key);
}

response engine::problem(const error& error, std::string_view request_id) const {
  return problem_document(error, request_id);
}

result<std::string> engine::run_admin_command(std::string_view command,
                                              std::string_view arguments) {
  auto parsed = base::parse_json(arguments.empty() ? "{}" : arguments, true);
  if (!parsed) return parsed.error();
  if (!parsed->is_object()) return error(errc::invalid_json, "the arguments are one JSON object");
  return detail::run_admin_command(state_->shared, {"command line", ""}, command,
                                   std::move(parsed->as_object()));
}

void engine::submit_dashboard(freshet::dashboard_request request,
                              std::function<void(dashboard_response)> done) {
  if (state_->users) return state_->users->submit(std::move(request), std::move(done));
  dashboard_response refused;
  refused.answer = problem_document(
      error(errc::invalid_configuration, "this engine was opened without accounts"),
      request.request_id.empty() ? make_request_id() : request.request_id);
  done(std::move(refused));
}

result<std::shared_ptr<const void>> engine::watch_calls(const std::string& session,
                                                        std::function<bool()> written) {
  const auto& shared = state_->shared;
  if (shared.users == nullptr || shared.requests == nullptr) {
    return error(errc::invalid_configuration, "this engine keeps no log of calls");
  }
  const auto login = shared.users->authenticate(session);
  if (!login) return login.error();
  const auto is_watched = [users = shared.users.get(), session, written = std::move(written)] {
    return users->authenticate(session) && written();
  };
  return shared.requests->watch(login->account.public_id, is_watched);
}

std::string engine::check_sources() {
  const auto& shared = state_->shared;
  const auto work = std::make_shared<base::stop_token>();
  auto checks = detail::check_sources(shared.live, shared.sandbox, work);
  return detail::checkup_json({base::system_clock().now(), std::move(checks)});
}

std::vector<engine::finding> engine::run_doctor(bool offline) {
  return detail::run_doctor(state_->shared, offline);
}

std::string item_json(const item& what) {
  std::string text;
  model::append_item(text, what);
  return text;
}

response problem_document(const error& problem, std::string_view request_id) {
  auto made = model::make_problem(problem, request_id, {});
  made.code = problem.code();
  made.request_id = request_id;
  return made;
}

std::string endpoint_help(std::string_view path, std::size_t columns) {
  const auto* one = catalog::find_endpoint(path);
  return one ? catalog::help_text(*one, columns) : catalog::help_text_of_all(columns);
}

std::vector<std::string> endpoint_paths() {
  std::vector<std::string> paths;
  for (const auto& each : catalog::endpoints()) paths.emplace_back(each.path);
  return paths;
}

std::string openapi_document(std::string_view base_url) {
  auto described = describing_defaults();
  described.base_url = base_url;
  return catalog::openapi_json(described);
}

std::string tools_document() { return catalog::tools_json(describing_defaults()); }

std::string make_request_id() { return base::make_id("req_", base::system_clock().now()); }

bool is_valid_request_id(std::string_view text) noexcept { return base::is_valid_request_id(text); }

}  // namespace freshet

// Builds the live environment from the configuration and the sandbox from the shipped recordings.
#include "engine/runtime/environment.hpp"

#include <algorithm>
#include <base/digest.hpp>
#include <base/number.hpp>
#include <base/unicode.hpp>
#include <base/url.hpp>
#include <browser/find.hpp>
#include <browser/render_layer.hpp>
#include <filesystem>
#include <freshet/version.hpp>
#include <http/replay.hpp>
#include <http/stack.hpp>
#include <pdf/find.hpp>
#include <pdf/pdf_layer.hpp>
#include <sources/sandbox.hpp>

#include "engine/runtime/archives.hpp"

namespace freshet::detail {
namespace {

/// Far more than its examples come to, and little beside what the server may keep.
constexpr std::size_t sandbox_shelf_bytes = 8u << 20;

/// Where a source that only an operator can place stands in the sandbox's recordings.
std::string sandbox_base_url(const sources::descriptor& of) {
  if (!of.default_base_url.empty()) return std::string(of.default_base_url);
  return "https://" + std::string(of.name) + ".example";
}

/// What the sandbox's recordings were answered to: a source whose search wants a token has one, as
/// those have theirs that answer nothing without.
std::map<std::string, std::string, std::less<>> sandbox_values(const sources::descriptor& of) {
  std::map<std::string, std::string, std::less<>> values;
  for (const auto& setting : of.settings) {
    if (!setting.sandbox.empty()) values.emplace(setting.name, setting.sandbox);
  }
  return values;
}

std::string without_trailing_slash(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

std::vector<std::string> instance_urls(const sources::descriptor& source, const config& settings) {
  const auto prefix = "sources." + std::string(source.name) + ".";
  std::vector<std::string> urls;
  if (!source.instances_key.empty())
    urls = settings.list(prefix + std::string(source.instances_key));
  if (urls.empty() && settings.has(prefix + "base_url"))
    urls = {settings.text(prefix + "base_url")};
  if (urls.empty()) urls.assign(source.default_instances.begin(), source.default_instances.end());
  if (urls.empty() && !source.default_base_url.empty())
    urls = {std::string(source.default_base_url)};
  return urls;
}

/// Where the operator's own settings of a source lead: its base URLs, and what is called "..._url".
std::vector<std::string> chosen_origins(const sources::descriptor& source, const config& config) {
  const auto prefix = "sources." + std::string(source.name) + ".";
  std::vector<std::string> urls{config.text(prefix + "base_url")};
  if (!source.instances_key.empty()) {
    const auto listed = config.list(prefix + std::string(source.instances_key));
    urls.insert(urls.end(), listed.begin(), listed.end());
  }
  for (const auto& setting : source.settings) {
    if (setting.name.ends_with("_url"))
      urls.push_back(config.text(prefix + std::string(setting.name)));
  }
  std::vector<std::string> origins;
  for (const auto& url : urls) {
    const auto parsed = base::parse_url(url);
    if (parsed && parsed->is_http()) origins.push_back(parsed->origin());
  }
  return origins;
}

configured_source configure(const sources::descriptor& source, const config& config) {
  configured_source made{&source, true, {}, {}};
  const auto prefix = "sources." + std::string(source.name) + ".";
  // Who has given a credential has made his choice.
  const bool has_credential = std::ranges::any_of(source.settings, [&](const auto& setting) {
    return setting.secret && config.has(prefix + std::string(setting.name));
  });
  made.enabled = config.flag(prefix + "enabled").value_or(!source.opt_in || has_credential);
  if (source.of_archive) {
    const auto platforms = archive_platforms();
    made.enabled =
        made.enabled && std::any_of(platforms.begin(), platforms.end(), [&](const auto& platform) {
          return is_archive_on(config, platform);
        });
  }
  sources::settings shared;
  for (const auto& setting : source.settings) {
    const auto key = prefix + std::string(setting.name);
    if (config.has(key)) {
      shared.values[std::string(setting.name)] = config.text(key);
    } else if (setting.required) {
      made.missing = key;
    }
  }
  if (config.has(prefix + "base_url")) shared.values["base_url"] = config.text(prefix + "base_url");
  const auto urls = instance_urls(source, config);
  shared.chosen_origins = chosen_origins(source, config);
  for (const auto& url : urls) {
    auto one = shared;
    // A list of "urls" names documents, whose trailing slash is a part of the name.
    one.base_url = source.instances_key == "urls" ? url : without_trailing_slash(url);
    made.instances.push_back(std::move(one));
  }
  if (made.instances.empty() && source.instances_key.empty()) {
    made.instances.push_back(std::move(shared));  // the call itself names the address
  }
  if (made.instances.empty() && made.missing.empty()) made.missing = prefix + "base_url";
  return made;
}

/// The ports of our own listeners, so far as the configuration knows them.
std::vector<std::uint16_t> own_ports(const config& settings) {
  std::vector<std::uint16_t> ports;
  for (const auto* key : {"server.listen", "operations.listen"}) {
    const auto text = settings.text(key);
    const auto port = base::parse_number<std::uint16_t>(
        std::string_view(text).substr(text.rfind(':') + 1), 1, 65535);
    if (port) ports.push_back(*port);
  }
  return ports;
}

/// The bounds of rendering as configured; without a program, and with a reason, if there is none.
browser::options configure_browsers(const config& settings, const std::string& agent,
                                    const log_function& log, std::string& no_browser) {
  const auto number = [&](std::string_view key) {
    return settings.integer("render." + std::string(key)).value_or(0);
  };
  browser::options made;
  made.user_agent = agent;
  made.max_browsers = static_cast<std::size_t>(number("max_browsers"));
  made.max_waiting = static_cast<std::size_t>(number("max_waiting"));
  made.pages_per_browser = static_cast<int>(number("pages_per_browser"));
  made.memory_bytes = static_cast<std::size_t>(number("memory_bytes"));
  made.page_time = std::chrono::milliseconds(number("page_time_ms"));
  made.requests_per_page = static_cast<int>(number("requests_per_page"));
  made.bytes_per_page = static_cast<std::size_t>(number("bytes_per_page"));
  made.log = log;
  if (made.max_browsers == 0) {
    no_browser = "rendering is switched off here";
    return made;
  }
  auto program = browser::find_browser(settings.text("render.chromium"));
  if (program) {
    made.program = std::move(*program);
  } else {
    no_browser = program.error().detail();
  }
  return made;
}

/// Where our secrets are: no child can read these.
std::vector<std::string> secret_folders(const config& settings) {
  std::vector<std::string> made;
  const auto add = [&made](const std::filesystem::path& folder) {
    if (!folder.empty() && folder != folder.root_path()) made.push_back(folder.string());
  };
  add(settings.text("storage.data_dir"));
  constexpr std::string_view sqlite = "sqlite:";
  const std::string database = settings.text("storage.database");
  if (database.starts_with(sqlite)) {
    add(std::filesystem::path(database.substr(sqlite.size())).parent_path());
  }
  return made;
}

}  // namespace

std::shared_ptr<const process::wall_survey> configure_walls(const config& from) {
  return std::make_shared<process::wall_survey>(
      secret_folders(from), from.flag("process.allow_without_walls").value_or(false));
}

std::string user_agent(const config& from) {
  auto text = from.text("network.user_agent");
  if (!text.empty()) return text;
  text = "Freshet/" + std::string(version);
  const auto contact = from.text("network.contact");
  return contact.empty() ? text : text + " (+" + contact + ")";
}

pdf::conversion_options configure_pdf(const config& from) {
  const auto number = [&](std::string_view key) {
    return from.integer("pdf." + std::string(key)).value_or(0);
  };
  pdf::conversion_options made;
  made.max_processes = static_cast<std::size_t>(number("max_processes"));
  made.max_waiting = static_cast<std::size_t>(number("max_waiting"));
  made.time = std::chrono::milliseconds(number("time_ms"));
  made.memory_bytes = static_cast<std::size_t>(number("memory_bytes"));
  made.max_pages = static_cast<int>(number("max_pages"));
  if (auto folder = pdf::find_poppler(from.text("pdf.folder"))) made.folder = std::move(*folder);
  return made;
}

std::vector<configured_source> configure_sources(const config& from) {
  std::vector<configured_source> made;
  for (const auto* source : sources::all_sources()) made.push_back(configure(*source, from));
  return made;
}

void environment::keep_on(std::size_t bytes) {
  shelf = std::make_shared<base::shelf>(bytes);
  pages = std::make_unique<kept_pages>(shelf);
}

std::vector<const configured_source*> environment::serving(catalog::operation op,
                                                           const config& settings) const {
  const auto& endpoint = catalog::find_endpoint(op);
  const auto platform = endpoint.platform;
  std::vector<const configured_source*> found;
  for (const auto part : endpoint.parts) {
    for (const auto* source : serving(part, settings)) {
      if (std::ranges::find(found, source) == found.end()) found.push_back(source);
    }
  }
  if (!endpoint.parts.empty()) return found;
  for (const auto& source : sources) {
    if (source.of->of_archive && !sandbox && !is_archive_on(settings, platform)) continue;
    if (source.enabled && sources::find_capability(*source.of, op) != nullptr) {
      found.push_back(&source);
    }
  }
  const auto order = settings.list("platforms." + std::string(platform) + ".sources");
  if (order.empty() || sandbox) return found;
  std::vector<const configured_source*> preferred;
  for (const auto& name : order) {
    for (const auto* source : found) {
      if (source->of->name == name) preferred.push_back(source);
    }
  }
  return preferred;
}

namespace {

/// What the day's requests are counted under: the source and, by a digest, its credential.
std::string quota_name(const sources::descriptor& source, const config& config) {
  std::string secrets;
  for (const auto& setting : source.settings) {
    const auto key = "sources." + std::string(source.name) + "." + std::string(setting.name);
    if (setting.secret && config.has(key)) secrets += config.text(key) + '\n';
  }
  auto name = std::string(source.name);
  if (secrets.empty()) return name;
  constexpr std::size_t digits = 12;
  return name + "#" + base::hex(base::as_text(base::sha256(secrets))).substr(0, digits);
}

std::vector<http::daily_limit> daily_limits(const sources::descriptor& source,
                                            const config& settings) {
  const auto prefix = "sources." + std::string(source.name) + ".";
  const auto name = quota_name(source, settings);
  if (const auto own = settings.integer(prefix + "daily_requests")) {
    if (*own <= 0) return {};
    const bool pacific = !source.quotas.empty() && source.quotas.front().pacific;
    return {{name, *own, "",
             pacific ? http::day_start::pacific_midnight : http::day_start::utc_midnight}};
  }
  std::vector<http::daily_limit> limits;
  for (const auto& one : source.quotas) {
    const auto is_set = [&](std::string_view key) {
      return settings.has(prefix + std::string(key));
    };
    if (!one.unless_set.empty() && is_set(one.unless_set)) continue;
    if (!one.if_set.empty() && !is_set(one.if_set)) continue;
    limits.push_back(
        {name + std::string(one.path), one.requests, std::string(one.path),
         one.pacific ? http::day_start::pacific_midnight : http::day_start::utc_midnight});
  }
  return limits;
}

/// Tells the suspensions of breakers that hold sources back.
auto breaker_teller(suspensions& suspended, const base::clock& clock) {
  return [&suspended, &clock](const http::request& asked, std::chrono::milliseconds wait) {
    const auto* source = sources::find_source(asked.pace_key);
    if (source == nullptr) return;
    suspended.opened(*source, asked.url, wait, {clock.steady(), asked.owner});
  };
}

/// Tells the suspensions of sources whose hosts are not there.
auto absence_teller(suspensions& suspended, const base::clock& clock) {
  return [&suspended, &clock](const http::request& asked) {
    const auto* source = sources::find_source(asked.pace_key);
    if (source != nullptr) suspended.unreached(*source, asked.url, clock.steady());
  };
}

/// Notes what each source allows in a day, too.
auto paces_of(std::vector<configured_source>& sources, const config& settings) {
  decltype(http::stack_options::paces) out;
  for (auto& source : sources) {
    const auto& pace = source.of->pace;
    auto limits = daily_limits(*source.of, settings);
    const auto least = std::ranges::min_element(limits, {}, &http::daily_limit::requests);
    if (least != limits.end()) source.requests_a_day = least->requests;
    out[std::string(source.of->name)] = {pace.min_interval, pace.max_concurrent, pace.max_wait,
                                         std::move(limits)};
  }
  return out;
}

}  // namespace

result<environment> make_live_environment(const config& settings, const log_function& log,
                                          live_options live) {
  environment made;
  made.clock = &base::system_clock();
  made.sources = configure_sources(settings);
  made.suspended = std::make_unique<suspensions>();
  made.suspended->ask_for_accounts(live.has_shares);
  if (live.sharing) {
    made.sharing =
        std::make_unique<source_sharing>(std::move(*live.sharing), *made.suspended, *made.clock);
    made.sharing->start();
    made.speaking.reset(made.sharing.get());
  }
  http::stack_options options;
  options.user_agent = user_agent(settings);
  options.allow_private = settings.list("scrape.allow_private");
  options.allow_chosen = settings.list("network.allow_private");
  options.own_ports = own_ports(settings);
  made.keep_on(static_cast<std::size_t>(
      std::max<std::int64_t>(0, settings.integer("network.cache_bytes").value_or(0))));
  options.shelf = made.shelf;
  options.record_path = settings.text("network.record");
  options.replay_path = settings.text("network.replay");
  // Without a data folder the counts live as long as the engine.
  const auto folder = settings.text("storage.data_dir");
  std::error_code missing;
  if (!folder.empty() && std::filesystem::is_directory(folder, missing)) {
    options.quota_path = folder + "/quotas";
  }
  if (made.sharing != nullptr) {
    options.pool = &made.sharing->quotas();
    options.answers = made.sharing->answers();
    options.answers_secret = made.sharing->secret();
  }
  options.has_shares = std::move(live.has_shares);
  options.used_processor = live.used_processor;
  options.opened = breaker_teller(*made.suspended, *made.clock);
  options.unreached = absence_teller(*made.suspended, *made.clock);
  options.clock = made.clock;
  options.log = log;
  options.paces = paces_of(made.sources, settings);
  auto stack = http::make_stack(options);
  if (!stack) return stack.error();
  made.network = stack->get();
  made.wake_at = [network = made.network](auto when, auto what) {
    network->wake_at(when, std::move(what));
  };
  made.walls = configure_walls(settings);
  auto reading_with = configure_pdf(settings);
  reading_with.walls = made.walls;
  reading_with.used_processor = std::move(live.used_processor);
  auto browsers = configure_browsers(settings, options.user_agent, log, made.no_browser);
  browsers.walls = made.walls;
  browsers.had_browser = std::move(live.had_browser);
  made.browser = browsers.program;
  // A PDF is no page to render: the layer that reads it is the nearer one to the network.
  auto reading = std::make_unique<pdf::pdf_layer>(std::move(*stack), std::move(reading_with));
  made.transport = std::make_unique<browser::render_layer>(std::move(reading), std::move(browsers));
  auto archives = open_archives(settings, live.collect, log);
  if (!archives) return archives.error();
  made.archives = std::move(archives->kept);
  if (!made.archives.empty()) {
    made.transport = std::make_unique<archive::archive_layer>(std::move(made.transport),
                                                              made.archives, *made.clock);
  }
  return made;
}

result<environment> make_sandbox_environment(sandbox_days recorded) {
  environment made;
  made.sandbox = true;
  made.recorded = recorded;
  made.no_browser = "the sandbox has no browser";
  made.keep_on(sandbox_shelf_bytes);
  made.own_clock = std::make_unique<base::fixed_clock>(sources::sandbox_now);
  made.clock = made.own_clock.get();
  for (const auto* source : sources::all_sources()) {
    configured_source one{source, true, {}, {}};
    for (const auto url : source->default_instances)
      one.instances.push_back({std::string(url), sandbox_values(*source)});
    if (one.instances.empty())
      one.instances.push_back({sandbox_base_url(*source), sandbox_values(*source)});
    made.sources.push_back(std::move(one));
  }
  made.transport = std::make_unique<http::replay_on_demand>(
      sources::sandbox_hars(), http::replay_match::nearest, *made.clock);
  return made;
}

}  // namespace freshet::detail

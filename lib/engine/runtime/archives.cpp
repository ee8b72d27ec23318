// From settings to stores and collectors. Nothing is opened, and no network touched, for a platform
// whose archive is off.
#include "engine/runtime/archives.hpp"

#include <algorithm>
#include <postgres/postgres.hpp>
#include <query/since.hpp>
#include <sources/source.hpp>

#include "engine/runtime/environment.hpp"

namespace freshet::detail {
namespace {

using log_to = std::function<void(std::string_view, std::string_view)>;

constexpr std::int64_t least_bytes = 1 << 20;
constexpr std::int64_t most_bytes = std::int64_t{1} << 44;
constexpr std::int64_t most_every_s = 86'400;

std::string setting(std::string_view platform, std::string_view name) {
  return "platforms." + std::string(platform) + "." + std::string(name);
}

bool can_be_kept(const sources::descriptor& of) { return of.stream != nullptr || of.polled; }

/// The operation of a platform that the archive answers.
const sources::capability* archived(std::string_view platform) {
  for (const auto* source : sources::all_sources()) {
    if (!source->of_archive) continue;
    for (const auto& how : source->capabilities) {
      if (catalog::find_endpoint(how.op).platform == platform) return &how;
    }
  }
  return nullptr;
}

/// The sources that an archive keeps: those named, else the first that can be.
result<std::vector<const sources::descriptor*>> kept_sources(const config& settings,
                                                             std::string_view platform) {
  const auto key = setting(platform, "archive_sources");
  std::vector<const sources::descriptor*> kept;
  for (const auto& name : settings.list(key)) {
    const auto* source = sources::find_source(name);
    if (source == nullptr || source->platform != platform || !can_be_kept(*source)) {
      return error(errc::invalid_configuration,
                   key + ": '" + name + "' is no source of this platform that can be kept");
    }
    kept.push_back(source);
  }
  if (!kept.empty()) return kept;
  for (const auto* source : sources::all_sources()) {
    if (source->platform == platform && can_be_kept(*source)) return std::vector{source};
  }
  return kept;
}

/// Whether the book lies in a database of PostgreSQL, and the archives with it.
bool is_shared(const config& settings) {
  return postgres::is_url(settings.text("storage.database"));
}

archive::item_store_options options_of(const config& settings, std::string_view platform) {
  archive::item_store_options made;
  made.platform = platform;
  made.path = is_shared(settings)
                  ? settings.text("storage.database")
                  : settings.text("storage.data_dir") + "/archive-" + made.platform + ".db";
  if (const auto age = query::parse_since(settings.text(setting(platform, "archive_age"))))
    made.age = *age;
  made.bytes = settings.integer(setting(platform, "archive_bytes")).value_or(made.bytes);
  return made;
}

}  // namespace

std::vector<std::string> archive_platforms() {
  std::vector<std::string> names;
  for (const auto& one : catalog::endpoints()) {
    const auto* how = archived(one.platform);
    if (how != nullptr && how->op == one.op) names.emplace_back(one.platform);
  }
  return names;
}

bool is_archive_on(const config& settings, std::string_view platform) {
  return archived(platform) != nullptr &&
         settings.flag(setting(platform, "archive")).value_or(false);
}

result<void> check_archives(const config& from) {
  for (const auto& platform : archive_platforms()) {
    const auto wrong = [&](std::string_view name, std::string_view why) {
      return error(errc::invalid_configuration, setting(platform, name) + ": " + std::string(why));
    };
    if (!query::parse_since(from.text(setting(platform, "archive_age"))))
      return wrong("archive_age", "a number and a unit are expected, such as 24h or 7d");
    const auto bytes = from.integer(setting(platform, "archive_bytes")).value_or(0);
    if (bytes < least_bytes || bytes > most_bytes)
      return wrong("archive_bytes", "a number of at least 1048576 is expected");
    const auto every = from.integer(setting(platform, "archive_every_s")).value_or(0);
    if (every < 1 || every > most_every_s)
      return wrong("archive_every_s", "1 to 86400 seconds are expected");
    if (auto kept = kept_sources(from, platform); !kept) return kept.error();
    if (is_archive_on(from, platform) && !is_shared(from) && from.text("storage.data_dir").empty())
      return wrong("archive", "name the folder of the archive in storage.data_dir");
  }
  return {};
}

result<opened_archives> open_archives(const config& settings, bool collect, const log_to& log) {
  opened_archives out;
  // A replay never touches the network, and what the sandbox answers is not news.
  out.writes = collect && settings.text("network.replay").empty() &&
               !settings.flag("network.sandbox").value_or(false);
  for (const auto& platform : archive_platforms()) {
    if (!is_archive_on(settings, platform)) continue;
    auto options = options_of(settings, platform);
    options.writes = out.writes;
    auto opened = archive::item_store::open(options);
    if (!opened && out.writes && opened.error().code() == errc::invalid_configuration) {
      options.writes = false;
      auto reading = archive::item_store::open(options);
      if (!reading) return opened.error();
      if (log) log("warning", "archive: only read here: " + opened.error().detail());
      opened = std::move(reading);
    } else if (!opened && out.writes) {
      return opened.error();
    }
    if (!opened && log) log("info", "archive: " + opened.error().detail());
    out.kept[platform] =
        opened ? std::shared_ptr<archive::item_store>(std::move(*opened)) : nullptr;
  }
  return out;
}

result<std::unique_ptr<archive::collector>> start_collector(const config& settings,
                                                            const environment& environment,
                                                            const log_to& log) {
  std::vector<archive::watched_source> all;
  for (const auto& [platform, kept] : environment.archives) {
    if (kept == nullptr || !kept->writes()) continue;
    const auto sources = kept_sources(settings, platform);
    if (!sources) return sources.error();
    for (const auto* source : *sources) {
      const auto found = std::find_if(environment.sources.begin(), environment.sources.end(),
                                      [&](const auto& one) { return one.of == source; });
      if (found == environment.sources.end() || found->instances.empty()) continue;
      archive::watched_source one;
      one.of = source;
      one.op = archived(platform)->op;
      one.instances = found->instances;
      one.into = kept;
      one.every = std::chrono::seconds(
          settings.integer(setting(platform, "archive_every_s")).value_or(one.every.count()));
      all.push_back(std::move(one));
    }
  }
  if (all.empty()) return std::unique_ptr<archive::collector>();
  auto guard = http::address_guard::make(settings.list("network.allow_private"), false);
  if (!guard) return guard.error();
  archive::collector_options options;
  options.stream.user_agent = user_agent(settings);
  options.stream.guard = std::move(*guard);
  options.clock = environment.clock;
  options.log = log;
  return std::make_unique<archive::collector>(std::move(options), *environment.transport,
                                              std::move(all));
}

}  // namespace freshet::detail

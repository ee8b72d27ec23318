// The doctor: storage, settings and every source, each with what to do about it. A source is asked
// for its base address; any answer below 500 counts as reachable.
#include "engine/doctor.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <browser/find.hpp>
#include <condition_variable>
#include <engine/settings/book_settings.hpp>
#include <mutex>
#include <pdf/find.hpp>
#include <redis/redis_link.hpp>

namespace freshet::detail {
namespace {

constexpr std::chrono::seconds reach_timeout{10};

/// What came of asking the sources, gathered from the transport's thread.
struct finding_list {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t missing = 0;
  std::vector<engine::finding> findings;
};

engine::finding describe_answer(const std::string& subject, const result<http::response>& answer) {
  if (!answer) {
    return {false, subject, answer.error().detail(),
            "check the network and sources.*.base_url; sandbox calls work without it"};
  }
  if (answer->status >= 500) {
    return {false, subject, "answers HTTP " + std::to_string(answer->status), "try again later"};
  }
  return {true, subject, "reachable (HTTP " + std::to_string(answer->status) + ")", ""};
}

void ask_sources(core& core, std::vector<engine::finding>& out) {
  const auto shared = std::make_shared<finding_list>();
  for (const auto& source : core.live.sources) {
    if (!source.enabled || !source.missing.empty()) continue;
    for (const auto& where : source.instances) {
      if (where.base_url.empty()) continue;
      const auto subject = "source " + std::string(source.of->name) + " at " + where.base_url;
      {
        const std::lock_guard lock(shared->mutex);
        ++shared->missing;
      }
      http::request ask;
      ask.url = where.base_url;
      sources::choose_target(ask, where);
      ask.cacheable = false;
      core.live.transport->submit(std::move(ask), core.live.clock->steady() + reach_timeout,
                                  [shared, subject](const result<http::response>& answer) {
                                    const std::lock_guard lock(shared->mutex);
                                    shared->findings.push_back(describe_answer(subject, answer));
                                    --shared->missing;
                                    shared->changed.notify_all();
                                  });
    }
  }
  std::unique_lock lock(shared->mutex);
  shared->changed.wait(lock, [&] { return shared->missing == 0; });
  out.insert(out.end(), shared->findings.begin(), shared->findings.end());
}

/// Tried anew: a server that runs has a connection of its own.
engine::finding check_redis(const core& of) {
  redis::link_options options;
  auto where = redis::read_address(of.settings.text("storage.redis"));
  if (!where) return {false, "redis", where.error().detail(), "mend storage.redis"};
  const std::string place = redis::shown(*where);
  options.where = std::move(*where);
  options.timeout = reach_timeout;
  redis::redis_link tried(std::move(options));
  tried.start();
  if (tried.is_here()) return {true, "redis", "reachable at " + place, ""};
  return {false, "redis", "not reachable at " + place + ": " + tried.count().why,
          "check storage.redis; until then each server gives callers its part of their rate"};
}

/// Looked at anew: a server that runs looks every second.
engine::finding check_replica(const core& of) {
  const auto tried = open_replica(of.settings, [](std::string_view, std::string_view) {});
  const auto now = tried->count();
  const std::string place = postgres::shown_url(of.settings.text("storage.replica"));
  if (now.is_fit) {
    return {true, "replica",
            place + " answers reports, " + std::to_string(now.behind.count()) + " ms behind", ""};
  }
  return {false, "replica", place + " answers no reports: " + now.why,
          "check storage.replica; until then reports are read in storage.database"};
}

/// Both are optional: without them only `render` and PDFs are refused. What was named must work.
engine::finding check_browser(const core& of) {
  const bool named = of.settings.has("render.chromium");
  if (of.live.browser.empty()) {
    return {!named, "browser", of.live.no_browser, "without it `render` is refused"};
  }
  const auto version = browser::version_of(of.live.browser, of.live.walls->get());
  if (version) return {true, "browser", *version + " at " + of.live.browser, ""};
  return {false, "browser", version.error().detail(), "install Chromium again"};
}

/// Said, not tried: a doctor sends nobody a mail.
engine::finding check_mail(const core& of) {
  const auto url = of.settings.text("mail.url");
  if (!url.empty()) return {true, "mail", "goes through " + url, ""};
  return {true, "mail", "mail.url is not set",
          "links to confirm an address or to set a password go to the log"};
}

/// What keeps a browser or a reader of PDFs that somebody's page has taken over from our secrets.
engine::finding check_walls(const core& of) {
  if (of.live.walls == nullptr) return {true, "walls", "not needed: no program is started", ""};
  const process::walls& found = of.live.walls->get();
  const std::string which = "around browsers and readers of PDFs: " + found.description();
  if (found.is_whole) return {true, "walls", which, ""};
  if (!found.refusal.empty()) return {false, "walls", which, found.refusal};
  return {true, "walls", which + "; process.allow_without_walls is set",
          "a page that breaks out of the browser reads the data folder"};
}

engine::finding check_pdf(const core& of) {
  const auto folder = pdf::find_poppler(of.settings.text("pdf.folder"));
  if (folder) return {true, "PDF", "poppler's programs are in " + *folder, ""};
  return {!of.settings.has("pdf.folder"), "PDF", folder.error().detail(),
          "without them PDFs are refused"};
}

engine::finding check_archive(const std::string& platform, archive::item_store* kept) {
  const auto subject = "archive of " + platform;
  if (kept == nullptr) return {true, subject, "nothing has been kept yet", ""};
  const auto found = kept->measure();
  if (!found)
    return {false, subject, found.error().detail(),
            kept->is_shared() ? "check the server of storage.database" : "check storage.data_dir"};
  constexpr std::int64_t mib = 1 << 20;
  return {true, subject,
          std::to_string(found->items) + " items, " + std::to_string(found->bytes / mib) + " MiB" +
              (kept->is_shared() && found->holder.empty() ? ", no server fills it" : ""),
          ""};
}

}  // namespace

std::string suspended_sources(const core& of) {
  boost::json::array list;
  for (const auto& one : of.live.suspended->list(of.live.clock->steady())) {
    list.push_back({{"source", one.source},
                    {"host", one.host},
                    {"code", describe(one.code).name},
                    {"seconds", one.left.count()},
                    {"accounts", one.accounts}});
  }
  return boost::json::serialize(boost::json::object{{"suspended", std::move(list)}});
}

std::vector<engine::finding> run_doctor(core& core, bool offline) {
  std::vector<engine::finding> found;
  found.push_back({true, "configuration", "every setting is known", ""});
  if (core.accounts != nullptr) {
    const bool healthy = core.accounts->healthy();
    found.push_back({healthy, "storage", healthy ? "the accounts can be written" : "no writing",
                     healthy ? ""
                             : "check the disk under storage.data_dir, or the server of "
                               "storage.database"});
  }
  if (!core.settings.text("storage.redis").empty()) found.push_back(check_redis(core));
  if (!core.settings.text("storage.replica").empty()) found.push_back(check_replica(core));
  if (core.settings.text("network.contact").empty() && !core.settings.has("network.user_agent")) {
    found.push_back({true, "network", "the user agent names no contact",
                     "set network.contact: Wikipedia limits anonymous clients severely, and some "
                     "sources refuse them",
                     true});
  }
  found.push_back(check_mail(core));
  found.push_back(check_browser(core));
  found.push_back(check_pdf(core));
  found.push_back(check_walls(core));
  for (const auto& [platform, kept] : core.live.archives) {
    found.push_back(check_archive(platform, kept.get()));
  }
  for (const auto& source : core.live.sources) {
    const auto subject = "source " + std::string(source.of->name);
    if (!source.enabled) {
      // Why one is off that is not switched on by itself.
      const auto why = source.of->opt_in ? std::string(source.of->terms) : std::string();
      found.push_back({true, subject, "switched off", why, false, true});
    } else if (!source.missing.empty()) {
      found.push_back(
          {true, subject, "not configured", "set " + source.missing + " to use it", false, true});
    } else if (offline) {
      found.push_back({true, subject, "configured; not asked (--offline)", ""});
    }
  }
  if (!offline) ask_sources(core, found);
  return found;
}

}  // namespace freshet::detail

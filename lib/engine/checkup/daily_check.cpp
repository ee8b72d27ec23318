// Its day begins with the last check, whoever made it: the report is read again before anybody is
// asked, so that of two processes over one folder one asks.
#include "engine/checkup/daily_check.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <base/digest.hpp>
#include <base/whole_file.hpp>
#include <map>
#include <new>
#include <system_error>
#include <utility>

namespace freshet::detail {
namespace {

/// Below the threads that read answers, which themselves yield to those of calls.
constexpr int low_niceness = 10;
/// Rows that operators are shown of what is not as it was.
constexpr std::size_t most_shown = 100;
constexpr std::array<std::string_view, 4> statuses{"ok", "changed", "failed", "not_asked"};

std::chrono::milliseconds by_chance(std::chrono::milliseconds most) {
  std::uint32_t drawn = 0;
  for (const char each : base::random_bytes(sizeof drawn))
    drawn = (drawn << 8) | static_cast<unsigned char>(each);
  return most * static_cast<std::int64_t>(drawn >> 1) / (std::int64_t{1} << 31);
}

}  // namespace

daily_check::daily_check(daily_check_options options) : options_(std::move(options)) {
  read_report();
  thread_ = std::thread([this] { run(); });
}

daily_check::~daily_check() {
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    if (work_) work_->stop();
    wake_.notify_all();
  }
  thread_.join();
}

std::shared_ptr<const source_checkup> daily_check::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

/// A report that cannot be read is none.
void daily_check::read_report() {
  if (options_.path.empty()) return;
  auto read = read_checkup(base::read_whole(options_.path));
  if (!read) return;
  const std::lock_guard lock(mutex_);
  if (!last_ || last_->at < read->at)
    last_ = std::make_shared<const source_checkup>(std::move(*read));
}

/// How long it is until a day after the last check; a clock that was set back makes no longer day.
std::chrono::milliseconds daily_check::until_due(std::chrono::milliseconds least) const {
  const auto before = last();
  if (!before) return least;
  const auto age =
      std::chrono::floor<std::chrono::milliseconds>(options_.clock->now() - before->at);
  return std::max(least,
                  std::clamp(options_.every - age, std::chrono::milliseconds{0}, options_.every));
}

void daily_check::run() noexcept {
  // On Linux the niceness is the thread's own. Where it is refused, all are equal.
  setpriority(PRIO_PROCESS, 0, low_niceness);
  auto pause = until_due(options_.after_start + by_chance(options_.spread));
  while (true) {
    {
      std::unique_lock lock(mutex_);
      if (wake_.wait_for(lock, pause, [this] { return is_stopping_; })) return;
    }
    try {
      read_report();
      pause = until_due(std::chrono::milliseconds{0});
      if (pause.count() > 0) continue;
      check();
    } catch (const std::bad_alloc&) {
      options_.log("warning", "doctor: no memory for the check of the sources; again tomorrow");
    }
    pause = options_.every;
  }
}

void daily_check::check() {
  const auto work =
      std::make_shared<base::stop_token>(std::chrono::steady_clock::now() + options_.longest);
  {
    const std::lock_guard lock(mutex_);
    if (is_stopping_) return;
    work_ = work;
  }
  auto found = std::make_shared<source_checkup>();
  found->checks = options_.ask(work);
  found->at = options_.clock->now();
  const auto counted = [&](std::string_view status) {
    return std::to_string(found->count(status));
  };
  {
    const std::lock_guard lock(mutex_);
    work_.reset();
    if (is_stopping_) return;  // half a check is none
    last_ = found;
  }
  const bool is_same = found->count("changed") + found->count("failed") == 0;
  options_.log(is_same ? "info" : "warning", "doctor: of the sources' endpoints " + counted("ok") +
                                                 " answer as they did, " + counted("changed") +
                                                 " have changed, " + counted("failed") + " failed");
  if (options_.path.empty()) return;
  if (!base::replace_whole(options_.path, checkup_json(*found)))
    options_.log("warning", "doctor: " + options_.path + " cannot be written: no report is kept");
}

result<std::unique_ptr<daily_check>> open_daily_check(const config& config, const environment& live,
                                                      const environment& recorded, bool collect,
                                                      const log_function& log) {
  const bool is_on = config.flag("doctor.daily").value_or(false);
  if (!is_on || !collect || config.flag("network.sandbox").value_or(false))
    return std::unique_ptr<daily_check>();
  daily_check_options options;
  options.ask = [&live, &recorded](const auto& work) {
    return check_sources(live, recorded, work);
  };
  const auto folder = config.text("storage.data_dir");
  if (!folder.empty()) options.path = folder + "/sources-check.json";
  options.clock = live.clock;
  if (log) options.log = log;
  try {
    return std::make_unique<daily_check>(std::move(options));
  } catch (const std::system_error& none) {
    return error(errc::internal, std::string("no thread for the daily check: ") + none.what());
  }
}

void write_checkup(metrics_text& metrics, const daily_check* check) {
  const auto last = check == nullptr ? nullptr : check->last();
  metrics.family("freshet_source_check_time_seconds", metrics_text::kind::gauge,
                 "When the sources were checked last, in Unix time; only with doctor.daily.");
  if (last) {
    const std::chrono::duration<double> since_epoch = last->at.time_since_epoch();
    metrics.sample(since_epoch.count());
  }
  metrics.family("freshet_source_checks", metrics_text::kind::gauge,
                 "Endpoints of a source by what the last check of doctor.daily found.");
  if (!last) return;
  std::map<std::pair<std::string_view, std::string_view>, int> counts;
  for (const auto& one : last->checks) {
    for (const auto status : statuses) counts[{one.source, status}] += one.status == status ? 1 : 0;
  }
  for (const auto& [labels, count] : counts)
    metrics.sample(count, {{"source", labels.first}, {"status", labels.second}});
}

void write_checkup(model::object_writer& writer, const daily_check* check) {
  if (check == nullptr) return writer.text("checkup", "");
  writer.object("checkup", [&](model::object_writer& object) {
    const auto last = check->last();
    object.time("checked_at", last ? std::optional(last->at) : std::nullopt);
    for (const auto status : statuses) object.integer(status, last ? last->count(status) : 0);
    std::vector<capability_check> shown;
    for (const auto& one : last ? last->checks : std::vector<capability_check>()) {
      const bool is_news = one.status == "changed" || one.status == "failed";
      if (is_news && shown.size() < most_shown) shown.push_back(one);
    }
    object.objects("findings", shown, [](model::object_writer& row, const auto& one) {
      row.exact("source", one.source);
      row.text("instance", one.instance);
      row.exact("endpoint", one.endpoint);
      row.exact("status", one.status);
      row.strings("findings", one.findings);
    });
  });
}

}  // namespace freshet::detail

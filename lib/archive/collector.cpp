// The threads of the archives: started together, stopped together.
#include <algorithm>
#include <archive/collector.hpp>
#include <archive/feed_reader.hpp>
#include <archive/stream_reader.hpp>
#include <future>
#include <map>

namespace freshet::archive {
namespace {

/// How long a store that refuses a write is left alone.
constexpr std::chrono::milliseconds write_again{2'000};
/// Passes of one upkeep of one store, so that the others have their turn.
constexpr int max_passes = 200;

}  // namespace

collector::collector(collector_options options, http::transport& transport,
                     std::vector<watched_source> list)
    : options_(std::move(options)), over_(transport), watched_(std::move(list)) {
  if (options_.clock == nullptr) options_.clock = &base::system_clock();
  for (const auto& each : watched_) {
    if (each.instances.empty()) continue;
    if (each.of->stream != nullptr) {
      streams_.push_back(std::make_unique<stream_reader>(*this, each));
    } else if (each.of->polled) {
      feeds_.push_back(std::make_unique<feed_reader>(*this, each));
    }
  }
  for (const auto& each : streams_) threads_.emplace_back([&reader = *each] { reader.run(); });
  for (const auto& each : feeds_) threads_.emplace_back([&reader = *each] { reader.run(); });
  threads_.emplace_back([this] { keep_up(); });
  const auto all = stores();
  if (std::ranges::any_of(all, [](const auto* one) { return one->is_shared(); }))
    threads_.emplace_back([this] { hold_on(); });
}

collector::~collector() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stopped_.notify_all();
  for (const auto& each : streams_) each->stop();
  for (auto& each : threads_) each.join();
  for (auto* one : stores()) one->let_go();
}

bool collector::sleep(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !stopped_.wait_for(lock, time, [this] { return stopping_.load(); });
}

result<http::response> collector::fetch(http::request request, std::chrono::milliseconds time) {
  const auto arrived = std::make_shared<std::promise<result<http::response>>>();
  auto answer = arrived->get_future();
  const auto ticket =
      over_.submit(std::move(request), std::chrono::steady_clock::now() + time,
                   [arrived](result<http::response> got) { arrived->set_value(std::move(got)); });
  constexpr std::chrono::milliseconds glance{50};
  while (answer.wait_for(glance) == std::future_status::timeout) {
    if (stopping_) over_.cancel(ticket);
  }
  return answer.get();
}

bool collector::write(const watched_source& watched, const changes& changes) {
  while (true) {
    const auto done = watched.into->write(changes);
    if (done) return true;
    if (watched.into->tenure() != changes.tenure) return false;
    say("warning", std::string(watched.of->name) + ": " + done.error().detail());
    if (!sleep(write_again)) return false;
  }
}

void collector::say(std::string_view level, const std::string& line) const {
  if (options_.log) options_.log(level, "archive: " + line);
}

std::int64_t collector::await_tenure(const watched_source& watched) {
  constexpr std::chrono::milliseconds glance{100};
  while (!stopping_) {
    if (const auto number = watched.into->tenure(); number != 0) return number;
    if (!sleep(glance)) break;
  }
  return 0;
}

std::set<item_store*> collector::stores() const {
  std::set<item_store*> all;
  for (const auto& each : watched_) all.insert(each.into.get());
  return all;
}

void collector::hold_on() {
  std::map<item_store*, std::string> told;  // the last failure of each
  // Who fills each, as it was told: who writes may find out first that another one does.
  std::map<item_store*, bool> filled;
  bool all_held = false;
  do {
    all_held = true;
    for (auto* one : stores()) {
      const auto now = one->hold();
      all_held = all_held && now && *now != 0;
      const std::string failure = now ? "" : now.error().detail();
      if (std::exchange(told[one], failure) != failure && !now) say("warning", failure);
      if (!now) continue;
      const bool is_ours = *now != 0;
      if (std::exchange(filled[one], is_ours) == is_ours) continue;
      if (is_ours) {
        say("info", "this server fills it from now on");
      } else {
        say("warning", "another server fills it from now on");
      }
    }
  } while (sleep(all_held ? options_.hold_interval : options_.hold_interval / 2));
}

void collector::keep_up() {
  const auto all = stores();
  do {
    for (auto* one : all) {
      for (int pass = 0; pass < max_passes && !stopping_; ++pass) {
        const auto more = one->expire();
        if (!more) say("warning", more.error().detail());
        if (!more || !*more) break;
      }
    }
  } while (sleep(options_.upkeep_interval));
}

}  // namespace freshet::archive

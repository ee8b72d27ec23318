// The loop of the engine's thread: posted tasks, due timers, curl, then sleep in curl_multi_poll
// until a socket, a timer or a wakeup. Handlers run between curl's calls, never inside a callback
// of curl, so that they may submit and cancel.
#include <algorithm>
#include <http/curl_engine.hpp>
#include <http/transfer.hpp>
#include <stdexcept>

namespace freshet::http {
namespace {

constexpr long max_connections_per_host = 8;
constexpr long max_connections = 1'024;  ///< as many as admission lets in
constexpr long max_kept_connections = 64;
constexpr std::size_t max_idle_handles = 64;
constexpr int turns_of_unpacking = 8;                      ///< in a row: half a megabyte
constexpr std::chrono::milliseconds longest_sleep{1'000};  ///< if ever a wakeup is lost
constexpr std::chrono::milliseconds sleep_without_poll{10};

CURLM* as_multi(void* multi) noexcept { return static_cast<CURLM*>(multi); }

}  // namespace

curl_engine::curl_engine(engine_options options)
    : options_(std::move(options)),
      arriving_(std::make_unique<arriving_bytes>()),
      unpacking_(std::make_unique<unpacking_queue>()) {
  if (options_.clock == nullptr) options_.clock = &base::system_clock();
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    throw std::runtime_error("curl does not start");
  }
  CURLM* multi = curl_multi_init();
  try {
    // Curl gives a handle that cannot be woken where the process has no descriptors left.
    if (multi == nullptr || curl_multi_wakeup(multi) != CURLM_OK) {
      throw std::runtime_error("curl has no multi handle to give");
    }
    const auto set = [multi](CURLMoption option, long value) {
      if (curl_multi_setopt(multi, option, value) == CURLM_OK) return;
      throw std::runtime_error("curl refuses a limit it must have");
    };
    set(CURLMOPT_PIPELINING, CURLPIPE_MULTIPLEX);
    set(CURLMOPT_MAX_HOST_CONNECTIONS, max_connections_per_host);
    set(CURLMOPT_MAX_TOTAL_CONNECTIONS, max_connections);
    set(CURLMOPT_MAXCONNECTS, max_kept_connections);
    multi_ = multi;
  } catch (...) {
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    throw;
  }
}

curl_engine::~curl_engine() {
  stop();
  idle_.clear();
  curl_multi_cleanup(as_multi(multi_));
  curl_global_cleanup();
}

void curl_engine::start(task out_of_memory) {
  const std::lock_guard lock(mutex_);  // the thread waits for it, and finds all in its place
  out_of_memory_ = std::move(out_of_memory);
  thread_ = std::thread([this] { run(); });
}

void curl_engine::stop() noexcept {
  if (!thread_.joinable()) return;
  stopping_ = true;  // not by a task, for which there may be no memory
  curl_multi_wakeup(as_multi(multi_));
  thread_.join();
}

/// Runs a piece of the loop; false if it has thrown, and everything was dropped.
template <class Work>
bool curl_engine::try_to(const Work& work) noexcept {
  try {
    work();
    return true;
  } catch (...) {
    drop_everything();
    return false;
  }
}

void curl_engine::drop_everything() noexcept {
  for (const auto& [ticket, each] : active_) {
    curl_multi_remove_handle(as_multi(multi_), each->easy);
  }
  active_.clear();
  unpacking_->clear();
  arriving_->clear();
  timers_.clear();
  timer_times_.clear();
  if (out_of_memory_) out_of_memory_();
}

void curl_engine::post(task what) {
  bool was_empty = false;
  {
    const std::lock_guard lock(mutex_);
    was_empty = inbox_.empty();
    inbox_.push_back(std::move(what));
  }
  // The thread looks into the inbox before it sleeps; and one wakeup is enough for many tasks.
  if (was_empty && std::this_thread::get_id() != thread_.get_id()) {
    curl_multi_wakeup(as_multi(multi_));
  }
}

// Timers and deadlines count physical time, whatever clock the layers above have been given.
scheduler::time curl_engine::now() const { return base::system_clock().steady(); }

std::uint64_t curl_engine::at(time when, task action) {
  const std::uint64_t timer = ++last_timer_;
  timers_.emplace(std::pair(when, timer), std::move(action));
  timer_times_.emplace(timer, when);
  return timer;
}

void curl_engine::drop(std::uint64_t timer) {
  const auto found = timer_times_.find(timer);
  if (found == timer_times_.end()) return;
  timers_.erase({found->second, timer});
  timer_times_.erase(found);
}

void curl_engine::run_inbox() {
  std::vector<task> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(inbox_);
  }
  for (const task& each : tasks) try_to(each);
}

void curl_engine::run_timers() {
  const time until = now();
  while (!timers_.empty() && timers_.begin()->first.first <= until) {
    const auto first = timers_.begin();
    const task due = std::move(first->second);
    timer_times_.erase(first->first.second);
    timers_.erase(first);
    try_to(due);
  }
}

bool curl_engine::read_finished() {
  bool any = false;
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(as_multi(multi_), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    const CURLcode code = message->data.result;
    const auto whose = std::find_if(active_.begin(), active_.end(), [&](const auto& each) {
      return each.second->easy == message->easy_handle;
    });
    if (whose == active_.end() || !whose->second->has_ended(code)) continue;
    finish(whose->first, whose->second->outcome(code, now(), options_.clock->now()));
    any = true;
  }
  return any;
}

/// A few turns, so that what comes of other hosts, and what is asked meanwhile, waits for no more:
/// a host can pack a thousand bytes into one.
void curl_engine::unpack_some() {
  for (int turn = 0; turn < turns_of_unpacking; ++turn) {
    const auto next = unpacking_->pop(1);
    if (!next) return;
    transfer& whose = *next->entry;
    const auto ended = whose.go_on(now());
    unpacking_->done(next->owner);
    if (ended) finish(whose.ticket, whose.outcome(*ended, now(), options_.clock->now()));
  }
}

void curl_engine::wait() {
  if (!unpacking_->empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (!inbox_.empty()) return;
  }
  auto sleep = longest_sleep;
  if (!timers_.empty()) {
    const auto left = timers_.begin()->first.first - now();
    sleep = std::clamp(std::chrono::ceil<std::chrono::milliseconds>(left),
                       std::chrono::milliseconds(0), longest_sleep);
  }
  const int wait_ms = static_cast<int>(sleep.count());
  if (curl_multi_poll(as_multi(multi_), nullptr, 0, wait_ms, nullptr) == CURLM_OK) return;
  std::this_thread::sleep_for(std::min(sleep, sleep_without_poll));  // or this would spin
}

void curl_engine::run() {
  while (true) {
    run_inbox();
    if (stopping_) break;
    run_timers();
    int running = 0;
    if (curl_multi_perform(as_multi(multi_), &running) != CURLM_OK) drop_everything();
    bool any = false;
    const auto end_some = [&] {
      any = read_finished();
      unpack_some();
    };
    if (!try_to(end_some) || any) continue;
    wait();
  }
  try_to([this] {
    while (!active_.empty()) cancel(active_.begin()->first);
  });
  run_inbox();
  timers_.clear();
  timer_times_.clear();
}

std::unique_ptr<transfer> curl_engine::take_transfer() {
  if (idle_.empty()) return std::make_unique<transfer>(options_, *arriving_, *unpacking_);
  std::unique_ptr<transfer> out = std::move(idle_.back());
  idle_.pop_back();
  return out;
}

void curl_engine::finish(std::uint64_t ticket, result<response> answer) {
  const auto found = active_.find(ticket);
  if (found == active_.end()) return;
  std::unique_ptr<transfer> ended = std::move(found->second);
  active_.erase(found);
  const bool is_free = curl_multi_remove_handle(as_multi(multi_), ended->easy) == CURLM_OK;
  const handler done = ended->release();
  if (is_free) keep(std::move(ended));
  ended.reset();
  done(std::move(answer));
}

void curl_engine::keep(std::unique_ptr<transfer> ended) {
  if (!ended->is_spoilt() && idle_.size() < max_idle_handles) idle_.push_back(std::move(ended));
}

std::uint64_t curl_engine::submit(request&& request, deadline deadline, handler done) {
  const std::uint64_t ticket = ++last_ticket_;
  if (stopping_) {
    done(error(errc::cancelled, "the transport is closing"));
    return ticket;
  }
  std::unique_ptr<transfer> fresh = take_transfer();
  fresh->ticket = ticket;
  fresh->done = std::move(done);
  if (result<void> ready = fresh->prepare(std::move(request), deadline, now()); !ready) {
    const handler refused = fresh->release();
    keep(std::move(fresh));
    refused(ready.error());
    return ticket;
  }
  CURL* easy = fresh->easy;
  active_.emplace(ticket, std::move(fresh));
  if (curl_multi_add_handle(as_multi(multi_), easy) != CURLM_OK) {
    finish(ticket, error(errc::source_unavailable, "no more transfers can be started"));
  }
  return ticket;
}

void curl_engine::cancel(std::uint64_t ticket) {
  finish(ticket, error(errc::cancelled, "the request was cancelled"));
}

}  // namespace freshet::http

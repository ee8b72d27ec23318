// The log's thread. It holds the mutex but while it works on the file: a transaction a batch, with
// slices of what is too old or too much in between.
#include "requests/request_log.hpp"

#include <algorithm>
#include <new>
#include <sqlite/database_files.hpp>
#include <system_error>
#include <utility>

namespace freshet::requests {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

/// Of a call that waits, beside its bytes.
constexpr std::size_t waiting_overhead = 32;
/// How long a reader waits for what was added before it.
constexpr milliseconds longest_await{500};
constexpr std::chrono::minutes between_warnings{1};
/// Between slices of a purge that has more to do.
constexpr milliseconds slice_pause{20};
/// A share of the queue that does not wait for the batch's delay.
constexpr std::size_t hurried_share = 4;

}  // namespace

std::unique_ptr<request_log> request_log::open(log_options options) {
  if (options.clock == nullptr) options.clock = &base::system_clock();
  if (!options.tell) options.tell = [](std::string_view, std::string_view) {};
  auto made = std::unique_ptr<request_log>(new request_log(std::move(options)));
  try {
    made->thread_ = std::thread([log = made.get()] { log->run(); });
  } catch (const std::system_error& no_thread) {
    made->options_.tell("warn", std::string("requests: no log is kept: ") + no_thread.what());
  }
  return made;
}

request_log::request_log(log_options options)
    : options_(std::move(options)), store_(options_.path, options_.limits) {
  store_.fail = options_.fail;
}

request_log::~request_log() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    wake_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void request_log::add(const call_facts& call, const bodies_view& bodies) noexcept {
  try {
    const auto now = options_.clock->now();
    // What is to be copied is copied before the lock.
    chunk::extra extra;
    if (!is_found_by_time(call.request_id, now)) extra.name = call.request_id;
    if (keeps_bodies()) {
      if (bodies.sent.size() <= options_.max_body_bytes) extra.bodies.sent = bodies.sent;
      if (bodies.answer_lead.size() + bodies.answer.size() <= options_.max_body_bytes) {
        extra.bodies.answered = bodies.answer_lead;
        extra.bodies.answered += bodies.answer;
      }
    }
    thread_local std::string packed;
    packed.clear();
    pack_call(packed, call);
    const bool has_extra = !extra.name.empty() || keeps_bodies();
    const auto bytes = packed.size() + waiting_overhead + extra.name.size() +
                       extra.bodies.sent.size() + extra.bodies.answered.size();
    const std::lock_guard lock(mutex_);
    auto found = queue_.find(call.account);
    if (found == queue_.end()) found = queue_.try_emplace(std::string(call.account)).first;
    auto& of = found->second;
    const auto room = options_.max_waiting_bytes - figures_.waiting_bytes;
    if (stopping_ || of.bytes + bytes > room) {
      ++figures_.dropped;
      return;
    }
    if (of.chunks.empty() || of.chunks.back().calls == max_chunk_calls) of.chunks.emplace_back();
    auto& last = of.chunks.back();
    // What may run out of memory comes first: a chunk has a call as a whole or not at all.
    if (has_extra) last.extras.reserve(last.extras.size() + 1);
    last.packed += packed;
    if (has_extra) {
      extra.index = last.calls;
      last.extras.push_back(std::move(extra));
    }
    last.marks.add(call);
    ++last.calls;
    const auto hurry = options_.max_waiting_bytes / hurried_share;
    const bool was_idle = figures_.waiting_bytes == 0;
    const bool was_calm = figures_.waiting_bytes < hurry;
    of.bytes += bytes;
    figures_.waiting_bytes += bytes;
    if (was_idle || (was_calm && figures_.waiting_bytes >= hurry)) wake_.notify_all();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    ++figures_.dropped;
  }
}

void request_log::forget(std::string account) {
  const std::lock_guard lock(mutex_);
  forgotten_.push_back(std::move(account));
  purge_at_ = {};
  wake_.notify_all();
}

log_figures request_log::figures() const {
  const std::lock_guard lock(mutex_);
  return figures_;
}

/// Has the thread write what waits, and waits for that, but not for a disk that stands still.
void request_log::await_written() {
  std::unique_lock lock(mutex_);
  if (stopping_ || !thread_.joinable()) return;
  const auto turn = ++asked_;
  wake_.notify_all();
  written_.wait_for(lock, longest_await, [&] { return done_ >= turn || stopping_; });
}

result<std::vector<call_record>> request_log::list(const call_query& query) {
  await_written();
  return store_.list(query);
}

result<shown_call> request_log::show(std::string_view account, std::string_view id) {
  await_written();
  return store_.show(account, id);
}

bool request_log::has_work() const {
  return stopping_ || figures_.waiting_bytes != 0 || asked_ != done_ ||
         steady_clock::now() >= purge_at_;
}

void request_log::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait_until(lock, purge_at_, [this] { return has_work(); });
    if (asked_ == done_ && figures_.waiting_bytes != 0) {
      const auto hurry = options_.max_waiting_bytes / hurried_share;
      wake_.wait_for(lock, options_.batch_delay, [&] {
        return stopping_ || asked_ != done_ || figures_.waiting_bytes >= hurry;
      });
    }
    const bool is_last = stopping_;
    const auto turn = asked_;
    try {
      write(lock);
      put_away(lock);
    } catch (const std::bad_alloc&) {
      if (!lock.owns_lock()) lock.lock();
    }
    done_ = turn;
    written_.notify_all();
    if (is_last) return;
  }
}

void request_log::write(std::unique_lock<std::mutex>& lock) {
  batch taken;
  std::uint64_t calls = 0;
  for (auto& [account, of] : queue_) {
    for (const auto& one : of.chunks) calls += one.calls;
    if (!of.chunks.empty()) taken.emplace(account, std::move(of.chunks));
  }
  queue_.clear();
  figures_.waiting_bytes = 0;
  lock.unlock();
  bool is_written = false;
  if (open_store() && !taken.empty()) {
    const auto outcome = store_.write(taken, options_.clock->now());
    is_written = static_cast<bool>(outcome.done);
    if (!is_written) {
      warn(outcome.done.error().detail());
      if (outcome.is_broken) close_store(true);
    }
  }
  if (is_written) {
    for (const auto& [account, chunks] : taken) watchers_.tell(account);
  }
  lock.lock();
  (is_written ? figures_.written : figures_.failed) += calls;
}

/// Removes a slice of what is to go.
void request_log::put_away(std::unique_lock<std::mutex>& lock) {
  if (steady_clock::now() < purge_at_) return;
  const auto forgotten = forgotten_.empty() ? std::string() : forgotten_.front();
  purge_at_ = steady_clock::now() + options_.purge_pause;
  lock.unlock();
  auto next = options_.purge_pause;
  bool is_gone = false;
  if (open_store()) {
    const auto more =
        forgotten.empty() ? store_.purge(options_.clock->now()) : store_.forget(forgotten);
    if (!more) warn(more.error().detail());
    is_gone = more && !*more;
    if (more && (*more || !forgotten.empty())) next = slice_pause;
  }
  lock.lock();
  if (!forgotten.empty() && is_gone) forgotten_.erase(forgotten_.begin());
  purge_at_ = std::min(purge_at_, steady_clock::now() + next);
}

bool request_log::open_store() {
  if (is_open_) return true;
  if (steady_clock::now() < retry_at_) return false;
  auto outcome = store_.open();
  if (!outcome.done && outcome.is_broken) {
    close_store(true);
    outcome = store_.open();
  }
  is_open_ = static_cast<bool>(outcome.done);
  if (is_open_) return true;
  warn(outcome.done.error().detail());
  close_store(false);
  return false;
}

/// A file that is broken is put aside: what an operator may want of it stays, once.
void request_log::close_store(bool is_broken) {
  is_open_ = false;
  store_.close();
  retry_at_ = steady_clock::now() + options_.retry_pause;
  if (!is_broken) return;
  retry_at_ = {};
  const auto aside = store_.path() + ".broken";
  for (const auto* journal : {"-wal", "-shm"}) sqlite::remove_file(store_.path() + journal);
  if (auto moved = sqlite::rename_synced(store_.path(), aside); !moved) {
    sqlite::remove_file(store_.path());
  }
  options_.tell("warn",
                "requests: the log's file is broken; a new one is begun, and it is " + aside);
}

/// Says what is wrong, once in a while: a disk may be full for days.
void request_log::warn(std::string_view what) {
  const auto now = steady_clock::now();
  if (warned_ && now - *warned_ < between_warnings) return;
  warned_ = now;
  options_.tell("warn", "requests: calls are missing in the log: " + std::string(what));
}

}  // namespace freshet::requests

// The log's thread. It holds the mutex but while it works on the store: a transaction a batch, with
// slices of what is too old or too much in between.
#include "requests/request_log.hpp"

#include <algorithm>
#include <new>
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
/// Accounts that were forgotten, of which nothing is taken: more than are deleted while a call
/// runs.
constexpr std::size_t most_gone = 512;
/// What comes of a store that fails.
constexpr std::string_view missing_calls = "calls are missing in the log";
constexpr std::string_view delayed_calls = "calls wait for the log";

std::size_t waiting_bytes_of(const chunk& one) noexcept {
  auto bytes = one.packed.size() + one.calls * waiting_overhead;
  for (const auto& each : one.extras)
    bytes += each.name.size() + each.bodies.sent.size() + each.bodies.answered.size();
  return bytes;
}

/// Joins it to the last of them where that has room: of what waits for long there are few chunks.
void append_chunk(std::vector<chunk>& chunks, chunk one) {
  if (chunks.empty() || chunks.back().calls + one.calls > max_chunk_calls)
    return chunks.push_back(std::move(one));
  auto& last = chunks.back();
  last.packed += one.packed;
  for (auto& each : one.extras) {
    each.index += last.calls;
    last.extras.push_back(std::move(each));
  }
  last.calls += one.calls;
  last.marks.add(one.marks);
}

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
    : options_(std::move(options)),
      store_(request_store::make(options_.database, options_.limits, options_.replica)),
      is_shared_(store_->is_shared()) {
  store_->fail = options_.fail;
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
    std::unique_lock lock(mutex_);
    if (is_gone(call.account)) return;
    auto found = queue_.find(call.account);
    if (found == queue_.end()) found = queue_.try_emplace(std::string(call.account)).first;
    auto& of = found->second;
    if (stopping_ || !make_room(of, bytes)) {
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
    const bool wakes = was_idle || (was_calm && figures_.waiting_bytes >= hurry);
    lock.unlock();
    if (wakes) wake_.notify_all();
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    ++figures_.dropped;
  }
}

/// Whether there is room for one more call; of what waits for a database that is away an account's
/// oldest make some.
bool request_log::make_room(waiting_calls& waiting, std::size_t bytes) {
  const auto has_room = [&] {
    return waiting.bytes + bytes <= options_.max_waiting_bytes - figures_.waiting_bytes;
  };
  while (is_shared_ && !has_room() && !waiting.chunks.empty()) drop_oldest(waiting);
  return has_room();
}

void request_log::drop_oldest(waiting_calls& of) {
  const auto bytes = waiting_bytes_of(of.chunks.front());
  figures_.dropped += of.chunks.front().calls;
  figures_.waiting_bytes -= bytes;
  of.bytes -= bytes;
  of.chunks.erase(of.chunks.begin());
}

result<call_watch> request_log::watch(std::string account, std::function<bool()> written) {
  auto made = watchers_.add(std::move(account), std::move(written));
  if (!is_shared_) return made;
  const std::lock_guard lock(mutex_);
  news_at_ = {};
  wake_.notify_all();
  return made;
}

void request_log::forget(std::string account) {
  const std::lock_guard lock(mutex_);
  if (gone_.size() == most_gone) gone_.pop_front();
  gone_.push_back(account);
  // It would be written behind the purge.
  if (const auto waiting = queue_.find(account); waiting != queue_.end()) {
    figures_.waiting_bytes -= waiting->second.bytes;
    queue_.erase(waiting);
  }
  forgotten_.push_back(std::move(account));
  purge_at_ = {};
  wake_.notify_all();
}

bool request_log::is_gone(std::string_view account) const {
  return std::ranges::find(gone_, account) != gone_.end();
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
  return store_->list(query);
}

result<shown_call> request_log::show(std::string_view account, std::string_view id) {
  await_written();
  return store_->show(account, id);
}

/// Whether calls wait that can be written now: a database that is away is left alone for a while.
bool request_log::has_calls() const {
  if (figures_.waiting_bytes == 0 && !is_unsure_) return false;
  return !is_shared_ || steady_clock::now() >= retry_at_;
}

bool request_log::has_work() const {
  return stopping_ || has_calls() || asked_ != done_ || steady_clock::now() >= next_look();
}

/// When there is something to do though nobody adds anything.
steady_clock::time_point request_log::next_look() const {
  if (!is_shared_) return purge_at_;
  auto next = purge_at_;
  if (figures_.waiting_bytes != 0 || is_unsure_) next = std::min(next, retry_at_);
  if (!watchers_.empty()) next = std::min(next, news_at_);
  return std::max(next, retry_at_);
}

void request_log::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait_until(lock, next_look(), [this] { return has_work(); });
    if (asked_ == done_ && figures_.waiting_bytes != 0) {
      const auto hurry = options_.max_waiting_bytes / hurried_share;
      wake_.wait_for(lock, options_.batch_delay, [&] {
        return stopping_ || asked_ != done_ || figures_.waiting_bytes >= hurry;
      });
    }
    const bool is_last = stopping_;
    const auto turn = asked_;
    try {
      const bool was_unsure = is_unsure_;
      write(lock);
      if (was_unsure && !is_unsure_) write(lock);
      put_away(lock);
      look_for_news(lock);
    } catch (const std::bad_alloc&) {
      // Nobody knows how far the store has come.
      if (is_shared_) close_store(false);
      if (!lock.owns_lock()) lock.lock();
      figures_.failed += std::exchange(taken_, {}).calls;
      is_unsure_ = false;
    }
    done_ = turn;
    written_.notify_all();
    if (is_last) return;
  }
}

void request_log::take_waiting() {
  taken_ = {};
  for (auto& [account, of] : queue_) {
    for (const auto& one : of.chunks) taken_.calls += one.calls;
    if (!of.chunks.empty()) taken_.what.emplace(account, std::move(of.chunks));
  }
  queue_.clear();
  figures_.waiting_bytes = 0;
}

void request_log::write(std::unique_lock<std::mutex>& lock) {
  if (!is_unsure_) take_waiting();
  const auto dropped = figures_.dropped;
  const bool may_wait = is_shared_ && !stopping_;
  lock.unlock();
  bool is_written = false;
  is_unsure_ = is_unsure_ && may_wait;
  if (open_store() && taken_.calls != 0) {
    const auto outcome = store_->write(taken_.what, options_.clock->now());
    is_written = static_cast<bool>(outcome.done);
    is_unsure_ = outcome.is_unsure && may_wait;
    if (!is_written) {
      warn(is_shared_ ? delayed_calls : missing_calls, outcome.done.error().detail());
      if (outcome.is_broken || is_shared_) close_store(outcome.is_broken);
    }
    for (const auto& [account, chunks] : taken_.what) {
      if (!is_written) break;
      watchers_.tell(account);
      if (const auto seen = seen_.find(account); seen != seen_.end())
        seen->second = std::max(seen->second, outcome.last);
    }
    if (is_written) tell_dropped(dropped);
  }
  lock.lock();
  if (is_unsure_) return;
  if (!is_written && may_wait) return put_back();
  (is_written ? figures_.written : figures_.failed) += taken_.calls;
  taken_ = {};
}

/// What could not be written waits on, in front of what has come since. Where that is too much, the
/// oldest go of who has the most, until there is room again for those who have none.
void request_log::put_back() {
  for (auto& [account, chunks] : taken_.what) {
    if (is_gone(account)) continue;
    auto& of = queue_[account];
    std::size_t bytes = 0;
    for (const auto& one : chunks) bytes += waiting_bytes_of(one);
    std::vector<chunk> joined;
    for (auto* const each : {&chunks, &of.chunks}) {
      for (auto& one : *each) append_chunk(joined, std::move(one));
    }
    of.chunks = std::move(joined);
    of.bytes += bytes;
    figures_.waiting_bytes += bytes;
  }
  taken_ = {};
  const auto most = options_.max_waiting_bytes - options_.max_waiting_bytes / hurried_share;
  while (figures_.waiting_bytes > most) {
    const auto which = std::max_element(
        queue_.begin(), queue_.end(),
        [](const auto& a, const auto& b) { return a.second.bytes < b.second.bytes; });
    drop_oldest(which->second);
  }
}

/// Those who watch are told what other servers have written.
void request_log::look_for_news(std::unique_lock<std::mutex>& lock) {
  if (!is_shared_ || steady_clock::now() < news_at_ || watchers_.empty()) return;
  news_at_ = steady_clock::now() + options_.news_pause;
  lock.unlock();
  if (open_store()) {
    const auto watched = watchers_.accounts();
    if (auto found = store_->newest_of(watched)) {
      // Of whom nobody watched before, there is nothing to compare with.
      for (const auto& [account, last] : *found) {
        const auto seen = seen_.find(account);
        if (seen != seen_.end() && seen->second < last) watchers_.tell(account);
      }
      for (const auto& account : watched) found->try_emplace(account, 0);
      seen_ = std::move(*found);
    } else if (store_->is_lost()) {
      close_store(false);
    }
  }
  lock.lock();
}

/// Removes a slice of what is to go.
void request_log::put_away(std::unique_lock<std::mutex>& lock) {
  if (steady_clock::now() < purge_at_) return;
  // Not before all is written that was under way.
  const auto forgotten = forgotten_.empty() || is_unsure_ ? std::string() : forgotten_.front();
  purge_at_ = steady_clock::now() + options_.purge_pause;
  lock.unlock();
  auto next = options_.purge_pause;
  bool is_done = false;
  if (open_store()) {
    const auto more =
        forgotten.empty() ? store_->purge(options_.clock->now()) : store_->forget(forgotten);
    if (!more) {
      warn(is_shared_ ? "what is old stays in the log for now" : missing_calls,
           more.error().detail());
      if (store_->is_lost()) close_store(false);
    }
    is_done = more && !*more;
    if (more && (*more || !forgotten.empty())) next = slice_pause;
  }
  lock.lock();
  if (!forgotten.empty() && is_done) forgotten_.erase(forgotten_.begin());
  purge_at_ = std::min(purge_at_, steady_clock::now() + next);
}

bool request_log::open_store() {
  if (is_open_) return true;
  if (steady_clock::now() < retry_at_) return false;
  auto outcome = store_->open();
  if (!outcome.done && outcome.is_broken) {
    close_store(true);
    outcome = store_->open();
  }
  is_open_ = static_cast<bool>(outcome.done);
  if (is_open_) return true;
  warn(is_shared_ ? delayed_calls : missing_calls, outcome.done.error().detail());
  close_store(false);
  return false;
}

void request_log::close_store(bool is_broken) {
  is_open_ = false;
  store_->close();
  retry_at_ = steady_clock::now() + options_.retry_pause;
  if (!is_broken) return;
  retry_at_ = {};
  options_.tell("warn", "requests: " + store_->put_aside());
}

/// Says what is wrong, once in a while: a disk may be full for days.
void request_log::warn(std::string_view effect, std::string_view why) {
  const auto now = steady_clock::now();
  if (warned_ && now - *warned_ < between_warnings) return;
  warned_ = now;
  options_.tell("warn", "requests: " + std::string(effect) + ": " + std::string(why));
}

/// Once it is back: how many there was no room for meanwhile.
void request_log::tell_dropped(std::uint64_t dropped) {
  const auto missing = dropped - std::exchange(told_dropped_, dropped);
  if (!is_shared_ || missing == 0) return;
  options_.tell("warn", "requests: " + std::to_string(missing) +
                            " calls are missing in the log: there was no room for them");
}

}  // namespace freshet::requests

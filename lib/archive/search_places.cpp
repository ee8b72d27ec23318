// A queue of tickets, the threads that take from it, and one that tells those whose time is up.
#include "archive/search_places.hpp"

#include <base/work.hpp>
#include <chrono>
#include <new>
#include <utility>

namespace freshet::archive {
namespace {

using steady = std::chrono::steady_clock;

constexpr std::chrono::seconds retry_later{2};

error no_room() {
  error made(errc::overloaded, "too many searches of the archive wait");
  made.retry_after = retry_later;
  return made;
}

}  // namespace

search_places::~search_places() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  due_.notify_all();
  for (auto& each : threads_) each.join();
  if (timekeeper_.joinable()) timekeeper_.join();
  while (auto ended = all_.take_any())
    ended.answer(error(errc::cancelled, "the archive is closing"));
}

std::uint64_t search_places::submit(base::owner_id owner, http::transport::deadline deadline,
                                    search_run run, http::transport::handler done) {
  const auto ticket = all_.take_ticket();
  table::taken_request displaced;
  {
    const std::lock_guard lock(mutex_);
    all_.add(ticket, std::move(done), waiting_search{owner, deadline, std::move(run)});
    const bool is_full = queue_.size() >= max_waiting_searches;
    const auto newest = is_full ? queue_.displaced_by(owner) : std::nullopt;
    if (is_full) displaced = newest ? leave(*newest) : all_.take(ticket);
    if (!is_full || newest) {
      queue_.push(owner, ticket);
      by_deadline_.emplace(deadline, ticket);
    }
    if (idle_ < queue_.size() && threads_.size() < search_threads)
      threads_.emplace_back([this] { work(); });
    if (!timekeeper_.joinable()) timekeeper_ = std::thread([this] { keep_time(); });
    if (!by_deadline_.empty() && by_deadline_.begin()->second == ticket) due_.notify_one();
  }
  wake_.notify_one();
  if (displaced) displaced.answer(no_room());
  return ticket;
}

void search_places::cancel(std::uint64_t ticket) {
  table::taken_request ended;
  {
    const std::lock_guard lock(mutex_);
    ended = leave(ticket);
    if (const auto* runs = ended ? nullptr : all_.find(ticket)) runs->course->leave();
  }
  if (ended) ended.answer(error(errc::cancelled, "the request was cancelled"));
}

/// Takes out one that waits; false if it does not.
search_places::table::taken_request search_places::leave(std::uint64_t ticket) {
  const auto* found = all_.find(ticket);
  if (found == nullptr || !found->run) return {};
  queue_.remove(found->owner, ticket);
  by_deadline_.erase({found->by, ticket});
  return all_.take(ticket);
}

void search_places::keep_time() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (by_deadline_.empty()) {
      due_.wait(lock);
      continue;
    }
    const auto [by, ticket] = *by_deadline_.begin();
    if (by > steady::now()) {
      due_.wait_until(lock, by);
      continue;
    }
    auto ended = leave(ticket);
    lock.unlock();
    ended.answer(error(errc::source_timeout, "the archive had no place for the search in time"));
    lock.lock();
  }
}

void search_places::work() {
  base::yield_to_answers();
  std::unique_lock lock(mutex_);
  while (true) {
    std::optional<std::uint64_t> ticket;
    ++idle_;
    wake_.wait(lock, [&] { return stopping_ || (ticket = queue_.next_within_share()); });
    --idle_;
    if (!ticket) return;
    auto& one = all_.at(*ticket);
    const auto run = std::exchange(one.run, nullptr);  // it does not wait any more
    const auto& course = *one.course;                  // it stays until it is taken, below
    const auto owner = one.owner;
    by_deadline_.erase({one.by, *ticket});
    lock.unlock();
    const auto began = steady::now();
    result<http::response> got = error(errc::overloaded);
    try {
      got = run(course);
    } catch (const std::bad_alloc&) {  // as if it had found no place
    }
    const std::chrono::duration<double> took = steady::now() - began;
    lock.lock();
    queue_.done(owner, took.count());
    auto ended = all_.take(*ticket);
    lock.unlock();
    ended.answer(std::move(got));
    wake_.notify_one();  // who had one's part may have another now
    lock.lock();
  }
}

}  // namespace freshet::archive

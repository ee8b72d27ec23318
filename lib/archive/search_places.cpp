// A queue of tickets and the threads that take from it.
#include "archive/search_places.hpp"

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
  for (auto& each : threads_) each.join();
  while (auto ended = all_.take_any())
    ended.answer(error(errc::cancelled, "the archive is closing"));
}

std::uint64_t search_places::submit(base::owner_id owner, http::transport::deadline deadline,
                                    search_run run, http::transport::handler done) {
  const auto ticket = all_.take_ticket();
  table::taken_request displaced;
  {
    const std::lock_guard lock(mutex_);
    all_.add(ticket, std::move(done), {owner, deadline, std::move(run)});
    const bool is_full = queue_.size() >= max_waiting_searches;
    const auto newest = is_full ? queue_.displaced_by(owner) : std::nullopt;
    if (newest) queue_.remove(all_.at(*newest).owner, *newest);
    if (is_full) displaced = all_.take(newest.value_or(ticket));
    if (!is_full || newest) queue_.push(owner, ticket);
    if (idle_ < queue_.size() && threads_.size() < search_threads)
      threads_.emplace_back([this] { work(); });
  }
  wake_.notify_one();
  if (displaced) displaced.answer(no_room());
  return ticket;
}

void search_places::cancel(std::uint64_t ticket) {
  table::taken_request ended;
  {
    const std::lock_guard lock(mutex_);
    const auto* found = all_.find(ticket);
    if (found == nullptr || !found->run) return;
    queue_.remove(found->owner, ticket);
    ended = all_.take(ticket);
  }
  ended.answer(error(errc::cancelled, "the request was cancelled"));
}

void search_places::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    std::optional<std::uint64_t> ticket;
    ++idle_;
    wake_.wait(lock, [&] { return stopping_ || (ticket = queue_.next_within_share()); });
    --idle_;
    if (!ticket) return;
    auto& one = all_.at(*ticket);
    const auto run = std::exchange(one.run, nullptr);  // it cannot be cancelled any more
    const auto owner = one.owner;
    const bool is_late = one.by <= steady::now();
    lock.unlock();
    const auto began = steady::now();
    result<http::response> got = error(errc::source_timeout, "the archive was searched too late");
    try {
      if (!is_late) got = run();
    } catch (const std::bad_alloc&) {
      got = error(errc::overloaded);
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

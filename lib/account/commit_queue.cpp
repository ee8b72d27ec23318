// The queue's thread. One failed piece of work is told apart from a failed storage: alone, it
// cannot spoil the others.
#include <account/commit_queue.hpp>
#include <algorithm>
#include <bit>
#include <future>
#include <utility>

namespace freshet::account {
namespace {

/// How often a database that refused a write is tried again.
constexpr std::chrono::milliseconds probe_interval{250};
/// What is waited for others, who would else wait for a whole commit: half as long as the last one
/// took, within these, and no longer than somebody comes in each of so many parts of it.
constexpr std::chrono::microseconds shortest_await{200}, longest_await{2000};
constexpr int await_parts = 4;
/// How long work whose rows somebody else holds is refused unseen: as each try holds others up.
constexpr std::chrono::milliseconds first_held_pause{500}, longest_held_pause{8000};
/// Of so many parts of a batch others hold something: it is no matter of one account any more.
constexpr int most_held_parts = 2;
constexpr std::size_t most_held_groups = 1000;
/// So many pieces of work in a batch say that there is load.
constexpr std::size_t several = 4;
/// What a thread of others is given to tell at once: it has more to see to.
constexpr std::size_t told_at_once = 16;

/// Some work of a batch, on its way to the thread that tells it.
struct told_work {
  answering_thread* by = nullptr;
  bool committed = false;
  std::vector<std::unique_ptr<work>> items;

  void tell() {
    for (auto& item : items) {
      try {
        item->tell(committed);
      } catch (const std::bad_alloc&) {
        // Who waits for this one is not told; the others are.
      }
      item = nullptr;
    }
  }
  static void send(const std::shared_ptr<told_work>& to_tell) {
    bool is_sent = false;
    try {
      is_sent = to_tell->by->post([to_tell] { to_tell->tell(); });
    } catch (const std::bad_alloc&) {
      // It is told here.
    }
    if (!is_sent) to_tell->tell();
  }
};

bool are_of_one(const work& a, const work& b) { return a.group() != 0 && a.group() == b.group(); }

/// Those that work is of, each once.
std::vector<std::int64_t> groups_of(const std::vector<std::unique_ptr<work>>& items) {
  std::vector<std::int64_t> groups;
  for (const auto& item : items)
    if (item->group() != 0) groups.push_back(item->group());
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

}  // namespace

error waits_for_itself() {
  return error(errc::internal, "the ledger thread was asked to wait for itself");
}

queue_lock::queue_lock(const commit_queue& queue) : queue_(queue), held_(queue.mutex_) {}

queue_lock::~queue_lock() {
  const bool wakes = std::exchange(queue_.wakes_, false);
  held_.unlock();
  if (wakes) queue_.filled_.notify_one();
}

commit_queue::commit_queue(account_store& books, upkeep& chores, std::size_t max_batch)
    : books_(books), chores_(chores), max_batch_(std::max<std::size_t>(max_batch, 1)) {
  books_.while_away([this] { refuse_queued(); });
}

commit_queue::~commit_queue() { stop(); }

void commit_queue::start() {
  thread_ = std::thread([this] { loop(); });
}

void commit_queue::stop() {
  if (!thread_.joinable()) return;
  {
    const auto guard = lock();
    stopping_ = true;
    wake();
  }
  thread_.join();
}

bool commit_queue::is_own_thread() const noexcept {
  return std::this_thread::get_id() == thread_.get_id();
}

void commit_queue::post(std::unique_ptr<work> item) {
  queue_.push_back(std::move(item));
  if (awaited_ == 0 || queue_.size() < awaited_) return;
  awaited_ = 0;
  wake();
}

void commit_queue::submit(std::unique_ptr<work> item) {
  const auto guard = lock();
  post(std::move(item));
}

void commit_queue::doubt() {
  const auto guard = lock();
  writable_ = false;
  wake();
}

/// A commit costs much the same for few and for many: where several came together the last time,
/// those that are about to come are waited for, a little.
void commit_queue::await_more(std::unique_lock<std::mutex>& guard) {
  if (stopping_ || last_size_ < several) return;
  const std::size_t wanted = std::min(max_batch_, std::max(expected_ ? expected_() : 0, known_));
  const auto part =
      std::clamp<std::chrono::nanoseconds>(last_took_ / 2, shortest_await, longest_await) /
      await_parts;
  std::size_t seen = 0;
  for (int i = 0; i < await_parts && seen < queue_.size() && queue_.size() < wanted; ++i) {
    seen = queue_.size();
    awaited_ = wanted;
    filled_.wait_for(guard, part, [&] { return stopping_ || queue_.size() >= wanted; });
  }
  awaited_ = 0;
}

/// Nothing of it is written, and it would wait for as long as the batch before it.
void commit_queue::refuse_queued() {
  std::vector<std::unique_ptr<work>> items;
  {
    const auto guard = lock();
    std::move(queue_.begin(), queue_.end(), std::back_inserter(items));
    queue_.clear();
  }
  if (!items.empty()) conclude(items, false);
}

commit_queue::figures commit_queue::count() const noexcept {
  return {batches_, failed_batches_, queue_.size(), sizes_};
}

result<void> commit_queue::run(std::function<void(transaction&)> write,
                               std::function<void()> commit) {
  if (is_own_thread()) return waits_for_itself();
  // Shared: the thread that tells may still be at it when the one that waits has gone on.
  const auto told = std::make_shared<std::promise<bool>>();
  auto outcome = told->get_future();
  auto item = std::make_unique<plain_work>(
      std::move(write),
      [commit = std::move(commit)](bool committed) {
        if (committed && commit) commit();
      },
      [told](bool committed) { told->set_value(committed); });
  submit(std::move(item));
  if (!outcome.get()) return storage_failure();
  return {};
}

void commit_queue::loop() {
  std::vector<std::unique_ptr<work>> items;
  for (bool last = false; !last;) {
    last = collect(items);
    put_in_groups(items);
    held_parts_ = 0;
    if (!items.empty())
      process_around_held(items);
    else if (!writable_ && !uncertain_)
      probe();
    items.clear();
  }
}

bool commit_queue::collect(std::vector<std::unique_ptr<work>>& items) {
  std::unique_lock guard(mutex_);
  const auto ready = [this] { return stopping_ || !queue_.empty(); };
  awaited_ = 1;
  if (!writable_)
    filled_.wait_for(guard, probe_interval, ready);
  else if (const auto due = chores_.due_in())
    filled_.wait_for(guard, *due, [&] { return ready() || !writable_; });
  else
    filled_.wait(guard, [&] { return ready() || !writable_ || chores_.due_in(); });
  awaited_ = 0;
  await_more(guard);
  const bool last = stopping_ && queue_.empty();
  while (!queue_.empty() && items.size() < max_batch_) {
    items.push_back(std::move(queue_.front()));
    queue_.pop_front();
  }
  last_size_ = items.size();
  chores_.add_due(items, last);
  return last;
}

void commit_queue::put_in_groups(std::vector<std::unique_ptr<work>>& items) {
  const auto has_group = [](const auto& item) { return item->group() != 0; };
  for (auto from = items.begin(); from != items.end();) {
    from = std::find_if(from, items.end(), has_group);
    const auto to = std::find_if_not(from, items.end(), has_group);
    std::stable_sort(from, to,
                     [](const auto& a, const auto& b) { return a->group() < b->group(); });
    from = to;
  }
}

void commit_queue::process(std::vector<std::unique_ptr<work>>& items) {
  if (uncertain_) return conclude(items, false);
  const auto began = std::chrono::steady_clock::now();
  const store_status status = write_batch(items);
  last_took_ = std::chrono::steady_clock::now() - began;
  if (status == store_status::done) {
    ++batches_;
    writable_ = true;
    if (!held_.empty()) held_.erase(items.front()->group());
    return conclude(items, true);
  }
  for (follower* const one : followers_) one->drop();
  ++failed_batches_;
  if (status == store_status::uncertain) lose();
  // A probe that passes at once: it was the batch's own trouble, others need not be refused for it.
  if (uncertain_)
    writable_ = false;
  else
    probe();
  if (status == store_status::held) {
    const auto differ = [](const auto& a, const auto& b) { return !are_of_one(*a, *b); };
    const bool is_of_many = std::adjacent_find(items.begin(), items.end(), differ) != items.end();
    if (is_of_many) return process_parts(items, are_of_one);
    note_held(*items.front());
  }
  if (status != store_status::refused || items.size() == 1) return conclude(items, false);
  process_parts(items, [](const work&, const work&) { return false; });
}

template <class Predicate>
void commit_queue::process_parts(std::vector<std::unique_ptr<work>>& items,
                                 Predicate are_together) {
  std::vector<std::unique_ptr<work>> part;
  for (std::size_t i = 0; i < items.size(); ++i) {
    part.push_back(std::move(items[i]));
    if (i + 1 < items.size() && are_together(*part.back(), *items[i + 1])) continue;
    if (held_parts_ < most_held_parts)
      process(part);
    else
      conclude(part, false);
    part.clear();
  }
}

/// Whoever holds a row of one account, as a person at the database, holds its calls up, not
/// others'.
void commit_queue::process_around_held(std::vector<std::unique_ptr<work>>& items) {
  if (held_.empty()) return process(items);
  const auto now = std::chrono::steady_clock::now();
  const auto first_refused = std::stable_partition(items.begin(), items.end(), [&](auto& item) {
    const auto found = held_.find(item->group());
    return found == held_.end() || found->second.until <= now;
  });
  std::vector<std::unique_ptr<work>> refused(std::make_move_iterator(first_refused),
                                             std::make_move_iterator(items.end()));
  items.erase(first_refused, items.end());
  if (!refused.empty()) conclude(refused, false);
  process_parts(items, [&](const work& a, const work& b) {
    return are_of_one(a, b) || (!held_.contains(a.group()) && !held_.contains(b.group()));
  });
}

void commit_queue::note_held(const work& one) {
  ++held_parts_;
  if (one.group() == 0) return;
  // Who is not asked for again is forgotten, sooner or later: it is tried apart once, for nothing.
  if (held_.size() >= most_held_groups) held_.clear();
  auto [found, is_new] = held_.try_emplace(one.group(), held_group{{}, first_held_pause});
  if (!is_new) found->second.pause = std::min(found->second.pause * 2, longest_held_pause);
  found->second.until = std::chrono::steady_clock::now() + found->second.pause;
}

store_status commit_queue::write_batch(const std::vector<std::unique_ptr<work>>& items) {
  return books_.write([&](transaction& running) {
    const auto groups = groups_of(items);
    for (follower* const one : followers_) one->begin(running, groups);
    for (const auto& item : items) {
      item->write(running);
      if (!running.is_good()) return;
    }
    for (follower* const one : followers_) one->seal(running);
  });
}

void commit_queue::probe() {
  const store_status status = books_.probe();
  if (status == store_status::uncertain) lose();
  writable_ = status == store_status::done;
}

void commit_queue::lose() {
  if (uncertain_.exchange(true)) return;
  writable_ = false;
  if (lost_) lost_(error(errc::storage_unavailable, books_.failure()));
}

void commit_queue::conclude(std::vector<std::unique_ptr<work>>& items, bool committed) {
  {
    const auto guard = lock();
    if (committed) {
      const auto step = static_cast<std::size_t>(std::bit_width(items.size() - 1));
      ++sizes_[std::min(step, batch_size_steps)];
      for (follower* const one : followers_) one->take();
    }
    for (const auto& item : items) item->conclude(committed);
    known_ = items.size() + queue_.size();
    for (const auto& item : items) item->observe();
  }
  tell(items, committed);
}

/// Work of one thread is handed over together, so that the queue's waits for few.
void commit_queue::tell(std::vector<std::unique_ptr<work>>& items, bool committed) {
  std::vector<std::shared_ptr<told_work>> shares;
  for (auto& item : items) {
    answering_thread* const by = item->told_on();
    std::shared_ptr<told_work>* share = nullptr;
    try {
      for (auto& one : shares) {
        if (by != nullptr && one->by == by) share = &one;
      }
      if (by != nullptr && share == nullptr) {
        auto made = std::make_shared<told_work>(told_work{by, committed, {}});
        made->items.reserve(told_at_once);
        share = &shares.emplace_back(std::move(made));
      }
    } catch (const std::bad_alloc&) {
      // It is told here.
    }
    if (share == nullptr) {
      item->tell(committed);
      continue;
    }
    (*share)->items.push_back(std::move(item));
    if ((*share)->items.size() < told_at_once) continue;
    const auto whole = std::move(*share);
    shares.erase(shares.begin() + (share - shares.data()));
    told_work::send(whole);
  }
  for (const auto& one : shares) told_work::send(one);
}

}  // namespace freshet::account

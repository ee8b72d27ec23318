// The one way to the disk: a queue, a thread and batches. The thread takes whatever has queued
// since its last commit, writes it in one transaction and concludes it in memory; a batch that
// fails leaves disk and memory as they were. It does not know what is in a piece of work.
//
// Lock order: lock() is the one lock under which what is in memory changes. The queue's thread may
// take it while the store writes; nobody waits for the store or for the queue while they hold it.
#pragma once

#include <account/store/store.hpp>
#include <account/types.hpp>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <freshet/response.hpp>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

namespace freshet::account {

/// One piece of work.
class work {
 public:
  virtual ~work() = default;
  /// The account whose rows it writes, where it writes those of one alone. Work of one group is
  /// written one after the other where only such with groups stands between: the order of different
  /// groups means nothing. 0: it keeps its place.
  [[nodiscard]] virtual std::int64_t group() const noexcept { return 0; }
  /// Inside the batch's transaction. May run again, alone, if a batch failed.
  virtual void write(transaction& running) = 0;
  /// Brings memory up to date, under the lock; told whether the batch was committed.
  virtual void conclude(bool) {}
  /// Reads what it will tell, under the lock, when all of the batch have concluded.
  virtual void observe() {}
  /// Tells who waits, without any lock.
  virtual void tell(bool) {}
  /// The thread that tells, and lets go of the work; null: the queue's. It lives as long as this.
  [[nodiscard]] virtual answering_thread* told_on() const noexcept { return nullptr; }
};

/// Work as functions, of which all but the first may be null.
class plain_work final : public work {
 public:
  explicit plain_work(std::function<void(transaction&)> write,
                      std::function<void(bool)> conclude = nullptr,
                      std::function<void(bool)> tell = nullptr, std::int64_t group = 0)
      : write_(std::move(write)),
        conclude_(std::move(conclude)),
        tell_(std::move(tell)),
        group_(group) {}
  [[nodiscard]] std::int64_t group() const noexcept override { return group_; }
  void write(transaction& running) override { write_(running); }
  void conclude(bool committed) override {
    if (conclude_) conclude_(committed);
  }
  void tell(bool committed) override {
    if (tell_) tell_(committed);
  }

 private:
  std::function<void(transaction&)> write_;
  std::function<void(bool)> conclude_, tell_;
  std::int64_t group_;
};

/// Something in memory that follows what batches write, as a whole. Used by the queue's thread.
class follower {
 public:
  virtual ~follower() = default;
  /// The first steps of a batch, whose work is of these groups, each named once.
  virtual void begin(transaction&, std::span<const std::int64_t>) {}
  /// The last steps before the commit.
  virtual void seal(transaction&) {}
  /// Forgets what the batch wrote: it failed.
  virtual void drop() noexcept = 0;
  /// Takes what the batch wrote, under the lock, before any work of it concludes.
  virtual void take() = 0;
};

/// Work that nobody posts: it is due from time to time. Under the lock.
class upkeep {
 public:
  virtual ~upkeep() = default;
  /// When some will be due although nothing else happens, if any will.
  [[nodiscard]] virtual std::optional<std::chrono::milliseconds> due_in() const = 0;
  /// Adds what is due; everything that is left if it is the `last` batch.
  virtual void add_due(std::vector<std::unique_ptr<work>>& items, bool last) = 0;
};

/// What the queue's thread is told that would have to wait for itself.
[[nodiscard]] error waits_for_itself();

class commit_queue;

/// Holds the one lock. Who gives it back wakes the queue's thread, where something was posted
/// meanwhile: that thread takes the processor from most others, and would then wait for the lock
/// of one whom it has put off it.
class [[nodiscard]] queue_lock {
 public:
  explicit queue_lock(const commit_queue& queue);
  queue_lock(const queue_lock&) = delete;
  queue_lock& operator=(const queue_lock&) = delete;
  ~queue_lock();
  /// Gives it back until `is_met` holds, which is asked under it.
  template <class Condition>
  void wait(std::condition_variable& changed, const Condition& is_met) {
    changed.wait(held_, is_met);
  }

 private:
  const commit_queue& queue_;
  std::unique_lock<std::mutex> held_;
};

/// Thread-safe.
class commit_queue {
 public:
  struct figures {
    std::uint64_t batches = 0, failed_batches = 0;
    std::size_t queued = 0;
    batch_sizes sizes{};
  };

  /// Both must outlive it.
  commit_queue(account_store& books, upkeep& chores, std::size_t max_batch);
  /// Told why, once, on the queue's thread without a lock, when nobody can say any more what is
  /// stored; whoever waits is told afterwards. Before start().
  void on_loss(std::function<void(const error&)> lost) { lost_ = std::move(lost); }
  ~commit_queue();
  /// How much work is under way that will be posted, or is: asked under the lock. Before start().
  void expect(std::function<std::size_t()> expected) { expected_ = std::move(expected); }
  /// They must outlive its thread. Before start().
  void follow(std::vector<follower*> followers) { followers_ = std::move(followers); }
  void start();
  /// Finishes what has queued.
  void stop();

  [[nodiscard]] queue_lock lock() const { return queue_lock(*this); }
  /// Under the lock.
  void post(std::unique_ptr<work> item);
  /// The same without it.
  void submit(std::unique_ptr<work> item);
  /// Looks whether the store can be written, as after a write that failed. Any thread.
  void doubt();
  /// Upkeep will be due. Under the lock.
  void wake() noexcept { wakes_ = true; }
  [[nodiscard]] bool is_stopping() const noexcept { return stopping_; }  ///< under the lock
  [[nodiscard]] figures count() const noexcept;                          ///< under the lock

  /// Writes and waits. `write` may run twice; `commit`, which may be null, runs under the lock.
  /// Error: storage_unavailable.
  [[nodiscard]] result<void> run(std::function<void(transaction&)> write,
                                 std::function<void()> commit);
  [[nodiscard]] bool is_own_thread() const noexcept;
  /// The last write, or the last probe after it, succeeded, what is stored is known, and the store
  /// is there.
  [[nodiscard]] bool is_writable() const noexcept {
    return writable_ && !uncertain_ && !books_.is_away();
  }

 private:
  friend queue_lock;
  void loop();
  /// What is to be written next; whether it is the last.
  void await_more(std::unique_lock<std::mutex>& guard);
  [[nodiscard]] bool collect(std::vector<std::unique_ptr<work>>& items);
  void process(std::vector<std::unique_ptr<work>>& items);
  /// `items`, cut where two neighbours are not together, one part after the other.
  template <class Predicate>
  void process_parts(std::vector<std::unique_ptr<work>>& items, Predicate are_together);
  void process_around_held(std::vector<std::unique_ptr<work>>& items);
  void note_held(const work& one);
  void refuse_queued();
  void conclude(std::vector<std::unique_ptr<work>>& items, bool committed);
  static void tell(std::vector<std::unique_ptr<work>>& items, bool committed);
  static void put_in_groups(std::vector<std::unique_ptr<work>>& items);
  [[nodiscard]] store_status write_batch(const std::vector<std::unique_ptr<work>>& items);
  void probe();
  void lose();

  account_store& books_;
  upkeep& chores_;
  const std::size_t max_batch_;
  std::vector<follower*> followers_;

  mutable std::mutex mutex_;  ///< of these and of all that its users keep in memory
  mutable std::condition_variable filled_;
  mutable bool wakes_ = false;  ///< who gives the lock back wakes the thread
  std::deque<std::unique_ptr<work>> queue_;
  bool stopping_ = false;
  std::size_t awaited_ = 0;    ///< who posts as many wakes the thread; 0: it is at work
  std::size_t last_size_ = 0;  ///< of the last batch, without chores
  /// What there was when the last batch was written, it and others: callers that come again.
  std::size_t known_ = 0;
  std::chrono::nanoseconds last_took_{0};  ///< of the thread

  /// A group whose rows somebody else holds: until then its work is refused unseen, afterwards it
  /// is tried in a transaction of its own.
  struct held_group {
    std::chrono::steady_clock::time_point until;
    std::chrono::milliseconds pause;
  };
  std::unordered_map<std::int64_t, held_group> held_;  ///< of the thread
  int held_parts_ = 0;                                 ///< of one batch, of the thread

  std::atomic<bool> writable_{true};
  std::atomic<bool> uncertain_{false};  ///< until a restart
  std::function<void(const error&)> lost_;
  std::function<std::size_t()> expected_;
  std::atomic<std::uint64_t> batches_{0}, failed_batches_{0};
  batch_sizes sizes_{};  ///< under the lock
  std::thread thread_;
};

}  // namespace freshet::account

// The bottom of the stack: one thread that owns a curl multi handle and performs one exchange a
// request: no redirect is followed, nothing is repeated, cached or waited for. It is also the
// scheduler of the layers above, so that there is no second thread.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <base/fair_queue.hpp>
#include <functional>
#include <http/address_guard.hpp>
#include <http/scheduler.hpp>
#include <http/transport.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

namespace freshet::http {

class arriving_bytes;
struct transfer;

struct engine_options {
  std::string user_agent;              ///< sent unless the request has one
  address_guards guards;               ///< by default nothing but public hosts on 80 and 443
  const base::clock* clock = nullptr;  ///< null: the machine's
  std::string ca_file{};               ///< in place of the certificates that the system trusts
  /// Told, on the engine's thread, what undoing the coding of an owner's answer took; may be null.
  std::function<void(base::owner_id, std::chrono::nanoseconds)> used_processor{};
  /// See stack_options; may be null.
  std::function<void(const request&)> unreached{};
};

/// submit() and cancel() are for the engine's thread only: a front in front makes them thread-safe.
class curl_engine final : public transport, public scheduler {
 public:
  /// Throws std::runtime_error if curl has no handle to give.
  explicit curl_engine(engine_options options);
  curl_engine(const curl_engine&) = delete;
  curl_engine& operator=(const curl_engine&) = delete;
  ~curl_engine() override;

  /// Starts the thread, once; what was posted waits for it. `out_of_memory` is called on that
  /// thread when a task, a timer or a handler has thrown: nobody knows whose call it was. All
  /// exchanges and timers are dropped by then, without a call of their handlers; it must not throw.
  /// Throws std::system_error if the system has no thread to give.
  void start(task out_of_memory);

  /// Runs what has been posted, answers every exchange with `cancelled` and ends the thread;
  /// timers are forgotten. Not on the engine's thread. May be called twice.
  void stop() noexcept;

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;

  void post(task what) override;
  [[nodiscard]] time now() const override;
  std::uint64_t at(time when, task action) override;
  void drop(std::uint64_t timer) override;

 private:
  void run();
  template <class Work>
  bool try_to(const Work& work) noexcept;
  void drop_everything() noexcept;
  void run_inbox();
  void run_timers();
  bool read_finished();
  void unpack_some();
  void wait();
  std::unique_ptr<transfer> take_transfer();
  void finish(std::uint64_t ticket, result<response> answer);
  /// For a later exchange, if it can serve one.
  void keep(std::unique_ptr<transfer> ended);

  engine_options options_;
  std::unique_ptr<arriving_bytes> arriving_;                ///< outlives the transfers
  std::unique_ptr<base::fair_queue<transfer*>> unpacking_;  ///< so does this
  void* multi_ = nullptr;  ///< CURLM; the header of curl stays out of this one
  std::unordered_map<std::uint64_t, std::unique_ptr<transfer>> active_;
  std::vector<std::unique_ptr<transfer>> idle_;
  std::map<std::pair<time, std::uint64_t>, task> timers_;
  std::unordered_map<std::uint64_t, time> timer_times_;
  std::uint64_t last_ticket_ = 0;
  std::uint64_t last_timer_ = 0;

  task out_of_memory_;

  std::mutex mutex_;
  std::vector<task> inbox_;  ///< guarded by mutex_
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace freshet::http

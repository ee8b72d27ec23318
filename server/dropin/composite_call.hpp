// One call of a peer as several of ours: some first, all at once, then one for each page that they
// name, a few at a time and under one deadline. Each is admitted, reserved and charged by itself;
// the composite call only adds up. What the answers become is the business of its composition.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <freshet/response.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <server/backend.hpp>
#include <string>
#include <vector>

namespace freshet::server::dropin {

/// A call of the catalogue.
struct inner_call {
  std::string endpoint;
  boost::json::object parameters;
};

/// What is to be done. The functions are called one at a time.
struct composition {
  /// Dry runs: where one fails, its answer goes to `refuse`, and nothing else is called.
  std::vector<inner_call> dry_runs;
  std::vector<inner_call> first;
  /// The pages, each a call of scrape/markdown, once `first` is answered; null: none.
  std::function<std::vector<inner_call>(const std::vector<response>& first)> pages;
  std::chrono::milliseconds allowed{0};  ///< when the last page may begin, counted from the start
  std::function<response(const response& failed)> refuse;
  /// The answer's status, code, body and retry_after; all else is filled in. `credits` and
  /// `elapsed` are those of the whole composite_call.
  std::function<response(std::vector<response> first, std::vector<response> pages,
                         std::int64_t credits, std::chrono::milliseconds elapsed)>
      finish;
};

/// Has work done, on whatever thread and in whatever order, whose it is. It may throw
/// std::bad_alloc, and does not do it then.
using work_place = std::function<void(const std::string& owner, std::function<void()> work)>;

/// Thread-safe. Make it with make_shared: calls under way hold it.
class composite_call : public std::enable_shared_from_this<composite_call> {
 public:
  using composer = std::function<composition(const request&)>;

  /// `asked` gives key, request id and the like for every call; the backend's functions are copied.
  /// Composing and what the composition does is work for `place`.
  composite_call(const backend& behind, request asked, composer compose, work_place place,
                 std::function<void(response)> done);

  void start();
  /// Ends what runs and begins nothing more; it answers with what there is.
  void cancel();

 private:
  enum class stage : std::uint8_t { dry_run, asking, fetching, over };
  using clock = std::chrono::steady_clock;

  void compose();
  void pump();
  [[nodiscard]] bool submit_next(std::unique_lock<std::mutex>& lock);
  void answered(stage during, std::size_t index, response&& response);
  void enter(stage next, std::vector<inner_call> calls);
  void go_on(std::unique_lock<std::mutex>& lock);
  void conclude(std::unique_lock<std::mutex>& lock, response&& out);
  [[nodiscard]] request call_of(const inner_call& one);
  [[nodiscard]] std::optional<error> stop_reason() const;
  [[nodiscard]] std::chrono::milliseconds left() const;

  std::function<std::uint64_t(request, std::function<void(response)>)> submit_;
  std::function<void(std::uint64_t)> cancel_;
  std::function<response(const error&, std::string_view)> problem_;
  request asked_;
  composer compose_;
  work_place place_;
  composition composition_;
  std::function<void(response)> done_;
  clock::time_point began_;

  std::mutex mutex_;  // guards the rest
  stage stage_ = stage::dry_run;
  bool pumping_ = false, cancelled_ = false;
  std::vector<inner_call> calls_;  // of the stage
  std::vector<response> answers_;
  std::vector<std::uint64_t> tickets_;  // of those that run; 0: none
  std::vector<bool> over_;
  std::size_t next_ = 0, open_ = 0, finished_ = 0;
  std::size_t submitted_ = 0;  // of all stages but the dry_runs
  std::size_t bytes_ = 0;      // of the answers
  std::vector<response> first_;
  response sum_;  // credits and rate, as far as they are known
};

}  // namespace freshet::server::dropin

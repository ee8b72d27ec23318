// One page in one browser, from an empty profile to the text of its document: every request that it
// makes comes by here and is answered by our own HTTP stack or refused. It does no I/O of its own:
// commands go out through devtools, requests through a function, time comes in by tick().
#pragma once

#include <browser/devtools.hpp>
#include <browser/options.hpp>
#include <browser/request_rules.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <http/transport.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace freshet::browser {

/// What is to be rendered: `fetched` is what `what` was answered.
struct page_order {
  http::request what;
  std::shared_ptr<const http::response> fetched;
  http::transport::deadline by;
};

/// For the pool's thread. Kept alive by its owner only; answers that come later are dropped.
class page_load : public std::enable_shared_from_this<page_load> {
 public:
  using time = std::chrono::steady_clock::time_point;
  using done_handler = std::function<void(result<http::response>)>;
  /// Fetches through the stack; the handler is called on the pool's thread.
  using fetcher = std::function<void(http::request, time deadline,
                                     std::function<void(result<http::response>)>)>;

  page_load(devtools& tools, const options& limits, fetcher fetch, page_order order, time now,
            done_handler done);

  void start();
  void on_event(std::string_view session, std::string_view method,
                const base::json::value& parameters, time now);
  /// To be called at next_tick().
  void tick(time now);
  [[nodiscard]] time next_tick() const noexcept;
  /// Answers with an error: the browser has died, took too much, or the caller has left.
  void abandon(error why);

  /// Whether it has been answered and the browser has forgotten it.
  [[nodiscard]] bool is_over() const noexcept { return phase_ == phase::over; }
  /// Whether the browser no longer does what it is told and must go.
  [[nodiscard]] bool has_hung() const noexcept { return hung_; }

 private:
  enum class phase { opening, loading, reading, leaving, over };

  void open_target();
  void attach(const std::string& target);
  void prepare();
  void navigate();
  void on_paused(paused_request paused, time now);
  void on_navigated(const base::json::value& parameters);
  /// Asks those that were let in, in their order, so many at once.
  void ask_next();
  void ask(paused_request what);
  void answered(const paused_request& paused, result<http::response> got);
  void give(const paused_request& paused, result<http::response> got);
  void refuse(const paused_request& paused, std::string_view why);
  void note_failure(const paused_request& paused, const error& why);
  void read_document(time now);
  void evaluate(std::int64_t context);
  void take_document(const base::json::value* evaluated, time now);
  [[nodiscard]] result<http::response> make_response(const base::json::value& document) const;
  [[nodiscard]] std::vector<std::string> warnings() const;
  void finish(result<http::response> with);
  /// A command on the page, whose failure ends it unless it is optional.
  void must(std::string_view method, std::string parameters,
            std::function<void(const base::json::value&)> then = nullptr);

  devtools& tools_;
  const options& limits_;
  fetcher fetch_;
  page_order order_;
  done_handler done_;

  phase phase_ = phase::opening;
  bool hung_ = false;
  std::string context_, session_, frame_;
  time started_, settle_by_, give_up_at_;
  std::optional<time> quiet_since_;
  bool loaded_ = false;
  bool time_is_up_ = false;
  bool document_given_ = false;
  int navigations_ = 0;
  int requests_ = 0;
  int requests_when_read_ = 0;
  std::size_t in_flight_ = 0;
  std::deque<paused_request> let_in_;    ///< not asked yet; counted in requests_
  std::size_t bytes_ = 0;                ///< of bodies, sent and answered
  http::response document_;              ///< of the main frame, without its body
  std::optional<error> document_error_;  ///< why the last one did not come

  struct {
    int needless = 0, over_limit = 0, robots = 0, failed = 0;
    std::vector<std::string> forbidden;
  } refused_;
};

}  // namespace freshet::browser

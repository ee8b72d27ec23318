// The loop: tasks from other threads, messages from browsers, deadlines; then whoever is free gets
// whoever waits.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <browser/browser_process.hpp>
#include <browser/page_turns.hpp>
#include <browser/pool.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace freshet::browser {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using time = std::chrono::steady_clock::time_point;

constexpr milliseconds longest_sleep{60'000};
constexpr std::chrono::seconds retry_later{2};
/// Pages on their way to the thread, as a multiple of those that it keeps; it then says which stay.
constexpr std::size_t most_on_the_way = 4;

constexpr const char* too_many = "too many pages wait for a browser";

error no_room(const char* why) {
  error out(errc::overloaded, why);
  out.retry_after = retry_later;
  return out;
}

}  // namespace

/// Shared with the answers of the network that are still to come: they find it closed.
class pool::loop : public std::enable_shared_from_this<pool::loop> {
 public:
  loop(options options, http::transport& network)
      : options_(std::move(options)),
        network_(network),
        turns_(options_.max_browsers),
        wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  void start() {
    thread_ = std::thread([this] { run(); });
  }

  void stop() noexcept {
    stopping_ = true;  // not by a task, for which there may be no memory
    wake_up();
    thread_.join();
  }

  std::uint64_t submit(page_order order, http::transport::handler done) {
    const std::uint64_t ticket = ++last_ticket_;
    const bool full = pending_.fetch_add(1) >= most_on_the_way * room();
    if (full) {
      --pending_;
      done(no_room(too_many));
      return ticket;
    }
    auto held = std::make_shared<waiting>();
    *held = {ticket, std::move(order), std::move(done), page_lane::unknown};
    post([this, held] {
      if (stopping_) return answer(*held, error(errc::cancelled, "the browsers are being ended"));
      admit(std::move(*held));
    });
    return ticket;
  }

  void cancel(std::uint64_t ticket) {
    post([this, ticket] { leave(ticket); });
  }

 private:
  struct waiting {
    std::uint64_t ticket = 0;
    page_order order;
    http::transport::handler done;
    page_lane where = page_lane::unknown;
  };
  struct running {
    std::uint64_t ticket = 0;                    ///< of its page
    page_order order;                            ///< of its page, to begin it again
    http::transport::handler done;               ///< of its page
    page_lane where = page_lane::unknown;        ///< its page was
    bool gives_way = false;                      ///< its page begins again, later
    time since;                                  ///< when it got the page
    std::unordered_set<std::uint64_t> requests;  ///< of its page, at the network
    std::unique_ptr<browser_process> browser;    ///< last: its end answers the page
  };

  void post(std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return;
      inbox_.push_back(std::move(task));
    }
    wake_up();
  }

  void wake_up() noexcept {
    const std::uint64_t one = 1;
    if (write(wake_.number(), &one, sizeof one) < 0) return;  // full: it is awake anyway
  }

  void run() {
    process::private_folder::sweep("browser");
    while (!stopping_) {
      try {
        turn();
      } catch (const std::bad_alloc&) {
        give_up();
      }
    }
    end();
  }

  void turn() {
    run_inbox();
    const auto now = std::chrono::steady_clock::now();
    for (auto& each : browsers_) each->browser->tick(now);
    drop_late(now);
    replace(now);
    assign(now);
    if (!stopping_) wait();
  }

  /// Nobody knows whose page it was for which there was no memory: all that are here end.
  void give_up() {
    answer_all(error(errc::overloaded));
    browsers_.clear();
  }

  void run_inbox() {
    std::uint64_t count = 0;
    while (read(wake_.number(), &count, sizeof count) > 0) {
    }
    std::vector<std::function<void()>> tasks;
    {
      const std::lock_guard lock(mutex_);
      tasks.swap(inbox_);
    }
    for (auto& task : tasks) task();
  }

  [[nodiscard]] std::size_t room() const noexcept {
    return options_.max_waiting + options_.max_browsers;
  }

  /// Takes a page in. Where there is no room, one of whoever fills the queue goes.
  void admit(waiting page) {
    const base::owner_id owner = page.order.what.owner;
    const auto open = static_cast<std::size_t>(
        std::ranges::count_if(browsers_, [](const auto& each) { return each->ticket != 0; }));
    if (waiting_.size() + open >= room()) {
      const auto displaced = displaced_by(owner);
      if (!displaced) return answer(page, no_room(too_many));
      waiting whom = take(*displaced);
      answer(whom, no_room(too_many));
    }
    queue_page(std::move(page), std::chrono::steady_clock::now());
  }

  void queue_page(waiting page, time now) {
    const std::uint64_t ticket = page.ticket;
    const base::owner_id owner = page.order.what.owner;
    page.where = turns_.lane_of(owner, now);
    if (is_quick(page.where)) turns_.note_quick(now);
    const page_lane where = page.where;
    waiting_.emplace(ticket, std::move(page));
    turns_.push(where, owner, ticket);
  }

  /// What waits of an account goes where its pages are now.
  void move_waiting(base::owner_id owner, time now) {
    const page_lane where = turns_.lane_of(owner, now);
    for (auto& [ticket, page] : waiting_) {
      if (page.order.what.owner != owner || page.where == where) continue;
      turns_.remove(page.where, owner, ticket);
      page.where = where;
      turns_.push(where, owner, ticket);
    }
  }

  /// What came last of the owner who fills the queue, and gives its room to a page of `owner`; null
  /// if nobody has so many more than that.
  [[nodiscard]] std::optional<std::uint64_t> displaced_by(base::owner_id owner) const {
    std::unordered_map<base::owner_id, std::size_t> counts;
    for (const auto& each : waiting_) ++counts[each.second.order.what.owner];
    const std::size_t own = counts[owner];
    const auto heaviest =
        std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; });
    if (heaviest->second <= own + 1) return std::nullopt;
    return std::find_if(
               waiting_.rbegin(), waiting_.rend(),
               [&](const auto& each) { return each.second.order.what.owner == heaviest->first; })
        ->first;
  }

  /// Takes a page that waits out of the queue.
  waiting take(std::uint64_t ticket) {
    auto found = waiting_.extract(ticket);
    turns_.remove(found.mapped().where, found.mapped().order.what.owner, ticket);
    return std::move(found.mapped());
  }

  /// Takes the page whose turn it is; it must come back by turns_.done(). Null: a browser is kept.
  std::optional<waiting> take_next(time now) {
    const auto slow = static_cast<std::size_t>(std::ranges::count_if(browsers_, is_slow));
    const auto ticket = turns_.next(slow, now);
    if (!ticket) return std::nullopt;
    return std::move(waiting_.extract(*ticket).mapped());
  }

  static bool is_slow(const std::unique_ptr<running>& browser) {
    return browser->ticket != 0 && browser->where == page_lane::slow;
  }

  void answer(waiting& whom, result<http::response> result) {
    --pending_;
    std::exchange(whom.done, nullptr)(std::move(result));
  }

  void answer_all(const error& why) {
    for (auto& each : waiting_) answer(each.second, why);
    waiting_.clear();
    turns_.clear();
  }

  void drop_late(time now) {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      const auto [ticket, page] = std::pair(at->first, &at->second);
      ++at;
      if (page->order.by > now) continue;
      waiting late = take(ticket);
      answer(late, no_room("no browser was free in time"));
    }
  }

  void replace(time now) {
    for (std::size_t i = 0; i < browsers_.size();) {
      const browser_process& browser = *browsers_[i]->browser;
      const bool idle = browser.is_free() && now >= browser.free_since() + idle_time;
      if (!browser.is_spent() && !idle) {
        ++i;
        continue;
      }
      if (!browser.is_ready()) start_failed();
      browsers_.erase(browsers_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  /// A browser that dies before it has said anything would do so again: who waits is told.
  void start_failed() {
    log("warning", "the browser does not start: " + options_.program);
    fail_next(error(errc::internal, "the browser does not start: " + options_.program));
  }

  void fail_next(const error& why) {
    if (waiting_.empty()) return;
    waiting first = take(waiting_.begin()->first);
    answer(first, why);
  }

  void assign(time now) {
    for (auto& each : browsers_) {
      if (waiting_.empty()) return;
      if (!each->browser->is_free() || each->browser->is_spent()) continue;
      auto next = take_next(now);
      if (!next) return;
      give(*each, std::move(*next), now);
    }
    const auto starting = static_cast<std::size_t>(std::ranges::count_if(
        browsers_, [](const auto& each) { return !each->browser->is_ready(); }));
    for (auto more = starting; more < waiting_.size() && browsers_.size() < options_.max_browsers;
         ++more) {
      auto made = browser_process::start(options_, now);
      if (!made) {
        log("warning", made.error().detail());
        fail_next(made.error());
        continue;
      }
      browsers_.push_back(std::make_unique<running>());
      browsers_.back()->browser = std::move(*made);
    }
    if (starting == 0 && browsers_.size() >= options_.max_browsers) make_way(now);
  }

  /// A page that keeps others waiting begins again when it is its turn; its browser goes, since one
  /// that spins would not leave it.
  void make_way(time now) {
    running* const whose = one_to_step_back(now);
    if (whose == nullptr) return;
    whose->gives_way = true;
    whose->browser->give_way(no_room("others wait for a browser"));
    wake_up();  // for a browser in its place
  }

  /// The youngest page of who has more than his share, or the first whose turn is over.
  running* one_to_step_back(time now) {
    const auto whose = turns_.over_share();
    running* youngest = nullptr;
    running* first = nullptr;
    for (auto& each : browsers_) {
      if (each->ticket == 0) continue;
      const bool may = whose ? whose == each->order.what.owner : stands_in_the_way(*each);
      if (may && (youngest == nullptr || each->since > youngest->since)) youngest = each.get();
      if (turn_end(*each) <= now && (first == nullptr || each->since < first->since))
        first = each.get();
    }
    return youngest != nullptr ? youngest : first;
  }

  /// Whether others wait whose pages are likely to take less, while such as this one have more than
  /// their part of the browsers.
  [[nodiscard]] bool stands_in_the_way(const running& browser) const {
    for (const page_lane sooner : {page_lane::steady, page_lane::unknown, page_lane::again}) {
      if (browser.where <= sooner) return false;
      if (!others_wait(browser.order.what.owner, sooner)) continue;
      const auto later = std::ranges::count_if(
          browsers_, [&](const auto& each) { return each->ticket != 0 && each->where > sooner; });
      if (static_cast<std::size_t>(later) > turns_.part_of_later()) return true;
    }
    return false;
  }

  /// Whether anybody else waits, in that lane or one that comes before it.
  [[nodiscard]] bool others_wait(base::owner_id owner, page_lane last) const {
    return turns_.are_ended() && std::ranges::any_of(waiting_, [&](const auto& each) {
             return each.second.where <= last && each.second.order.what.owner != owner;
           });
  }

  /// When a page has to begin again; never while nobody else waits.
  [[nodiscard]] time turn_end(const running& browser) const {
    if (browser.ticket == 0 || browser.where == page_lane::slow) return time::max();
    const base::owner_id owner = browser.order.what.owner;
    if (!others_wait(owner, page_lane::again)) return time::max();
    return browser.since + turns_.turn_of(browser.where, others_wait(owner, page_lane::steady));
  }

  void give(running& browser, waiting next, time now) {
    browser.ticket = next.ticket;
    browser.order = next.order;
    browser.done = std::move(next.done);
    browser.where = next.where;
    browser.since = now;
    running* where = &browser;  // stays: it goes only after its page has been answered
    browser.browser->open(
        std::move(next.order),
        [this, where](http::request what, time by, auto handler) {
          fetch(*where, std::move(what), by, std::move(handler));
        },
        now, [this, where](result<http::response> got) { take_back(*where, std::move(got)); });
  }

  /// A page is through with its browser, one way or the other.
  void take_back(running& browser, result<http::response> got) {
    const time now = std::chrono::steady_clock::now();
    const auto had = now - browser.since;
    turns_.done(browser.where, browser.order.what.owner,
                std::chrono::duration<double>(had).count());
    if (options_.had_browser) options_.had_browser(browser.order.what.owner, had);
    forget_requests(browser);
    waiting page{std::exchange(browser.ticket, 0), std::move(browser.order),
                 std::exchange(browser.done, nullptr), browser.where};
    turns_.note_time(page.order.what.owner, had, static_cast<bool>(got), now);
    move_waiting(page.order.what.owner, now);
    if (std::exchange(browser.gives_way, false)) return queue_page(std::move(page), now);
    answer(page, std::move(got));
  }

  void fetch(running& browser, http::request request, time deadline,
             std::function<void(result<http::response>)> handler) {
    const std::weak_ptr<loop> self = weak_from_this();
    auto back = [self, handler = std::move(handler)](result<http::response> got) {
      const auto alive = self.lock();
      if (!alive) return;
      auto shared = std::make_shared<result<http::response>>(std::move(got));
      alive->post([handler, shared] { handler(std::move(*shared)); });
    };
    browser.requests.insert(network_.submit(std::move(request), deadline, std::move(back)));
  }

  void forget_requests(running& of) {
    // Those that were answered are unknown to the network by now, which ignores them.
    for (const std::uint64_t each : of.requests) network_.cancel(each);
    of.requests.clear();
  }

  void leave(std::uint64_t ticket) {
    const error why(errc::cancelled, "the request was cancelled");
    for (auto& each : browsers_) {
      if (each->ticket == ticket) return each->browser->leave(why);
    }
    if (!waiting_.contains(ticket)) return;
    waiting whom = take(ticket);
    answer(whom, why);
  }

  void wait() {
    std::vector<pollfd> watched{{wake_.number(), POLLIN, 0}};
    const time now = std::chrono::steady_clock::now();
    time until = now + longest_sleep;
    for (const auto& each : waiting_) until = std::min(until, each.second.order.by);
    // Of what is kept from slow pages.
    if (!waiting_.empty() && turns_.quick_until() > now)
      until = std::min(until, turns_.quick_until());
    for (auto& each : browsers_) {
      // One that is over already waits for a browser that starts, which wakes us.
      if (const time end = turn_end(*each); end > now) until = std::min(until, end);
      message_pipe& pipe = each->browser->pipe();
      watched.push_back({pipe.reading(), POLLIN, 0});
      if (pipe.has_unsent()) watched.push_back({pipe.writing(), POLLOUT, 0});
      until = std::min(until, each->browser->next_tick());
    }
    const auto left = duration_cast<milliseconds>(until - now) + milliseconds(1);
    const auto time_left = std::max(left, milliseconds(0)).count();
    poll(watched.data(), watched.size(), static_cast<int>(time_left));
    const time later = std::chrono::steady_clock::now();
    for (auto& each : browsers_) each->browser->receive(later);
  }

  void end() {
    std::vector<std::function<void()>> late;
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      late.swap(inbox_);
    }
    try {
      for (auto& task : late) task();
      answer_all(error(errc::cancelled, "the browsers are ended"));
    } catch (const std::bad_alloc&) {
      answer_all(error(errc::cancelled));
    }
    browsers_.clear();
  }

  void log(std::string_view level, const std::string& line) const {
    if (options_.log) options_.log(level, line);
  }

  const options options_;
  http::transport& network_;
  page_turns turns_;                          ///< the thread's own
  std::map<std::uint64_t, waiting> waiting_;  ///< the same pages, by their tickets
  process::file_descriptor wake_;
  std::atomic<std::uint64_t> last_ticket_ = 0;
  std::atomic<std::size_t> pending_ = 0;
  std::atomic<bool> stopping_ = false;

  std::mutex mutex_;
  std::vector<std::function<void()>> inbox_;  ///< guarded by mutex_
  bool closed_ = false;                       ///< guarded by mutex_

  // The thread's own.
  std::vector<std::unique_ptr<running>> browsers_;
  std::thread thread_;
};

pool::pool(options options, http::transport& network)
    : loop_(std::make_shared<loop>(std::move(options), network)) {
  loop_->start();
}

pool::~pool() { loop_->stop(); }

std::uint64_t pool::submit(page_order order, http::transport::handler done) {
  return loop_->submit(std::move(order), std::move(done));
}

void pool::cancel(std::uint64_t ticket) { loop_->cancel(ticket); }

}  // namespace freshet::browser

// fetch (below) -> is it a PDF? -> wait for one's turn -> the children that read it -> answer. A
// few threads wait for the children, one for those whose time is up while they wait, or whose turn
// is over while others do: their reading starts again later.
#include <algorithm>
#include <array>
#include <atomic>
#include <base/clock.hpp>
#include <base/place_queue.hpp>
#include <base/unicode.hpp>
#include <condition_variable>
#include <http/pending_requests.hpp>
#include <mutex>
#include <pdf/convert.hpp>
#include <pdf/pdf_layer.hpp>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace freshet::pdf {
namespace {

constexpr std::chrono::seconds retry_later{2};
/// How much longer a turn is than the one before: what is cut short is read from its beginning, and
/// each further turn has to be waited for.
constexpr int growth = 4;
constexpr const char* too_many = "too many PDFs wait to be read";
constexpr const char* media_type = "application/pdf";
/// Tickets of our own have it; without it they are those of the transport below.
constexpr std::uint64_t our_ticket = std::uint64_t{1} << 63;

http::response as_html(http::response response, converted_document made) {
  response.body = std::move(made.html);
  std::erase_if(response.headers, [](const http::header& each) {
    return base::equals_ignoring_ascii_case(each.name, "Content-Type");
  });
  response.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
  response.converted_from = media_type;
  response.warnings.insert(response.warnings.end(), made.warnings.begin(), made.warnings.end());
  return response;
}

error no_room(const char* why) {
  error out(errc::overloaded, why);
  out.retry_after = retry_later;
  return out;
}

error left() { return error(errc::cancelled, "the request was cancelled"); }
error closing() { return error(errc::cancelled, "the transport is closing"); }

}  // namespace

/// Shared with the answers under way.
struct pdf_layer::state : std::enable_shared_from_this<pdf_layer::state> {
  enum class stage : std::uint8_t { fetching, waiting, reading };
  struct document {
    base::owner_id owner = 0;
    deadline by;
    /// Ends its reading.
    std::unique_ptr<std::atomic<bool>> unwanted = std::make_unique<std::atomic<bool>>(false);
    bool steps_back = false;  ///< its reading is ended to start again
    deadline turn_ends;       ///< while it is read
    std::chrono::milliseconds turn{};
    bool is_read_again = false, has_long_turn = false;  ///< the latter while it is read
    stage at = stage::fetching;
    std::uint64_t inner = 0;  ///< of the transport below, while it is fetched
    http::response got;       ///< once it is; while it is read its reader's alone
  };
  using documents = http::pending_requests<document>;

  std::unique_ptr<http::transport> next;
  conversion_options with;
  std::mutex mutex;
  documents all;  ///< guarded, as is what follows; but for tickets
  std::unique_ptr<base::place_queue> queue;
  bool stopping = false;
  std::condition_variable wake, watch;
  std::vector<std::thread> threads;
  std::thread watcher;
  std::size_t idle = 0;
  /// Whose the last ones were; a number of theirs has its place by its remainder.
  std::array<base::owner_id, 64> long_turns{};
  std::uint64_t count_of_long_turns = 0;

  std::uint64_t begin(http::request request, deadline deadline, handler done) {
    const std::uint64_t ticket = all.take_ticket() | our_ticket;
    {
      const std::lock_guard lock(mutex);
      document fresh;
      fresh.owner = request.owner;
      fresh.by = deadline;
      all.add(ticket, std::move(done), std::move(fresh));
    }
    std::uint64_t inner = 0;
    try {
      inner = next->submit(std::move(request), deadline,
                           [self = shared_from_this(), ticket](result<http::response>&& got) {
                             self->on_fetched(ticket, std::move(got));
                           });
    } catch (...) {  // no memory: it was not accepted, and its handler is the caller's affair
      take(ticket);
      throw;
    }
    bool is_left = false;
    {
      const std::lock_guard lock(mutex);
      document* const found = all.find(ticket);
      if (found == nullptr || found->at != stage::fetching) return ticket;
      found->inner = inner;
      is_left = *found->unwanted;
    }
    if (is_left) next->cancel(inner);
    return ticket;
  }

  documents::taken_request take(std::uint64_t ticket) noexcept {
    const std::lock_guard lock(mutex);
    return all.take(ticket);
  }

  void finish(std::uint64_t ticket, result<http::response>&& got) {
    if (auto ended = take(ticket)) ended.answer(std::move(got));
  }

  void on_fetched(std::uint64_t ticket, result<http::response> got) {
    const bool fine = got && got->status >= 200 && got->status <= 299;
    if (!fine || !is_pdf(got->body)) return finish(ticket, std::move(got));
    std::optional<error> refused;
    try {
      refused = admit(ticket, std::move(*got));
    } catch (const std::bad_alloc&) {
      refused = error(errc::overloaded);
    }
    if (refused) finish(ticket, std::move(*refused));
  }

  /// Has a document wait for its turn. Where there is no room, one of whoever fills the queue goes.
  std::optional<error> admit(std::uint64_t ticket, http::response got) {
    documents::taken_request displaced;
    {
      const std::lock_guard lock(mutex);
      document* const found = all.find(ticket);
      if (found == nullptr) return std::nullopt;
      if (stopping) return closing();
      if (*found->unwanted) return left();
      if (queue->size() >= with.max_waiting) {
        const auto newest = queue->displaced_by(found->owner);
        if (!newest) return no_room(too_many);
        queue->remove(all.at(*newest).owner, *newest);
        displaced = all.take(*newest);
      }
      found->got = std::move(got);
      found->at = stage::waiting;
      queue->push(found->owner, ticket);
      start_threads();
    }
    if (displaced) displaced.answer(no_room(too_many));
    return std::nullopt;
  }

  void start_threads() {
    if (!watcher.joinable()) watcher = std::thread([this] { watch_time(); });
    if (idle < queue->size() && threads.size() < with.max_processes) {
      threads.emplace_back([this] { run(); });
    }
    wake.notify_one();
    watch.notify_one();
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      std::optional<std::uint64_t> ticket;
      wake.wait(lock, [&] { return stopping || (ticket = queue->next_within_share()); });
      --idle;
      if (!ticket) return;
      document& one = all.at(*ticket);  // stays: it is taken only below
      const auto began = std::chrono::steady_clock::now();
      one.at = stage::reading;
      give_turn(one, began);
      watch.notify_one();
      lock.unlock();
      auto made = read(one);
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      lock.lock();
      queue->done(one.owner, took.count());
      pass_on_turn(one);
      if (!made && one.steps_back && !stopping) {
        wait_again(*ticket, one);
        continue;
      }
      auto ended = all.take(*ticket);
      lock.unlock();
      ended.answer(std::move(made));
      lock.lock();
      wake.notify_one();  // who had one's part may have another now
    }
  }

  /// Longer than the first is one turn at a time: two would hold all places from who comes next.
  void give_turn(document& one, deadline now) {
    one.is_read_again = one.turn.count() != 0;
    if (!one.is_read_again) one.turn = with.turn;
    one.turn_ends = now + with.turn;
    bool is_given = false;
    all.for_each([&](const document& each) { is_given |= each.has_long_turn; });
    if (!is_given && is_next_for_long_turn(one)) lengthen_turn(one);
  }

  /// Whether nobody else who has a document to be read again has gone without a long turn for
  /// longer: documents that are never read to an end would hand it on among themselves.
  [[nodiscard]] bool is_next_for_long_turn(const document& one) const {
    if (!one.is_read_again || *one.unwanted) return false;
    const std::uint64_t last = last_long_turn(one.owner);
    bool is_next = true;
    all.for_each([&](const document& each) {
      const bool asks = each.at == stage::waiting ? each.turn.count() != 0 : each.is_read_again;
      is_next &= !asks || *each.unwanted || last_long_turn(each.owner) >= last;
    });
    return is_next;
  }

  /// Which of all long turns was an owner's last; 0 if it was none of the last ones.
  [[nodiscard]] std::uint64_t last_long_turn(base::owner_id owner) const {
    const std::uint64_t kept = std::min<std::uint64_t>(count_of_long_turns, long_turns.size());
    for (std::uint64_t i = 0; i < kept; ++i) {
      const std::uint64_t number = count_of_long_turns - i;
      if (long_turns[number % long_turns.size()] == owner) return number;
    }
    return 0;
  }

  void lengthen_turn(document& one) {
    one.turn = std::min(growth * one.turn, with.time);
    one.turn_ends += one.turn - with.turn;
    one.has_long_turn = true;
    long_turns[++count_of_long_turns % long_turns.size()] = one.owner;
  }

  /// Gives the long turn that is over to one that is being read without, if none that waits comes
  /// before it.
  void pass_on_turn(document& over) {
    over.is_read_again = false;  // it is not read any more
    if (!std::exchange(over.has_long_turn, false)) return;
    std::uint64_t next = 0;
    all.for_each_ticket([&](std::uint64_t ticket, const document& each) {
      if (each.at == stage::reading && is_next_for_long_turn(each)) next = ticket;
    });
    if (next != 0) lengthen_turn(all.at(next));
  }

  void wait_again(std::uint64_t ticket, document& one) {
    one.steps_back = *one.unwanted = false;
    one.at = stage::waiting;
    queue->push(one.owner, ticket);
    wake.notify_one();
    watch.notify_one();
  }

  /// Of those that are read, whose turn is over first while somebody else waits for a place; 0 if
  /// nobody does, or one is at its end already.
  [[nodiscard]] std::uint64_t next_to_step_back() const {
    std::uint64_t first = 0;
    base::owner_id owner = 0;
    auto ends = deadline::max();
    bool others_wait = false, one_ends = false;
    all.for_each_ticket([&](std::uint64_t ticket, const document& each) {
      if (each.at != stage::reading) return;
      one_ends |= *each.unwanted;
      if (each.turn_ends >= ends) return;
      std::tie(first, owner, ends) = std::tie(ticket, each.owner, each.turn_ends);
    });
    all.for_each([&](const document& each) {
      others_wait |= each.at == stage::waiting && each.owner != owner;
    });
    return idle == 0 && others_wait && !one_ends ? first : 0;
  }

  result<http::response> read(document& one) const {
    const auto before = base::thread_processor_time();
    reading_course course{one.unwanted.get(), {}};
    result<http::response> out = error(errc::overloaded);
    try {
      result<converted_document> made = convert(one.got.body, with, one.by, &course);
      if (made) out = as_html(std::move(one.got), std::move(*made));
      if (!made) out = made.error();
    } catch (const std::bad_alloc&) {
      out = error(errc::overloaded);
    }
    if (with.used_processor) {
      with.used_processor(one.owner, course.processor + base::thread_processor_time() - before);
    }
    return out;
  }

  /// Answers those whose time is up before their turn, and ends turns that are over.
  void watch_time() {
    std::unique_lock lock(mutex);
    while (!stopping) {
      auto next_end = deadline::max();
      std::uint64_t first = 0;
      all.for_each_ticket([&](std::uint64_t ticket, const document& each) {
        if (each.at != stage::waiting || each.by >= next_end) return;
        first = ticket;
        next_end = each.by;
      });
      const auto over = next_to_step_back();
      const auto until = over != 0 ? std::min(next_end, all.at(over).turn_ends) : next_end;
      if (until == deadline::max()) {
        watch.wait(lock);
      } else if (until > std::chrono::steady_clock::now()) {
        watch.wait_until(lock, until);
      } else if (until != next_end) {
        all.at(over).steps_back = *all.at(over).unwanted = true;
      } else {
        queue->remove(all.at(first).owner, first);
        auto ended = all.take(first);
        lock.unlock();
        ended.answer(error(errc::source_timeout, "no time was left to read the PDF"));
        lock.lock();
      }
    }
  }

  void cancel(std::uint64_t ticket) {
    std::uint64_t inner = 0;
    documents::taken_request ended;
    {
      const std::lock_guard lock(mutex);
      document* const found = all.find(ticket);
      if (found == nullptr) return;
      *found->unwanted = true;
      found->steps_back = false;
      if (found->at == stage::fetching) inner = found->inner;
      if (found->at == stage::waiting) {
        queue->remove(found->owner, ticket);
        ended = all.take(ticket);
      }
    }
    if (inner != 0) next->cancel(inner);
    if (ended) ended.answer(left());
  }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
      all.for_each([](const document& each) { *each.unwanted = true; });
    }
    wake.notify_all();
    watch.notify_all();
    for (std::thread& each : threads) each.join();
    if (watcher.joinable()) watcher.join();
    while (true) {  // those that wait; nothing is fetched any more
      documents::taken_request ended;
      {
        const std::lock_guard lock(mutex);
        ended = all.take_any();
      }
      if (!ended) return;
      ended.answer(closing());
    }
  }
};

pdf_layer::pdf_layer(std::unique_ptr<http::transport> next, conversion_options options)
    : state_(std::make_shared<state>()) {
  state_->next = std::move(next);
  state_->queue = std::make_unique<base::place_queue>(options.max_processes);
  state_->with = std::move(options);
}

pdf_layer::~pdf_layer() {
  state_->next.reset();  // answers what is being fetched
  state_->stop();
}

std::uint64_t pdf_layer::submit(http::request&& request, deadline deadline, handler done) {
  if (!request.pdf_as_html)
    return state_->next->submit(std::move(request), deadline, std::move(done));
  return state_->begin(std::move(request), deadline, std::move(done));
}

void pdf_layer::cancel(std::uint64_t ticket) {
  if ((ticket & our_ticket) == 0) return state_->next->cancel(ticket);
  state_->cancel(ticket);
}

}  // namespace freshet::pdf

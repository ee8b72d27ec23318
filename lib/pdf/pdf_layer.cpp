// A queue of documents, and the threads that wait for the children that read them.
#include <atomic>
#include <base/unicode.hpp>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <pdf/convert.hpp>
#include <pdf/pdf_layer.hpp>
#include <thread>
#include <vector>

namespace freshet::pdf {
namespace {

constexpr std::chrono::seconds retry_later{2};
constexpr const char* media_type = "application/pdf";

http::response as_html(http::response of, converted made) {
  of.body = std::move(made.html);
  std::erase_if(of.headers, [](const http::header& each) {
    return base::equals_ignoring_ascii_case(each.name, "Content-Type");
  });
  of.headers.push_back({"Content-Type", "text/html; charset=utf-8"});
  of.converted_from = media_type;
  of.warnings.insert(of.warnings.end(), made.warnings.begin(), made.warnings.end());
  return of;
}

}  // namespace

/// Shared with the answers under way.
struct pdf_layer::state {
  struct job {
    http::response got;
    deadline by;
    handler done;
  };

  std::unique_ptr<http::transport> next;
  conversion_options with;
  std::atomic<bool> stopping = false;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<job> queue;
  std::vector<std::thread> threads;
  std::size_t idle = 0;

  void take(http::response got, deadline by, handler done) {
    error refused(errc::cancelled, "the transport is closing");
    {
      const std::lock_guard lock(mutex);
      if (!stopping && queue.size() < with.max_waiting) {
        queue.push_back({std::move(got), by, std::move(done)});
        if (idle < queue.size() && threads.size() < with.max_processes) {
          threads.emplace_back([this] { run(); });
        }
        wake.notify_one();
        return;
      }
      if (!stopping) {
        refused = error(errc::overloaded, "too many PDFs wait to be read");
        refused.retry_after = retry_later;
      }
    }
    done(std::move(refused));
  }

  void run() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      wake.wait(lock, [this] { return stopping || !queue.empty(); });
      --idle;
      if (queue.empty()) return;
      job one = std::move(queue.front());
      queue.pop_front();
      lock.unlock();
      result<converted> made = convert(one.got.body, with, one.by, &stopping);
      if (made) {
        one.done(as_html(std::move(one.got), std::move(*made)));
      } else {
        one.done(made.error());
      }
      one = {};
      lock.lock();
    }
  }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& each : threads)
      each.join();  // each empties the queue: nothing starts any more
  }
};

pdf_layer::pdf_layer(std::unique_ptr<http::transport> next, conversion_options options)
    : state_(std::make_shared<state>()) {
  state_->next = std::move(next);
  state_->with = std::move(options);
}

pdf_layer::~pdf_layer() {
  state_->next.reset();  // answers what is being fetched
  state_->stop();
}

std::uint64_t pdf_layer::submit(http::request request, deadline by, handler done) {
  if (!request.pdf_as_html) return state_->next->submit(std::move(request), by, std::move(done));
  return state_->next->submit(
      std::move(request), by,
      [shared = state_, by, done = std::move(done)](result<http::response> got) mutable {
        const bool fine = got && got->status >= 200 && got->status <= 299;
        if (!fine || !is_pdf(got->body)) return done(std::move(got));
        shared->take(std::move(*got), by, std::move(done));
      });
}

void pdf_layer::cancel(std::uint64_t ticket) { state_->next->cancel(ticket); }

}  // namespace freshet::pdf

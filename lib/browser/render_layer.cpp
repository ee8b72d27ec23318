// fetch (below) -> is it a page? -> render (pool) -> answer. Each step is an answer to the one
// before, on whatever thread it comes.
#include <atomic>
#include <browser/render_layer.hpp>
#include <browser/request_rules.hpp>
#include <http/pending_requests.hpp>
#include <mutex>
#include <optional>
#include <utility>

namespace freshet::browser {
namespace {

constexpr const char* no_browser =
    "there is no browser to render with: install Chromium (Debian: apt-get install "
    "chromium-headless-shell) or name it in render.chromium";

}  // namespace

/// Shared with the answers under way.
struct render_layer::state : std::enable_shared_from_this<render_layer::state> {
  struct pending_request {
    std::optional<http::request> page;  ///< what is to be rendered; null: it is only handed on
    deadline by;
    std::shared_ptr<const http::response> fetched;
    std::uint64_t inner = 0;  ///< of the stack or, while there is `fetched`, of the pool
    bool left = false;
  };

  std::unique_ptr<http::transport> next;
  std::unique_ptr<pool> browsers;
  std::atomic<bool> closing = false;
  std::mutex mutex;
  http::pending_requests<pending_request> requests;  ///< guarded by mutex, but for tickets

  std::uint64_t begin(http::request request, deadline deadline, handler done) {
    const std::uint64_t ticket = requests.take_ticket();
    const bool rendered = request.render != http::rendering::never;
    pending_request fresh;
    std::shared_ptr<const http::response> fetched;
    if (rendered) {
      fetched = std::exchange(request.fetched, nullptr);
      fresh.page = request;
      fresh.by = deadline;
      request.render = http::rendering::never;
    }
    {
      const std::lock_guard lock(mutex);
      requests.add(ticket, std::move(done), std::move(fresh));
    }
    try {
      if (fetched != nullptr) {
        render(ticket, std::move(fetched));
      } else {
        fetch(ticket, std::move(request), deadline, rendered);
      }
    } catch (...) {  // no memory: it was not accepted, and its handler is the caller's affair
      take(ticket);
      throw;
    }
    return ticket;
  }

  void fetch(std::uint64_t ticket, http::request request, deadline deadline, bool rendered) {
    const std::uint64_t inner =
        next->submit(std::move(request), deadline,
                     [self = shared_from_this(), ticket, rendered](result<http::response>&& got) {
                       if (rendered) return self->on_fetched(ticket, std::move(got));
                       self->finish(ticket, std::move(got));
                     });
    remember(ticket, inner, false);
  }

  /// Notes whom to tell of a cancel(), unless the request is further than that already.
  void remember(std::uint64_t ticket, std::uint64_t inner, bool rendering) {
    bool left = false;
    {
      const std::lock_guard lock(mutex);
      pending_request* const found = requests.find(ticket);
      if (found == nullptr || (found->fetched != nullptr) != rendering) return;
      found->inner = inner;
      left = found->left;
    }
    if (left) cancel(ticket);
  }

  void on_fetched(std::uint64_t ticket, result<http::response> got) {
    // What was made into HTML on the way here has no scripts to run.
    if (!got || !is_page(*got) || !got->converted_from.empty()) {
      return finish(ticket, std::move(got));
    }
    render(ticket, std::make_shared<const http::response>(std::move(*got)));
  }

  void render(std::uint64_t ticket, std::shared_ptr<const http::response> fetched) {
    page_order order;
    {
      const std::lock_guard lock(mutex);
      pending_request* const found = requests.find(ticket);
      if (found == nullptr) return;
      found->fetched = fetched;
      found->inner = 0;
      order = {*found->page, std::move(fetched), found->by};
    }
    if (closing) return finish(ticket, error(errc::cancelled, "the transport is closing"));
    if (!browsers) return on_rendered(ticket, error(errc::invalid_configuration, no_browser));
    const std::uint64_t inner = browsers->submit(
        std::move(order), [self = shared_from_this(), ticket](result<http::response>&& got) {
          self->on_rendered(ticket, std::move(got));
        });
    remember(ticket, inner, true);
  }

  void on_rendered(std::uint64_t ticket, result<http::response> got) {
    std::shared_ptr<const http::response> fetched;
    if (!got && got.error().code() != errc::cancelled && got.error().code() != errc::overloaded) {
      const std::lock_guard lock(mutex);
      const pending_request* const found = requests.find(ticket);
      if (found != nullptr && found->page->render == http::rendering::if_possible) {
        fetched = found->fetched;
      }
    }
    if (fetched == nullptr) return finish(ticket, std::move(got));
    http::response as_fetched = *fetched;
    as_fetched.warnings.push_back("render: the page is as it was fetched: " + got.error().detail());
    finish(ticket, std::move(as_fetched));
  }

  http::pending_requests<pending_request>::taken_request take(std::uint64_t ticket) noexcept {
    const std::lock_guard lock(mutex);
    return requests.take(ticket);
  }

  void finish(std::uint64_t ticket, result<http::response>&& got) {
    if (auto ended = take(ticket)) ended.answer(std::move(got));
  }

  void cancel(std::uint64_t ticket) {
    std::uint64_t inner = 0;
    bool rendering = false;
    {
      const std::lock_guard lock(mutex);
      pending_request* const found = requests.find(ticket);
      if (found == nullptr) return;
      found->left = true;
      inner = found->inner;
      rendering = found->fetched != nullptr;
    }
    if (inner == 0) return;
    if (!rendering) return next->cancel(inner);
    if (browsers) browsers->cancel(inner);
  }
};

render_layer::render_layer(std::unique_ptr<http::transport> next, options options)
    : state_(std::make_shared<state>()) {
  state_->next = std::move(next);
  if (!options.program.empty()) {
    state_->browsers = std::make_unique<pool>(std::move(options), *state_->next);
  }
}

render_layer::~render_layer() {
  state_->closing = true;
  state_->browsers
      .reset();          // answers what is being rendered; what it asked of the stack is dropped
  state_->next.reset();  // answers what is being fetched
}

std::uint64_t render_layer::submit(http::request&& request, deadline deadline, handler done) {
  return state_->begin(std::move(request), deadline, std::move(done));
}

void render_layer::cancel(std::uint64_t ticket) { state_->cancel(ticket); }

}  // namespace freshet::browser

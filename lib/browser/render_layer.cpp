// fetch (below) -> is it a page? -> render (pool) -> answer. Each step is an answer to the one
// before, on whatever thread it comes.
#include <atomic>
#include <browser/render_layer.hpp>
#include <browser/request_rules.hpp>
#include <utility>

namespace freshet::browser {
namespace {

constexpr const char* no_browser =
    "there is no browser to render with: install Chromium (Debian: apt-get install chromium) or "
    "name it in render.chromium";

}  // namespace

/// Shared with the answers under way.
struct render_layer::state : std::enable_shared_from_this<render_layer::state> {
  struct call {
    http::request what;
    deadline by;
    handler done;
    std::shared_ptr<const http::response> fetched;
    std::uint64_t inner = 0;  ///< of the stack or, while there is `fetched`, of the pool
    bool left = false;
  };

  std::unique_ptr<http::transport> next;
  std::unique_ptr<pool> browsers;
  std::mutex mutex;
  std::atomic<bool> closing = false;
  std::uint64_t last = 0;
  std::unordered_map<std::uint64_t, call> calls;

  std::uint64_t begin(http::request what, deadline by, handler done) {
    std::shared_ptr<const http::response> fetched = std::exchange(what.fetched, nullptr);
    http::request plain = what;
    plain.render = http::rendering::never;
    std::uint64_t ticket = 0;
    {
      const std::lock_guard lock(mutex);
      ticket = ++last;
      calls.emplace(ticket, call{std::move(what), by, std::move(done), {}, 0, false});
    }
    if (fetched != nullptr) {
      render(ticket, std::move(fetched));
      return ticket;
    }
    const std::uint64_t inner = next->submit(
        std::move(plain), by, [self = shared_from_this(), ticket](result<http::response> got) {
          self->on_fetched(ticket, std::move(got));
        });
    remember(ticket, inner, false);
    return ticket;
  }

  /// Notes whom to tell of a cancel(), unless the call is further than that already.
  void remember(std::uint64_t ticket, std::uint64_t inner, bool rendering) {
    bool left = false;
    {
      const std::lock_guard lock(mutex);
      const auto found = calls.find(ticket);
      if (found == calls.end() || (found->second.fetched != nullptr) != rendering) return;
      found->second.inner = inner;
      left = found->second.left;
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
      const auto found = calls.find(ticket);
      if (found == calls.end()) return;
      found->second.fetched = fetched;
      found->second.inner = 0;
      order = {found->second.what, std::move(fetched), found->second.by};
    }
    if (closing) return finish(ticket, error(errc::cancelled, "the transport is closing"));
    if (!browsers) return on_rendered(ticket, error(errc::invalid_configuration, no_browser));
    const std::uint64_t inner = browsers->submit(
        std::move(order), [self = shared_from_this(), ticket](result<http::response> got) {
          self->on_rendered(ticket, std::move(got));
        });
    remember(ticket, inner, true);
  }

  void on_rendered(std::uint64_t ticket, result<http::response> got) {
    std::shared_ptr<const http::response> fetched;
    if (!got && got.error().code() != errc::cancelled && got.error().code() != errc::overloaded) {
      const std::lock_guard lock(mutex);
      const auto found = calls.find(ticket);
      if (found != calls.end() && found->second.what.render == http::rendering::if_possible) {
        fetched = found->second.fetched;
      }
    }
    if (fetched == nullptr) return finish(ticket, std::move(got));
    http::response as_fetched = *fetched;
    as_fetched.warnings.push_back("render: the page is as it was fetched: " + got.error().detail());
    finish(ticket, std::move(as_fetched));
  }

  void finish(std::uint64_t ticket, result<http::response> got) {
    handler done;
    {
      const std::lock_guard lock(mutex);
      auto node = calls.extract(ticket);
      if (!node.empty()) done = std::move(node.mapped().done);
    }
    if (done) done(std::move(got));
  }

  void cancel(std::uint64_t ticket) {
    std::uint64_t inner = 0;
    bool rendering = false;
    {
      const std::lock_guard lock(mutex);
      const auto found = calls.find(ticket);
      if (found == calls.end()) return;
      found->second.left = true;
      inner = found->second.inner;
      rendering = found->second.fetched != nullptr;
    }
    if (inner == 0) return;
    if (!rendering) return next->cancel(inner);
    if (browsers) browsers->cancel(inner);
  }
};

render_layer::render_layer(std::unique_ptr<http::transport> next, options with)
    : state_(std::make_shared<state>()) {
  state_->next = std::move(next);
  if (!with.program.empty()) {
    state_->browsers = std::make_unique<pool>(std::move(with), *state_->next);
  }
}

render_layer::~render_layer() {
  state_->closing = true;
  state_->browsers
      .reset();          // answers what is being rendered; what it asked of the stack is dropped
  state_->next.reset();  // answers what is being fetched
}

std::uint64_t render_layer::submit(http::request what, deadline by, handler done) {
  // The lowest bit tells whose ticket it is: what is not rendered passes through unwrapped.
  if (what.render == http::rendering::never) {
    return state_->next->submit(std::move(what), by, std::move(done)) << 1 | 1;
  }
  return state_->begin(std::move(what), by, std::move(done)) << 1;
}

void render_layer::cancel(std::uint64_t ticket) {
  if ((ticket & 1) != 0) return state_->next->cancel(ticket >> 1);
  state_->cancel(ticket >> 1);
}

}  // namespace freshet::browser

// The layer that runs pages in a browser: above the stack, which fetches the page itself and all
// that the page asks for. What need not be rendered passes through.
#pragma once

#include <browser/options.hpp>
#include <browser/pool.hpp>
#include <http/transport.hpp>
#include <memory>

namespace freshet::browser {

/// Thread-safe.
class render_layer final : public http::transport {
 public:
  /// `with.program` empty: there is no browser. What must be rendered is then an error
  /// (invalid_configuration), and the rest is answered as it was fetched, with a warning.
  render_layer(std::unique_ptr<http::transport> next, options options);
  ~render_layer() override;

  /// Requests whose `render` is not `never` are fetched, or taken from `fetched`, and rendered if
  /// they are pages.
  std::uint64_t submit(http::request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace freshet::browser

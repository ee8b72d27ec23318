// The layer that makes HTML of a PDF, for requests that ask for it. What is no PDF passes through.
#pragma once

#include <http/transport.hpp>
#include <memory>
#include <pdf/options.hpp>

namespace freshet::pdf {

/// Thread-safe. Documents are read on threads of its own, started when they are needed. Accounts
/// have turns, none has all places, and none fills the queue.
class pdf_layer final : public http::transport {
 public:
  pdf_layer(std::unique_ptr<http::transport> next, conversion_options options);
  ~pdf_layer() override;

  /// Errors beside those of the stack: those of convert(), and overloaded (too many wait).
  std::uint64_t submit(http::request&& request, deadline deadline, handler done) override;
  /// Also of a document that waits or is being read: nobody wants it any more.
  void cancel(std::uint64_t ticket) override;

 private:
  struct state;
  std::shared_ptr<state> state_;
};

}  // namespace freshet::pdf

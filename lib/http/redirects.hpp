// Follows redirects above the polite layers, so that every hop is asked of the right host's robots,
// breaker and pace, and is recorded. It never carries a credential to another origin. Cookies hold
// for the chain that set them: many sites send a reader who has none round until he has.
#pragma once

#include <http/pending_requests.hpp>
#include <http/transport.hpp>
#include <optional>

namespace freshet::http {

/// The request that `got` asks for in its stead; null if it is no redirect. Error:
/// target_forbidden, if it leads to something that is not http or https.
[[nodiscard]] result<std::optional<request>> next_hop(const request& was, const response& got);
/// What is answered after too many of them.
[[nodiscard]] error too_many_redirects(const request& first);

/// For the scheduler's thread only.
class redirects final : public transport {
 public:
  explicit redirects(transport& next) : next_(next) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override;
  void forget() noexcept override { requests_.clear(); }

 private:
  struct pending_request {
    request what;
    deadline by;
    int hops = 0;
    int limit = 0;
    std::uint64_t inner = 0;
  };
  void ask(std::uint64_t ticket);
  void answered(std::uint64_t ticket, result<response>&& got);

  transport& next_;
  pending_requests<pending_request> requests_;
};

}  // namespace freshet::http

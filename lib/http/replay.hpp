// Answers from recorded exchanges instead of the network. What was not recorded is an error, so
// that a replay never silently reaches further than its recording.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <deque>
#include <http/har.hpp>
#include <http/stack.hpp>
#include <http/transport.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// Thread-safe: it answers before submit() returns. Follows redirects within the recording, up to
/// the request's limit.
class replay final : public transport {
 public:
  replay(std::vector<recorded_exchange> exchanges, replay_match match, const base::clock& clock);

  std::uint64_t submit(request request, deadline by, handler done) override;
  void cancel(std::uint64_t) override {}

 private:
  /// The answers to one request, in the order of the recording; the last one stays.
  struct series {
    std::vector<const recorded_exchange*> answers;
    std::atomic<std::size_t> given = 0;
  };
  [[nodiscard]] result<response> answer(const request& what);
  [[nodiscard]] result<response> answer_one(const request& what);
  [[nodiscard]] const recorded_exchange* find_nearest(const request& what) const;

  std::vector<recorded_exchange> exchanges_;
  replay_match match_;
  const base::clock& clock_;
  std::deque<series> series_;
  std::unordered_map<std::string, series*> exact_;
  /// By method, host and path.
  std::unordered_map<std::string, std::vector<const recorded_exchange*>> near_;
};

}  // namespace freshet::http

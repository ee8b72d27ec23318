// Answers from recorded exchanges instead of the network. What was not recorded is an error, so
// that a replay never silently reaches further than its recording.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <base/text_hash.hpp>
#include <deque>
#include <http/har.hpp>
#include <http/stack.hpp>
#include <http/transport.hpp>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace freshet::http {

/// Thread-safe: it answers before submit() returns. Follows redirects within the recording, up to
/// the request's limit.
class replay final : public transport {
 public:
  replay(std::vector<recorded_exchange> exchanges, replay_match match, const base::clock& clock);

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t) override {}
  /// Whether there is an exchange with this host.
  [[nodiscard]] bool has_host(const std::string& host) const { return hosts_.contains(host); }

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
  std::unordered_map<std::string, series*, base::text_hash> exact_;
  /// By method, host and path.
  std::unordered_map<std::string, std::vector<const recorded_exchange*>, base::text_hash> near_;
  std::set<std::string, std::less<>> hosts_;
};

/// Recordings of different hosts, each read when the first request to a host of its comes.
/// Thread-safe, as replay is.
class replay_on_demand final : public transport {
 public:
  /// The texts must outlive it, and none may have a host of another.
  replay_on_demand(std::vector<std::string_view> har_texts, replay_match match,
                   const base::clock& clock);

  /// Errors beside those of a replay: source_error (a recording that cannot be read).
  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t) override {}

 private:
  [[nodiscard]] result<replay*> find(const std::string& url);

  const replay_match match_;
  const base::clock& clock_;
  replay none_;  ///< of the hosts that no recording has
  std::mutex mutex_;
  std::vector<std::string_view> unread_;
  std::vector<std::unique_ptr<replay>> read_;
};

}  // namespace freshet::http

// A private HTTP cache in memory (RFC 9111), outermost of all layers: a hit is answered on the
// caller's thread. It keeps nothing that belongs to a credential. Who fills it crowds out himself:
// what goes is the least recently used of whoever's requests take up the most.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <http/transport.hpp>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace freshet::http {

/// Answers kept for one URL, as their Vary fields tell them apart.
inline constexpr std::size_t max_cache_variants = 8;

/// Thread-safe.
class cache final : public transport {
 public:
  /// `bytes`: of bodies, headers and keys together. `next` and `clock` must outlive it, and `next`
  /// must have answered everything before it goes.
  cache(transport& next, std::size_t bytes, const base::clock& clock)
      : next_(next), capacity_(bytes), clock_(clock) {}

  std::uint64_t submit(request request, deadline by, handler done) override;
  void cancel(std::uint64_t ticket) override { next_.cancel(ticket); }
  /// Forgets all answers: memory is short.
  void drop();
  struct figures {
    std::uint64_t hits = 0, misses = 0;  ///< of what might have been kept
    std::size_t bytes = 0;
  };
  [[nodiscard]] figures count() const {
    const std::lock_guard lock(mutex_);
    return {hits_, misses_, size_};
  }

 private:
  using steady = std::chrono::steady_clock::time_point;
  struct entry {
    std::string key;
    std::int64_t owner = 0;  ///< whose request brought it; a hit is everybody's
    std::vector<std::pair<std::string, std::string>> vary;  ///< request header, its value then
    std::shared_ptr<const response> answer;
    std::chrono::seconds lifetime{0};
    std::chrono::seconds age_on_arrival{0};
    steady stored{};
    bool revalidate_always = false;  ///< no-cache
    bool revalidate_stale = false;   ///< must-revalidate
    bool has_validator = false;
    std::size_t size = 0;
  };
  using entries = std::list<entry>;
  struct share {
    entries order;  ///< most recently used first
    std::size_t size = 0;
  };
  enum class use { none, fresh, validate };
  struct kept_entry {
    use how = use::none;
    std::shared_ptr<const response> answer;
  };

  [[nodiscard]] kept_entry look_up(const std::string& key, const request& request);
  void store(const std::string& key, const request& request, const response& got);
  [[nodiscard]] bool is_stored(const std::string& key, const request& request, const response& got);
  void add(entry&& fresh);
  void remove(entries::iterator at);
  void resize(std::int64_t owner, std::size_t to);
  void invalidate(const std::string& url);
  result<response> merge(const std::string& key, const request& request,
                         const std::shared_ptr<const response>& kept, result<response> got);

  transport& next_;
  const std::size_t capacity_;
  const base::clock& clock_;
  mutable std::mutex mutex_;
  std::unordered_map<std::int64_t, share> shares_;  ///< by owner; guarded, like the three below
  std::set<std::pair<std::size_t, std::int64_t>> by_size_;  ///< the owners
  std::unordered_map<std::string, std::vector<entries::iterator>> by_key_;
  std::size_t size_ = 0;
  std::atomic<std::uint64_t> hits_ = 0, misses_ = 0;
};

}  // namespace freshet::http

// A private HTTP cache in memory (RFC 9111), outermost of all layers: a hit is answered on the
// caller's thread. It keeps nothing that belongs to a credential. What it keeps stands on a shelf,
// with whatever its users make of it.
#pragma once

#include <atomic>
#include <base/clock.hpp>
#include <base/shelf.hpp>
#include <http/transport.hpp>
#include <memory>
#include <mutex>
#include <string>

namespace freshet::http {

/// Thread-safe.
class cache final : public transport {
 public:
  /// `next` and `clock` must outlive it, and `next` must have answered everything before it goes.
  cache(transport& next, std::shared_ptr<base::shelf> shelf, const base::clock& clock)
      : next_(next), shelf_(std::move(shelf)), clock_(clock) {}

  std::uint64_t submit(request&& request, deadline deadline, handler done) override;
  void cancel(std::uint64_t ticket) override { next_.cancel(ticket); }
  struct figures {
    std::uint64_t hits = 0, misses = 0;  ///< of what might have been kept
  };
  [[nodiscard]] figures count() const { return {hits_, misses_}; }

 private:
  using steady = std::chrono::steady_clock::time_point;
  /// One kept answer, as it stands on the shelf. Immutable.
  struct entry {
    std::shared_ptr<const response> answer;
    std::chrono::seconds lifetime{0};
    std::chrono::seconds age_on_arrival{0};
    steady stored{};
    bool revalidate_always = false;  ///< no-cache
    bool revalidate_stale = false;   ///< must-revalidate
    bool has_validator = false;
    std::size_t size = 0;

    /// Until when it may be given to a request without asking its server; null: not at all.
    [[nodiscard]] std::optional<steady> usable_until(const request& by) const;
  };
  enum class use { none, fresh, validate };
  struct kept_entry {
    use how = use::none;
    std::shared_ptr<const response> answer;
    std::optional<steady> until;
  };

  [[nodiscard]] kept_entry look_up(const std::string& key, const request& request);
  [[nodiscard]] static result<response> copy_for(const request& request, const kept_entry& kept);
  void store(const std::string& key, const request& request, response& got);
  [[nodiscard]] std::shared_ptr<const entry> make_entry(const std::string& key,
                                                        const request& request, response& got);
  result<response> merge(const std::string& key, const request& request,
                         const std::shared_ptr<const response>& kept, result<response> got);

  transport& next_;
  const std::shared_ptr<base::shelf> shelf_;
  const base::clock& clock_;
  std::mutex storing_;  ///< what stands under a name is replaced by what was made of it
  std::atomic<std::uint64_t> hits_ = 0, misses_ = 0;
};

}  // namespace freshet::http

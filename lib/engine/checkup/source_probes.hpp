// Finds out whether a source refuses us or what somebody asks: where two accounts have trouble with
// it, or one meets a limit, the engine asks something that no caller has chosen, and tells the
// suspensions, as everybody's, what came of it. It asks seldom, so that nobody uses up a source's
// patience by doubts.
#pragma once

#include <base/work.hpp>
#include <condition_variable>
#include <engine/runtime/environment.hpp>
#include <engine/runtime/workers.hpp>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace freshet::detail {

/// Thread-safe. Its destructor ends what is under way.
class source_probes {
 public:
  /// From then on it hears of doubts. Both must outlive it.
  source_probes(environment& live, workers& readers);
  ~source_probes();
  source_probes(const source_probes&) = delete;
  source_probes& operator=(const source_probes&) = delete;

  /// How long after a question that was answered an instance is asked none, at first and, doubled
  /// by each that was answered in vain, at last; and after one that was refused.
  static constexpr std::chrono::seconds first_pause{30}, last_pause{960}, refused_pause{5};
  /// Of a day's requests, where a source's plan has a limit, one in so many is a question's.
  static constexpr std::int64_t share_of_day = 40;
  /// Questions that are under way, of all sources.
  static constexpr std::size_t most_at_once = 8;

 private:
  using time = std::chrono::steady_clock::time_point;
  enum class outcome { answered, refused, unknown };

  /// What can be asked, one at a time.
  struct instance {
    const configured_source* source;
    const sources::settings* where;
    std::string place;  ///< of its address; "": whatever the source asks is its own
    std::chrono::milliseconds least_pause;
    bool is_asked = false;
    time due{};
    std::chrono::milliseconds pause = first_pause;
    time well_until{};  ///< what it answered lately counts more than what accounts are refused
  };
  struct probe {
    instance& at;
    const sources::capability& how;
    sources::call what;
    std::shared_ptr<base::stop_token> work;
    std::string url;
    int steps = 0;
    std::uint64_t ticket = 0;  ///< guarded, as what stands in an instance
  };
  using shared_probe = std::shared_ptr<probe>;

  /// Whether that is found out, or was lately.
  bool look_into(const source_doubt& about) noexcept;
  [[nodiscard]] instance* find(const source_doubt& about);
  [[nodiscard]] shared_probe begin(instance& place, const source_doubt& doubt) const;
  void post(const shared_probe& one, std::function<void()> work, std::size_t bytes);
  void ask(const shared_probe& one);
  void send(const shared_probe& one, http::request request, std::string state);
  int count_step(probe& one);
  void note_ticket(probe& one, int step, std::uint64_t ticket);
  void read(const shared_probe& one, const std::string& state,
            const result<http::response>& answer);
  [[nodiscard]] outcome note(const probe& one, const std::optional<error>& why,
                             const http::response* answer);
  void end(const shared_probe& one, outcome found) noexcept;

  environment& live_;
  workers& readers_;
  std::mutex mutex_;  ///< guards the following; the suspensions are told of nothing under it
  std::condition_variable ended_;
  bool is_closing_ = false;
  std::vector<instance> instances_;  ///< never more than at first
  std::list<shared_probe> under_way_;
};

}  // namespace freshet::detail

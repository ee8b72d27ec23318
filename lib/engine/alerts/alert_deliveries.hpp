// Events on their way to webhooks, the operator's or those of owners: what waits, so many of all
// and of each account, and what is sent next. Only what is being sent holds a place of those that
// are sent at once, and who failed last has few of them: a webhook that never answers costs others
// nothing but its first attempt.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <http/message.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace freshet::detail {

/// Where events go.
struct webhook {
  std::string url, secret;  ///< the secret as it is configured, "whsec_…"
  http::target_choice chosen_by = http::target_choice::caller;
  std::string name{};        ///< for the log: "alerts.webhook", "the webhook of acc_…"
  std::int64_t account = 0;  ///< whose share of the network it uses; 0 for the engine's own
};

/// One event for one webhook.
struct alert_delivery {
  webhook target;
  std::string id, body;
};

/// What may be sent at once to those whose last attempts ended alike.
struct delivery_lane_limits {
  std::size_t sent, of_account;
  /// An attempt has its whole time while fewer than that are sent; beyond, others wait for it.
  std::size_t with_patience;
};

struct delivery_limits {
  std::size_t kept = 4'096;  ///< of all: what waits and what is being sent
  std::size_t kept_of_account = 8;
  delivery_lane_limits prompt{128, 2, 32};   ///< to those that did not fail last
  delivery_lane_limits faltering{32, 1, 8};  ///< to those that failed once
  delivery_lane_limits failing{16, 1, 8};    ///< to those that failed again
  std::chrono::seconds patience{10}, patience_of_many{1};
};

/// Thread-safe.
class alert_deliveries {
 public:
  using time = std::chrono::steady_clock::time_point;

  explicit alert_deliveries(delivery_limits limits = {}) : limits_(limits) {}

  /// False: there is no room for one more about this account. Where all is full, one about an
  /// account that has none here takes the place of what waits for a webhook that failed: `left_out`
  /// is that one.
  [[nodiscard]] bool add(base::owner_id account, alert_delivery delivery,
                         std::shared_ptr<const alert_delivery>& left_out);

  struct attempt {
    std::uint64_t ticket;
    std::shared_ptr<const alert_delivery> what;
    std::size_t failures;  ///< before this one
    std::chrono::seconds patience;
  };
  /// What is to be sent now, if anything: until taken(), failed() or give_up().
  [[nodiscard]] std::optional<attempt> next(time now);
  /// It arrived.
  void taken(std::uint64_t ticket, time now) noexcept;
  /// It did not, and is tried again after so long.
  void failed(std::uint64_t ticket, time now, std::chrono::seconds pause);
  /// It did not, and is not.
  void give_up(std::uint64_t ticket, time now);

  /// When next() has to be asked again, where nobody was told so yet; then woken() comes first.
  [[nodiscard]] std::optional<time> wake_time();
  void woken();

 private:
  /// Those whose last attempts ended alike: whose turn has come, and how many are sent.
  struct lane {
    delivery_lane_limits limits;
    base::fair_queue<std::uint64_t> turns{};
    std::size_t sent = 0;
  };
  struct kept_delivery {
    base::owner_id account;
    std::shared_ptr<const alert_delivery> what;
    std::size_t failures = 0;
    time due{};               ///< while it waits for its next attempt
    time started{};           ///< while it is sent
    lane* sent_in = nullptr;  ///< whose place it has
  };
  using table = std::unordered_map<std::uint64_t, kept_delivery>;

  [[nodiscard]] lane& lane_of(base::owner_id account);
  void move_turns(lane& source, lane& target, base::owner_id account);
  /// `place`: where the attempt was sent that failed.
  void mark_failing(base::owner_id account, const lane& place);
  struct ended_delivery {
    base::owner_id account;
    const lane& place;
  };
  /// Forgets one that is sent no more; null: it is known no more.
  std::optional<ended_delivery> end(std::uint64_t ticket, time now) noexcept;
  const lane& leave_place(kept_delivery& whose, time now) noexcept;
  void forget(table::iterator which) noexcept;
  [[nodiscard]] std::shared_ptr<const alert_delivery> make_room();

  const delivery_limits limits_;
  std::mutex mutex_;
  table kept_;  ///< guarded, like all below
  std::uint64_t last_ticket_ = 0;
  std::unordered_map<base::owner_id, std::size_t> of_account_;  ///< none is 0
  /// Whose last attempt failed, and whether the one before did.
  std::unordered_map<base::owner_id, bool> failed_again_;
  lane prompt_{limits_.prompt}, faltering_{limits_.faltering}, failing_{limits_.failing};
  std::set<std::pair<time, std::uint64_t>> due_;
  std::optional<time> woken_at_;
};

}  // namespace freshet::detail

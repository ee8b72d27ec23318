// One caller's bucket where several servers share it: what this server has heard of it, and what it
// has taken of it ahead of need. Time comes in from outside; it asks nobody itself, and nothing
// here is thread-safe.
#pragma once

#include <account/rules/rate_limit.hpp>
#include <optional>

namespace freshet::account {

/// Full at first, as far as this server knows.
class shared_bucket {
 public:
  using moment = std::chrono::steady_clock::time_point;
  using duration = std::chrono::nanoseconds;
  /// What is asked of where the bucket is kept.
  struct request {
    std::int64_t tokens = 0;  ///< to take: all, or as many as there are
    duration owed{0};         ///< what was given while that was away
    duration known{0};        ///< until it is full, for who has forgotten it
  };
  /// Whether a call passes; `unknown` until somebody is asked.
  enum class verdict : std::uint8_t { passes, refused, unknown };

  /// Takes one of the tokens that this server has. `state` is filled unless it is unknown.
  [[nodiscard]] verdict take(const rate_rule& rule, moment now, rate_info& state);
  /// What one who was refused is told. Error: rate_limited.
  [[nodiscard]] error refusal(const rate_rule& rule, moment now) const;
  /// What is to be asked for now that so many calls wait, null for nothing: for them, and ahead of
  /// those to come, about as many as came of late, but only a small part of the burst.
  [[nodiscard]] std::optional<request> ask(const rate_rule& rule, int servers, moment now,
                                           std::size_t waiting);
  /// The answer to that: so many are given, and the bucket is full again after `owed`.
  void hear(const rate_rule& rule, const request& asked, std::int64_t given, duration owed,
            moment now);
  /// There is none: nobody knows whether they were taken, and then they are lost.
  void miss(const request& asked) noexcept;
  /// Takes one where nobody can be asked, from this server's part of the rate. Error: rate_limited.
  [[nodiscard]] result<void> take_alone(const rate_rule& rule, int servers, moment now,
                                        rate_info& state);

  /// How many tokens nobody has wanted for a moment; they are another server's then.
  [[nodiscard]] std::int64_t give_back(moment now) noexcept;
  /// The bucket is full again after `owed`, now that they are back.
  void show(duration owed, moment now) noexcept { full_at_ = now + owed; }
  [[nodiscard]] std::int64_t held() const noexcept { return held_; }
  [[nodiscard]] bool is_asking() const noexcept { return is_asking_; }
  /// Whether it is as a new one is.
  [[nodiscard]] bool is_full(moment now) const noexcept;

 private:
  void use(moment now) noexcept;
  [[nodiscard]] duration owed_at(moment now) const noexcept;

  moment full_at_ = moment::min();  ///< as was heard last, those that are held taken
  std::int64_t held_ = 0;
  moment heard_at_ = moment::min(), used_at_ = moment::min();
  moment refused_until_ = moment::min();  ///< without asking
  moment slot_ = moment::min();           ///< since when calls are counted
  std::int64_t used_ = 0, used_before_ = 0;
  bool is_asking_ = false, is_alone_ = false;
  rate_bucket alone_;
  duration owed_{0};
};

}  // namespace freshet::account

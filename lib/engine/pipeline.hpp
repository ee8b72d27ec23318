// One call, from its request to its answer.
#pragma once

#include <account/accounts.hpp>
#include <catalog/validate.hpp>
#include <engine/admin/account_calls.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/runtime/call_spans.hpp>
#include <engine/runtime/core.hpp>
#include <freshet/response.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <optional>

namespace freshet::detail {

/// Runs once. Kept alive by what it waits for.
class pipeline : public std::enable_shared_from_this<pipeline> {
 public:
  using done_handler = std::function<void(response)>;

  pipeline(core& core, request&& request, done_handler done);
  ~pipeline();

  /// `done` is called exactly once, on any thread. Does not throw: where no memory is left, the
  /// answer says so.
  void run() noexcept;
  /// Asks for an early end. Thread-safe.
  void cancel() noexcept;

 private:
  /// How a stage ends, unless it fails, which ends the call.
  enum class stage_end : std::uint8_t {
    next,      ///< the next stage may begin
    answered,  ///< the caller has its answer: a dry run, a replay
    waiting,   ///< for a commit, a store, Redis: what is waited for calls resume()
  };
  using stage = result<stage_end> (pipeline::*)();

  // The stages, in order.
  result<stage_end> find();
  result<stage_end> authenticate();
  result<stage_end> take_rate_token();
  result<stage_end> enter_gate();
  result<stage_end> look_for_page();
  result<stage_end> validate();
  result<stage_end> choose_sources();
  result<stage_end> quote();
  result<stage_end> recall();
  result<stage_end> reserve();

  /// Runs a part of the call; where it runs out of memory, the call ends with the response that was
  /// made beforehand.
  template <class Step>
  void guarded(const Step& step) noexcept {
    try {
      step();
    } catch (const std::bad_alloc&) {
      give_up();
    }
  }
  void give_up() noexcept;
  /// Has a worker go on with the call. What that takes is booked with the account's calls.
  void go_on(workers& workers, void (pipeline::*step)(), owner_id whose);
  void book(std::chrono::nanoseconds processor) noexcept;
  [[nodiscard]] gate_kind gate_of_call() const;
  void run_stages();
  void resume() noexcept;
  void fetch();
  [[nodiscard]] account_call as_account_call();
  void read_account();
  void page(result<page_outcome> outcome);
  void give_kept_page();
  void settle_list(page_outcome& outcome, const std::vector<std::size_t>& told);
  void keep_page(std::string_view data, const page_outcome& made, bool charged);
  void look_up_answer();
  void hear_rate(const result<void>& passes, const rate_info& state);
  void go_on_from_rate();
  void look_caller_up();
  result<stage_end> take_example();
  result<stage_end> look_up_caller(owner_id whose);
  result<stage_end> admit(result<account::principal>&& who);
  void settle(std::string data, std::optional<page_info> page, bool charged);
  [[nodiscard]] std::function<void(std::string)> teller();
  void tell_kept_sources();
  [[nodiscard]] bool owes_for(const std::vector<std::size_t>& told);
  void charge_told(const error& why);
  void charge(response&& made);
  void answer_settled(response&& made, account::usage used);
  void on_settled(const result<account::balance>& after) noexcept;
  void give_uncharged(response&& made);
  [[nodiscard]] account::stored_answer kept_form(const response& made) const;
  void envelope(std::string_view data, const std::optional<page_info>& page);

  [[nodiscard]] result<void> check_target() const;
  [[nodiscard]] result<void> check_rendering() const;
  [[nodiscard]] result<void> check_schema() const;
  [[nodiscard]] result<void> check_robots() const;
  [[nodiscard]] std::vector<const catalog::endpoint*> endpoints_asked() const;
  [[nodiscard]] sources::call source_call(catalog::operation op) const;
  [[nodiscard]] gather_request make_gather_request() const;
  [[nodiscard]] bool wants_provenance() const;
  [[nodiscard]] merge_order order_of(std::size_t part) const;
  [[nodiscard]] result<void> continue_from(std::string_view cursor);
  void add_price_of(const std::vector<std::size_t>& told, const std::vector<std::size_t>& given);
  [[nodiscard]] page_info page_after(page_outcome& outcome);
  [[nodiscard]] error too_large() const;
  [[nodiscard]] page_info page_at(const cursor_state& after, std::string_view identity) const;
  [[nodiscard]] time_point stands_until(const gather_request& asked) const;
  void keep_until(time_point end, time_point now);
  [[nodiscard]] std::span<const source_report> sources_asked() const;
  [[nodiscard]] std::span<const source_report> sources_tried() const;
  [[nodiscard]] bool metered() const;
  /// Whose share of what is shared this call uses; 0: nobody's, a call in process. All who ask for
  /// examples are one.
  [[nodiscard]] owner_id owner() const {
    constexpr owner_id whoever = -1;
    return who_ ? who_->account.id : request_.example ? whoever : 0;
  }
  [[nodiscard]] bool is_sandboxed() const {
    return environment_ != nullptr && environment_->sandbox;
  }
  [[nodiscard]] std::optional<std::int64_t> remaining() const;
  /// Whether it was not cancelled.
  [[nodiscard]] bool is_wanted();
  void refuse(const error& why);
  void answer(response&& made);
  [[nodiscard]] bool is_origin_allowed() const;
  void give_with_pictures();
  void give(response&& made);
  void count(const response& made) noexcept;
  void remember(const response& made) noexcept;
  void note_alerts(const response& made) noexcept;

  core& core_;
  request request_;
  done_handler done_;
  std::optional<response> answered_;  ///< for which the commit is awaited, or pictures are
  response out_of_memory_response_;   ///< made beforehand, for when there is no memory for another

  const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::size_t stage_ = 0;      ///< the next to run
  bool is_on_worker_ = false;  ///< it went there because its body is long
  const catalog::endpoint* endpoint_ = nullptr;
  const environment* environment_ = nullptr;
  std::optional<account::principal> who_;
  std::optional<rate_info> rate_;
  std::optional<error> refused_rate_;  ///< by who had to be waited for
  std::shared_ptr<gates::pass> pass_;  ///< null: nobody's limits hold for this call
  std::optional<catalog::arguments> arguments_;
  std::shared_ptr<const kept_page> kept_;       ///< what is answered; null: it is asked anew
  std::string identity_;                        ///< of the question that is asked
  std::optional<kept_page::time> keeps_until_;  ///< its page may be kept, at most; null: not at all
  std::chrono::days moved_{0};                  ///< by which times are moved in the answer
  std::vector<const catalog::endpoint*> parts_;  ///< those whose sources are asked
  std::vector<std::string> absent_;              ///< why those are not that the caller has named
  std::vector<branch> branches_;
  std::vector<source_report> unready_;
  cursor_state from_;
  std::int64_t price_ = 0;             ///< at most: what is reserved
  std::int64_t render_surcharge_ = 0;  ///< the part of it that only a rendered page costs
  std::int64_t unused_ = 0;            ///< of what is reserved, once that is known
  account::reservation reservation_;
  bool marked_ = false;                ///< the idempotency key is marked as running
  bool repeats_ = false;               ///< a paid call whose answer was too large to be kept
  std::optional<std::int64_t> given_;  ///< items in the answer, of what was asked of sources
  bool is_partial_ = false;
  bool told_ = false;  ///< items were told before the answer, which makes the call due
  std::vector<source_report> failed_sources_;  ///< of a call that none of them has answered
  std::string fingerprint_;                    ///< of the call, for its idempotency key
  response_meta meta_;
  call_spans spans_;

  std::mutex mutex_;  ///< guards what cancel() touches
  std::shared_ptr<gatherer> gatherer_;
  bool cancelled_ = false;
};

}  // namespace freshet::detail

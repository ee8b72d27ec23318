// One call, from its request to its answer.
#pragma once

#include <account/accounts.hpp>
#include <catalog/validate.hpp>
#include <engine/gather/gatherer.hpp>
#include <engine/runtime/core.hpp>
#include <freshet/response.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace freshet::detail {

/// Runs once. Kept alive by what it waits for.
class pipeline : public std::enable_shared_from_this<pipeline> {
 public:
  using done_handler = std::function<void(response)>;

  pipeline(core& in, request what, done_handler done);
  ~pipeline();

  /// `done` is called exactly once, on any thread. Does not throw: where no memory is left, the
  /// answer says so.
  void run() noexcept;
  /// Asks for an early end. Thread-safe.
  void cancel() noexcept;

 private:
  using stage = result<void> (pipeline::*)();

  // The stages, in order; the first that fails ends the call.
  result<void> find();
  result<void> authenticate();
  result<void> take_rate_token();
  result<void> validate();
  result<void> choose_sources();
  result<void> quote();
  result<void> recall();
  result<void> reserve();

  template <class Step>
  void guarded(const Step& step) noexcept;
  void give_up() noexcept;
  void go();
  void fetch();
  void read_account();
  void page(result<page_outcome> outcome);
  void settle(std::string data, std::optional<page_info> page, bool charged);
  void envelope(std::string_view data, const std::optional<page_info>& page);

  [[nodiscard]] result<void> check_target();
  [[nodiscard]] result<void> check_rendering() const;
  [[nodiscard]] sources::call source_call() const;
  [[nodiscard]] gather_request make_gather_request() const;
  [[nodiscard]] merge_order order_of(const std::vector<branch>& branches) const;
  [[nodiscard]] result<void> continue_from(std::string_view cursor);
  [[nodiscard]] page_info page_after(page_outcome& outcome);
  [[nodiscard]] bool metered() const;
  [[nodiscard]] std::optional<std::int64_t> remaining() const;
  void refuse(const error& why);
  void answer(response made);

  core& core_;
  request request_;
  done_handler done_;
  response out_of_memory_response_;  ///< made beforehand, for when there is no memory for another

  const catalog::endpoint* endpoint_ = nullptr;
  const environment* environment_ = nullptr;
  std::optional<account::principal> who_;
  std::optional<rate_info> rate_;
  std::optional<catalog::arguments> arguments_;
  std::vector<branch> branches_;
  std::vector<source_report> unready_;
  cursor_state from_;
  std::int64_t price_ = 0;             ///< at most: what is reserved
  std::int64_t render_surcharge_ = 0;  ///< the part of it that only a rendered page costs
  std::int64_t unused_ = 0;            ///< of what is reserved, once that is known
  account::reservation reservation_;
  bool marked_ = false;      ///< the idempotency key is marked as running
  std::string fingerprint_;  ///< of the call, for its idempotency key
  response_meta meta_;

  std::mutex mutex_;  ///< guards what cancel() touches
  std::shared_ptr<gatherer> gatherer_;
  bool cancelled_ = false;
};

}  // namespace freshet::detail

// How a call is let in that is known to be somebody's: by the rate of its account, and into its
// gate. What a call is worth is judged later.
#include <engine/pipeline.hpp>

namespace freshet::detail {

result<pipeline::stage_end> pipeline::take_rate_token() {
  if (!who_) return stage_end::next;
  rate_.emplace();
  const bool of_account = endpoint_->platform == "account";
  if (!core_.accounts->shares_rates()) {
    if (auto taken = core_.accounts->take_rate_token(*who_, *rate_, of_account); !taken)
      return taken.error();
    return stage_end::next;
  }
  const auto taken = core_.accounts->take_rate_token(
      *who_, *rate_, of_account,
      [self = shared_from_this()](const result<void>& passes, const rate_info& state) {
        self->guarded([&] { self->hear_rate(passes, state); });
      });
  if (!taken) return stage_end::waiting;
  if (!*taken) return taken->error();
  return stage_end::next;
}

/// The thread that tells it has other calls to see to.
void pipeline::hear_rate(const result<void>& passes, const rate_info& state) {
  *rate_ = state;
  if (!passes) refused_rate_ = passes.error();
  go_on(*core_.pool, &pipeline::go_on_from_rate, owner());
}

void pipeline::go_on_from_rate() {
  if (refused_rate_) return refuse(*refused_rate_);
  run_stages();
}

gate_kind pipeline::gate_of_call() const {
  if (endpoint_->platform == "account") return gate_kind::account_calls;
  const bool is_live = who_ && who_->key.mode == account::key_mode::live;
  return is_live ? gate_kind::live : gate_kind::test;
}

/// The call may have its answer, and with it no pass any more.
void pipeline::book(std::chrono::nanoseconds processor) noexcept {
  if (owner() != 0) core_.gate.use(owner(), gate_of_call(), processor);
}

/// From here on the call counts against what its account may have under way.
result<pipeline::stage_end> pipeline::enter_gate() {
  const bool is_short = core_.memory && core_.memory->level() >= memory_level::no_calls;
  if (is_short && endpoint_->platform != "account") {
    error why(errc::overloaded, "the server is short of memory");
    why.retry_after = std::chrono::seconds(2);
    return why;
  }
  if (owner() == 0) return stage_end::next;
  static const account::plan of_examples;  // the usual limits
  const auto& plan = who_ ? who_->plan : of_examples;
  auto inside = core_.gate.enter(
      owner(), gate_of_call(),
      {plan.concurrency, plan.bytes_in_flight, plan.processor_share, plan.browser_share});
  if (!inside) return inside.error();
  pass_ = std::move(*inside);
  return stage_end::next;
}

}  // namespace freshet::detail

// Tables of counters, laid out once by the three lists that name them.
#include "engine/runtime/call_metrics.hpp"

#include <algorithm>
#include <atomic>
#include <sources/source.hpp>
#include <vector>

namespace freshet::detail {
namespace {

using counter = std::atomic<std::uint64_t>;

constexpr std::string_view outcomes[] = {
    "ok",
#define FRESHET_ERRC(number, name, status, retryable, title, help) #name,
#include <freshet/errc.def>
#undef FRESHET_ERRC
};
constexpr std::size_t outcome_count = std::size(outcomes);

std::size_t outcome_of(std::string_view code) noexcept {
  const auto* const at = std::find(std::begin(outcomes), std::end(outcomes), code);
  return at == std::end(outcomes) ? outcome_count - 1 : static_cast<std::size_t>(at - outcomes);
}

/// The label of calls to an endpoint that there is not.
constexpr std::string_view no_endpoint = "unknown";

std::string_view name_of(std::size_t endpoint) noexcept {
  const auto all = catalog::endpoints();
  return endpoint < all.size() ? all[endpoint].path : no_endpoint;
}

double value_of(const counter& of) {
  return static_cast<double>(of.load(std::memory_order_relaxed));
}

}  // namespace

struct call_metrics::counts {
  std::size_t endpoints = catalog::endpoints().size() + 1, listed = sources::all_sources().size();
  std::vector<counter> calls = std::vector<counter>(endpoints * outcome_count);
  std::vector<counter> credits = std::vector<counter>(endpoints);
  std::vector<histogram> took = std::vector<histogram>(endpoints);
  std::vector<counter> asked = std::vector<counter>(listed * outcome_count);
  std::vector<histogram> waited = std::vector<histogram>(listed);
};

call_metrics::call_metrics() : counts_(std::make_unique<counts>()) {}
call_metrics::~call_metrics() = default;

void call_metrics::ended(const catalog::endpoint* endpoint, const response& answer,
                         std::span<const source_report> asked,
                         std::chrono::nanoseconds took) noexcept {
  const auto add = [](counter& to, std::uint64_t more = 1) {
    to.fetch_add(more, std::memory_order_relaxed);
  };
  const auto all = catalog::endpoints();
  const std::size_t which =
      endpoint == nullptr ? all.size() : static_cast<std::size_t>(endpoint - all.data());
  const std::size_t outcome = answer.ok() ? 0 : outcome_of(describe(answer.code).name);
  add(counts_->calls[which * outcome_count + outcome]);
  counts_->took[which].observe(took);
  if (answer.credits_used > 0) {
    add(counts_->credits[which], static_cast<std::uint64_t>(answer.credits_used));
  }
  const auto sources = sources::all_sources();
  for (const source_report& one : asked) {
    if (one.status != "ok" && one.status != "error") continue;  // it was not asked
    const auto at = std::find_if(sources.begin(), sources.end(),
                                 [&](const auto* each) { return each->name == one.name; });
    if (at == sources.end()) continue;
    const auto source = static_cast<std::size_t>(at - sources.begin());
    add(counts_->asked[source * outcome_count + (one.status == "ok" ? 0 : outcome_of(one.code))]);
    counts_->waited[source].observe(std::chrono::milliseconds(one.elapsed_ms));
  }
}

void call_metrics::write(metrics_text& to) const {
  // What never happened is left out, but for each endpoint's successes: a rate begins at 0.
  to.family("freshet_calls_total", metrics_text::kind::counter,
            "Calls that have ended, by endpoint and code.");
  for (std::size_t i = 0; i < counts_->calls.size(); ++i) {
    const double value = value_of(counts_->calls[i]);
    if (value == 0 && i % outcome_count != 0) continue;
    to.sample(value,
              {{"endpoint", name_of(i / outcome_count)}, {"code", outcomes[i % outcome_count]}});
  }
  to.family("freshet_call_duration_seconds", metrics_text::kind::histogram,
            "Time from a call's beginning to its answer.");
  for (std::size_t i = 0; i < counts_->endpoints; ++i) {
    to.sample(counts_->took[i], {{"endpoint", name_of(i)}});
  }
  to.family("freshet_credits_charged_total", metrics_text::kind::counter,
            "Credits that calls were charged.");
  for (std::size_t i = 0; i < counts_->endpoints; ++i) {
    to.sample(value_of(counts_->credits[i]), {{"endpoint", name_of(i)}});
  }
  const auto sources = sources::all_sources();
  to.family("freshet_source_answers_total", metrics_text::kind::counter,
            "What sources gave to calls that asked them, by code.");
  for (std::size_t i = 0; i < counts_->asked.size(); ++i) {
    const double value = value_of(counts_->asked[i]);
    if (value == 0 && i % outcome_count != 0) continue;
    to.sample(value, {{"source", sources[i / outcome_count]->name},
                      {"code", outcomes[i % outcome_count]}});
  }
  to.family("freshet_source_duration_seconds", metrics_text::kind::histogram,
            "How long calls waited for a source.");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    to.sample(counts_->waited[i], {{"source", sources[i]->name}});
  }
}

}  // namespace freshet::detail

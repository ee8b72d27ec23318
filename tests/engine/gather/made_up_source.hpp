// Sources that a test makes up, and a page gathered of them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <engine/gather/gatherer.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <sources/source.hpp>
#include <span>
#include <string_view>
#include <support/eventually.hpp>
#include <utility>
#include <vector>

namespace freshet::test {

/// `instances_key`: of a source with several instances.
constexpr sources::descriptor made_up_source(std::string_view name, std::string_view platform,
                                             std::span<const sources::capability> capabilities,
                                             std::string_view instances_key = "") {
  return {.name = name,
          .title = name,
          .platform = platform,
          .homepage = "",
          .terms = "",
          .default_base_url = "https://one.example",
          .instances_key = instances_key,
          .pace = {},
          .capabilities = capabilities};
}

/// What comes of asking these sources, waited for.
inline result<detail::page_outcome> gather(
    const detail::environment& environment, detail::workers& workers, detail::gather_request plan,
    const std::vector<const detail::configured_source*>& sources) {
  std::vector<source_report> unready;
  std::vector<detail::branch> branches;
  detail::add_branches(sources, {plan.parts[0].what.op, plan.mode}, branches, unready);
  plan.by = std::chrono::steady_clock::now() + patience;
  std::mutex mutex;
  std::condition_variable arrived;
  std::optional<result<detail::page_outcome>> got;
  const auto one =
      std::make_shared<detail::gatherer>(environment, workers, std::move(plan), std::move(branches),
                                         [&](result<detail::page_outcome> outcome) {
                                           const std::lock_guard lock(mutex);
                                           got.emplace(std::move(outcome));
                                           arrived.notify_one();
                                         });
  one->start();
  std::unique_lock lock(mutex);
  arrived.wait(lock, [&] { return got.has_value(); });
  return std::move(*got);
}

}  // namespace freshet::test

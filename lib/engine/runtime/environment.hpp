// What calls run in: a transport, a clock, the sources as configured and what they have refused. An
// engine has two, the live one and the sandbox. It runs no call.
#pragma once

#include <archive/archive_layer.hpp>
#include <base/clock.hpp>
#include <base/fair_queue.hpp>
#include <chrono>
#include <cstdint>
#include <engine/runtime/kept_pages.hpp>
#include <engine/runtime/sandbox_days.hpp>
#include <engine/runtime/suspensions.hpp>
#include <engine/sharing/source_sharing.hpp>
#include <freshet/config.hpp>
#include <freshet/result.hpp>
#include <functional>
#include <http/stack.hpp>
#include <memory>
#include <pdf/options.hpp>
#include <sources/source.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::detail {

/// A source with its settings: one for each instance that is asked.
struct configured_source {
  const sources::descriptor* of = nullptr;
  bool enabled = true;
  std::string missing;  ///< the setting that it cannot do without; "" if it is ready
  std::vector<sources::settings> instances;  ///< never empty when ready
  std::int64_t requests_a_day = 0;           ///< that it allows; 0: any number
};

/// Ends the speaking, and leaves who spoke.
struct sharing_stop {
  void operator()(source_sharing* of) const { of->stop(); }
};

struct environment {
  std::unique_ptr<base::clock> own_clock;  ///< set when the clock is not the system's
  const base::clock* clock = nullptr;
  std::vector<configured_source> sources;  ///< every known one
  archive::stores archives;                ///< of the platforms whose archive is on
  std::shared_ptr<base::shelf> shelf;      ///< of answers, and of what is made of them
  std::unique_ptr<kept_pages> pages;
  /// Null: nobody is left alone (the sandbox). Outlives the transport, which tells it of late
  /// answers.
  std::unique_ptr<suspensions> suspended;
  /// Null: this server knows its sources alone. Outlives the transport likewise.
  std::unique_ptr<source_sharing> sharing;
  std::unique_ptr<http::transport> transport;
  http::stack_transport* network = nullptr;  ///< the innermost of the transport; null: none
  /// Runs something short at a moment, as http::stack_transport::wake_at(); null: nobody can.
  std::function<void(std::chrono::steady_clock::time_point, std::function<void()>)> wake_at;
  bool sandbox = false;
  sandbox_days recorded;  ///< where the sandbox's recordings lie in time
  /// Between browsers, the programs that read PDFs, and the machine; null in the sandbox.
  std::shared_ptr<const process::wall_survey> walls;
  std::string browser;     ///< the program that renders pages; "" if there is none
  std::string no_browser;  ///< why pages cannot be rendered here; "" if they can
  /// Goes first: until then the sharing's thread reaches the transport's.
  std::unique_ptr<source_sharing, sharing_stop> speaking;

  /// Makes shelf and pages; 0: nothing is kept.
  void keep_on(std::size_t bytes);
  /// The enabled sources that serve `op`, in the platform's order of preference.
  [[nodiscard]] std::vector<const configured_source*> serving(catalog::operation op,
                                                              const config& settings) const;
};

using log_function = std::function<void(std::string_view level, std::string_view line)>;

/// The bounds of reading PDFs as configured; without a folder where poppler is not installed.
[[nodiscard]] pdf::conversion_options configure_pdf(const config& from);
/// The sources as an operator configured them.
[[nodiscard]] std::vector<configured_source> configure_sources(const config& from);
/// What the live environment has to do with those who call.
struct live_options {
  bool collect = false;  ///< whether archives are opened to be filled, not only to be read
  std::function<bool()>
      has_shares{};  ///< whether accounts share what sources give in a day; null: never
  /// Told who has used how much of what they share; on other threads. Must not throw.
  std::function<void(base::owner_id, std::chrono::nanoseconds)> had_browser{}, used_processor{};
  std::optional<sharing_options> sharing{};  ///< with which servers; null: with none
};

[[nodiscard]] result<environment> make_live_environment(const config& settings,
                                                        const log_function& log, live_options live);
/// Who we say that we are.
[[nodiscard]] std::string user_agent(const config& from);
/// Replays the shipped exchanges under a clock that stands at their date; every source is on.
[[nodiscard]] result<environment> make_sandbox_environment(sandbox_days recorded = {});

}  // namespace freshet::detail

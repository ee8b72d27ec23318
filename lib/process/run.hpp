// A program run to its end within bounds: text in, text out, and never longer, larger or hungrier
// than allowed.
#pragma once

#include <atomic>
#include <chrono>
#include <freshet/result.hpp>
#include <process/child.hpp>
#include <string>
#include <string_view>

namespace freshet::process {

/// The bounds of one run, beside those in command.
struct bounds {
  std::chrono::steady_clock::time_point by;
  std::size_t output_bytes = 16u << 20;
  std::size_t memory_bytes = 1u << 30;  ///< of the program and all that it starts
  /// Set by another thread to end it early; may be null.
  const std::atomic<bool>* stop = nullptr;
};

/// What is kept of what a program says on its standard error.
inline constexpr std::size_t max_error_text = 4096;

enum class outcome { ended, out_of_time, too_much_output, too_much_memory, stopped };

struct run_result {
  outcome how = outcome::ended;
  ending end;  ///< if it has ended by itself
  /// That it took; of one that was ended before, at most: the time that it ran.
  std::chrono::nanoseconds processor{0};
  std::string output;  ///< complete only if it has
  std::string errors;  ///< the beginning of its standard error
};

/// Starts a program, gives it `input`, and waits on this thread. Whatever comes of it, the program
/// and its descendants are gone when this returns. `more`: what it is given beside its standard
/// input, output and error. Error: internal (it does not start).
[[nodiscard]] result<run_result> run(const command_line& command, std::string_view input,
                                     const bounds& within,
                                     std::span<const inherited_file> more = {});

}  // namespace freshet::process

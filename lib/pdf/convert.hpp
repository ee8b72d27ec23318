// A PDF to HTML, by poppler's programs as bounded children: its library is under the GPL and is not
// linked.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <freshet/result.hpp>
#include <pdf/options.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace freshet::pdf {

struct converted_document {
  std::string html;
  std::vector<std::string> warnings;
};

/// Whether a body is a PDF, by what it begins with.
[[nodiscard]] bool is_pdf(std::string_view body) noexcept;

/// What others may do to a reading, and what it has cost.
struct reading_course {
  const std::atomic<bool>* stop = nullptr;  ///< set by another thread to end it early; may be null
  std::chrono::nanoseconds processor{0};    ///< of the programs
  std::uint64_t steps = 0;                  ///< of reading what they wrote, as reading_meter counts
};

/// Waits on this thread, at most until `deadline`. Errors: unsupported_content (broken, encrypted,
/// no text in it, too large to read, or no poppler), source_timeout (no time was left), internal
/// (no process), cancelled.
[[nodiscard]] result<converted_document> convert(std::string_view body,
                                                 const conversion_options& options,
                                                 std::chrono::steady_clock::time_point deadline,
                                                 reading_course* course = nullptr);

}  // namespace freshet::pdf

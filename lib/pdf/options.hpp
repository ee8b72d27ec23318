// The bounds of reading PDFs.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <process/walls.hpp>
#include <string>

namespace freshet::pdf {

struct conversion_options {
  std::string folder;  ///< of poppler's programs, as find_poppler() gives it; "": there are none
  std::size_t max_processes = 2;
  std::size_t max_waiting = 64;            ///< documents in the queue; more are refused
  std::chrono::milliseconds time{20'000};  ///< of one document
  /// What is read for longer starts again later where others wait for a place; four times as long
  /// then, one document at a time, which accounts have in turn.
  std::chrono::milliseconds turn{2'000};
  std::size_t memory_bytes = 512u << 20;  ///< of one program
  int max_pages = 500;                    ///< the rest is left out, with a warning
  /// Between poppler's programs and the machine.
  std::shared_ptr<const process::wall_survey> walls = std::make_shared<process::wall_survey>();
  /// Told whose document took how much processor time, whatever came of it; null: nobody is. On the
  /// layer's threads; must not throw.
  std::function<void(base::owner_id, std::chrono::nanoseconds)> used_processor;
};

/// What one program may write: the text of a document with the place of every word.
inline constexpr std::size_t max_output_bytes = 96u << 20;

}  // namespace freshet::pdf

// The bounds of rendering: how many browsers, and what one page may take of one.
#pragma once

#include <base/fair_queue.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <process/walls.hpp>
#include <string>
#include <string_view>

namespace freshet::browser {

struct options {
  std::string program;                  ///< as find_browser() gives it
  std::string user_agent;               ///< appended to what the browser says it is to scripts
  std::size_t max_browsers = 2;         ///< processes; each has one page at a time
  std::size_t max_waiting = 64;         ///< pages in the queue; more are refused
  int pages_per_browser = 50;           ///< then it is replaced, whatever it has piled up
  std::size_t memory_bytes = 1u << 30;  ///< of one browser's processes together
  std::chrono::milliseconds page_time{15'000};  ///< after which a page is taken as it is
  int requests_per_page = 300;
  std::size_t bytes_per_page = 32u << 20;  ///< of bodies, decoded
  /// Between a browser and the machine.
  std::shared_ptr<const process::wall_survey> walls = std::make_shared<process::wall_survey>();
  /// Called with "warning"/"info" and one line; null: silence.
  std::function<void(std::string_view, std::string_view)> log;
  /// Told whose page had a browser for how long, whatever came of the page; null: nobody is. On the
  /// pool's thread; must not throw.
  std::function<void(base::owner_id, std::chrono::nanoseconds)> had_browser;
};

/// After so long a page of who is known for shorter ones, or for none yet, begins again, later and
/// with all its time, where another account's waits for a browser: twice what most need.
inline constexpr std::chrono::milliseconds first_turn_time{1'200};
/// The same for all others but those who are known for slower ones: one that spins does not keep a
/// browser for longer from who comes.
inline constexpr std::chrono::milliseconds turn_time{4'000};
/// How long a browser may take to start.
inline constexpr std::chrono::milliseconds start_time{20'000};
/// A page is done when its document has loaded and it has asked for nothing this long.
inline constexpr std::chrono::milliseconds quiet_time{500};
/// How long a page whose time is up may take to give what it has; a script that spins does not let
/// it, and takes the browser with it.
inline constexpr std::chrono::milliseconds snapshot_time{3'000};
/// How long a browser may take to forget a page, which is nobody's time: one whose scripts hold it
/// up as it ends costs others no more than a browser that is started in its place.
inline constexpr std::chrono::milliseconds dispose_time{1'000};
/// A browser that had nothing to do for so long is ended.
inline constexpr std::chrono::milliseconds idle_time{60'000};
/// How often the memory of a browser at work is looked at.
inline constexpr std::chrono::milliseconds memory_interval{200};
/// What a page has asked for at once; each of their answers may be as large as a page may have.
inline constexpr std::size_t max_requests_at_once = 16;
/// Documents that a page may lead on to by scripts or <meta>, one after the other.
inline constexpr int max_navigations = 5;
/// The largest message of a browser.
inline constexpr std::size_t max_message_bytes = 96u << 20;
/// The largest body that a page may send.
inline constexpr std::size_t max_posted_bytes = 1u << 20;

}  // namespace freshet::browser

// The lines, their escaping, and the thread that writes them.
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <new>
#include <server/log.hpp>
#include <thread>
#include <utility>

namespace freshet::server {
namespace {

/// Longer texts (a hostile path, a message with a page in it) are cut.
constexpr std::size_t max_text_bytes = 2048;
/// Lines of requests wait this long for more of them, or until there are so many bytes.
constexpr std::chrono::milliseconds gather_time{10};
constexpr std::size_t gather_bytes = 64 * 1024;
/// A pipe that poll() calls writable takes as much without blocking (PIPE_BUF).
constexpr std::size_t pipe_bytes = 4096;
/// How long the writer waits for a reader before it looks whether the end has come.
constexpr int poll_ms = 100;
constexpr std::chrono::milliseconds last_words{1000};

std::string timestamp() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto millis =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm utc{};
  ::gmtime_r(&seconds, &utc);
  std::array<char, 40> text{};
  const int size = std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ",
                                 utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour,
                                 utc.tm_min, utc.tm_sec, static_cast<int>(millis));
  return {text.data(), static_cast<std::size_t>(size)};
}

bool is_key_character(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The bytes of a key that starts here, its prefix included; 0 if none does.
std::size_t key_size(std::string_view text) {
  constexpr std::size_t prefix_size = std::string_view("frs_live_").size();
  if (!text.starts_with("frs_live_") && !text.starts_with("frs_test_")) return 0;
  std::size_t size = prefix_size;
  while (size < text.size() && is_key_character(text[size])) ++size;
  return size;
}

/// The length of the well-formed UTF-8 sequence at the start of `text`; 0 if it is ill-formed.
std::size_t sequence_size(std::string_view text) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = at(0);
  const std::size_t size = lead < 0x80                   ? 1
                           : lead >= 0xc2 && lead < 0xe0 ? 2
                           : lead >= 0xe0 && lead < 0xf0 ? 3
                           : lead >= 0xf0 && lead < 0xf5 ? 4
                                                         : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((at(i) & 0xc0) != 0x80) return 0;
  }
  if (lead == 0xe0 && at(1) < 0xa0) return 0;  // overlong
  if (lead == 0xed && at(1) > 0x9f) return 0;  // a surrogate
  if (lead == 0xf0 && at(1) < 0x90) return 0;  // overlong
  if (lead == 0xf4 && at(1) > 0x8f) return 0;  // beyond U+10FFFF
  return size;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x20 && byte != 0x7f) {
    out += c;
    return;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  out.append("\\u00");
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

std::string line_of(std::string_view level, std::string_view message) {
  std::string text = "{\"time\":\"" + timestamp() + "\",\"level\":";
  append_log_text(text, level);
  text.append(",\"message\":");
  append_log_text(text, message);
  return text.append("}\n");
}

/// Whether a sequence is a control of C1 (U+0080 to U+009F), which a terminal that shows the log
/// obeys, or turns the letters beside it (U+202A to U+202E, U+2066 to U+2069).
bool is_obeyed(std::string_view sequence) {
  return (sequence >= "\xC2\x80" && sequence <= "\xC2\x9F") ||
         (sequence >= "\xE2\x80\xAA" && sequence <= "\xE2\x80\xAE") ||
         (sequence >= "\xE2\x81\xA6" && sequence <= "\xE2\x81\xA9");
}

/// Appends what is_obeyed() as JSON writes it in ASCII.
void append_code(std::string& out, std::string_view sequence) {
  unsigned point = static_cast<unsigned char>(sequence[0]) & (sequence.size() == 2 ? 0x1fU : 0x0fU);
  for (const char c : sequence.substr(1))
    point = point << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  std::array<char, 8> code{};
  const int size = std::snprintf(code.data(), code.size(), "\\u%04x", point);
  out.append(code.data(), static_cast<std::size_t>(size));
}

}  // namespace

void append_log_text(std::string& out, std::string_view text) {
  const std::string_view kept = text.substr(0, max_text_bytes);
  out += '"';
  for (std::size_t at = 0; at < kept.size();) {
    // Looked for in the whole text: a key must not show because the cut is in it.
    if (const std::size_t key = kept[at] == 'f' ? key_size(text.substr(at)) : 0; key > 0) {
      out.append(text.substr(at, std::string_view("frs_live_").size())).append("***");
      at += key;
      continue;
    }
    const std::size_t size = sequence_size(kept.substr(at));
    if (size > 1 && is_obeyed(kept.substr(at, size))) {
      append_code(out, kept.substr(at, size));
    } else if (size > 1) {
      out.append(kept.substr(at, size));
    } else if (size == 1) {
      append_escaped(out, kept[at]);
    } else {
      out.append("\xEF\xBF\xBD");
    }
    at += size == 0 ? 1 : size;
  }
  if (kept.size() < text.size()) out.append("...");
  out += '"';
}

struct logger::state {
  state(int status, std::size_t bytes) : descriptor(status), room(bytes) {}

  void put(std::string&& text, bool urgent);
  void run();
  [[nodiscard]] std::string gather();
  void write(std::string_view text);

  const int descriptor;
  const std::size_t room;
  std::mutex mutex;  // guards the rest
  std::condition_variable changed, written;
  std::string waiting;
  std::uint64_t dropped = 0, dropped_unsaid = 0;
  bool writing = false, urgent = false, ends = false, done = false;
};

void logger::state::put(std::string&& text, bool at_once) {
  bool tell = false;
  {
    const std::lock_guard lock(mutex);
    if (waiting.size() + text.size() > room) {
      ++dropped;
      ++dropped_unsaid;
      return;
    }
    // The writer is told once; what comes before it looks goes with the first.
    tell = waiting.empty() || (at_once && !urgent) ||
           (waiting.size() < gather_bytes && waiting.size() + text.size() >= gather_bytes);
    urgent = urgent || at_once;
    waiting += text;
  }
  if (tell) changed.notify_one();
}

std::string logger::state::gather() {
  std::unique_lock lock(mutex);
  writing = false;
  if (waiting.empty()) written.notify_all();
  changed.wait(lock, [&] { return ends || !waiting.empty(); });
  changed.wait_for(lock, gather_time,
                   [&] { return ends || urgent || waiting.size() >= gather_bytes; });
  std::string text = std::exchange(waiting, {});
  urgent = false;
  writing = !text.empty();
  const std::uint64_t lost = std::exchange(dropped_unsaid, 0);
  lock.unlock();
  if (lost > 0) {
    text += line_of("warn", "log: " + std::to_string(lost) +
                                " lines were dropped, since nobody has read the log");
  }
  return text;
}

void logger::state::write(std::string_view text) {
  while (descriptor >= 0 && !text.empty()) {
    pollfd ready{descriptor, POLLOUT, 0};
    const int polled = ::poll(&ready, 1, poll_ms);
    if (polled < 0 && errno != EINTR) return;
    if (polled <= 0) {
      const std::lock_guard lock(mutex);
      if (done) return;
      continue;
    }
    const ssize_t size = ::write(descriptor, text.data(), std::min(text.size(), pipe_bytes));
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    // Nobody reads the log (EPIPE, ENOSPC): serving goes on without it.
    if (size <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void logger::state::run() {
  // A reader that goes away is an error of write(), whatever the process makes of the signal.
  sigset_t broken_pipe;
  ::sigemptyset(&broken_pipe);
  ::sigaddset(&broken_pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
  while (true) {
    try {
      const std::string text = gather();
      write(text);
    } catch (const std::bad_alloc&) {
      // The lines are lost; the next may find memory.
    }
    const std::lock_guard lock(mutex);
    if (!ends || (!waiting.empty() && !done)) continue;
    writing = false;
    done = true;
    written.notify_all();
    return;
  }
}

logger::logger(int descriptor, bool access, std::size_t room)
    : state_(std::make_shared<state>(descriptor, room)), access_(access) {
  std::thread([kept = state_] { kept->run(); }).detach();
}

logger::~logger() {
  std::unique_lock lock(state_->mutex);
  state_->ends = true;
  state_->changed.notify_all();
  // Detached: a write to a hung disk or terminal can be waited for no longer than this.
  state_->written.wait_for(lock, last_words, [&] { return state_->done; });
  state_->done = true;
}

void logger::line(std::string_view level, std::string_view message) {
  state_->put(line_of(level, message), true);
}

void logger::access(const access_record& of) {
  if (!access_) return;
  std::array<char, 160> numbers{};
  const int size =
      std::snprintf(numbers.data(), numbers.size(),
                    ",\"status\":%d,\"ms\":%.3f,\"credits\":%lld,\"bytes\":%zu}\n", of.status,
                    of.elapsed_ms, static_cast<long long>(of.credits), of.bytes);
  std::string text = "{\"time\":\"" + timestamp() + "\",\"level\":\"info\",\"request_id\":";
  append_log_text(text, of.request_id);
  text.append(",\"method\":");
  append_log_text(text, of.method);
  text.append(",\"path\":");
  append_log_text(text, of.path);
  text.append(numbers.data(), static_cast<std::size_t>(size));
  state_->put(std::move(text), false);
}

bool logger::flush(std::chrono::milliseconds at_most) {
  std::unique_lock lock(state_->mutex);
  state_->urgent = true;
  state_->changed.notify_all();
  return state_->written.wait_for(
      lock, at_most, [&] { return state_->done || (state_->waiting.empty() && !state_->writing); });
}

std::uint64_t logger::dropped() const {
  const std::lock_guard lock(state_->mutex);
  return state_->dropped;
}

}  // namespace freshet::server

// The lines and their escaping.
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <server/log.hpp>

namespace freshet::server {
namespace {

/// Longer texts (a hostile path, a message with a page in it) are cut.
constexpr std::size_t max_text_bytes = 2048;
constexpr std::size_t max_pending_bytes = 64 * 1024;

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
    if (size > 1) {
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

logger::logger(int descriptor, bool access) : descriptor_(descriptor), access_(access) {}

logger::~logger() { flush(); }

void logger::line(std::string_view level, std::string_view message) {
  std::string text = "{\"time\":\"" + timestamp() + "\",\"level\":";
  append_log_text(text, level);
  text.append(",\"message\":");
  append_log_text(text, message);
  text.append("}\n");
  const std::lock_guard lock(mutex_);
  pending_.append(text);
  flush_locked();
}

bool logger::access(const access_record& of) {
  if (!access_) return false;
  std::array<char, 160> numbers{};
  const int size =
      std::snprintf(numbers.data(), numbers.size(),
                    ",\"status\":%d,\"ms\":%.3f,\"credits\":%lld,\"bytes\":%zu}\n", of.status,
                    of.elapsed_ms, static_cast<long long>(of.credits), of.bytes);
  const std::lock_guard lock(mutex_);
  pending_.append("{\"time\":\"").append(timestamp()).append("\",\"level\":\"info\"");
  pending_.append(",\"request_id\":");
  append_log_text(pending_, of.request_id);
  pending_.append(",\"method\":");
  append_log_text(pending_, of.method);
  pending_.append(",\"path\":");
  append_log_text(pending_, of.path);
  pending_.append(numbers.data(), static_cast<std::size_t>(size));
  if (pending_.size() > max_pending_bytes) flush_locked();
  const bool tell = !flush_due_ && !pending_.empty();
  flush_due_ = flush_due_ || tell;
  return tell;
}

void logger::flush() {
  const std::lock_guard lock(mutex_);
  flush_locked();
}

void logger::flush_locked() {
  flush_due_ = false;
  std::string_view left = pending_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    // Nobody reads the log (EPIPE, ENOSPC): serving goes on without it.
    if (written <= 0) break;
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  pending_.clear();
}

}  // namespace freshet::server

// gzip for answers. A state of zlib is reused for small ones: setting one up costs more than
// compressing them. Large ones are compressed a slice at a time, so that who shares the thread
// never waits longer than for a slice.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace freshet::server {

/// Answers below this gain nothing.
inline constexpr std::size_t min_gzip_bytes = 1024;
/// Half a millisecond of JSON.
inline constexpr std::size_t gzip_slice_bytes = 32 * 1024;

/// The beginning of a gzip member, made once for many that begin the same, and what else is needed
/// to end one.
[[nodiscard]] std::string_view gzip_part(std::string_view packed_lead) noexcept;
/// The end of a gzip member of a lead of so many bytes and of `tail`, which is short.
[[nodiscard]] std::string end_gzip(std::string_view packed_lead, std::size_t lead_bytes,
                                   std::string_view tail);

/// One text at a time. Not thread-safe.
class gzip_encoder {
 public:
  gzip_encoder();
  ~gzip_encoder();
  /// The text must stay until it is done. `goes_on`: it is the lead of several, and what take()
  /// gives is for gzip_part() and end_gzip().
  void begin(std::string_view text, bool goes_on = false);
  /// Compresses a slice; false when there is no more.
  [[nodiscard]] bool advance();
  /// The text as a gzip member; "" if zlib failed (out of memory).
  [[nodiscard]] std::string take();
  /// All at once.
  [[nodiscard]] std::string encode(std::string_view text);

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
  std::string_view left_;
  bool goes_on_ = false;
  std::string out_;
};

}  // namespace freshet::server

// gzip for answers, with one zlib state that is reused: setting one up costs more than compressing
// a small answer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace freshet::server {

/// Answers below this gain nothing; above the upper bound they would hold up the io thread (about
/// 15 ms a megabyte).
inline constexpr std::size_t min_gzip_bytes = 1024;
inline constexpr std::size_t max_gzip_bytes = 1024 * 1024;

/// Not thread-safe.
class gzip_encoder {
 public:
  gzip_encoder();
  ~gzip_encoder();
  /// The text as a gzip member; "" if zlib fails (out of memory).
  [[nodiscard]] std::string encode(std::string_view text);

 private:
  struct stream;
  std::unique_ptr<stream> stream_;
};

}  // namespace freshet::server

// What others have packed as gzip (RFC 1952), unpacked within a bound: a small file may stand for
// any number of bytes. It packs nothing.
#pragma once

#include <string>
#include <string_view>

namespace freshet::base {

/// Whether bytes begin as gzip does.
[[nodiscard]] bool is_gzip(std::string_view bytes) noexcept;

struct unpacked_text {
  std::string text;
  bool is_cut = false;     ///< there is more than the bound; the text is what came before
  bool is_broken = false;  ///< it breaks off or is no gzip from some place on; the same
};

/// At most `max_size` bytes of what was packed, of all members. Takes no more memory than that and
/// no longer than it takes to make as much.
[[nodiscard]] unpacked_text gunzip(std::string_view packed, std::size_t max_size);

}  // namespace freshet::base

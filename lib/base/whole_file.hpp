// A text that is a file: read in one piece, and replaced as a whole, so that a crash leaves the one
// before or this one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace freshet::base {

/// What the file says; "" where there is none.
[[nodiscard]] std::string read_whole(const std::string& path);
/// Has the file hold this text, on the disk, for its owner alone. False where it can not be
/// written.
[[nodiscard]] bool replace_whole(const std::string& path, std::string_view text);
/// Writes all of `text` to a descriptor, from `place` on, however often it takes. False, with
/// errno, where the file takes no more.
[[nodiscard]] bool write_at(int file, std::string_view text, std::int64_t place) noexcept;

}  // namespace freshet::base

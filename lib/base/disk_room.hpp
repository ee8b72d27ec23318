// How much of a disk is free. The book can be nowhere else: whoever keeps what may be lost leaves
// it room.
#pragma once

#include <cstdint>
#include <string>

namespace freshet::base {

/// Of a disk, what whoever keeps what may be lost leaves to the book.
inline constexpr std::int64_t room_of_book = 64 << 20;

/// Of the disk that the file is on; the greatest number where nobody knows.
[[nodiscard]] std::int64_t free_bytes_beside(const std::string& path) noexcept;

}  // namespace freshet::base

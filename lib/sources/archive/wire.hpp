// The parts of the archive's source: the question to this server's own archive (plan), its answer
// (read). Private to its folder, but for the address, which lib/engine answers.
#pragma once

#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::archive {

/// Never a host of the network (RFC 6761): a layer of the engine answers in its place.
inline constexpr std::string_view base_url = "https://archive.invalid";

/// A position is a number of 64 bits, in digits.
inline constexpr std::size_t max_position = 19;

plan_function plan_microblog, plan_news;
read_function read_microblog, read_news;

}  // namespace freshet::sources::archive

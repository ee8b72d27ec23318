// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>

namespace freshet::sources::brave {

inline constexpr int page_size = 20;  // the most that the API gives
inline constexpr int images_of_search = 100;
inline constexpr int max_pages = 10;  // its offset, which counts pages, ends at 9

plan_function plan_search, plan_suggest;
read_function read_search, read_suggest;

}  // namespace freshet::sources::brave

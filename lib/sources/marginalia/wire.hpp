// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>

namespace freshet::sources::marginalia {

inline constexpr int max_page_size = 100;
inline constexpr int max_pages = 50;

plan_function plan_search;
read_function read_search;

}  // namespace freshet::sources::marginalia

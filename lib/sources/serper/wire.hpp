// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>

namespace freshet::sources::serper {

/// One credit at Serper; more results in one page cost two.
inline constexpr int page_size = 10;
inline constexpr int max_pages = 40;  // Google gives no more than some 400 results

plan_function plan_search, plan_suggest;
read_function read_search, read_suggest;

}  // namespace freshet::sources::serper

// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>

namespace freshet::sources::searxng {

inline constexpr int max_pages = 50;  // no engine behind an instance goes further

plan_function plan_search, plan_suggest;
read_function read_search, read_suggest;

}  // namespace freshet::sources::searxng

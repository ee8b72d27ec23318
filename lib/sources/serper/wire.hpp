// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::serper {

extern const descriptor source;

/// One credit at Serper; more results in one page cost two.
inline constexpr int page_size = 10;
inline constexpr int max_pages = 40;  // Google gives no more than some 400 results

result<http::request> plan_search(const call&, const settings&, std::string_view position);
result<step> read_search(const exchange&);

}  // namespace freshet::sources::serper

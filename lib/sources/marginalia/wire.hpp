// What plan.cpp and read.cpp of this source share.
#pragma once

#include <freshet/result.hpp>
#include <sources/source.hpp>
#include <string_view>

namespace freshet::sources::marginalia {

extern const descriptor source;

inline constexpr int max_page_size = 100;
inline constexpr int max_pages = 50;

result<http::request> plan_search(const call&, const settings&, std::string_view position);
result<step> read_search(const exchange&);

}  // namespace freshet::sources::marginalia

# bench_scrape: converts a folder of pages, for scoring against a corpus. Not part of the build.
add_executable(bench_scrape EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/scrape_pages.cpp
  ${CMAKE_CURRENT_LIST_DIR}/page_parts.cpp)
target_link_libraries(bench_scrape PRIVATE freshet_markdown ZLIB::ZLIB freshet_warnings)
# bench_growth: what ten times a hostile page costs.
add_executable(bench_growth EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/growth.cpp)
target_link_libraries(bench_growth PRIVATE freshet_markdown freshet_warnings)

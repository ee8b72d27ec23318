# The archive's benchmark: not built by default, not a test.
add_executable(bench_archive EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/archive.cpp)
target_link_libraries(bench_archive PRIVATE freshet_archive Threads::Threads freshet_warnings)

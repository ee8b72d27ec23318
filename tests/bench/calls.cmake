# bench_calls: C++'s side of tests/bench/python, which builds and runs it. Not part of the build.
add_executable(bench_calls EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/calls.cpp)
target_link_libraries(bench_calls PRIVATE freshet::freshet freshet_warnings)

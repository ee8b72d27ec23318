# What large books cost: not built by default, not a test.
add_executable(bench_book EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/book.cpp)
target_link_libraries(bench_book PRIVATE freshet_account SQLite::SQLite3 Threads::Threads
                      freshet_warnings)

# The ledger's benchmark: not built by default, not a test.
add_executable(bench_ledger EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/ledger.cpp)
target_link_libraries(bench_ledger PRIVATE freshet_account SQLite::SQLite3 Threads::Threads
                      freshet_warnings)

# bench_recordings: what every source reads out of every recording, and what it costs. Not part of the build.
add_executable(bench_recordings EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/recordings.cpp)
target_link_libraries(bench_recordings PRIVATE freshet_sources freshet_model freshet_warnings)
target_include_directories(bench_recordings PRIVATE ${PROJECT_SOURCE_DIR}/tests)

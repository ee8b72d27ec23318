# bench_parse: html::parse over a folder of pages beside libxml2's HTML parser, where that is
# installed (libxml2-dev; for this program only). Not part of the build.
find_package(LibXml2 QUIET)
add_executable(bench_parse EXCLUDE_FROM_ALL ${CMAKE_CURRENT_LIST_DIR}/parse.cpp)
target_link_libraries(bench_parse PRIVATE freshet_html ZLIB::ZLIB freshet_warnings)
if(LibXml2_FOUND)
  target_link_libraries(bench_parse PRIVATE LibXml2::LibXml2)
  target_compile_definitions(bench_parse PRIVATE FRESHET_BENCH_LIBXML2)
endif()

// Where the books of the tests are; see support/database_at.hpp.
#pragma once

#include <unistd.h>
#include <atomic>
#include <filesystem>
#include <string>
#include <support/database_at.hpp>

namespace freshet::account::test {

using freshet::test::on_postgres_server;
using freshet::test::run_on_server;
using freshet::test::test_server;

struct book_at {
  std::string database, folder;
};

/// The book of `path`, ":memory:" for one that is new each time. The pepper is kept beside it.
inline book_at book_of(const std::string& path) {
  if (!on_postgres_server()) return {path, {}};
  static std::atomic<int> made{0};
  const bool in_memory = path == ":memory:";
  const std::string name = in_memory ? std::to_string(::getpid()) + "." + std::to_string(++made)
                                     : std::filesystem::absolute(path).string();
  const std::string schema = freshet::test::schema_of(name);
  const std::string folder = in_memory ? (std::filesystem::temp_directory_path() / schema).string()
                                       : std::filesystem::path(name).parent_path().string();
  if (in_memory) std::filesystem::create_directory(folder);
  return {freshet::test::url_of_schema(schema), folder};
}

}  // namespace freshet::account::test

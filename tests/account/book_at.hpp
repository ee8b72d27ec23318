// Where the books of the tests are: in the file that a test names, or, where FRESHET_TEST_POSTGRES
// has the address of a server, in a schema of PostgreSQL that stands for that file. So one suite
// runs over both stores; cases that are about files have the tag [sqlite].
#pragma once

#include <unistd.h>
#include <atomic>
#include <base/digest.hpp>
#include <cstdlib>
#include <filesystem>
#include <postgres/postgres.hpp>
#include <stdexcept>
#include <string>

namespace freshet::account::test {

/// The server of PostgreSQL that the tests have; "" for none.
inline std::string test_server() {
  const char* const set = std::getenv("FRESHET_TEST_POSTGRES");
  return set == nullptr ? "" : set;
}

struct book_at {
  std::string database, folder;
};

/// Runs SQL on the tests' server, or throws.
inline void run_on_server(const std::string& url, const std::string& sql) {
  postgres::pg_connection on;
  postgres::connection_options options;
  options.url = url;
  if (auto opened = on.open(options); !opened) throw std::runtime_error(opened.error().detail());
  if (on.execute(sql.c_str()) != postgres::pg_outcome::done)
    throw std::runtime_error(on.last_error("a test").detail());
}

/// The book of `path`, ":memory:" for one that is new each time. The pepper is kept beside it.
inline book_at book_of(const std::string& path) {
  const std::string server = test_server();
  if (server.empty()) return {path, {}};
  static std::atomic<int> made{0};
  const bool in_memory = path == ":memory:";
  const std::string name = in_memory ? std::to_string(::getpid()) + "." + std::to_string(++made)
                                     : std::filesystem::absolute(path).string();
  const std::string schema = "t" + base::hex(base::as_text(base::sha256(name))).substr(0, 20);
  run_on_server(server, "SET client_min_messages=warning; CREATE SCHEMA IF NOT EXISTS " + schema);
  const std::string folder = in_memory ? (std::filesystem::temp_directory_path() / schema).string()
                                       : std::filesystem::path(name).parent_path().string();
  if (in_memory) std::filesystem::create_directory(folder);
  return {server + "?options=-csearch_path%3D" + schema, folder};
}

/// Whether books are in PostgreSQL.
inline bool on_postgres_server() { return !test_server().empty(); }

}  // namespace freshet::account::test

// Where tests keep what a store writes: in the file that a test names, or, where
// FRESHET_TEST_POSTGRES has the address of a server, in a schema of PostgreSQL that stands for that
// file. So one suite runs over both stores; cases that are about files have the tag [sqlite], those
// about the server [postgres].
#pragma once

#include <base/digest.hpp>
#include <cstdlib>
#include <filesystem>
#include <postgres/postgres.hpp>
#include <stdexcept>
#include <string>

namespace freshet::test {

/// The server of PostgreSQL that the tests have; "" for none.
inline std::string test_server() {
  const char* const set = std::getenv("FRESHET_TEST_POSTGRES");
  return set == nullptr ? "" : set;
}

/// Whether the tests are about PostgreSQL.
inline bool on_postgres_server() { return !test_server().empty(); }

/// Runs SQL on the tests' server, or throws.
inline void run_on_server(const std::string& url, const std::string& sql) {
  postgres::pg_connection on;
  postgres::connection_options options;
  options.url = url;
  if (auto opened = on.open(options); !opened) throw std::runtime_error(opened.error().detail());
  if (on.execute(sql.c_str()) != postgres::pg_outcome::done)
    throw std::runtime_error(on.last_error("a test").detail());
}

/// The schema that stands for a file's absolute path, or for any other name.
inline std::string schema_of(const std::string& name) {
  return "t" + base::hex(base::as_text(base::sha256(name))).substr(0, 20);
}

/// The address of that schema, which is made where it is missing.
inline std::string url_of_schema(const std::string& schema) {
  const std::string server = test_server();
  run_on_server(server, "SET client_min_messages=warning; CREATE SCHEMA IF NOT EXISTS " + schema);
  return server + "?options=-csearch_path%3D" + schema;
}

/// Removes such a schema, whose address is `url`, with all that it has.
inline void drop_schema_at(const std::string& url) {
  const auto schema = url.substr(url.rfind("%3D") + 3);
  run_on_server(test_server(),
                "SET client_min_messages=warning; DROP SCHEMA " + schema + " CASCADE");
}

/// `path`, or the address of what stands for it.
inline std::string database_at(const std::string& path) {
  if (!on_postgres_server()) return path;
  return url_of_schema(schema_of(std::filesystem::absolute(path).string()));
}

}  // namespace freshet::test

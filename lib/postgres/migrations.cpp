// Whoever brings tables up to date has their lock until the end of the transaction; the others
// wait, and then find it done.
#include <postgres/migrations.hpp>

namespace freshet::postgres {
namespace {

std::string lock_version(const pg_schema& schema) {
  return std::string(
             "BEGIN; SET LOCAL statement_timeout=0; SELECT pg_advisory_xact_lock(hashtext('") +
         schema.lock + "'), hashtext(current_schema())); CREATE TABLE IF NOT EXISTS " +
         schema.table +
         " (only_one INTEGER PRIMARY KEY CHECK (only_one=1), version BIGINT NOT NULL)";
}

std::string put_version(const pg_schema& schema) {
  return std::string("INSERT INTO ") + schema.table +
         " (only_one, version) VALUES (1, $1) ON CONFLICT (only_one) DO UPDATE SET "
         "version=excluded.version";
}

result<void> apply(pg_connection& connection, const pg_schema& schema, std::int64_t version,
                   const std::function<void(std::string_view)>& tell) {
  for (const pg_migration& step : schema.steps) {
    if (step.number <= version) continue;
    const std::string number = std::to_string(step.number);
    if (tell && version != 0)
      tell(std::string("bringing ") + schema.subject + " to schema " + number + " of " +
           std::to_string(schema.steps.back().number));
    if (connection.execute("migrate", step.sql) != pg_outcome::done)
      return connection.last_error("migrating to schema " + number);
    pg_statement put(connection, "migrate", put_version(schema));
    if (put.bind(step.number).run() != pg_outcome::done) return connection.last_error("migrating");
  }
  if (connection.execute("migrate", "COMMIT") != pg_outcome::done)
    return connection.last_error("migrating");
  return {};
}

result<void> bring_up(pg_connection& connection, const pg_schema& schema,
                      const std::function<void(std::string_view)>& tell) {
  const pg_connection::patience unhurried(connection);
  if (connection.execute(lock_version(schema).c_str()) != pg_outcome::done)
    return connection.last_error("migrating");
  const auto version = schema_version(connection, schema);
  if (!version) return version.error();
  const std::int64_t newest = schema.steps.back().number;
  if (*version > newest) return newer_schema(schema, *version);
  if (*version == newest) return {};
  return apply(connection, schema, *version, tell);
}

}  // namespace

result<std::int64_t> schema_version(pg_connection& connection, const pg_schema& schema) {
  auto version = connection.integer(
      (std::string("SELECT coalesce(max(version), 0) FROM ") + schema.table).c_str());
  if (!version) return connection.last_error("reading the schema");
  return version;
}

error newer_schema(const pg_schema& schema, std::int64_t version) {
  return error(errc::invalid_configuration,
               std::string(schema.subject) + " has schema " + std::to_string(version) +
                   ", newer than this program's " + std::to_string(schema.steps.back().number) +
                   ": use the newer program");
}

result<void> migrate(pg_connection& connection, const pg_schema& schema,
                     const std::function<void(std::string_view)>& tell) {
  auto done = bring_up(connection, schema, tell);
  if (connection.in_transaction()) static_cast<void>(connection.execute("ROLLBACK"));
  return done;
}

}  // namespace freshet::postgres

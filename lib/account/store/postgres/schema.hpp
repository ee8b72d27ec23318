// The book's tables in PostgreSQL and their numbered changes.
#pragma once

#include <postgres/postgres.hpp>

namespace freshet::account::on_postgres {

/// Brings the database to this program's schema, or leaves it as it was; see postgres::migrate().
[[nodiscard]] result<void> migrate(postgres::pg_connection& connection,
                                   const std::function<void(std::string_view)>& tell);

/// Whether the database can be read as it is. Errors: not_found (nothing of ours is there),
/// invalid_configuration (another schema), storage_unavailable.
[[nodiscard]] result<void> check(postgres::pg_connection& on);

}  // namespace freshet::account::on_postgres

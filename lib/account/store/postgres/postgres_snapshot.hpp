// The whole ledger at one moment, read in one transaction, some rows at a time, on a connection
// that nobody waits behind.
#pragma once

#include <account/store/ledger_snapshot.hpp>
#include <postgres/postgres.hpp>

namespace freshet::account::on_postgres {

/// A connection on which statements may take as long as they do, unless `is_gone`. Errors as
/// connection::open().
[[nodiscard]] result<void> open_for_snapshot(postgres::pg_connection& connection,
                                             const std::string& url,
                                             std::function<bool()> is_gone = {});
/// Error: storage_unavailable.
[[nodiscard]] result<void> read_snapshot(postgres::pg_connection& connection,
                                         const std::function<void(ledger_snapshot&)>& read);

}  // namespace freshet::account::on_postgres

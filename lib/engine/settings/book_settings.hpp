// Where the configuration has the accounts' book.
#pragma once

#include <account/accounts.hpp>
#include <account/store/book_file.hpp>
#include <engine/runtime/environment.hpp>
#include <freshet/config.hpp>
#include <postgres/read_replica.hpp>
#include <string>

namespace freshet::detail {

/// Error: invalid_configuration.
[[nodiscard]] result<account::book_place> configured_book(const config& from);
/// Where reports are read that may be some seconds old; null where no such place is configured.
[[nodiscard]] std::shared_ptr<postgres::read_replica> open_replica(const config& settings,
                                                                   const log_function& log);
/// Bounds of the kept answers of idempotent calls.
[[nodiscard]] account::answer_limits configured_answers(const config& settings);
/// The file whose name those that lie beside a book begin with; of a book in PostgreSQL it is not
/// there.
[[nodiscard]] std::string file_of(const account::book_place& book);

}  // namespace freshet::detail

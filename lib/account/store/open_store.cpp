// Which store is meant, by how it is named.
#include <account/store/postgres/postgres_book.hpp>
#include <account/store/postgres/postgres_import.hpp>
#include <account/store/postgres/postgres_store.hpp>
#include <account/store/sqlite/sqlite_book_file.hpp>
#include <account/store/sqlite/sqlite_store.hpp>

namespace freshet::account {
namespace {

template <class Store>
result<std::unique_ptr<account_store>> open_as(const account_store_options& options) {
  auto opened = std::make_unique<Store>();
  if (auto done = opened->open(options); !done) return done.error();
  return std::unique_ptr<account_store>(std::move(opened));
}

}  // namespace

result<std::unique_ptr<account_store>> account_store::open(const account_store_options& options) {
  return postgres::is_url(options.path) ? open_as<on_postgres::postgres_store>(options)
                                        : open_as<sqlite_store>(options);
}

result<std::unique_ptr<book_file>> book_file::open(const book_place& at) {
  return postgres::is_url(at.database) ? on_postgres::open_book(at) : open_book(at.database);
}

result<void> copy_to_database(const book_place& source, const book_place& target,
                              const progress& watch) {
  if (postgres::is_url(source.database) || !postgres::is_url(target.database))
    return error(errc::invalid_request, "a book is moved from sqlite:PATH to postgresql://…");
  return on_postgres::import_book(source.database, target, watch);
}

result<std::unique_ptr<book_draft>> begin_restore(const std::string& backup,
                                                  const book_place& place, const progress& watch) {
  if (postgres::is_url(place.database)) return on_postgres::no_restore();
  return restore_book(backup, place.database, watch);
}

}  // namespace freshet::account

// A file of its own, one in the data folder, or a database of PostgreSQL.
#include <engine/settings/book_settings.hpp>
#include <postgres/postgres.hpp>

namespace freshet::detail {
namespace {

constexpr std::string_view usual_name = "/freshet.db";

}  // namespace

result<account::book_place> configured_book(const config& from) {
  const auto named = from.text("storage.database");
  const auto folder = from.text("storage.data_dir");
  constexpr std::string_view scheme = "sqlite:";
  if (named.starts_with(scheme)) return account::book_place(named.substr(scheme.size()));
  if (!named.empty() && !postgres::is_url(named)) {
    return error(errc::invalid_configuration,
                 "storage.database: sqlite:PATH or postgresql://… is expected, and it is neither");
  }
  if (folder.empty()) {
    return error(errc::invalid_configuration,
                 named.empty() ? "storage.data_dir: name the folder of the database"
                               : "storage.data_dir: name the folder of the pepper");
  }
  if (!named.empty()) return account::book_place(named, folder);
  return account::book_place(folder + std::string(usual_name));
}

std::string file_of(const account::book_place& book) {
  return book.folder.empty() ? book.database : book.folder + std::string(usual_name);
}

}  // namespace freshet::detail

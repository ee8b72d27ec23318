// What is missing is told with what to do, and how to go on without it.
#include <account/rules/chain.hpp>
#include <account/store/sqlite/book_state.hpp>
#include <account/store/sqlite/schema.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account {
namespace {

error refused(std::string why) { return error(errc::invalid_configuration, std::move(why)); }

}  // namespace

result<void> check_marked_closed(sqlite::database& database, const std::string& path) {
  const auto has_mark = database.has_table("state");
  if (!has_mark) return has_mark.error();
  if (!*has_mark) return {};
  const auto is_open = database.integer("SELECT ifnull(max(is_open), 0) FROM state");
  if (!is_open) return is_open.error();
  if (*is_open == 0) return {};
  const std::string journal = journal_path(path);
  return refused(path + " was copied while it was open, without " + journal +
                 ": rows may be missing; restore a backup, or copy both. To go on with what "
                 "there is, make an empty file " +
                 journal);
}

result<void> check_head(sqlite::database& database, const std::string& path,
                        std::string_view pepper) {
  // One that is torn or of another pepper says nothing.
  const auto known = read_sealed_text(sqlite::short_file::read(head_path(path)), pepper);
  if (!known) return {};
  const auto seq = database.integer("SELECT ifnull(max(seq), 0) FROM ledger_head");
  if (!seq) return seq.error();
  if (*seq >= known->seq) return {};
  return refused(path + " ends at row " + std::to_string(*seq) + " of its ledger, and reached " +
                 head_name(*known) +
                 " before: rows are missing; restore a newer backup. To go "
                 "on with what there is, remove " +
                 head_path(path));
}

result<void> check_pepper(sqlite::database& database, std::string_view pepper,
                          const std::string& file) {
  sqlite::statement known(database, "query", "SELECT value FROM secrets WHERE name=?");
  const sqlite::sqlite_code code = known.bind(pepper_check_name).step();
  if (code != sqlite::sqlite_row && code != sqlite::sqlite_done)
    return database.last_error("reading the secrets");
  const base::sha256_digest check = pepper_check_of(pepper);
  if (code == sqlite::sqlite_row && known.text(0) == base::as_text(check)) return {};
  return refused(file + " does not belong to the database");
}

result<void> check_schema(sqlite::database& database, const std::string& path) {
  const auto version = database.integer("PRAGMA user_version");
  const auto owner = database.integer("PRAGMA application_id");
  if (!version || !owner) return database.last_error("reading " + path);
  if (*owner != application_id) return refused(path + " belongs to another program");
  const std::int64_t newest = migrations().back().number;
  if (*version == newest) return {};
  const std::string both = path + " has schema " + std::to_string(*version) +
                           " and this program's is " + std::to_string(newest);
  return refused(*version > newest
                     ? both + ": use the newer program"
                     : both +
                           ": a command that opens it, such as `freshet accounts list`, brings "
                           "it up to date");
}

}  // namespace freshet::account

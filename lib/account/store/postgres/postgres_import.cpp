// Some rows at a time, each batch a transaction of its own. What was interrupted goes on: rows that
// are there stay, and of the ledger, which is most of a book, they are not even read again.
#include <account/store/pepper_check.hpp>
#include <account/store/postgres/nodes.hpp>
#include <account/store/postgres/postgres_import.hpp>
#include <account/store/postgres/postgres_snapshot.hpp>
#include <account/store/postgres/postgres_store.hpp>
#include <account/store/postgres/schema.hpp>
#include <account/store/sqlite/book_state.hpp>
#include <account/store/sqlite/sqlite_rows.hpp>
#include <base/unicode.hpp>
#include <sqlite/database_files.hpp>

namespace freshet::account::on_postgres {

using postgres::pg_connection;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

constexpr std::size_t rows_of_batch = 2'000;
/// Of answers, whose bodies are long.
constexpr std::size_t bytes_at_once = 4 << 20;

/// How a column is copied.
enum class column_kind : std::uint8_t { number, truth, text, shown_text, bytes };

struct copied_column {
  const char* name;
  column_kind kind;
};

struct copied_table {
  const char* name;
  std::span<const copied_column> columns;
  const char* numbered_by = "";  ///< the column whose numbers go on behind the last
};

using enum column_kind;

constexpr copied_column accounts_columns[] = {
    {"id", number},         {"public_id", text}, {"email", text},         {"plan", text},
    {"created_at", number}, {"password", text},  {"verified_at", number}, {"is_operator", truth},
    {"deleted_at", number}, {"mailbox", text}};
constexpr copied_column keys_columns[] = {{"id", number},           {"public_id", text},
                                          {"account_id", number},   {"family", number},
                                          {"hash", bytes},          {"is_test", truth},
                                          {"last_four", text},      {"scope_read", truth},
                                          {"scope_account", truth}, {"monthly_budget", number},
                                          {"expires_at", number},   {"revoked_at", number},
                                          {"last_used_at", number}, {"created_at", number},
                                          {"name", shown_text},     {"rotated_at", number},
                                          {"origins", text}};
constexpr copied_column budgets_columns[] = {
    {"family", number}, {"month", number}, {"used", number}};
constexpr copied_column ledger_columns[] = {
    {"seq", number},     {"number", number},  {"movement", number},     {"book", text},
    {"amount", number},  {"balance", number}, {"monthly_left", number}, {"kind", text},
    {"reason", text},    {"endpoint", text},  {"request_id", text},     {"sources", text},
    {"refund_of", text}, {"period", text},    {"key_id", number},       {"at", number},
    {"hash", bytes}};
constexpr copied_column tops_columns[] = {{"seq", number}, {"top", number}};
constexpr copied_column allowances_columns[] = {{"account_id", number},  {"month", number},
                                                {"day_credits", number}, {"given", number},
                                                {"monthly", number},     {"days_left", number}};
constexpr copied_column answers_columns[] = {
    {"id", number},          {"account_id", number}, {"key", text},   {"fingerprint", text},
    {"status", number},      {"content_type", text}, {"body", bytes}, {"credits_used", number},
    {"data_offset", number}, {"data_size", number},  {"at", number},  {"form", number},
    {"size", number}};
constexpr copied_column sizes_columns[] = {{"account_id", number}, {"bytes", number}};
constexpr copied_column sessions_columns[] = {{"id", number},          {"public_id", text},
                                              {"account_id", number},  {"hash", bytes},
                                              {"created_at", number},  {"last_used_at", number},
                                              {"address", shown_text}, {"user_agent", shown_text}};
constexpr copied_column tokens_columns[] = {
    {"id", number}, {"hash", bytes}, {"purpose", text}, {"email", text}, {"expires_at", number}};
constexpr copied_column grants_columns[] = {{"address", bytes}, {"month", number}};
constexpr copied_column audit_columns[] = {
    {"id", number},          {"at", number},         {"actor", shown_text},  {"action", shown_text},
    {"subject", shown_text}, {"detail", shown_text}, {"address", shown_text}};
constexpr copied_column factors_columns[] = {
    {"account_id", number}, {"secret", text}, {"is_on", truth}, {"last_step", number}};
constexpr copied_column codes_columns[] = {{"account_id", number}, {"hash", bytes}};
constexpr copied_column passkeys_columns[] = {
    {"id", number},         {"public_id", text},     {"account_id", number}, {"credential", text},
    {"algorithm", number},  {"key", text},           {"uses", number},       {"name", shown_text},
    {"created_at", number}, {"last_used_at", number}};
constexpr copied_column alert_columns[] = {{"account_id", number},   {"credits_left", text},
                                           {"key_budgets", truth},   {"failing_sources", truth},
                                           {"mail", truth},          {"webhook", text},
                                           {"webhook_since", number}};
constexpr copied_column mark_columns[] = {
    {"account_id", number}, {"kind", text}, {"about", text}, {"quiet_until", number}};
constexpr copied_column mails_columns[] = {
    {"id", text}, {"sealed", text}, {"takes", number}, {"written_at", number}};
constexpr copied_column secrets_columns[] = {{"name", text}, {"value", bytes}};

/// In an order in which what is referred to is there. The secrets come last.
constexpr copied_table copied_tables[] = {
    {"accounts", accounts_columns, "id"}, {"keys", keys_columns, "id"},
    {"budgets", budgets_columns},         {"ledger", ledger_columns},
    {"ledger_tops", tops_columns},        {"allowances", allowances_columns},
    {"answers", answers_columns, "id"},   {"answer_sizes", sizes_columns},
    {"sessions", sessions_columns, "id"}, {"tokens", tokens_columns, "id"},
    {"past_grants", grants_columns},      {"audit", audit_columns, "id"},
    {"second_factors", factors_columns},  {"recovery_codes", codes_columns},
    {"passkeys", passkeys_columns, "id"}, {"alert_settings", alert_columns},
    {"alert_marks", mark_columns},        {"mails", mails_columns},
    {"secrets", secrets_columns},
};

const char* array_type(column_kind kind) noexcept {
  switch (kind) {
    case number:
      return "::bigint[]";
    case truth:
      return "::boolean[]";
    case text:
    case shown_text:
      return "::text[]";
    case bytes:
      return "::bytea[]";
  }
  return "";
}

std::string names_of(const copied_table& table) {
  std::string names;
  for (const copied_column& one : table.columns)
    names += (names.empty() ? "" : ", ") + std::string(one.name);
  return names;
}

std::string insertion_of(const copied_table& table) {
  std::string sql =
      "INSERT INTO " + std::string(table.name) + " (" + names_of(table) + ") SELECT * FROM unnest(";
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    sql += (i == 0 ? "$" : ", $") + std::to_string(i + 1) + array_type(table.columns[i].kind);
  return sql + ") ON CONFLICT DO NOTHING";
}

class book_import {
 public:
  book_import(sqlite::database& source, pg_connection& connection, const progress& watch)
      : from_(source), to_(connection), watch_(watch) {}

  result<void> run() {
    if (auto fits = check_target(); !fits) return fits;
    for (const copied_table& table : copied_tables)
      if (auto copied = copy(table); !copied) return copied;
    return finish();
  }

 private:
  result<void> check_target() {
    const auto nodes = to_.integer("SELECT count(*) FROM nodes");
    if (!nodes) return nodes.error();
    if (*nodes == 0) return {};
    return error(errc::invalid_request,
                 "a server has written to the database before: a book is moved into an empty one");
  }

  /// The ledger goes movement by movement: there each has a row of its own.
  result<void> copy_ledger(const copied_table& table) {
    const auto all = from_.integer("SELECT ifnull(sum(charges), 0) FROM ledger");
    const auto last = to_.integer("SELECT coalesce(max(seq), 0) FROM ledger");
    if (!all || !last) return all ? last.error() : all.error();
    begin(table, *last, *all);
    sqlite::statement rows(from_, "query", movements_where("seq>? ORDER BY seq"));
    const auto take = [&](const chain_row& row, std::string_view hash) {
      if (row.seq <= *last) return true;
      std::size_t column = 0;
      const auto put = [&](const auto&... values) { (columns_[column++].add(values), ...); };
      put(row.seq, row.number, row.movement, row.book, row.amount, row.balance, row.monthly_left,
          row.kind, row.reason, row.endpoint, row.request_id, row.sources, row.refund_of,
          row.period, row.key_id, row.at, postgres::pg_bytes{hash});
      return count_row(0);
    };
    if (!each_movement_of(rows.bind(*last), take)) return from_.last_error("reading the ledger");
    return end();
  }

  result<void> copy(const copied_table& table) {
    const std::string name = table.name;
    if (name == "ledger") return copy_ledger(table);
    const auto all = from_.integer(("SELECT count(*) FROM " + name).c_str());
    if (!all) return all.error();
    begin(table, 0, *all);
    sqlite::statement rows(from_, "query",
                           "SELECT " + names_of(table) + " FROM " + name + " ORDER BY 1");
    sqlite::sqlite_code code = rows.step();
    for (; code == sqlite::sqlite_row; code = rows.step())
      if (!count_row(add_row(rows))) break;
    if (code != sqlite::sqlite_done && code != sqlite::sqlite_row)
      return from_.last_error("reading " + name);
    return end();
  }

  void begin(const copied_table& table, std::int64_t done, std::int64_t all) {
    table_ = &table;
    columns_.assign(table.columns.size(), {});
    failed_ = {};
    count_ = size_ = 0;
    done_ = done;
    all_ = all;
  }

  /// A row is in the columns; false ends the copy.
  bool count_row(std::size_t size) {
    ++count_;
    size_ += size;
    return (count_ < rows_of_batch && size_ < bytes_at_once) || write();
  }

  bool write() {
    if (count_ == 0) return true;
    pg_statement put(to_, "import", insertion_of(*table_));
    for (postgres::pg_array& one : columns_) {
      put.bind(one);
      one.clear();
    }
    if (put.run() != pg_outcome::done) {
      failed_ = to_.last_error("copying " + std::string(table_->name));
      return false;
    }
    done_ += static_cast<std::int64_t>(std::exchange(count_, 0));
    size_ = 0;
    if (watch_("copying " + std::string(table_->name), done_, all_)) return true;
    failed_ = error(errc::cancelled, "the move was ended");
    return false;
  }

  result<void> end() {
    if (!failed_ || !write()) return failed_;
    return check_count();
  }

  std::size_t add_row(const sqlite::statement& row) {
    std::size_t size = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const int column = static_cast<int>(i);
      if (row.is_null(column)) {
        columns_[i].add_null();
        continue;
      }
      const std::string_view value = row.text(column);
      size += value.size();
      switch (table_->columns[i].kind) {
        case number:
        case truth:
          columns_[i].add(row.integer(column));
          break;
        case text:
          columns_[i].add(value);
          break;
        case shown_text:
          columns_[i].add(std::string_view(base::repair_utf8(value)));
          break;
        case bytes:
          columns_[i].add(postgres::pg_bytes{value});
          break;
      }
    }
    return size;
  }

  result<void> check_count() {
    const std::string name = table_->name;
    const auto there = to_.integer(("SELECT count(*) FROM " + name).c_str());
    if (!there) return there.error();
    if (*there == all_) return {};
    return error(errc::invalid_request, "the table " + name + " has " + std::to_string(*there) +
                                            " rows in the database and " + std::to_string(all_) +
                                            " in the file: it holds something else already");
  }

  /// What is one row, and the numbers that new rows get.
  result<void> finish() {
    sqlite::statement head(from_, "query", "SELECT seq, movement, hash, mac FROM ledger_head");
    pg_statement put(to_, "import",
                     "INSERT INTO ledger_head (only_one, seq, movement, hash, mac) VALUES "
                     "(1,$1,$2,$3,$4) ON CONFLICT (only_one) DO NOTHING");
    bool is_put = true;
    auto read = head.each_row("reading the head", [&] {
      put.bind(head.integer(0), head.integer(1), postgres::pg_bytes{head.text(2)},
               postgres::pg_bytes{head.text(3)});
      is_put = put.run() == pg_outcome::done;
    });
    if (!read) return read;
    if (!is_put) return to_.last_error("copying the head");
    const auto running = from_.integer("SELECT running_ms FROM state");
    if (!running) return running.error();
    pg_statement state(to_, "import", "UPDATE state SET running_ms=greatest(running_ms, $1)");
    if (state.bind(*running).run() != pg_outcome::done) return to_.last_error("copying the state");
    for (const copied_table& table : copied_tables) {
      const std::string by = table.numbered_by, name = table.name;
      if (by.empty()) continue;
      const std::string go_on = "SELECT setval(pg_get_serial_sequence('" + name + "', '" + by +
                                "'), max(" + by + ")) FROM " + name + " HAVING count(*)>0";
      if (to_.execute(go_on.c_str()) != pg_outcome::done) return to_.last_error("copying " + name);
    }
    return {};
  }

  sqlite::database& from_;
  pg_connection& to_;
  const progress& watch_;
  // Of the table that is being copied: rows that are not written yet, and how far it is.
  const copied_table* table_ = nullptr;
  std::vector<postgres::pg_array> columns_;
  std::size_t count_ = 0, size_ = 0;
  std::int64_t done_ = 0, all_ = 0;
  result<void> failed_;
};  // namespace

/// The pepper goes with the book, unless it is there.
result<void> carry_pepper(const std::string& file, const std::string& folder) {
  auto pepper = sqlite::load_pepper(sqlite::beside(file, "pepper"), false);
  if (!pepper) return pepper.error();
  const std::string path = folder + "/pepper";
  if (!sqlite::is_there(path)) return sqlite::write_private_file(path, *pepper + "\n");
  auto there = sqlite::load_pepper(path, false);
  if (!there) return there.error();
  if (*there == *pepper) return {};
  return error(errc::invalid_configuration,
               path + " is another book's: name another folder in storage.data_dir");
}

}  // namespace

result<void> import_book(const std::string& file, const book_place& book, const progress& watch) {
  if (!sqlite::is_there(file)) return error(errc::not_found, "there is no book at " + file);
  // Nobody writes to the one meanwhile, nor opens the other.
  auto held = sqlite::file_lock::acquire(lock_path(file));
  if (!held) return held.error();
  sqlite::database from;
  const bool has_journal = sqlite::is_there(journal_path(file));
  if (auto opened =
          from.open(file, has_journal ? sqlite::database_use::read : sqlite::database_use::still);
      !opened)
    return opened;
  if (auto fits = check_schema(from, file); !fits) return fits;
  if (!has_journal)
    if (auto whole = check_marked_closed(from, file); !whole) return whole;
  pg_connection target;
  if (auto opened = open_for_snapshot(target, book.database); !opened)
    return error(opened.error().code(),
                 postgres::shown_url(book.database) + ": " + opened.error().detail());
  if (auto taken = lock_alone(target, book.database); !taken) return taken;
  if (auto made = migrate(target, nullptr); !made) return made;
  if (auto carried = carry_pepper(file, book.folder); !carried) return carried;
  return book_import(from, target, watch).run();
}

}  // namespace freshet::account::on_postgres

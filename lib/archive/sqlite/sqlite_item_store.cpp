// The file and its two tables. FTS5 walks positions backwards without sorting.
#include "archive/sqlite/sqlite_item_store.hpp"

#include <algorithm>
#include <archive/sqlite/match_text.hpp>
#include <archive/sqlite/store_parts.hpp>
#include <filesystem>

namespace freshet::archive {

using sqlite::sqlite_code;
using sqlite::sqlite_done;
using sqlite::sqlite_ok;
using sqlite::sqlite_row;

namespace {

constexpr std::int64_t schema_version = 1;
constexpr std::int64_t least_bytes = 1 << 20;
/// Items that one expire() removes at most, so that writes need not wait long for it.
constexpr std::int64_t max_expired_at_once = 1000;
/// The same when the file is too large: fewer, for what they free shows only afterwards.
constexpr std::int64_t max_crowded_out_at_once = 100;

std::string schema() {
  return "BEGIN IMMEDIATE;"
         "CREATE TABLE items(position INTEGER PRIMARY KEY, key INTEGER NOT NULL,"
         " author INTEGER NOT NULL, item TEXT NOT NULL);"
         "CREATE UNIQUE INDEX items_by_key ON items(key);"
         "CREATE INDEX items_by_author ON items(author);"
         "CREATE TABLE shut(author INTEGER PRIMARY KEY);"
         "CREATE TABLE cursors(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
         // Nothing is ranked, so no sizes of rows are kept.
         "CREATE VIRTUAL TABLE words USING fts5(text, columnsize=0, " +
         std::string(index_tokenizer()) +
         ");"
         "PRAGMA user_version=" +
         std::to_string(schema_version) + ";COMMIT";
}

error not_writing() {
  return error(errc::storage_unavailable, "this archive was opened for reading only");
}

}  // namespace

sqlite_item_store::sqlite_item_store(item_store_options options) : options_(std::move(options)) {
  if (options_.clock == nullptr) options_.clock = &base::system_clock();
  options_.bytes = std::max(options_.bytes, least_bytes);
}

sqlite_item_store::~sqlite_item_store() = default;

result<void> sqlite_item_store::prepare() {
  if (options_.writes) {
    auto lock = sqlite::file_lock::acquire(options_.path + ".lock");
    if (!lock) return lock.error();
    lock_ = std::move(*lock);
    // Not touched if it is there: closing it would drop the locks of this process's readers.
    if (!std::filesystem::exists(options_.path)) {
      if (auto file = sqlite::make_private_file(options_.path); !file) return file.error();
    }
    writer_ = std::make_unique<writer>();
    auto& db = writer_->db;
    if (auto opened = db.open(options_.path, sqlite::database_use::write); !opened)
      return opened.error();
    // What is kept can be fetched again: a power cut may cost the last moments, and deleted text
    // does not stay in the file.
    if (db.execute("PRAGMA synchronous=NORMAL;PRAGMA secure_delete=FAST") != sqlite_ok)
      return db.last_error("setting up " + options_.path);
    const auto version = db.integer("PRAGMA user_version");
    if (!version) return version.error();
    if (*version > schema_version) {
      return error(errc::invalid_configuration,
                   options_.path + " is of a newer version of Freshet; remove it or update");
    }
    if (*version == 0 && db.execute(schema().c_str()) != sqlite_ok)
      return db.last_error("preparing " + options_.path);
    writer_->prepare();
    if (auto known = writer_->load_shut(); !known) return known.error();
  }
  // One reader at once, so that a file that cannot be read is told here.
  auto first = make_reader();
  if (!first) return first.error();
  readers_ = 1;
  idle_.push_back(std::move(*first));
  return {};
}

result<std::unique_ptr<sqlite_item_store::reader>> sqlite_item_store::make_reader() {
  auto made = std::make_unique<reader>();
  if (auto opened = made->db.open(options_.path, sqlite::database_use::read); !opened)
    return opened.error();
  const auto version = made->db.integer("PRAGMA user_version");
  if (!version) return version.error();
  if (*version != schema_version) {
    return error(errc::storage_unavailable, options_.path + " holds no archive of this version");
  }
  made->prepare();
  return made;
}

result<sqlite_item_store::lease> sqlite_item_store::take_reader() {
  {
    std::unique_lock lock(read_mutex_);
    reader_free_.wait(lock, [this] { return !idle_.empty() || readers_ < max_readers; });
    if (!idle_.empty()) {
      lease one(idle_.back().release(), {this});
      idle_.pop_back();
      return one;
    }
    ++readers_;
  }
  auto made = make_reader();
  if (made) return lease(made->release(), {this});
  {
    const std::lock_guard lock(read_mutex_);
    --readers_;
  }
  reader_free_.notify_one();
  return made.error();
}

void sqlite_item_store::returner::operator()(reader* one) const {
  {
    const std::lock_guard lock(of->read_mutex_);
    of->idle_.emplace_back(one);
  }
  of->reader_free_.notify_one();
}

result<void> sqlite_item_store::write(const changes& what) {
  if (writer_ == nullptr) return not_writing();
  const auto now = options_.clock->now();
  pending batch(now, oldest_position(now - options_.age));
  for (const auto& one : what.list) batch.add(one);
  const std::lock_guard lock(write_mutex_);
  auto done = writer_->commit("writing to the archive", [&] {
    sqlite_code code = writer_->apply(batch);
    for (const auto& [name, value] : what.cursors) {
      if (code == sqlite_ok) code = writer_->put_cursor.bind(name, value).run();
    }
    return code;
  });
  if (done) writer_->note_shut(batch);
  return done;
}

result<bool> sqlite_item_store::expire() {
  if (writer_ == nullptr) return not_writing();
  const auto oldest = oldest_position(options_.clock->now() - options_.age);
  const std::lock_guard lock(write_mutex_);
  const auto used = used_bytes_of(writer_->db);
  if (!used) return used.error();
  // By size the oldest go, whatever their time.
  const bool crowded = *used > options_.bytes;
  const auto below = crowded ? last_position : oldest;
  const auto most = crowded ? max_crowded_out_at_once : max_expired_at_once;
  std::int64_t removed = 0;
  const auto done = writer_->commit("removing what is old from the archive", [&] {
    const sqlite_code code = writer_->remove_below(below, most, removed);
    if (code != sqlite_ok || removed == 0) return code;
    // Deleted words are marks until the index merges them away; negative: the oldest segments too,
    // a part of them at a time.
    return writer_->db.execute("INSERT INTO words(words, rank) VALUES('merge', -256)");
  });
  if (!done) return done.error();
  if (removed == 0) return false;
  const auto left = used_bytes_of(writer_->db);
  if (!left) return left.error();
  return removed == max_expired_at_once || *left > options_.bytes;
}

result<page> sqlite_item_store::find(const search& what) {
  const auto held = take_reader();
  if (!held) return held.error();
  if (what.course != nullptr && !what.course->goes_on()) return what.course->ending();
  auto& from = **held;
  const auto match = index_query(what.q, what.lang);
  const auto first = what.since ? oldest_position(*what.since) : 0;
  const auto below = what.before > 0 ? what.before : last_position;
  auto& query = match.empty() ? from.newest : from.matching;
  if (!match.empty()) query.bind(match);
  query.bind(first, below, what.limit + 1);
  if (what.course != nullptr) from.db.watch_steps([&] { return what.course->goes_on(); });
  page out;
  std::int64_t last = 0;
  sqlite_code code = sqlite_row;
  while ((code = query.step()) == sqlite_row) {
    if (out.items.size() == what.limit) {
      out.next = last;
      code = sqlite_done;
      break;
    }
    last = query.integer(0);
    out.items.emplace_back(query.text(1));
  }
  auto failure = code == sqlite_done ? error() : from.db.last_error("searching the archive");
  query.reset();
  from.db.watch_steps(nullptr);
  if (code == sqlite_done) return out;
  return what.course == nullptr || what.course->goes_on() ? failure : what.course->ending();
}

result<std::string> sqlite_item_store::cursor(std::string_view name) {
  const auto held = take_reader();
  if (!held) return held.error();
  auto& query = (*held)->cursor;
  const auto code = query.bind(name).step();
  std::string found(code == sqlite_row ? query.text(0) : std::string_view());
  query.reset();
  if (code == sqlite_row || code == sqlite_done) return found;
  return (*held)->db.last_error("reading the archive");
}

result<statistics> sqlite_item_store::measure() {
  const auto held = take_reader();
  if (!held) return held.error();
  auto& db = (*held)->db;
  const auto items = db.integer("SELECT count(*) FROM items");
  if (!items) return items.error();
  const auto used = used_bytes_of(db);
  if (!used) return used.error();
  return statistics{*items, *used, {}};
}

}  // namespace freshet::archive

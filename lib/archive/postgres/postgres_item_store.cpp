// Writing: a batch and the position behind it are one transaction, which changes the tenure's row
// first. So whoever has lost the tenure writes nothing, and who takes it over goes on exactly where
// the last one ended.
#include "archive/postgres/postgres_item_store.hpp"

#include <base/unicode.hpp>

namespace freshet::archive {

using postgres::pg_array;
using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// For searches; more wait.
constexpr std::size_t most_readers = 4;
/// Of as many bytes as there may be: by so much too few stay when the oldest one goes.
constexpr std::int64_t least_parts = 8;
/// Whoever takes over waits for a transaction that stands still.
constexpr std::chrono::seconds longest_standstill{3};
/// What is kept can be fetched again: a power cut may cost the last moments, each with its
/// position.
constexpr const char* begin_session =
    "SET synchronous_commit=off; SET plan_cache_mode=force_custom_plan";
constexpr const char* lost_tenure = "another server fills this archive";

}  // namespace

postgres_item_store::postgres_item_store(item_store_options options)
    : options_(std::move(options)), parts_(options_.platform, options_.age) {
  if (options_.clock == nullptr) options_.clock = &base::system_clock();
  where_.url = options_.path;
  where_.idle_timeout = longest_standstill;
  auto reading = where_;
  reading.statement_timeout = read_timeout;
  readers_.begin(std::move(reading), most_readers);
  holder_ = base::hex(base::random_bytes(8));
}

result<void> postgres_item_store::prepare() {
  if (auto opened = open_if_lost(writer_); !opened) return opened;
  if (!options_.writes) {
    const auto kept =
        writer_.integer("SELECT count(*) FROM pg_class WHERE oid=to_regclass('archive_items')");
    if (!kept) return kept.error();
    if (*kept == 0) return error(errc::storage_unavailable, "nothing has been kept yet");
    return {};
  }
  if (auto made = postgres::migrate(writer_, archive_schema(), nullptr); !made) return made;
  if (parts_.prepare(writer_) != pg_outcome::done)
    return writer_.last_error("preparing the archive");
  return {};
}

result<void> postgres_item_store::open_if_lost(postgres::pg_connection& one) {
  if (one.is_open()) return {};
  if (auto opened = one.open(where_); !opened) return opened;
  if (one.execute(begin_session) != pg_outcome::done) return one.last_error("opening the archive");
  return {};
}

result<void> postgres_item_store::commit(std::string_view doing, std::int64_t number,
                                         const std::function<outcome()>& steps) {
  if (auto opened = open_if_lost(writer_); !opened) return opened;
  bool is_ours = true;
  auto became = writer_.execute("begin", "BEGIN");
  if (became == pg_outcome::done) became = renew(writer_, "begin", number, is_ours);
  if (became == pg_outcome::done && is_ours) became = steps();
  if (became == pg_outcome::done && is_ours) became = writer_.execute("commit", "COMMIT");
  if (became == pg_outcome::done && is_ours) return {};
  auto failed = is_ours ? writer_.last_error(doing) : error(errc::storage_unavailable, lost_tenure);
  if (!is_ours && tenure_ == number) tenure_ = 0;
  if (writer_.in_transaction() && writer_.execute("ROLLBACK") != pg_outcome::done) writer_.close();
  return failed;
}

result<void> postgres_item_store::write(const changes& what) {
  if (!options_.writes)
    return error(errc::storage_unavailable, "this archive was opened for reading only");
  const auto now = options_.clock->now();
  pending batch(now, oldest());
  for (const auto& one : what.list) batch.add(one);
  const std::lock_guard lock(write_mutex_);
  return commit("writing to the archive", what.tenure > 0 ? what.tenure : tenure_.load(),
                [&] { return apply(what, batch, oldest_position(now)); });
}

pg_outcome postgres_item_store::apply(const changes& changes, const pending& batch,
                                      std::int64_t now) {
  std::unordered_set<std::int64_t> shut, unchanged;
  auto became = read_shut(batch, shut);
  if (became == pg_outcome::done) became = change_shut(batch);
  if (became == pg_outcome::done) became = remove(batch, unchanged);
  if (became != pg_outcome::done) return became;
  std::vector<const item_row*> rows;
  for (const auto& [key, kept] : batch.by_key) {
    if (!kept || unchanged.contains(key)) continue;
    if (!kept->unless_shut || !shut.contains(kept->author)) rows.push_back(&*kept);
  }
  placed_rows placed;
  became = place(rows, placed);
  if (became != pg_outcome::done) return became;
  std::set<std::int64_t> positions;
  for (const auto& [position, one] : placed) positions.insert(position);
  became = parts_.add(writer_, positions, now);
  if (became == pg_outcome::done) became = insert(placed);
  return became == pg_outcome::done ? put_cursors(changes) : became;
}

/// The authors who were shut before the batch.
pg_outcome postgres_item_store::read_shut(const pending& batch,
                                          std::unordered_set<std::int64_t>& shut) {
  pg_array authors;
  for (const auto& [key, kept] : batch.by_key) {
    if (kept && kept->unless_shut) authors.add(kept->author);
  }
  if (authors.empty()) return pg_outcome::done;
  pg_statement known(writer_, "shut",
                     "SELECT author FROM archive_shut WHERE platform=$1 AND "
                     "author=ANY($2::bigint[])");
  const auto became = known.bind(platform(), authors).run();
  while (became == pg_outcome::done && known.next()) shut.insert(known.integer(0));
  return became;
}

pg_outcome postgres_item_store::change_shut(const pending& batch) {
  pg_array shut, reopened;
  for (const auto& [author, is_shut] : batch.shut) (is_shut ? shut : reopened).add(author);
  auto became = pg_outcome::done;
  pg_statement put(writer_, "shut",
                   "INSERT INTO archive_shut (platform, author) SELECT $1, author FROM "
                   "unnest($2::bigint[]) AS of(author) ON CONFLICT DO NOTHING");
  if (!shut.empty()) became = put.bind(platform(), shut).run();
  pg_statement reopen(writer_, "shut",
                      "DELETE FROM archive_shut WHERE platform=$1 AND author=ANY($2::bigint[])");
  if (became == pg_outcome::done && !reopened.empty())
    became = reopen.bind(platform(), reopened).run();
  return became;
}

/// What the batch replaces or erases goes; the ids that are kept as they stand are told.
pg_outcome postgres_item_store::remove(const pending& batch,
                                       std::unordered_set<std::int64_t>& unchanged) {
  pg_array authors, keys, removed;
  for (const auto author : batch.authors) authors.add(author);
  for (const auto& [key, kept] : batch.by_key) keys.add(key);
  auto became = pg_outcome::done;
  pg_statement lose(writer_, "erase",
                    "DELETE FROM archive_items WHERE platform=$1 AND author=ANY($2::bigint[])");
  if (!authors.empty()) became = lose.bind(platform(), authors).run();
  if (became != pg_outcome::done || keys.empty()) return became;
  pg_statement known(writer_, "erase",
                     "SELECT key, position, item FROM archive_items WHERE platform=$1 AND "
                     "key=ANY($2::bigint[])");
  became = known.bind(platform(), keys).run();
  while (became == pg_outcome::done && known.next()) {
    const auto key = known.integer(0);
    const auto& kept = batch.by_key.at(key);
    if (kept &&
        without_fetched_at(base::repair_utf8(kept->item)) == without_fetched_at(known.text(2))) {
      unchanged.insert(key);
    } else {
      removed.add(known.integer(1));
    }
  }
  if (became != pg_outcome::done || removed.empty()) return became;
  pg_statement erase(writer_, "erase",
                     "DELETE FROM archive_items WHERE platform=$1 AND position=ANY($2::bigint[])");
  return erase.bind(platform(), removed).run();
}

/// Another position of the same millisecond for each whose own is taken.
pg_outcome postgres_item_store::place(const std::vector<const item_row*>& rows,
                                      placed_rows& placed) {
  std::vector<const item_row*> left = rows;
  for (std::int64_t step = 0; !left.empty() && step <= tie_mask; ++step) {
    const auto tried = [&](const item_row* one) {
      return (one->position & ~tie_mask) | ((one->position + step) & tie_mask);
    };
    pg_array wanted;
    for (const auto* one : left) wanted.add(tried(one));
    pg_statement known(writer_, "place",
                       "SELECT position FROM archive_items WHERE platform=$1 AND "
                       "position=ANY($2::bigint[])");
    const auto became = known.bind(platform(), wanted).run();
    if (became != pg_outcome::done) return became;
    std::set<std::int64_t> taken;
    while (known.next()) taken.insert(known.integer(0));
    std::erase_if(left, [&](const item_row* one) {
      return !taken.contains(tried(one)) && placed.emplace(tried(one), one).second;
    });
  }
  return pg_outcome::done;
}

pg_outcome postgres_item_store::insert(const placed_rows& placed) {
  if (placed.empty()) return pg_outcome::done;
  pg_array positions, keys, authors, items, words;
  for (const auto& [position, one] : placed) {
    positions.add(position);
    keys.add(one->key);
    authors.add(one->author);
    items.add(std::string_view(base::repair_utf8(one->item)));
    words.add(std::string_view(stored_words(one->words)));
  }
  pg_statement put(writer_, "insert",
                   "INSERT INTO archive_items (platform, position, key, author, item, words) "
                   "SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], "
                   "$5::text[], $6::text[])");
  return put.bind(platform(), positions, keys, authors, items, words).run();
}

pg_outcome postgres_item_store::put_cursors(const changes& what) {
  for (const auto& [name, value] : what.cursors) {
    pg_statement put(writer_, "insert",
                     "INSERT INTO archive_cursors (platform, name, value) VALUES ($1, $2, $3) ON "
                     "CONFLICT (platform, name) DO UPDATE SET value=excluded.value");
    const auto became = put.bind(platform(), std::string_view(name), std::string_view(value)).run();
    if (became != pg_outcome::done) return became;
  }
  return pg_outcome::done;
}

result<bool> postgres_item_store::expire() {
  if (!options_.writes)
    return error(errc::storage_unavailable, "this archive was opened for reading only");
  const auto number = tenure_.load();
  if (number == 0) return false;  // another server does it
  const auto now = oldest_position(options_.clock->now());
  bool removed = false;
  const std::lock_guard lock(write_mutex_);
  auto done = commit("removing what is old from the archive", number,
                     [&] { return expire_some(now, removed); });
  if (!done) return done.error();
  return removed;
}

/// The oldest part, if it is too old, or if all are too large and it is not the one that is filled:
/// which ends where it has a good share of what all may have.
pg_outcome postgres_item_store::expire_some(std::int64_t now, bool& removed) {
  // Who searches waits no longer for what is removed; nor that for them.
  auto became = writer_.execute("expire", "SET LOCAL lock_timeout='1s'");
  if (became == pg_outcome::done) became = parts_.drop(writer_, oldest(), removed);
  if (became != pg_outcome::done || removed) return became;
  pg_statement late(writer_, "expire", "DELETE FROM " + parts_.rest() + " WHERE position<$1");
  became = late.bind(oldest()).run();
  if (became == pg_outcome::done) became = parts_.cut(writer_, now, options_.bytes / least_parts);
  if (became == pg_outcome::done) became = parts_.sort_in(writer_);
  if (became != pg_outcome::done) return became;
  pg_statement used(writer_, "expire",
                    "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint FROM "
                    "pg_inherits WHERE inhparent=$1::text::regclass");
  became = used.bind(std::string_view(parts_.table())).run();
  if (became != pg_outcome::done || !used.next() || used.integer(0) <= options_.bytes)
    return became;
  return parts_.drop(writer_, now, removed);
}

}  // namespace freshet::archive

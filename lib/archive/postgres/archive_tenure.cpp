// Who may write, by the database's clock: taken when the last one's time is over, and numbered, so
// that whoever was stopped meanwhile is told apart.
#include "archive/postgres/postgres_item_store.hpp"

namespace freshet::archive {

using postgres::pg_outcome;
using postgres::pg_statement;

namespace {

/// Without a renewal.
constexpr std::chrono::seconds tenure_time{6};

}  // namespace

pg_outcome postgres_item_store::renew(postgres::pg_connection& connection, std::string_view stage,
                                      std::int64_t number, bool& is_ours) const {
  pg_statement put(connection, stage,
                   "UPDATE archive_tenures SET until=clock_timestamp()+$3*interval '1 s' WHERE "
                   "platform=$1 AND number=$2");
  const auto became = put.bind(platform(), number, tenure_time.count()).run();
  if (became == pg_outcome::done) is_ours = put.changed() == 1;
  return became;
}

result<std::int64_t> postgres_item_store::hold() {
  if (!options_.writes) return 0;
  const std::lock_guard lock(tenure_mutex_);
  if (auto opened = open_if_lost(keeper_); !opened) return opened.error();
  const auto number = tenure_.load();
  if (number != 0) {
    bool is_ours = false;
    if (renew(keeper_, "renew", number, is_ours) != pg_outcome::done)
      return keeper_.last_error("renewing the archive's tenure");
    if (is_ours) return number;
    tenure_ = 0;
  }
  pg_statement take(keeper_, "take",
                    "INSERT INTO archive_tenures AS held (platform, number, holder, until) VALUES "
                    "($1, 1, $2, clock_timestamp()+$3*interval '1 s') ON CONFLICT (platform) DO "
                    "UPDATE SET number=held.number+1, holder=excluded.holder, "
                    "until=excluded.until WHERE held.until<clock_timestamp() RETURNING number");
  if (take.bind(platform(), std::string_view(holder_), tenure_time.count()).run() !=
      pg_outcome::done)
    return keeper_.last_error("taking the archive's tenure");
  if (take.next()) tenure_ = take.integer(0);
  return tenure_.load();
}

void postgres_item_store::let_go() noexcept {
  try {
    const std::lock_guard lock(tenure_mutex_);
    const auto number = tenure_.exchange(0);
    if (number == 0 || !keeper_.is_open()) return;
    pg_statement leave(keeper_, "leave",
                       "UPDATE archive_tenures SET until=clock_timestamp() WHERE platform=$1 AND "
                       "number=$2");
    static_cast<void>(leave.bind(platform(), number).run());
  } catch (const std::bad_alloc&) {  // it ends by itself
  }
}

}  // namespace freshet::archive

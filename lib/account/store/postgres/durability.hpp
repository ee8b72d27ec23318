// Why nobody waits for a disk behind the lock that every transaction of a store takes: where others
// could, a commit has two halves. The first makes it seen and lets go of the lock, without waiting;
// the second is a transaction of its own behind it, with nothing in it but a mark in PostgreSQL's
// log, and waits for as long as `synchronous_commit` says, as the operator has it: for the disk,
// for a standby. Only then is anybody told.
//
// Why that is enough. The log has one order, and is flushed, sent and replayed in that order; what
// a crash takes of it is its end. Who sees what a first half wrote saw it behind the commit's
// record in the log, so all that they write stands behind it there, too.
// - Our own second half stands behind our first: what we acknowledge is on the disk.
// - What another server built upon ours stands behind ours, and its second half behind both: it
//   acknowledges nothing that could outlive ours, and a crash that takes ours takes its, too.
// - Leases and retirements are rows under the same lock: who took what we had given back, or who
//   retired us, did so behind it.
// - A connection that is lost between the halves leaves a commit that is seen, or one that a crash
//   took. Which of them is asked, as of any lost commit; one that is seen is made to last before it
//   is told (make_durable()).
// - Notices go with the first half: one that a server's end kept back would never come, and
//   PostgreSQL holds a lock of its own from a notice to its commit's end. What they change in
//   others' memory is read anew where the database crashed, for their connections were lost.
// - Nobody acknowledges by a read alone. An answer that is kept for an idempotent call is looked up
//   behind a transaction of the reader's own (accounts::begin_idempotent()). Heads that people keep
//   are made to last before they are told (settle_reading()). Other reports may show for a moment
//   what a crash then takes back, and of which nobody was told that it had been done.
#pragma once

#include <chrono>
#include <postgres/postgres.hpp>
#include <string>

namespace freshet::account::on_postgres {

/// In one for who is alone: the second half is a transaction more, of some 100 us.
enum class commit_form : std::uint8_t { whole, in_halves };

/// What keeps a transaction from waiting longer for a lock, which is then held.
[[nodiscard]] std::string wait_at_most(std::chrono::milliseconds wait);
/// Begins a transaction beside which no other of a store runs, for commit_durably(). Held: another
/// ran for longer than `wait`.
[[nodiscard]] postgres::pg_outcome begin_for(postgres::pg_connection& connection, commit_form form,
                                             std::chrono::milliseconds wait);
/// Commits it, and waits until it lasts. Unless it is done, `is_in` tells whether the first half
/// is known to be; where the connection was lost it may be, too.
[[nodiscard]] postgres::pg_outcome commit_durably(postgres::pg_connection& connection,
                                                  commit_form form, bool& is_in);
/// Waits until all that this connection has seen lasts.
[[nodiscard]] postgres::pg_outcome make_durable(postgres::pg_connection& connection);
/// The same for who has only read: the disk is enough, so that nobody waits for a standby that is
/// away. On a standby, which has nothing that is not on the disk it came from, it does nothing.
[[nodiscard]] postgres::pg_outcome settle_reading(postgres::pg_connection& connection);

}  // namespace freshet::account::on_postgres

// The schema. Rows of the ledger are immutable: triggers refuse to change or remove one, and the
// hash chain finds what went around them.
#include <account/store/sqlite/schema.hpp>
#include <iterator>

namespace freshet::account {
namespace {

using sqlite::database;
using sqlite::sqlite_ok;

constexpr const char* set_application_id = "PRAGMA application_id=1718776680";
static_assert(application_id == 1718776680);

constexpr migration steps_to_now[] = {
    {1, R"sql(
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE keys (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  family INTEGER NOT NULL,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  is_test INTEGER NOT NULL CHECK (is_test IN (0, 1)),
  last_four TEXT NOT NULL,
  scope_read INTEGER NOT NULL CHECK (scope_read IN (0, 1)),
  scope_account INTEGER NOT NULL CHECK (scope_account IN (0, 1)),
  monthly_budget INTEGER CHECK (monthly_budget >= 0),
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_account ON keys (account_id);

CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  movement INTEGER NOT NULL,
  book TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  monthly_left INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('grant', 'usage', 'refund', 'expiry')),
  reason TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  request_id TEXT NOT NULL,
  sources TEXT NOT NULL,
  period TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  CHECK (book IN ('system:grants', 'system:revenue')
         OR (balance >= 0 AND monthly_left BETWEEN 0 AND balance))
) STRICT;
CREATE INDEX ledger_book ON ledger (book, seq);
CREATE INDEX ledger_usage ON ledger (book, at) WHERE kind = 'usage' AND amount < 0;
CREATE UNIQUE INDEX ledger_period ON ledger (book, period) WHERE period <> '';
CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;

CREATE TABLE ledger_head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL,
  movement INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL
) STRICT;

CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  body BLOB NOT NULL,
  credits_used INTEGER NOT NULL,
  data_offset INTEGER NOT NULL,
  data_size INTEGER NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (account_id, key)
) STRICT;
CREATE INDEX answers_at ON answers (at);

CREATE TABLE probe (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  writes INTEGER NOT NULL
) STRICT;
INSERT INTO probe (only, writes) VALUES (1, 0);
)sql"},
    {2, R"sql(
ALTER TABLE keys ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE keys ADD COLUMN rotated_at INTEGER;
)sql"},
    // People: a password, sessions, one-time links, and what was done by whom.
    {3, R"sql(
ALTER TABLE accounts ADD COLUMN password TEXT NOT NULL DEFAULT '';
ALTER TABLE accounts ADD COLUMN verified_at INTEGER;
ALTER TABLE accounts ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0
  CHECK (is_operator IN (0, 1));
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL
) STRICT;
CREATE INDEX sessions_account ON sessions (account_id);

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'reset')),
  email TEXT NOT NULL,
  password TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX tokens_email ON tokens (email);

CREATE TABLE past_grants (
  address BLOB PRIMARY KEY CHECK (length(address) = 32),
  month INTEGER NOT NULL
) STRICT;

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is immutable'); END;
CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is immutable'); END;
)sql"},
    // What an account was given in a month, for plans that change within it:
    // rules/monthly_credits.hpp. So far every month's grant was for all of its days.
    {4, R"sql(
CREATE TABLE allowances (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  month INTEGER NOT NULL,
  day_credits INTEGER NOT NULL CHECK (day_credits >= 0),
  given INTEGER NOT NULL CHECK (given >= 0),
  monthly INTEGER NOT NULL CHECK (monthly >= 0),
  days_left INTEGER NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
INSERT INTO allowances (account_id, month, day_credits, given, monthly, days_left)
  SELECT account_id, month, amount * days, amount, amount, days FROM (
    SELECT CAST(substr(book, 9) AS INTEGER) AS account_id, amount,
           substr(period, 1, 4) * 12 + substr(period, 6, 2) - 1 AS month,
           CAST(strftime('%d', period || '-01', '+1 month', '-1 day') AS INTEGER) AS days
    FROM ledger WHERE period <> '');

CREATE INDEX ledger_refunds ON ledger (book, sources) WHERE kind = 'refund';
)sql"},
    // A refund's entry stood in the column of a charge's sources. What is hashed stays the same:
    // rules/chain.hpp.
    {5, R"sql(
DROP INDEX ledger_refunds;
DROP TRIGGER ledger_never_changes;
ALTER TABLE ledger ADD COLUMN refund_of TEXT NOT NULL DEFAULT '';
UPDATE ledger SET refund_of = sources, sources = '' WHERE kind = 'refund';
CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE INDEX ledger_refunds ON ledger (book, refund_of) WHERE kind = 'refund';
)sql"},
    // Who asks for an account no longer chooses its password: who reads the mail does.
    {6, R"sql(
ALTER TABLE tokens DROP COLUMN password;
)sql"},
    // Answers are sealed and counted, those of all under account 0; those of before go within a
    // day, uncounted. Most databases of schema 6 have this: it was added to it a few minutes later.
    {7,
     R"sql(
ALTER TABLE answers ADD COLUMN form INTEGER NOT NULL DEFAULT 0 CHECK (form IN (0, 1, 2));
ALTER TABLE answers ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
CREATE INDEX answers_account ON answers (account_id, at);
CREATE TABLE answer_sizes (
  account_id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
CREATE INDEX answer_sizes_bytes ON answer_sizes (bytes);
INSERT INTO answer_sizes (account_id, bytes) VALUES (0, 0);
CREATE TRIGGER answers_grow AFTER INSERT ON answers BEGIN
  UPDATE answer_sizes SET bytes = bytes + NEW.size WHERE account_id = 0;
  INSERT INTO answer_sizes (account_id, bytes) VALUES (NEW.account_id, NEW.size)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER answers_shrink AFTER DELETE ON answers BEGIN
  UPDATE answer_sizes SET bytes = bytes - OLD.size WHERE account_id IN (0, OLD.account_id);
END;
)sql",
     "answer_sizes"},
    // Whether a process has it open: then its -wal belongs to it, and a copy without is not whole.
    {8, R"sql(
CREATE TABLE state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
) STRICT;
INSERT INTO state (only, is_open) VALUES (1, 0);
)sql"},
    // Answers are kept by the time that the book is open, which begins now; by the wall's they were
    // dropped when it jumped.
    {9, R"sql(
ALTER TABLE state ADD COLUMN running_ms INTEGER NOT NULL DEFAULT 0;
UPDATE answers SET at = 0;
)sql"},
    // What leads to a refund's call, to the rare kinds of a book, and past what is older than a
    // moment: no row before `seq` is newer than `top`, however the clock was set. A row of it for
    // every 1024 of the ledger.
    {10, R"sql(
CREATE INDEX ledger_requests ON ledger (request_id) WHERE kind = 'usage' AND amount < 0;
CREATE INDEX ledger_kinds ON ledger (book, kind, seq) WHERE kind <> 'usage';
CREATE TABLE ledger_tops (
  seq INTEGER PRIMARY KEY,
  top INTEGER NOT NULL
) STRICT;
INSERT INTO ledger_tops (seq, top)
  SELECT (block + 1) * 1024, max(newest) OVER (ORDER BY block) FROM (
    SELECT seq / 1024 AS block, max(at) AS newest FROM ledger
    WHERE seq < (SELECT max(seq) / 1024 * 1024 FROM ledger) GROUP BY seq / 1024);
)sql"},
    {11, R"sql(
CREATE TABLE second_factors (
  account_id INTEGER PRIMARY KEY,
  secret TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  last_step INTEGER NOT NULL
) STRICT;
CREATE TABLE recovery_codes (
  account_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (account_id, hash)
) STRICT, WITHOUT ROWID;
)sql"},
    // Accounts and keys are read as needed: what a family of keys was charged in its last month
    // need not be summed then, and what is known of every key is read without the rows. The sums
    // begin with those of the month of the ledger's newest row.
    {12, R"sql(
CREATE TABLE budgets (
  family INTEGER PRIMARY KEY,
  month INTEGER NOT NULL,
  used INTEGER NOT NULL CHECK (used >= 0)
) STRICT;
CREATE INDEX keys_owner ON keys (hash, account_id);
CREATE INDEX keys_limited ON keys (hash)
  WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL OR scope_read = 0 OR scope_account = 0;
INSERT INTO budgets (family, month, used)
  WITH newest (day) AS (
    SELECT date(max(at) / 1000, 'unixepoch') FROM (
      SELECT max(top) AS at FROM ledger_tops UNION ALL
      SELECT max(at) FROM ledger WHERE seq >= ifnull((SELECT max(seq) FROM ledger_tops), 0)))
  SELECT keys.family, substr(day, 1, 4) * 12 + substr(day, 6, 2) - 1, sum(-amount)
  FROM newest, (SELECT DISTINCT account_id FROM keys WHERE monthly_budget IS NOT NULL) AS of
    CROSS JOIN ledger ON book = 'account:' || of.account_id AND kind = 'usage' AND amount < 0
      AND at >= strftime('%s', day, 'start of month') * 1000
    JOIN keys ON keys.id = key_id
  WHERE monthly_budget IS NOT NULL GROUP BY keys.family;
)sql"},
    {13, R"sql(
ALTER TABLE keys ADD COLUMN origins TEXT NOT NULL DEFAULT '';
CREATE INDEX keys_origins ON keys (origins) WHERE origins <> '' AND revoked_at IS NULL;
)sql"},
    // The same rule in other words: for a list of more than two, SQLite builds a table of its own
    // at every insertion, a quarter of what a charge costs. No row has to be written anew for it.
    {14, R"sql(
PRAGMA writable_schema=ON;
UPDATE sqlite_schema SET sql = replace(sql,
  'CHECK (kind IN (''grant'', ''usage'', ''refund'', ''expiry''))',
  'CHECK (kind = ''usage'' OR kind = ''grant'' OR kind = ''refund'' OR kind = ''expiry'')')
  WHERE type = 'table' AND name = 'ledger';
PRAGMA writable_schema=RESET;
)sql",
     "", true},
    {15, R"sql(
CREATE TABLE passkeys (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  account_id INTEGER NOT NULL,
  credential TEXT NOT NULL UNIQUE,
  algorithm INTEGER NOT NULL,
  key TEXT NOT NULL,
  uses INTEGER NOT NULL,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX passkeys_account ON passkeys (account_id);
)sql"},
    // Each account's chain is its own from here on, and a movement one row: rules/chain.hpp.
    {16, R"sql(
ALTER TABLE ledger ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
)sql"},
    // What one commit charged an account may be one row, which no request id leads to:
    // packed_charges.hpp. An index less for each charge: the tops say where a report begins.
    {17, R"sql(
ALTER TABLE ledger ADD COLUMN charges INTEGER NOT NULL DEFAULT 1;
ALTER TABLE ledger ADD COLUMN packed BLOB NOT NULL DEFAULT x'';
DROP INDEX ledger_usage;
DROP INDEX ledger_requests;
CREATE INDEX ledger_requests ON ledger (request_id)
  WHERE kind = 'usage' AND amount < 0 AND charges = 1;
)sql"},
    // What owners want to be told of, and what they were told that is not told again for a while.
    {18, R"sql(
CREATE TABLE alert_settings (
  account_id INTEGER PRIMARY KEY,
  credits_left TEXT NOT NULL,
  key_budgets INTEGER NOT NULL CHECK (key_budgets IN (0, 1)),
  failing_sources INTEGER NOT NULL CHECK (failing_sources IN (0, 1)),
  mail INTEGER NOT NULL CHECK (mail IN (0, 1)),
  webhook TEXT NOT NULL,
  webhook_since INTEGER NOT NULL
) STRICT;
CREATE TABLE alert_marks (
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  quiet_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, about)
) STRICT, WITHOUT ROWID;
)sql"},
    // The mailbox that an account's address reaches, as users/email.hpp has it: who signs up needs
    // one without an account. "" for accounts that were deleted.
    {19, R"sql(
ALTER TABLE accounts ADD COLUMN mailbox TEXT NOT NULL DEFAULT '';
UPDATE accounts SET mailbox = CASE
    WHEN domain IN ('@gmail.com', '@googlemail.com') THEN replace(name, '.', '') || '@gmail.com'
    ELSE name || domain END
  FROM (
    SELECT id AS of, substr(email, instr(email, '@')) AS domain,
      CASE WHEN instr(email, '+') BETWEEN 2 AND instr(email, '@')
        THEN substr(email, 1, instr(email, '+') - 1)
        ELSE substr(email, 1, instr(email, '@') - 1) END AS name
    FROM accounts WHERE deleted_at IS NULL)
  WHERE id = of;
CREATE INDEX accounts_mailbox ON accounts (mailbox);
)sql"},
    // Mails that are not sent yet. None is held after a start.
    {20, R"sql(
CREATE TABLE mails (
  id TEXT PRIMARY KEY,
  sealed TEXT NOT NULL,
  is_held INTEGER NOT NULL CHECK (is_held IN (0, 1)),
  takes INTEGER NOT NULL,
  written_at INTEGER NOT NULL
) STRICT;
)sql"},
};

result<void> apply(database& database, std::span<const migration> steps, std::int64_t version,
                   const migration_watch& watch) {
  for (const migration& step : steps) {
    if (step.number <= version) continue;
    if (watch && version != 0)
      watch("bringing the book to schema " + std::to_string(step.number) + " of " +
            std::to_string(steps.back().number));
    const auto is_there = database.has_table(step.unless_table);
    if (!is_there) return is_there.error();
    const std::string done = "PRAGMA user_version=" + std::to_string(step.number);
    if (step.rewrites_schema) database.defend_schema(false);
    std::optional<error> failed;
    if (!*is_there && database.execute("migrate", step.sql) != sqlite_ok)
      failed = database.last_error("migrating to schema " + std::to_string(step.number));
    database.defend_schema(true);
    if (failed) return *failed;
    if (database.execute(done.c_str()) != sqlite_ok) return database.last_error("migrating");
  }
  if (database.execute(set_application_id) != sqlite_ok) return database.last_error("migrating");
  if (database.execute("migrate", "COMMIT") != sqlite_ok) return database.last_error("migrating");
  return {};
}

}  // namespace

std::span<const migration> migrations() noexcept { return steps_to_now; }

result<std::optional<std::int64_t>> outdated_schema(database& database,
                                                    std::span<const migration> steps) {
  const auto version = database.integer("PRAGMA user_version");
  const auto owner = database.integer("PRAGMA application_id");
  if (!version || !owner) return database.last_error("reading the schema");
  const bool is_older = *version > 0 && !steps.empty() && *version < steps.back().number;
  return is_older && *owner == application_id ? std::optional(*version) : std::nullopt;
}

result<void> migrate(database& database, std::span<const migration> steps,
                     const migration_watch& watch) {
  // IMMEDIATE: the version is read under the lock that it is changed under.
  if (database.execute("BEGIN IMMEDIATE") != sqlite_ok) return database.last_error("migrating");
  const auto finish = [&](result<void> outcome) {
    if (database.in_transaction()) static_cast<void>(database.execute("ROLLBACK"));
    return outcome;
  };
  const auto version = database.integer("PRAGMA user_version");
  const auto owner = database.integer("PRAGMA application_id");
  const auto tables = database.integer("SELECT count(*) FROM sqlite_schema");
  if (!version || !owner || !tables) return finish(database.last_error("reading the schema"));
  if (*owner != application_id && (*owner != 0 || *tables != 0))
    return finish(error(errc::invalid_configuration, "the database belongs to another program"));
  const std::int64_t newest = steps.empty() ? 0 : steps.back().number;
  if (*version > newest)
    return finish(
        error(errc::invalid_configuration, "the database has schema " + std::to_string(*version) +
                                               ", newer than this program's " +
                                               std::to_string(newest) + ": use the newer program"));
  if (*version == newest && *owner == application_id) return finish({});
  return finish(apply(database, steps, *version, watch));
}

}  // namespace freshet::account

-- Schema 19 of commit 47c8c0f; made by make.py. The pepper is 5a5a…
PRAGMA application_id=1718776680;
PRAGMA user_version=19;
BEGIN TRANSACTION;
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
, password TEXT NOT NULL DEFAULT '', verified_at INTEGER, is_operator INTEGER NOT NULL DEFAULT 0
  CHECK (is_operator IN (0, 1)), deleted_at INTEGER, mailbox TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "accounts" VALUES(1,'acc_a','a@example.com','free',1795262400000,'',1795262400000,0,NULL,'a@example.com');
INSERT INTO "accounts" VALUES(2,'acc_b','b@example.com','free',1795262400000,'',1795262400000,0,NULL,'b@example.com');
CREATE TABLE alert_marks (
  account_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  about TEXT NOT NULL,
  quiet_until INTEGER NOT NULL,
  PRIMARY KEY (account_id, kind, about)
) STRICT, WITHOUT ROWID;
CREATE TABLE alert_settings (
  account_id INTEGER PRIMARY KEY,
  credits_left TEXT NOT NULL,
  key_budgets INTEGER NOT NULL CHECK (key_budgets IN (0, 1)),
  failing_sources INTEGER NOT NULL CHECK (failing_sources IN (0, 1)),
  mail INTEGER NOT NULL CHECK (mail IN (0, 1)),
  webhook TEXT NOT NULL,
  webhook_since INTEGER NOT NULL
) STRICT;
CREATE TABLE allowances (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  month INTEGER NOT NULL,
  day_credits INTEGER NOT NULL CHECK (day_credits >= 0),
  given INTEGER NOT NULL CHECK (given >= 0),
  monthly INTEGER NOT NULL CHECK (monthly >= 0),
  days_left INTEGER NOT NULL,
  PRIMARY KEY (account_id, month)
) STRICT, WITHOUT ROWID;
INSERT INTO "allowances" VALUES(1,24322,2700,90,90,30);
CREATE TABLE answer_sizes (
  account_id INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
INSERT INTO "answer_sizes" VALUES(0,300);
INSERT INTO "answer_sizes" VALUES(1,300);
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
  at INTEGER NOT NULL, form INTEGER NOT NULL DEFAULT 0 CHECK (form IN (0, 1, 2)), size INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, key)
) STRICT;
INSERT INTO "answers" VALUES(1,1,'k','f',200,'application/json',X'7B2264617461223A5B5D7D',5,8,2,0,0,300);
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL,
  address TEXT NOT NULL
) STRICT;
INSERT INTO "audit" VALUES(1,1795262400000,'command line','accounts.create','acc_a','','');
CREATE TABLE budgets (
  family INTEGER PRIMARY KEY,
  month INTEGER NOT NULL,
  used INTEGER NOT NULL CHECK (used >= 0)
) STRICT;
INSERT INTO "budgets" VALUES(1,24322,5);
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
, name TEXT NOT NULL DEFAULT '', rotated_at INTEGER, origins TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO "keys" VALUES(1,'key_a',1,1,X'A8A3EEE9CEB7E1E9EDD1C538B2D170397B5DFFCFC23DF42D0AE44E18AD9C73FA',0,'Qanj',1,1,50,NULL,NULL,NULL,1795262400000,'the crawler',NULL,'');
CREATE TABLE ledger (
  seq INTEGER PRIMARY KEY,
  movement INTEGER NOT NULL,
  book TEXT NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  monthly_left INTEGER NOT NULL,
  kind TEXT NOT NULL CHECK (kind = 'usage' OR kind = 'grant' OR kind = 'refund' OR kind = 'expiry'),
  reason TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  request_id TEXT NOT NULL,
  sources TEXT NOT NULL,
  period TEXT NOT NULL,
  key_id INTEGER NOT NULL,
  at INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32), refund_of TEXT NOT NULL DEFAULT '', number INTEGER NOT NULL DEFAULT 0, charges INTEGER NOT NULL DEFAULT 1, packed BLOB NOT NULL DEFAULT x'',
  CHECK (book IN ('system:grants', 'system:revenue')
         OR (balance >= 0 AND monthly_left BETWEEN 0 AND balance))
) STRICT;
INSERT INTO "ledger" VALUES(1,1,'account:1',90,90,90,'grant','monthly grant 2026-11','','','','2026-11',0,1795262400000,X'330CE3BDBF05DB4CF84C3F95F4D7FA1928E24816517FD79703E50F42B96BEDBD','',1,1,X'');
INSERT INTO "ledger" VALUES(2,2,'account:1',-5,85,85,'usage','','news/search','req_1','feeds,gdelt','',1,1795266000000,X'D04F01D0DF297296D90045AC533DF963C1546F0589B9EEA9A4EA28B0D65FD7BB','',2,1,X'');
INSERT INTO "ledger" VALUES(3,3,'account:1',7,92,85,'grant','welcome','','','','',0,1795266000000,X'D5D70D6E614FB5D144BD938A543C16A249349CF1225A462E7C549427DAA26C59','',3,1,X'');
INSERT INTO "ledger" VALUES(4,4,'account:1',2,94,85,'refund','sorry','news/search','req_1','','',1,1795269600000,X'8743CD7F5F151E1BA088988C444D5C15ACE662DE2215F5590845BA75AB08300F','led_2',4,1,X'');
CREATE TABLE ledger_head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL,
  movement INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL
) STRICT;
INSERT INTO "ledger_head" VALUES(1,4,4,X'133B44BFFC108075A25629FD9FB2FECB9F4DFB984432203695BE45B1BD84FA04',X'1911833987F564C30D33A36BBFB766B12992A425D8FC27AAEA4F086B2B20D5EE');
CREATE TABLE ledger_tops (
  seq INTEGER PRIMARY KEY,
  top INTEGER NOT NULL
) STRICT;
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
CREATE TABLE past_grants (
  address BLOB PRIMARY KEY CHECK (length(address) = 32),
  month INTEGER NOT NULL
) STRICT;
CREATE TABLE probe (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  writes INTEGER NOT NULL
) STRICT;
INSERT INTO "probe" VALUES(1,0);
CREATE TABLE recovery_codes (
  account_id INTEGER NOT NULL,
  hash BLOB NOT NULL,
  PRIMARY KEY (account_id, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE second_factors (
  account_id INTEGER PRIMARY KEY,
  secret TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  last_step INTEGER NOT NULL
) STRICT;
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
INSERT INTO "secrets" VALUES('pepper_check',X'17AE3A2A8BB073A68B35C6C3A75D3BCF3D45CEF04ABF6277A0D6CAFBEBF1C87A');
INSERT INTO "secrets" VALUES('cursor',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
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
INSERT INTO "sessions" VALUES(1,'ses_a',1,X'B9864A90147F98CEE80451274482C3613129C8C9E84491FC7A53D9F1107D37AA',1795262400000,1795262400000,'192.0.2.1','a browser');
CREATE TABLE state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  is_open INTEGER NOT NULL CHECK (is_open IN (0, 1))
, running_ms INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO "state" VALUES(1,0,0);
CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  purpose TEXT NOT NULL CHECK (purpose IN ('verify', 'reset')),
  email TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
INSERT INTO "tokens" VALUES(1,X'CC85A361E1C2FED4FB2C7FE2B020EB2F03DFD5FD308C4802D67BCCD20E9ADF44','reset','a@example.com',1795266000000);
CREATE INDEX keys_account ON keys (account_id);
CREATE INDEX ledger_book ON ledger (book, seq);
CREATE UNIQUE INDEX ledger_period ON ledger (book, period) WHERE period <> '';
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE INDEX answers_at ON answers (at);
CREATE INDEX sessions_account ON sessions (account_id);
CREATE INDEX tokens_email ON tokens (email);
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is immutable'); END;
CREATE TRIGGER audit_never_shrinks BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit log is immutable'); END;
CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE INDEX ledger_refunds ON ledger (book, refund_of) WHERE kind = 'refund';
CREATE INDEX answers_account ON answers (account_id, at);
CREATE INDEX answer_sizes_bytes ON answer_sizes (bytes);
CREATE TRIGGER answers_grow AFTER INSERT ON answers BEGIN
  UPDATE answer_sizes SET bytes = bytes + NEW.size WHERE account_id = 0;
  INSERT INTO answer_sizes (account_id, bytes) VALUES (NEW.account_id, NEW.size)
    ON CONFLICT (account_id) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER answers_shrink AFTER DELETE ON answers BEGIN
  UPDATE answer_sizes SET bytes = bytes - OLD.size WHERE account_id IN (0, OLD.account_id);
END;
CREATE INDEX ledger_kinds ON ledger (book, kind, seq) WHERE kind <> 'usage';
CREATE INDEX keys_owner ON keys (hash, account_id);
CREATE INDEX keys_limited ON keys (hash)
  WHERE revoked_at IS NOT NULL OR expires_at IS NOT NULL OR scope_read = 0 OR scope_account = 0;
CREATE INDEX keys_origins ON keys (origins) WHERE origins <> '' AND revoked_at IS NULL;
CREATE INDEX passkeys_account ON passkeys (account_id);
CREATE INDEX ledger_requests ON ledger (request_id)
  WHERE kind = 'usage' AND amount < 0 AND charges = 1;
CREATE INDEX accounts_mailbox ON accounts (mailbox);
COMMIT;

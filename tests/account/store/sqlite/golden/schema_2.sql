-- Schema 2 of commit 9c9bbce; made by make.py. The pepper is 5a5a…
PRAGMA application_id=1718776680;
PRAGMA user_version=2;
BEGIN TRANSACTION;
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO "accounts" VALUES(1,'acc_a','a@example.com','free',1795262400000);
INSERT INTO "accounts" VALUES(2,'acc_b','b@example.com','free',1795262400000);
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
INSERT INTO "answers" VALUES(1,1,'k','f',200,'application/json',X'7B2264617461223A5B5D7D',5,8,2,1795266000000);
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
, name TEXT NOT NULL DEFAULT '', rotated_at INTEGER) STRICT;
INSERT INTO "keys" VALUES(1,'key_a',1,1,X'A8A3EEE9CEB7E1E9EDD1C538B2D170397B5DFFCFC23DF42D0AE44E18AD9C73FA',0,'Qanj',1,1,50,NULL,NULL,NULL,1795262400000,'the crawler',NULL);
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
INSERT INTO "ledger" VALUES(1,1,'account:1',90,90,90,'grant','monthly grant 2026-11','','','','2026-11',0,1795262400000,X'F843BD22A435A078253C3F9DE4AAF6E3AC453C93D7F34B0F18802FF2E25E71A9');
INSERT INTO "ledger" VALUES(2,1,'system:grants',-90,-90,0,'grant','','','','','',0,1795262400000,X'DB22A03442DCA0EA08FE0B38CE25B97A8427C98C907DC7021C49D7411B2DB0D3');
INSERT INTO "ledger" VALUES(3,2,'account:1',-5,85,85,'usage','','news/search','req_1','feeds,gdelt','',1,1795266000000,X'54E60A9C58983E0B6D498A6032ACE15D55F7D71CE8C265C3CA114D37A9CA2436');
INSERT INTO "ledger" VALUES(4,2,'system:revenue',5,5,0,'usage','','','','','',0,1795266000000,X'9811EB4771C45E1B9ECE7A900F009E2E8525D5596E0957B273689C390466AF96');
INSERT INTO "ledger" VALUES(5,3,'account:1',7,92,85,'grant','welcome','','','','',0,1795266000000,X'B1D846B0E21D8C1A43334603D62F1CC71A7BAF954F147A2DEB99497F5FDDE4C0');
INSERT INTO "ledger" VALUES(6,3,'system:grants',-7,-97,0,'grant','','','','','',0,1795266000000,X'36D393B649C8F5205D8C09E0D41B5E3982371F073D8D100202D85B96C3E60850');
CREATE TABLE ledger_head (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seq INTEGER NOT NULL,
  movement INTEGER NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL
) STRICT;
INSERT INTO "ledger_head" VALUES(1,6,3,X'36D393B649C8F5205D8C09E0D41B5E3982371F073D8D100202D85B96C3E60850',X'140F1C998E037BE3E3578C17530AD0E3505543B4BC67C8F01965571DDC892213');
CREATE TABLE probe (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  writes INTEGER NOT NULL
) STRICT;
INSERT INTO "probe" VALUES(1,0);
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL
) STRICT;
INSERT INTO "secrets" VALUES('pepper_check',X'17AE3A2A8BB073A68B35C6C3A75D3BCF3D45CEF04ABF6277A0D6CAFBEBF1C87A');
INSERT INTO "secrets" VALUES('cursor',X'000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F');
CREATE INDEX keys_account ON keys (account_id);
CREATE INDEX ledger_book ON ledger (book, seq);
CREATE INDEX ledger_usage ON ledger (book, at) WHERE kind = 'usage' AND amount < 0;
CREATE UNIQUE INDEX ledger_period ON ledger (book, period) WHERE period <> '';
CREATE TRIGGER ledger_never_changes BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE TRIGGER ledger_never_shrinks BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'rows of the ledger are immutable'); END;
CREATE INDEX answers_at ON answers (at);
COMMIT;

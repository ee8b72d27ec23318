"""Makes the golden databases beside it: what a program of each schema would have left, as SQL. Every
schema is that of a commit of main; its SQL is read out of the history, and the rows are written here,
by hand, in the columns that the schema has. Run it in the repository: python3 make.py"""

import hashlib
import hmac
import pathlib
import re
import sqlite3
import subprocess
import zlib

HERE = pathlib.Path(__file__).resolve().parent
OLD, NEW = "lib/account/schema.cpp", "lib/account/store/sqlite/schema.cpp"
# The name of a golden: the commit, its file, how many of its steps.
SCHEMAS = {"1": ("054917d", OLD, 1), "2": ("9c9bbce", OLD, 2), "3": ("e72af93", OLD, 3),
           "4": ("c455efd", OLD, 4), "5": ("a5ccf17", NEW, 5), "6": ("5e08681", NEW, 6),
           "6_with_answers": ("24b7d2e", NEW, 6), "8": ("ece8cb6", NEW, 8),
           "9": ("3b78509", NEW, 9), "10": ("4a3dbb5", NEW, 10),
           "13": ("6d71fc3", NEW, 13), "14": ("704a30c", NEW, 14), "15": ("3189268", NEW, 15),
           "16": ("e2b443f", NEW, 16), "17": ("95a2b59", NEW, 17),
           "18": ("439df60", NEW, 18), "19": ("47c8c0f", NEW, 19)}
APPLICATION_ID = 1718776680
PEPPER = "5a" * 32
NOON = 1795262400000  # 21 November 2026
HOUR = 3600 * 1000
ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def steps_of(commit, path):
    text = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=HERE, check=True,
                          capture_output=True, text=True).stdout
    return re.findall(r'\{(\d+),\s*R"sql\((.*?)\)sql"', text, re.S)


def mac(text):
    return hmac.new(PEPPER.encode(), text if isinstance(text, bytes) else text.encode(),
                    hashlib.sha256).digest()


def api_key():
    body = "frs_live_" + "Golden0123456789Golden0123456789"
    rest, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = ALPHABET[digit] + digits
    return body + digits


class Ledger:
    """Rows as they are hashed, whatever columns there are. Up to schema 15 a movement is two of them, and
    all are in one chain; then it is one, in the chain of its book, and the head is a chain of those."""

    def __init__(self, schema):
        self.schema, self.rows, self.hash = schema, [], bytes(32)
        self.balances, self.ends = {}, {}
        self.has_chains = schema >= 16

    def add(self, movement, book, amount, monthly_left, kind, at, **more):
        balance = self.balances.get(book, 0) + amount
        self.balances[book] = balance
        text = {name: more.get(name, "") for name in
                ("reason", "endpoint", "request_id", "sources", "refund_of", "period")}
        reference = text["refund_of"] if kind == "refund" else text["sources"]
        values = [len(self.rows) + 1, movement, book, amount, balance, monthly_left, kind,
                  text["reason"], text["endpoint"], text["request_id"], reference, text["period"],
                  more.get("key_id", 0), at]
        number, before = self.ends.get(book, (0, bytes(32)))
        packed = before if self.has_chains else self.hash
        for value in [number + 1, *values] if self.has_chains else values:
            if isinstance(value, int):
                packed += value.to_bytes(8, "big", signed=True)
            else:
                packed += len(value).to_bytes(8, "big") + value.encode()
        own = hashlib.sha256(packed).digest()
        self.ends[book] = (number + 1, own)
        self.hash = hashlib.sha256(self.hash + own).digest() if self.has_chains else own
        row = dict(zip(("seq", "movement", "book", "amount", "balance", "monthly_left", "kind",
                        "reason", "endpoint", "request_id", "sources", "period", "key_id", "at"),
                       values), hash=own)
        if self.has_chains:
            row["number"] = number + 1
        if self.schema >= 5:
            row["refund_of"] = text["refund_of"]
            row["sources"] = text["sources"]
        self.rows.append(row)

    def move(self, amount, monthly_left, kind, at, **more):
        if self.has_chains:
            return self.add(len(self.rows) + 1, "account:1", amount, monthly_left, kind, at, **more)
        movement = len(self.rows) // 2 + 1
        other = "system:grants" if kind in ("grant", "expiry") else "system:revenue"
        self.add(movement, "account:1", amount, monthly_left, kind, at, **more)
        self.add(movement, other, -amount, 0, kind, at)

    def head(self):
        last = len(self.rows)
        movement = last if self.has_chains else last // 2
        sealed = b"freshet ledger head" + last.to_bytes(8, "big") + movement.to_bytes(8, "big")
        return {"only": 1, "seq": last, "movement": movement, "hash": self.hash,
                "mac": mac(sealed + self.hash)}


def insert(to, table, **values):
    to.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
               list(values.values()))


def fill(to, schema, has_sizes):
    insert(to, "secrets", name="pepper_check", value=mac("freshet pepper check"))
    insert(to, "secrets", name="cursor", value=bytes(range(32)))
    people = {"verified_at": NOON, "password": ""} if schema >= 3 else {}
    for number, name in ((1, "a"), (2, "b")):
        if schema >= 19:
            people["mailbox"] = f"{name}@example.com"
        insert(to, "accounts", id=number, public_id=f"acc_{name}", email=f"{name}@example.com",
               plan="free", created_at=NOON, **people)
    named = {"name": "the crawler"} if schema >= 2 else {}
    insert(to, "keys", id=1, public_id="key_a", account_id=1, family=1, hash=mac(api_key()), is_test=0,
           last_four=api_key()[-4:], scope_read=1, scope_account=1, monthly_budget=50,
           created_at=NOON, **named)
    ledger = Ledger(schema)
    ledger.move(90, 90, "grant", NOON, reason="monthly grant 2026-11", period="2026-11")
    ledger.move(-5, 85, "usage", NOON + HOUR, endpoint="news/search", request_id="req_1",
                sources="feeds,gdelt", key_id=1)
    ledger.move(7, 85, "grant", NOON + HOUR, reason="welcome")
    if schema >= 4:
        ledger.move(2, 85, "refund", NOON + 2 * HOUR, reason="sorry", endpoint="news/search",
                    request_id="req_1", refund_of="led_2" if ledger.has_chains else "led_3", key_id=1)
        insert(to, "allowances", account_id=1, month=2026 * 12 + 10, day_credits=90 * 30, given=90,
               monthly=90, days_left=30)
    for row in ledger.rows:
        insert(to, "ledger", **row)
    insert(to, "ledger_head", **ledger.head())
    if schema >= 12:
        insert(to, "budgets", family=1, month=2026 * 12 + 10, used=5)
    sized = {"form": 0, "size": 300} if has_sizes else {}
    insert(to, "answers", account_id=1, key="k", fingerprint="f", status=200,
           content_type="application/json", body=b'{"data":[]}', credits_used=5, data_offset=8,
           data_size=2, at=NOON + HOUR if schema < 9 else 0, **sized)
    if schema >= 3:
        insert(to, "sessions", public_id="ses_a", account_id=1, hash=mac("a session"), created_at=NOON,
               last_used_at=NOON, address="192.0.2.1", user_agent="a browser")
        chosen = {"password": ""} if schema < 6 else {}
        insert(to, "tokens", hash=mac("a link"), purpose="reset", email="a@example.com",
               expires_at=NOON + HOUR, **chosen)
        insert(to, "audit", at=NOON, actor="command line", action="accounts.create", subject="acc_a",
               detail="", address="")


def make(name):
    commit, path, count = SCHEMAS[name]
    steps = steps_of(commit, path)
    assert [number for number, _ in steps] == [str(n + 1) for n in range(count)], (name, steps)
    made = sqlite3.connect(":memory:")
    for _, sql in steps:
        made.executescript(sql)
    fill(made, count, any("answer_sizes" in sql for _, sql in steps))
    made.commit()
    dump = "\n".join(made.iterdump())
    head = (f"-- Schema {count} of commit {commit}; made by make.py. The pepper is {PEPPER[:4]}…\n"
            f"PRAGMA application_id={APPLICATION_ID};\nPRAGMA user_version={count};\n")
    (HERE / f"schema_{name}.sql").write_text(head + dump + "\n")


if __name__ == "__main__":
    for each in SCHEMAS:
        make(each)
    print("key", api_key())

"""One data folder with accounts, keys of every state and a little history. Each door gets a copy of
its own, so that all start from the same books and the same secrets."""

import base64
import contextlib
import hashlib
import hmac
import json
import pathlib
import shutil
import sqlite3
import subprocess

from support.freshet import program

SETTINGS = {"network.sandbox": "true", "sandbox.date": "2026-11-01",
            "plans.free.rate": "1000", "plans.free.burst": "1000",
            "server.mcp_rate": "1000", "server.mcp_burst": "1000",
            "plans.none.monthly_credits": "0", "plans.none.rate": "1000", "plans.none.burst": "1000",
            "plans.slow.monthly_credits": "10", "plans.slow.rate": "0.001", "plans.slow.burst": "1"}


def set_options():
    return [part for name, value in SETTINGS.items() for part in ("--set", f"{name}={value}")]


class Prepared:
    """`keys` by name, `values` for the table's <placeholders>, and copies of the folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.template = self.folder / "template"
        self.keys = {"none": ""}
        self.values = {}
        for name, plan in (("books", "free"), ("live", "free"), ("poor", "none"), ("slow", "slow")):
            self.run("accounts", "create", f"{name}@example.org", "--plan", plan)
            self.make_key(name, f"{name}@example.org")
        self.make_key("test", "live@example.org", "--test")
        self.make_key("reader", "live@example.org", "--scope", "read")
        self.make_key("capped", "live@example.org", "--monthly-budget", "1")
        revoked = self.make_key("revoked", "live@example.org")
        self.make_key("expired", "live@example.org", "--expires", "1h")
        self.values = {"old id": self.make_key("old", "books@example.org"),
                       "done id": self.make_key("done", "books@example.org")}
        self.run("keys", "revoke", revoked)
        self.keys["mistyped"] = self.keys["test"][:-1] + ("b" if self.keys["test"][-1] == "a" else "a")
        self.end_key("expired")
        for key in ("books", "books", "capped"):
            made = self.call("microblog/search", '{"q": "climate", "limit": 1}', key)
            if key == "books":
                self.values["call id"] = made["meta"]["request_id"]
        self.make_cursors()

    def run(self, *arguments):
        done = subprocess.run([program(), *arguments, *set_options(), "--data", self.template],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def make_key(self, name, email, *options):
        """The key's id."""
        made = json.loads(self.run("keys", "create", email, "--name", name, "--json", *options))
        self.keys[name] = made["key"]
        return made["id"]

    def call(self, endpoint, body, key):
        return json.loads(self.run("call", endpoint, body, "--key", self.keys[key]))

    def query(self, sql):
        with contextlib.closing(sqlite3.connect(self.template / "freshet.db")) as file, file:
            return file.execute(sql).fetchall()

    def end_key(self, name):
        """Its end is set back in the file, since nothing makes a key that is over at once."""
        self.query(f"UPDATE keys SET expires_at=created_at WHERE name='{name}'")

    def make_cursors(self):
        """A cursor of the sandbox, and the same as if it had been given two days ago."""
        given = self.call("news/search", '{"q": "climate", "limit": 3}', "test")["page"]["next_cursor"]
        payload, mac = given.removeprefix("c1.").split(".")
        ((secret,),) = self.query("SELECT value FROM secrets WHERE name='cursor'")
        identity = '["news/search",{"q":"climate"}]'

        def signed(text):
            digest = hmac.new(secret, f"{text}\n{identity}".encode(), hashlib.sha256).digest()
            return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

        assert signed(payload) == mac, "cursors are signed in another way now"
        state = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        state["t"] -= 2 * 24 * 60 * 60 * 1000
        old = base64.urlsafe_b64encode(json.dumps(state).encode()).decode().rstrip("=")
        self.values |= {"cursor": given, "expired cursor": f"c1.{old}.{signed(old)}"}

    def copy(self, name):
        """A data folder of one door's own."""
        made = self.folder / name.replace(" ", "-").replace("+", "p")
        shutil.copytree(self.template, made, ignore=shutil.ignore_patterns("*.sock", "*.lock"))
        return made

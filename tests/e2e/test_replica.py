"""Reports at a standby: read there while it is not too far behind, in the database where it is, and nothing that decides
on credits or keys is ever read there."""

import concurrent.futures
import json
import re
import shutil
import signal
import subprocess
import threading
import urllib.request

import pytest
from support import postgres
from support.freshet import program
from support.ports import free_port
from support.reach import out_of_reach
from support.waiting import PATIENCE_S, wait_until


@pytest.fixture(scope="module")
def primary():
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    one = postgres.Postgres(settings=["fsync=off"])
    yield one
    one.close()


@pytest.fixture(scope="module")
def standby(primary):
    one = postgres.Standby(primary, settings=["fsync=off"])
    yield one
    one.close()


@pytest.fixture(autouse=True)
def book(primary, standby, monkeypatch):
    """An empty schema: a standby follows all databases, and those that are made while its replay stands still are not there."""
    name = f"book{id(monkeypatch):x}"
    primary.sql(f"CREATE SCHEMA {name}")
    at = f"?options=-csearch_path%3D{name}"
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", primary.url + at)
    monkeypatch.setenv("FRESHET__STORAGE__REPLICA", standby.url + at)
    yield name
    if standby.process.poll() is None:
        standby.sql("SELECT pg_wal_replay_resume()")
    else:
        standby.start()


class Node:
    def __init__(self, serve, *settings, data="data"):
        self.port = free_port()
        self.server = serve(*settings, f"operations.listen=127.0.0.1:{self.port}", data=data)
        self.call = self.server.call

    def metric(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=PATIENCE_S) as told:
            return float(re.search(rf"^{name} (\S+)$", told.read().decode(), re.MULTILINE)[1])

    def used(self, key):
        rows = self.call("account/usage", key).json["data"]
        return rows[0]["credits"] if rows else 0

    def searched(self, key):
        """Calls that a search of the request log finds."""
        return len(self.call("account/requests/list", key, endpoint="scrape/markdown").json["data"])


def test_reports_are_read_at_the_replica_and_decisions_are_not(serve, pages, standby):
    one = Node(serve, "storage.replica_behind_s=3600", "plans.free.monthly_credits=8")
    email = one.server.account()
    key = one.server.key(email)
    assert one.metric("freshet_replica_up") == 1
    assert one.call("scrape/markdown", key, url=pages).status == 200
    wait_until(lambda: (one.used(key), one.searched(key)) == (1, 1))
    assert re.search(r"replica: postgresql://\S+ answers reports, \d+ ms behind", one.server.run("doctor", "--offline"))
    standby.sql("SELECT pg_wal_replay_pause()")
    wait_until(lambda: standby.sql("SELECT pg_get_wal_replay_pause_state()") == "paused")
    before = one.metric("freshet_replica_reads_total")
    answers = [one.call("scrape/markdown", key, url=pages) for _ in range(8)]
    assert [answer.status for answer in answers] == [200] * 7 + [402]
    assert one.call("account/show", key).json["data"]["balance"] == 0
    # What was done since is in no report; what is read of the newest calls, and what decides, is not a report.
    assert (one.used(key), one.searched(key)) == (1, 1)
    assert len(one.call("account/ledger", key).json["data"]) == 2
    assert json.loads(one.server.run("accounts", "list", "--json"))["accounts"][0]["balance"] == 7
    wait_until(lambda: len(one.call("account/requests/list", key).json["data"]) >= 8)
    assert one.metric("freshet_replica_reads_total") >= before + 3
    assert one.call("account/ledger/verify", key).json["data"]["entries"] == 9
    one.server.run("credits", "refund", answers[6].headers["X-Request-Id"], "--reason", "bad page")
    assert one.call("account/show", key).json["data"]["balance"] == 1
    assert one.call("scrape/markdown", key, url=pages).status == 200
    standby.sql("SELECT pg_wal_replay_resume()")
    wait_until(lambda: one.used(key) == 9)
    assert one.metric("freshet_replica_returns_total") == 0


def test_a_replica_that_is_too_far_behind_is_not_asked(serve, pages, standby):
    one = Node(serve, "storage.replica_behind_s=1")
    key = one.server.key(one.server.account())
    wait_until(lambda: one.used(key) == 0 and one.metric("freshet_replica_reads_total") > 0)
    standby.sql("SELECT pg_wal_replay_pause()")
    assert one.call("scrape/markdown", key, url=pages).status == 200
    wait_until(lambda: one.used(key) == 1)
    assert one.metric("freshet_replica_up") == 0 and one.metric("freshet_replica_behind_seconds") > 1
    assert "it is too far behind" in one.server.log_path.read_text()
    standby.sql("SELECT pg_wal_replay_resume()")
    wait_until(lambda: one.metric("freshet_replica_up") == 1)
    assert one.used(key) == 1


def test_a_replica_that_is_away_fails_no_report(serve, pages, standby):
    one = Node(serve)
    key = one.server.key(one.server.account())
    assert one.call("scrape/markdown", key, url=pages).status == 200
    wait_until(lambda: one.used(key) == 1 and one.metric("freshet_replica_up") == 1)
    is_over = threading.Event()

    def report_on():
        told = []
        while not is_over.is_set():
            for name, asked in (("usage", {}), ("ledger", {}), ("requests/list", {"status": "ok"})):
                told.append(one.server.request("POST", f"/v1/account/{name}", asked, key).status)
        return told

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        asking = [pool.submit(report_on) for _ in range(4)]
        try:
            for how in (signal.SIGINT, signal.SIGQUIT):
                standby.stop(how)
                wait_until(lambda: one.metric("freshet_replica_up") == 0)
                standby.start()
                wait_until(lambda: one.metric("freshet_replica_up") == 1)
        finally:
            is_over.set()
        told = [status for each in asking for status in each.result()]
    assert set(told) <= {200, 429} and told.count(200) > 0
    assert one.used(key) == 1


def test_what_is_no_replica_is_not_asked(serve, primary, book, monkeypatch, tmp_path):
    monkeypatch.setenv("FRESHET__STORAGE__REPLICA", primary.url + f"?options=-csearch_path%3D{book}")
    one = Node(serve)
    key = one.server.key(one.server.account())
    assert one.used(key) == 0 and one.metric("freshet_replica_up") == 0
    said = subprocess.run([program(), "doctor", "--offline", "--data", one.server.data], capture_output=True, text=True)
    assert "it is no standby" in said.stdout + said.stderr
    for wrong in ("mysql://localhost/x", primary.url):
        monkeypatch.setenv("FRESHET__STORAGE__REPLICA", wrong)
        if wrong == primary.url:
            monkeypatch.delenv("FRESHET__STORAGE__DATABASE")
        refused = subprocess.run([program(), "accounts", "list", "--data", tmp_path / "none"], capture_output=True, text=True)
        assert refused.returncode != 0 and "storage.replica" in refused.stderr


def test_a_book_is_verified_at_the_replica(serve, pages, standby, book, tmp_path):
    server = serve()
    key = server.key(server.account())
    assert server.call("scrape/markdown", key, url=pages).status == 200
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    shutil.copy(server.data / "pepper", elsewhere / "pepper")

    def verified():
        done = subprocess.run([program(), "ledger", "verify", "--data", elsewhere, "--set",
                               f"storage.database={standby.url}?options=-csearch_path%3D{book}"],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    wait_until(lambda: "2 rows" in verified())
    assert "sound" in verified()

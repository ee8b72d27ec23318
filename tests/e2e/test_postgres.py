"""The server over PostgreSQL: commands, charges, and a database that goes away and comes back."""

import concurrent.futures
import http.client
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.error
import urllib.request

import pytest
from support import postgres
from support.freshet import Freshet, program
from support.reach import ROOT, out_of_reach
from support.waiting import wait_until


@pytest.fixture(scope="module")
def database():
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    # It crashes here: what it has acknowledged must have left it.
    one = postgres.Postgres(settings=["fsync=off"])
    yield one
    one.close()


@pytest.fixture
def book(database, monkeypatch):
    """An empty database, which the server and its commands find by the environment."""
    name = f"book_{os.urandom(6).hex()}"
    database.sql(f"CREATE DATABASE {name}")
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", database.url.replace("/postgres", "/" + name))
    return name


def refused(*arguments):
    done = subprocess.run([program(), *arguments], capture_output=True, text=True)
    assert done.returncode != 0, done.stdout
    return done.stderr


def test_commands_and_charges(serve, pages, book, tmp_path):
    server = serve("plans.free.monthly_credits=50")
    email = server.account()
    key = server.key(email)
    with concurrent.futures.ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: server.call("scrape/markdown", key, url=pages), range(120)))
    statuses = [answer.status for answer in answers]
    assert statuses.count(200) == 50 and statuses.count(402) == 70
    server.run("credits", "grant", email, "7", "--reason", "an \"invoice\" \\ 17")
    assert server.call("account/show", key).json["data"]["balance"] == 7
    once = [server.call("scrape/markdown", key, headers={"Idempotency-Key": "k"}, url=pages) for _ in range(2)]
    assert [one.headers["X-Service-Credits-Used"] for one in once] == ["1", "0"]
    assert once[0].json["data"] == once[1].json["data"]
    assert server.call("account/usage", key).json["data"][0]["credits"] == 51
    assert server.call("account/ledger/verify", key).json["data"]["ok"]
    assert "53 rows" in server.run("ledger", "verify")
    assert "server: runs on" in server.run("doctor", "--offline")
    key_id = json.loads(server.run("keys", "list", email, "--json"))["keys"][0]["id"]
    server.run("keys", "revoke", key_id)
    assert server.call("scrape/markdown", key, url=pages).status == 401
    assert "pg_dump" in refused("backup", str(tmp_path / "copy"), "--data", str(server.data))
    assert server.stop() == 0
    assert not (server.data / "freshet.db").exists()
    again = serve()
    assert json.loads(again.run("accounts", "list", "--json"))["accounts"][0]["balance"] == 6


def test_a_book_is_moved(serve, pages, book, tmp_path, monkeypatch):
    url = os.environ["FRESHET__STORAGE__DATABASE"]
    monkeypatch.delenv("FRESHET__STORAGE__DATABASE")
    old = serve("plans.free.monthly_credits=500")
    email = old.account()
    key = old.key(email)
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        told = list(pool.map(lambda _: old.call("scrape/markdown", key, url=pages).status, range(200)))
    assert told == [200] * 200
    kept = old.call("scrape/markdown", key, headers={"Idempotency-Key": "k"}, url=pages)
    assert "another process" in refused("migrate", "--to", url, "--data", str(old.data))
    assert old.stop() == 0
    head = old.run("ledger", "verify").split("head ")[1]
    assert "--to" in refused("migrate", "--data", str(old.data))
    moved = old.run("migrate", "--from", f"sqlite:{old.data}/freshet.db", "--to", url)
    assert "moved 202 rows" in moved and head in moved
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", url)
    new = serve("plans.free.monthly_credits=500")
    assert new.call("account/show", key).json["data"]["balance"] == 299
    again = new.call("scrape/markdown", key, headers={"Idempotency-Key": "k"}, url=pages)
    assert again.headers["Idempotency-Replayed"] == "true" and again.json["data"] == kept.json["data"]
    assert new.call("scrape/markdown", key, url=pages).headers["X-Service-Credits-Remaining"] == "298"
    assert "203 rows" in new.run("ledger", "verify", "--head", head)
    # The old book is as it was.
    monkeypatch.delenv("FRESHET__STORAGE__DATABASE")
    assert "202 rows" in old.run("ledger", "verify")


def test_a_second_server_is_refused(serve, book):
    first = serve()
    with pytest.raises(RuntimeError, match="in use by another server"):
        serve(data="other")
    assert first.request("GET", "/readyz").status == 200


def test_a_server_that_stands_still_loses_its_place(serve, pages, book, tmp_path):
    """A balance of 1,000 and 64 callers: the server that writes stands still amid them, another takes its place, and
    the first one goes on as if nothing had been."""
    first = serve("plans.free.monthly_credits=1000")
    key = first.key(first.account())
    (tmp_path / "other").mkdir(mode=0o700)
    shutil.copy(first.data / "pepper", tmp_path / "other/pepper")
    answered = itertools.count(1)

    def call_on(server, stop_at=None):
        """What a caller is told until it is refused; None where nobody answered."""
        told = []
        while not told or told[-1] == 200:
            try:
                told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
            except (OSError, http.client.HTTPException):
                told.append(None)
            if next(answered) == stop_at:
                server.process.send_signal(signal.SIGSTOP)
        return told

    def take_over():
        try:
            return serve("plans.free.monthly_credits=1000", data="other")
        except RuntimeError as refused:
            assert "in use by another server" in str(refused)
            return None

    with concurrent.futures.ThreadPoolExecutor(128) as pool:
        try:
            callers = [pool.submit(call_on, first, 200) for _ in range(64)]
            second = wait_until(take_over)
            assert first.process.poll() is None
            later = [one.result() for one in [pool.submit(call_on, second) for _ in range(64)]]
        finally:
            first.process.send_signal(signal.SIGCONT)
        earlier = [one.result() for one in callers]
    # It ends by itself, also where nobody calls it any more.
    assert first.process.wait(60) == 1
    assert "another server has begun to write" in first.log_path.read_text()
    assert {told[-1] for told in earlier} <= {503, None} and {told[-1] for told in later} == {402}
    # What was told is in the book; what was committed and not told are some of the calls that were under way.
    charged_and_told = sum(told.count(200) for told in earlier + later)
    assert 1000 - 64 <= charged_and_told <= 1000
    assert second.call("account/show", key).json["data"]["balance"] == 0
    assert "1001 rows" in second.run("ledger", "verify")


def test_a_standby_that_is_away_costs_no_server_its_place(serve, pages, book, database):
    """Commits wait for the standby; the sign of life of the server that writes does not."""
    server = serve()
    key = server.key(server.account())
    url = os.environ["FRESHET__STORAGE__DATABASE"]

    def ask(text):
        return subprocess.run(["psql", "-X", "-A", "-t", "-q", url, "-c", text], capture_output=True, text=True,
                              check=True).stdout.strip()

    def name_standby(name):
        database.sql(f"ALTER SYSTEM SET synchronous_standby_names='{name}'")
        database.sql("SELECT pg_reload_conf()")
        wait_until(lambda: ask("SHOW synchronous_standby_names") == name)

    is_held_up = threading.Event()

    def call_on():
        told = []
        while not is_held_up.is_set():
            told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
        return told

    name_standby("nobody")
    try:
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(call_on)
            wait_until(lambda: ask("SELECT count(*) FROM pg_stat_activity WHERE wait_event='SyncRep'") != "0")
            is_held_up.set()
            # Each is by the next second's beat.
            for _ in range(3):
                seen = ask("SELECT seen_at FROM heartbeats")
                wait_until(lambda before=seen: ask("SELECT seen_at FROM heartbeats") != before)
            assert not waiting.done()
            name_standby("")
            told = waiting.result()
    finally:
        is_held_up.set()
        name_standby("")
    assert set(told) == {200}
    assert f"{len(told) + 1} rows" in server.run("ledger", "verify")


def test_a_database_that_is_away(serve, pages, book, database):
    server = serve()
    email = server.account()
    key, test_key = server.key(email), server.key(email, "--test")
    assert server.call("scrape/markdown", key, url=pages).status == 200
    for how in (signal.SIGINT, signal.SIGQUIT):  # in good order, and as a crash does
        before = server.call("account/show", key).json["data"]["balance"]
        database.stop(how)
        away = [server.call("scrape/markdown", key, url=pages) for _ in range(3)]
        assert {one.status for one in away} == {503}
        assert {one.json["code"] for one in away} == {"storage_unavailable"}
        assert all(int(one.headers["Retry-After"]) > 0 for one in away)
        assert server.call("microblog/search", test_key, q="tides").status == 200
        assert server.request("GET", "/healthz").status == 200
        assert server.request("GET", "/readyz").status == 503
        database.start()
        wait_until(lambda: server.request("GET", "/readyz").status == 200)
        wait_until(lambda: server.call("scrape/markdown", key, url=pages).status == 200)
        assert server.call("account/show", key).json["data"]["balance"] == before - 1
    assert server.process.poll() is None
    assert "sound" in server.run("ledger", "verify")


def test_a_database_that_crashes_under_load(serve, pages, book, database):
    """What was answered is in the book, and nothing else is."""
    server = serve("plans.free.monthly_credits=100000")
    key = server.key(server.account())
    crashes = 4
    with concurrent.futures.ThreadPoolExecutor(17) as pool:
        done = [False]

        def call_on():
            told = []
            while not done[0]:
                told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
            return told

        callers = [pool.submit(call_on) for _ in range(16)]
        for _ in range(crashes):
            wait_until(lambda: server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status == 200)
            database.stop(signal.SIGQUIT)
            database.start()
        wait_until(lambda: server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status == 200)
        done[0] = True
        told = [status for one in callers for status in one.result()]
    assert set(told) <= {200, 429, 503}  # on a fast machine they meet the plan's rate
    assert 503 in told
    charged = 100000 - server.call("account/show", key).json["data"]["balance"]
    counted = server.call("account/usage", key).json["data"][0]["credits"]
    extra = counted - told.count(200)
    # Those of this thread, each of which ended a wait.
    assert charged == counted and extra == crashes + 1
    assert server.stop() == 0
    again = serve("plans.free.monthly_credits=100000")
    assert 100000 - again.call("account/show", key).json["data"]["balance"] == charged
    assert "sound" in again.run("ledger", "verify")


def test_texts_that_are_no_addresses_are_refused(tmp_path):
    for wrong in ("postgresql://[bad", "mysql://localhost/x"):
        said = refused("accounts", "list", "--data", str(tmp_path), "--set", f"storage.database={wrong}")
        assert "storage.database" in said
    said = refused("accounts", "list", "--data", str(tmp_path), "--set",
                   "storage.database=postgresql://somebody:secret@127.0.0.1:1/x")
    assert "127.0.0.1" in said and "secret" not in said


def test_a_server_that_waits_takes_over(pages, tmp_path, monkeypatch):
    """server/cluster, as a reader starts it: the server that writes is killed twice."""
    if postgres.programs() is None or not shutil.which("haproxy"):
        out_of_reach("initdb or haproxy is out of reach")
    folder, port = pathlib.Path(tempfile.mkdtemp(prefix="freshet-cluster-")), postgres.free_port()
    monkeypatch.setenv("FRESHET__SCRAPE__ALLOW_PRIVATE", "127.0.0.0/8")
    monkeypatch.setenv("FRESHET__PLANS__FREE__RATE", "1000")
    monkeypatch.setenv("FRESHET__PLANS__FREE__BURST", "1000")
    cluster = subprocess.Popen(
        [ROOT / "server/cluster", folder], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "FRESHET_BIN": program(), "FRESHET_PORT": str(port)})
    try:
        assert cluster.stdout.readline() == f"listening on http://127.0.0.1:{port}\n"
        told = "".join(cluster.stdout.readline() for _ in range(4))
        database = re.search(r"storage\.database=(\S+)", told)[1]
        monkeypatch.setenv("FRESHET__STORAGE__DATABASE", database)

        def writing():
            """Whose turn it is; None between two."""
            for name in ("a", "b"):
                said = re.search(r"http\S+", (folder / f"{name}.out").read_text())
                try:
                    if said and urllib.request.urlopen(said[0] + "/readyz", timeout=10).status == 200:
                        return name
                except (urllib.error.URLError, ConnectionError, http.client.HTTPException):
                    pass
            return None

        def command(*arguments):
            return subprocess.run([program(), *arguments, "--data", folder / writing()], capture_output=True,
                                  text=True, check=True).stdout.strip()

        def call():
            request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/scrape/markdown", method="POST",
                                             data=json.dumps({"url": pages}).encode(),
                                             headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return int(answer.headers["X-Service-Credits-Remaining"])
            except (urllib.error.URLError, ConnectionError, http.client.HTTPException):
                return None

        command("accounts", "create", "a@example.org")
        key = command("keys", "create", "a@example.org")
        assert call() == 999
        left = 999
        for _ in range(3):
            os.kill(int((folder / f"{writing()}.pid").read_text()), signal.SIGKILL)
            after = wait_until(call)  # refused until the other server has taken its turn
            assert after < left
            left = after
        assert "sound" in command("ledger", "verify")
        charged = json.loads(command("accounts", "list", "--json"))["accounts"][0]["balance"]
        assert charged == left
    finally:
        cluster.send_signal(signal.SIGTERM)
        cluster.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
    assert not list(folder.glob("*.pid"))

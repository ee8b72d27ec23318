"""The server over PostgreSQL: commands, charges, and a database that goes away and comes back."""

import collections
import concurrent.futures
import contextlib
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
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest
from support import postgres
from support.commit_cutter import CommitCutter
from support.freshet import program
from support.meanwhile import told_meanwhile
from support.ports import free_port
from support.reach import ROOT, out_of_reach
from support.waiting import wait_until


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

    def logged(folder, *options):
        told = subprocess.run([program(), "logs", email, "--endpoint", "scrape/markdown", "--limit", "100", "--json",
                               "--data", folder, *options], capture_output=True, text=True, check=True).stdout
        return len(json.loads(told)["requests"])

    # The log begins anew, and what was before can be put away, and read there.
    assert logged(new.data) == 2
    away = tmp_path / "away"
    away.mkdir(mode=0o700)
    for path in [*old.data.glob("freshet.db*"), old.data / "pepper"]:
        shutil.copy(path, away)
    assert logged(away, "--set", f"storage.database=sqlite:{away}/freshet.db") == 100
    # The old book is as it was.
    monkeypatch.delenv("FRESHET__STORAGE__DATABASE")
    assert "202 rows" in old.run("ledger", "verify")


def spend(server, key, page, told, on_answer=lambda: None):
    """Calls until one is refused for want of credits; appends each status, None where nobody answered."""
    while True:
        try:
            answer = server.request("POST", "/v1/scrape/markdown", {"url": page}, key)
            told.append(answer.status)
        except (OSError, http.client.HTTPException):
            told.append(None)
            return
        on_answer()
        if answer.status == 402:
            return
        if answer.status == 429:
            time.sleep(int(answer.headers["Retry-After"]))


def at_answer(number, act):
    """For `spend`: acts once, at one of the answers of all callers."""
    answered = itertools.count(1)
    return lambda: act() if next(answered) == number else None


@pytest.mark.parametrize("count", [2, 3])
def test_several_servers_spend_a_balance_once(servers, pages, book, count):
    """64 callers of each on 1,000 credits."""
    nodes = servers(count)
    key = nodes[0].key(nodes[0].account())
    wait_until(lambda: all(one.call("account/show", key).status == 200 for one in nodes))
    told = [[] for _ in range(64 * count)]
    with concurrent.futures.ThreadPoolExecutor(len(told)) as pool:
        list(pool.map(lambda i: spend(nodes[i % count], key, pages, told[i]), range(len(told))))
    statuses = [status for one in told for status in one]
    assert statuses.count(200) == 1000 and set(statuses) <= {200, 402, 429}
    for one in nodes:
        assert one.call("account/show", key).json["data"]["balance"] == 0
    assert nodes[-1].call("account/usage", key).json["data"][0]["credits"] == 1000
    assert "1001 rows" in nodes[0].run("ledger", "verify")
    # What one changes the others know.
    email = json.loads(nodes[0].run("accounts", "list", "--json"))["accounts"][0]["email"]
    nodes[-1].run("credits", "grant", email, "5", "--reason", "more")
    wait_until(lambda: nodes[0].call("scrape/markdown", key, url=pages).status == 200)
    key_id = json.loads(nodes[0].run("keys", "list", email, "--json"))["keys"][0]["id"]
    nodes[0].run("keys", "revoke", key_id)
    wait_until(lambda: nodes[-1].call("account/show", key).status == 401)
    assert all(one.stop() == 0 for one in nodes)


def test_a_server_that_is_killed_costs_no_credit(servers, pages, book):
    """One of two is killed amid 128 callers; what it had leased is free again within ten seconds or so."""
    first, second = servers(2)
    key = first.key(first.account())
    wait_until(lambda: second.call("account/show", key).status == 200)
    kill = at_answer(200, first.process.kill)
    told = [[] for _ in range(128)]
    with concurrent.futures.ThreadPoolExecutor(len(told)) as pool:
        list(pool.map(lambda i: spend((first, second)[i % 2], key, pages, told[i], kill), range(len(told))))

    def spent():
        left = []
        spend(second, key, pages, left)
        told.append(left)
        return second.call("account/show", key).json["data"]["balance"] == 0

    wait_until(spent)
    told_200 = sum(one.count(200) for one in told)
    # A call that was committed as its server died was charged, and nobody was told.
    assert 1000 - 64 <= told_200 <= 1000
    assert "1001 rows" in second.run("ledger", "verify")


def test_a_server_that_stands_still_writes_no_more(servers, pages, book):
    """It is stopped amid its callers; the other one serves on, counts it as gone and has its lease. What it says when
    it goes on is that nothing was charged, and it ends."""
    first, second = servers(2)
    key = first.key(first.account())
    wait_until(lambda: second.call("account/show", key).status == 200)
    stop = at_answer(200, lambda: first.process.send_signal(signal.SIGSTOP))
    early, late = [[] for _ in range(64)], [[] for _ in range(64)]
    with concurrent.futures.ThreadPoolExecutor(128) as pool:
        try:
            waiting = [pool.submit(spend, first, key, pages, one, stop) for one in early]
            for one in [pool.submit(spend, second, key, pages, one, stop) for one in late]:
                one.result()

            def spent():
                late.append([])
                spend(second, key, pages, late[-1])
                return second.call("account/show", key).json["data"]["balance"] == 0

            wait_until(spent)
        finally:
            first.process.send_signal(signal.SIGCONT)
        # It ends by itself, also where nobody calls it any more.
        assert first.process.wait(60) == 1
        for one in waiting:
            one.result()
    assert "count this one as gone" in first.log_path.read_text()
    told_200 = sum(one.count(200) for one in early + late)
    assert 1000 - 64 <= told_200 <= 1000
    assert "1001 rows" in second.run("ledger", "verify")


def test_a_server_that_was_killed_is_back_at_once(serve, pages, book):
    """It had leased all credits, as it was alone: the next one of its data folder need not wait for them."""
    server = serve()
    key = server.key(server.account())
    assert server.call("scrape/markdown", key, url=pages).status == 200
    server.process.kill()
    server.process.wait()
    again = serve()
    assert again.call("scrape/markdown", key, url=pages).status == 200
    assert again.call("account/show", key).json["data"]["balance"] == 998


def ask(text):
    """What the servers' database says."""
    url = os.environ["FRESHET__STORAGE__DATABASE"]
    return subprocess.run(["psql", "-X", "-A", "-t", "-q", url, "-c", text], capture_output=True, text=True,
                          check=True).stdout.strip()


def name_standby(database, name):
    database.sql(f"ALTER SYSTEM SET synchronous_standby_names='{name}'")
    database.sql("SELECT pg_reload_conf()")
    wait_until(lambda: ask("SHOW synchronous_standby_names") == name)


def test_a_standby_that_is_away_costs_no_server_its_place(serve, pages, book, database):
    """Commits wait for the standby; the sign of life of the server that writes does not."""
    server = serve()
    key = server.key(server.account())
    is_held_up = threading.Event()

    def call_on():
        told = []
        while not is_held_up.is_set():
            told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
        return told

    name_standby(database, "nobody")
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
            name_standby(database, "")
            told = waiting.result()
    finally:
        is_held_up.set()
        name_standby(database, "")
    assert set(told) == {200}
    assert f"{len(told) + 1} rows" in server.run("ledger", "verify")


def test_nobody_waits_for_the_disk_behind_another_server(servers, pages, book, database):
    """Commits of both wait for a standby that is away, which they can only do at once where the first has let go of its
    locks; and nobody is told before it is there."""
    nodes = servers(2)
    key = nodes[0].key(nodes[0].account())
    wait_until(lambda: [one.call("scrape/markdown", key, url=pages).status for one in nodes] == [200, 200])
    held_up = "SELECT count(*) FROM pg_stat_activity WHERE wait_event='SyncRep' AND query LIKE 'COMMIT%'"
    name_standby(database, "nobody")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            told = [pool.submit(one.request, "POST", "/v1/scrape/markdown", {"url": pages}, key) for one in nodes]
            wait_until(lambda: ask(held_up) == "2")
            assert not any(one.done() for one in told)
        finally:
            name_standby(database, "")
        assert [one.result().status for one in told] == [200, 200]
    assert nodes[0].call("account/show", key).json["data"]["balance"] == 996


def expect_charged_once(nodes, key, told, probes):
    """Both servers went through it, and every call that was answered is charged, no other."""
    assert set(told) <= {200, 429, 503} and 503 in told
    assert [one.process.poll() for one in nodes] == [None, None]
    charged = 100000 - nodes[0].call("account/show", key).json["data"]["balance"]
    assert charged == told.count(200) + probes
    assert "sound" in nodes[1].run("ledger", "verify")


def test_what_a_crash_takes_was_not_acknowledged(slow_disk, servers, pages):
    """The disk takes a tenth of a second, and the database crashes while commits are seen that are not on it: they are
    gone, whoever saw them, and nobody was told that they were done."""
    rounds = 50 if os.environ.get("FRESHET_ALL") else 3
    nodes = servers(2, "plans.free.monthly_credits=100000")
    key = nodes[0].key(nodes[0].account())
    wait_until(lambda: nodes[1].call("account/show", key).status == 200)
    is_over = threading.Event()
    probes = 0

    def last_row():
        return int(ask("SELECT coalesce(max(seq), 0) FROM ledger"))

    def call_on(server):
        told = []
        while not is_over.is_set():
            told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
        return told

    def serve_both():
        nonlocal probes
        for one in nodes:
            wait_until(lambda at=one: at.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status == 200)
            probes += 1

    taken = 0
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        callers = [pool.submit(call_on, nodes[i % 2]) for i in range(16)]
        try:
            while taken < rounds:
                serve_both()
                seen = last_row()
                slow_disk.stop(signal.SIGQUIT)
                slow_disk.start()
                taken += last_row() < seen
            serve_both()
        finally:
            is_over.set()
        told = [status for one in callers for status in one.result()]
    expect_charged_once(nodes, key, told, probes)


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


def test_a_server_ends_whose_commit_is_never_answered(serve, pages, book, database, monkeypatch):
    url = urllib.parse.urlsplit(os.environ["FRESHET__STORAGE__DATABASE"])
    cutter = CommitCutter(url.port, b"scrape/markdown")
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", url.geturl().replace(f":{url.port}/", f":{cutter.port}/"))
    try:
        server = serve("server.drain_timeout_s=1")
        key = server.key(server.account())
        assert server.call("scrape/markdown", key, url=pages).status == 200
        cutter.armed.set()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            waiting = pool.submit(server.request, "POST", "/v1/scrape/markdown", {"url": pages}, key)
            assert cutter.has_cut.wait(60)
            wait_until(lambda: server.request("GET", "/readyz").status == 503)
            assert not waiting.done()  # nobody knows whether it is paid
            server.stop()
            with contextlib.suppress(OSError, http.client.HTTPException):
                assert waiting.result().status == 503
    finally:
        cutter.close()


@pytest.mark.parametrize("lock", ["LOCK TABLE accounts", "LOCK TABLE ledger", "LOCK TABLE leases",
                                  "SELECT 1 FROM state FOR UPDATE"])
def test_what_a_person_holds_at_the_database_keeps_nobody_waiting(serve, pages, book, lock):
    """As one does who alters a table by hand. Without a bound of its own a wait took 20 to 40 s."""
    server = serve()
    email = server.account()
    key, test_key = server.key(email), server.key(email, "--test")
    assert server.call("scrape/markdown", key, url=pages).status == 200
    person = subprocess.Popen(["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", os.environ["FRESHET__STORAGE__DATABASE"]],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def call(endpoint, **parameters):
        return server.request("POST", "/v1/" + endpoint, parameters, key, timeout=12)

    try:
        print(f"BEGIN; {lock};\nSELECT 'held';", file=person.stdin, flush=True)
        assert any("held" in line for line in iter(person.stdout.readline, ""))
        with concurrent.futures.ThreadPoolExecutor(9) as pool:
            shown = pool.submit(call, "account/show")
            told = list(pool.map(lambda _: call("scrape/markdown", url=pages), range(24))) + [shown.result()]
        refused = [one for one in told if one.status != 200]
        assert {one.status for one in refused} <= {503}
        assert {one.json["code"] for one in refused} <= {"storage_unavailable"}
        assert all(int(one.headers["Retry-After"]) > 0 for one in refused)
        assert server.call("microblog/search", test_key, q="tides").status == 200
        assert server.request("GET", "/healthz").status == 200
    finally:
        person.communicate("ROLLBACK;\n")
    wait_until(lambda: server.call("scrape/markdown", key, url=pages).status == 200)
    charged = [one.status for one in told[:24]].count(200) + 2
    assert server.call("account/usage", key).json["data"][0]["credits"] == charged
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


def test_a_database_that_crashes_under_two_servers(servers, pages, book, database):
    """Both come back, neither counts the other as gone, and what was answered is in the book."""
    nodes = servers(2, "plans.free.monthly_credits=100000")
    key = nodes[0].key(nodes[0].account())
    wait_until(lambda: nodes[1].call("account/show", key).status == 200)
    is_over = threading.Event()
    probes = 0

    def call_on(server):
        told = []
        while not is_over.is_set():
            told.append(server.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status)
        return told

    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        callers = [pool.submit(call_on, nodes[i % 2]) for i in range(16)]
        try:
            for _ in range(3):
                for one in nodes:
                    wait_until(lambda at=one: at.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status == 200)
                    probes += 1
                database.stop(signal.SIGQUIT)
                database.start()
            for one in nodes:
                wait_until(lambda at=one: at.request("POST", "/v1/scrape/markdown", {"url": pages}, key).status == 200)
                probes += 1
        finally:
            is_over.set()
        told = [status for one in callers for status in one.result()]
    expect_charged_once(nodes, key, told, probes)


def test_texts_that_are_no_addresses_are_refused(tmp_path):
    for wrong in ("postgresql://[bad", "mysql://localhost/x"):
        said = refused("accounts", "list", "--data", str(tmp_path), "--set", f"storage.database={wrong}")
        assert "storage.database" in said
    said = refused("accounts", "list", "--data", str(tmp_path), "--set",
                   "storage.database=postgresql://somebody:secret@127.0.0.1:1/x")
    assert "127.0.0.1" in said and "secret" not in said


def test_a_cluster_serves_on(pages, tmp_path, monkeypatch):
    """server/cluster, as a reader starts it: its servers are restarted one after the other under load, which no caller
    notices; then each is killed, which whoever it was answering notices and nobody else does."""
    if postgres.programs() is None or not shutil.which("haproxy"):
        out_of_reach("initdb or haproxy is out of reach")
    folder, port = pathlib.Path(tempfile.mkdtemp(prefix="freshet-cluster-")), free_port()
    # Each server has its part of the rate: enough that two of three serve all that is asked.
    for name, value in (("SCRAPE__ALLOW_PRIVATE", "127.0.0.0/8"), ("PLANS__FREE__RATE", "10000"),
                        ("PLANS__FREE__BURST", "10000"), ("PLANS__FREE__MONTHLY_CREDITS", "100000")):
        monkeypatch.setenv(f"FRESHET__{name}", value)
    cluster = subprocess.Popen(
        [ROOT / "server/cluster", folder], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "FRESHET_BIN": program(), "FRESHET_PORT": str(port)})
    nodes = ("a", "b", "c")
    try:
        assert cluster.stdout.readline() == f"listening on http://127.0.0.1:{port}\n"
        told = "".join(cluster.stdout.readline() for _ in range(4))
        database = re.search(r"storage\.database=(\S+)", told)[1]
        monkeypatch.setenv("FRESHET__STORAGE__DATABASE", database)

        def pid_of(name):
            """None while it is written."""
            said = (folder / f"{name}.pid").read_text()
            return int(said) if said.endswith("\n") else None

        def serves(name):
            said = re.findall(r"http\S+", (folder / f"{name}.out").read_text())
            try:
                return urllib.request.urlopen(said[-1] + "/readyz", timeout=10).status == 200
            except (IndexError, urllib.error.URLError, ConnectionError, http.client.HTTPException):
                return False

        def command(*arguments):
            return subprocess.run([program(), *arguments, "--data", folder / "a"], capture_output=True,
                                  text=True, check=True).stdout.strip()

        def call():
            request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/scrape/markdown", method="POST",
                                             data=json.dumps({"url": pages}).encode(),
                                             headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status
            except urllib.error.HTTPError as refused:
                return refused.code
            except (urllib.error.URLError, ConnectionError, http.client.HTTPException) as cut:
                return repr(cut)

        def end(name, how):
            before = pid_of(name)
            os.kill(before, how)
            wait_until(lambda: pid_of(name) not in (None, before) and serves(name))

        def under_load(change):
            def call_on(is_over):
                answered = []
                while not is_over.is_set():
                    answered.append(call())
                return answered

            def change_all():
                for name in nodes:
                    change(name)

            return told_meanwhile(call_on, change_all)

        command("accounts", "create", "a@example.org")
        key = command("keys", "create", "a@example.org")
        wait_until(lambda: [call() for _ in nodes] == [200] * len(nodes))
        assert all("reports are read at the replica" in (folder / f"{name}.log").read_text() for name in nodes)
        if shutil.which("redis-server"):
            assert all("Redis is there" in (folder / f"{name}.log").read_text() for name in nodes)
        if shutil.which("prometheus"):
            watching = cluster.stdout.readline().split()[-1]

            def watched():
                """What is wrong with each server that Prometheus asks; nothing of one that it has not asked yet."""
                with urllib.request.urlopen(watching + "/api/v1/targets", timeout=10) as answer:
                    targets = json.load(answer)["data"]["activeTargets"]
                return [one["lastError"] or None for one in targets if one["health"] != "unknown"]

            wait_until(lambda: watched() == [None] * len(nodes),
                       told=lambda: (watched(), (folder / "prometheus.log").read_text()[-2000:]))
        restarted = under_load(lambda name: end(name, signal.SIGTERM))
        assert set(restarted) == {200}, [one for one in restarted if one != 200]
        killed = under_load(lambda name: end(name, signal.SIGKILL))
        told = collections.Counter(killed)
        assert killed.count(200) >= len(killed) - 8 * len(nodes), told
        assert "sound" in command("ledger", "verify")
        charged = 100000 - json.loads(command("accounts", "list", "--json"))["accounts"][0]["balance"]
        answered = len(nodes) + restarted.count(200) + killed.count(200)
        assert answered <= charged <= answered + 8 * len(nodes)

        def ask(path, key, **body):
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method="POST", data=json.dumps(body).encode(),
                                             headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return answer.status, json.load(answer).get("code"), None
            except urllib.error.HTTPError as refused:
                return refused.code, json.load(refused)["code"], refused.headers["Retry-After"]
            except OSError:
                return None  # its commit was under way when the database went: nobody knows of it until that is back

        # Nobody is ready then: what costs nothing goes on, and who is refused is told in our words.
        test_key = command("keys", "create", "a@example.org", "--test")
        search = ("/v1/web-serp/search", test_key)
        wait_until(lambda: [ask(*search, q="climate")[0] for _ in range(9)] == [200] * 9)
        os.kill(int((folder / "postgres.pid").read_text()), signal.SIGKILL)
        wait_until(lambda: ask("/v1/scrape/markdown", key, url=pages) == (503, "storage_unavailable", "1"))
        wait_until(lambda: [ask(*search, q="climate")[0] for _ in range(9)] == [200] * 9)
    finally:
        cluster.send_signal(signal.SIGTERM)
        cluster.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
    assert not list(folder.glob("*.pid"))

"""The server over PostgreSQL: commands, charges, and a database that goes away and comes back."""

import concurrent.futures
import json
import os
import signal
import subprocess

import pytest
from support import postgres
from support.freshet import Freshet, program
from support.reach import out_of_reach
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


def test_a_second_server_is_refused(serve, book):
    first = serve()
    with pytest.raises(RuntimeError, match="in use by another server"):
        serve(data="other")
    assert first.request("GET", "/readyz").status == 200


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
    assert set(told) <= {200, 503}
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

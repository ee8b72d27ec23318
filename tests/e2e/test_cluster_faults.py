"""What befalls several servers over one book while callers of all of them spend 1,000 credits, 50 times each with
FRESHET_ALL: a server is killed, or stands still for longer than it may, PostgreSQL or Redis is restarted, a standby
takes over, clocks differ. Never more is spent, no call that was answered is unpaid, none that was refused is charged,
and the book is sound."""

import concurrent.futures
import datetime
import functools
import http.server
import os
import pathlib
import random
import shutil
import signal
import subprocess
import threading
import time

import pytest
from support import postgres, redis
from support.freshet import Freshet
from support.ports import free_port
from support.reach import is_set, out_of_reach
from support.spending import Caller, Gate, Told, spend
from support.waiting import wait_until

TIMES = 50 if is_set("FRESHET_ALL") else 3
TIMES_OF_LONG = TIMES if is_set("FRESHET_ALL") else 1  # of what takes as long as servers wait for each other
CREDITS = 1000
CALLERS = 12  # of each server
# Of the charged calls of a round.
EARLY, LATE = 150, 750
GONE_AFTER_S = 10
GONE = "the other servers count this one as gone"


class Node:
    """A server at an address that stays, with a clock that can be set where `preloaded` is."""

    def __init__(self, folder, settings, preloaded):
        self.folder, self.port, self.preloaded = folder, free_port(), preloaded
        self.settings = settings
        self.clock = folder.with_name(folder.name + ".faults")
        self.clock.mkdir()
        self.start()

    def start(self):
        environment = None
        if self.preloaded is not None:
            environment = {**os.environ, "LD_PRELOAD": str(self.preloaded), "FAULTS": str(self.clock)}
        self.server = Freshet(self.folder, *self.settings, listen=f"127.0.0.1:{self.port}", environment=environment)

    def set_clock(self, seconds):
        part = self.clock / "clock.part"
        part.write_text(str(seconds))
        part.rename(self.clock / "clock")

    def log(self):
        return self.server.log_path.read_text()


class Cluster:
    """Servers over one book, and accounts of 1,000 credits that are spent there."""

    def __init__(self, folder, url, page, count, *settings, preloaded=None):
        self.url, self.page, self.accounts, self.nodes = url, page, 0, []
        settings = ("network.allow_private=127.0.0.0/8", "scrape.allow_private=127.0.0.0/8", "plans.free.rate=100000",
                    "plans.free.burst=100000", f"plans.free.monthly_credits={CREDITS}", f"storage.database={url}", *settings)
        for i in range(count):
            data = folder / f"node{i}"
            data.mkdir(mode=0o700)
            if i > 0:
                shutil.copy(self.nodes[0].folder / "pepper", data / "pepper")
            self.nodes.append(Node(data, settings, preloaded))

    def ask(self, text):
        return subprocess.run(["psql", "-X", "-A", "-t", "-q", self.url, "-c", text], capture_output=True, text=True,
                              check=True, env={**os.environ, "PGTARGETSESSIONATTRS": "read-write"}).stdout.strip()

    def run(self, *arguments):
        return self.nodes[-1].server.run(*arguments, "--set", f"storage.database={self.url}")

    def begin(self):
        """A new account, which all servers know; its key."""
        self.accounts += 1
        email = f"a{self.accounts}@example.org"
        self.run("accounts", "create", email)
        key = self.run("keys", "create", email)
        for one in self.nodes:
            wait_until(lambda at=one: at.server.call("account/show", key).status == 200)
        return key

    def callers(self, nodes, key):
        return [Caller(one.server.url, key, self.page) for one in nodes for _ in range(CALLERS)]

    def spend_rest(self, nodes, key, told):
        """Until nothing is left: what a server had leased that is gone is free some seconds later."""
        def is_spent():
            spend(self.callers(nodes, key), told)
            shown = nodes[0].server.call("account/show", key)
            return shown.status == 200 and shown.json["data"]["balance"] == 0
        wait_until(is_spent)

    def rows(self, kind):
        """Of the last account: names of calls, or credits."""
        of = f"book='account:'||(SELECT id FROM accounts WHERE email='a{self.accounts}@example.org')"
        what = "request_id" if kind == "usage" else "amount"
        return self.ask(f"SELECT {what} FROM ledger WHERE {of} AND kind='{kind}'").split()

    def expect_sound(self):
        assert "sound" in self.run("ledger", "verify")

    def spend_amid(self, faults):
        """The faults, one after the other, amid calls, while an account is spent; what was told, and the calls charged."""
        key, told = self.begin(), Told()
        step = (LATE - EARLY) // len(faults)
        gate = Gate(told, EARLY + step)
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            spending = pool.submit(spend, self.callers(self.nodes, key), told, gate)
            try:
                for fault in faults:
                    wait_until(lambda: told.charged >= gate.limit - step or spending.done())
                    fault()
                    gate.limit += step
            finally:
                gate.limit = 2 * CREDITS
            spending.result()
        self.spend_rest(self.nodes, key, told)
        charged = self.rows("usage")
        told.expect_in_book(charged)
        return told, charged

    def spend_accounts(self, fault, at_once, times=TIMES):
        """Account after account, until there were so many faults; what all callers were told."""
        all_of_them = []
        while times > 0:
            told, charged = self.spend_amid([fault] * min(at_once, times))
            assert len(charged) == CREDITS, told.counts()
            all_of_them.append(told)
            times -= at_once
        self.expect_sound()
        return all_of_them

    def set_clocks(self, seconds):
        for one, by in zip(self.nodes, seconds):
            one.set_clock(by)
        time.sleep(0.2)  # it is looked at ten times a second

    def expect_alive(self):
        assert [one.server.process.poll() for one in self.nodes] == [None] * len(self.nodes), self.nodes[0].log()

    def close(self):
        for one in self.nodes:
            if one.server.process.poll() is None:
                one.server.process.send_signal(signal.SIGCONT)
            one.server.stop()


@pytest.fixture
def page(tmp_path):
    """A page that may be kept."""
    class Kept(http.server.SimpleHTTPRequestHandler):
        def end_headers(self):
            self.send_header("Cache-Control", "max-age=36000")
            super().end_headers()

        def log_message(self, *_):
            pass

    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "index.html").write_text("<title>Tides</title><main><h1>Tides</h1><p>High water at noon.</p></main>")
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Kept, directory=str(folder)))
    site.handle_error = lambda *_: None  # whoever asked was killed
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_address[1]}/"
    site.shutdown()
    site.server_close()


@pytest.fixture
def cluster(tmp_path, page):
    """cluster(url, n, settings…) starts so many servers over the book there."""
    made = []

    def start(url, count, *settings, preloaded=None):
        made.append(Cluster(tmp_path, url, page, count, *settings, preloaded=preloaded))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def url(database, book):
    return database.url.replace("/postgres", "/" + book)


def test_a_server_is_killed(cluster, url):
    several, rng = cluster(url, 3), random.Random(1)

    def kill():
        one = rng.choice(several.nodes)
        one.server.kill()
        one.start()

    told = several.spend_accounts(kill, 5)
    assert any(one.names(None) for one in told)


def test_a_server_stands_still_for_longer_than_it_may(cluster, url):
    """All but one, amid calls. The one that goes on has what they had leased, and whatever they still send is refused: they
    say so, and end."""
    at_once = 10 if TIMES > 10 else TIMES
    several = cluster(url, at_once + 1)
    stopped, serving = several.nodes[:-1], several.nodes[-1:]
    fenced = 0
    for _ in range(-(-TIMES // at_once)):
        key, told, is_resumed = several.begin(), Told(), threading.Event()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            try:
                waiting = pool.submit(spend, several.callers(stopped, key), told, None, is_resumed.is_set)
                others = pool.submit(spend, several.callers(serving, key), told)
                wait_until(lambda: told.charged >= EARLY)
                for one in stopped:
                    one.server.process.send_signal(signal.SIGSTOP)
                others.result()
                several.spend_rest(serving, key, told)
                assert several.ask("SELECT count(*) FROM nodes WHERE retired_at IS NULL") == "1"
            finally:
                is_resumed.set()
                for one in stopped:
                    one.server.process.send_signal(signal.SIGCONT)
            waiting.result()
        for one in stopped:
            assert one.server.process.wait(60) == 1
            fenced += one.log().count(GONE) > 0
            one.server.log_path.unlink()
            one.start()
        charged = several.rows("usage")
        told.expect_in_book(charged)
        assert len(charged) == CREDITS, told.counts()
    assert fenced >= TIMES
    several.expect_sound()


def test_the_database_is_restarted(cluster, url, database):
    several, ways = cluster(url, 3), [signal.SIGINT, signal.SIGQUIT]

    def restart():
        database.stop(ways[0])  # in good order, and as a crash does
        database.start()
        ways.reverse()

    told = several.spend_accounts(restart, 3)
    assert any(one.names(503) for one in told)
    several.expect_alive()


def test_the_database_stands_still(cluster, url, database):
    """For longer than a server may: its machine acknowledges what is sent to it, and nobody answers. What costs is refused
    then, what is free goes on, and no server counts another one as gone when it is over."""
    several = cluster(url, 3)
    key = several.begin()
    several.run("accounts", "create", "free@example.org")
    test_key = several.run("keys", "create", "free@example.org", "--test")
    for one in several.nodes:
        wait_until(lambda at=one: at.server.call("microblog/search", test_key, q="tides").status == 200)

    def is_refused(at):
        told = at.server.request("POST", "/v1/scrape/markdown", {"url": several.page}, key)
        return told.status == 503 and int(told.headers["Retry-After"]) > 0

    def stand_still():
        until = time.monotonic() + GONE_AFTER_S + 1
        database.stand_still()
        try:
            for one in several.nodes:
                wait_until(lambda at=one: is_refused(at))
            for one in several.nodes:
                assert one.server.call("microblog/search", test_key, q="tides").status == 200
                assert [one.server.request("GET", path).status for path in ("/healthz", "/readyz")] == [200, 503]
            time.sleep(max(until - time.monotonic(), 0))
        finally:
            database.go_on()

    told = several.spend_accounts(stand_still, 1, TIMES_OF_LONG)
    assert any(one.names(503) for one in told)
    several.expect_alive()


def test_redis_is_restarted_and_forgets(cluster, url):
    if redis.program() is None:
        out_of_reach("redis-server is out of reach")
    cache = redis.Redis()
    try:
        several = cluster(url, 3, f"storage.redis={cache.url}")

        def has_all():
            return cache.ask("CLIENT", "LIST").count("id=") > 2 * len(several.nodes)

        def restart():
            wait_until(has_all)
            cache.stop(signal.SIGKILL)
            cache.start()

        told = several.spend_accounts(restart, 4)
        # What Redis has to say holds up no call, and fails none.
        assert all(set(one.counts()) == {200, 402} for one in told)
        several.expect_alive()
    finally:
        cache.close()


class Pair:
    """A database and a standby without which it says of no commit that it is done, at two addresses. `preloaded` sets the
    clock of one of them."""

    SETTINGS = ["fsync=off", "wal_keep_size=64MB"]

    def __init__(self, preloaded):
        self.ports, self.preloaded, self.seconds = [free_port() for _ in range(2)], preloaded, 0
        self.first = self.make(lambda **where: postgres.Postgres(self.SETTINGS, **where), self.ports[0])
        self.second = None
        self.follow()

    def make(self, kind, port):
        return kind(port=port, preloaded=self.preloaded)

    def follow(self):
        port = next(one for one in self.ports if one != self.first.port)
        self.second = self.make(lambda **where: postgres.Standby(self.first, self.SETTINGS, **where), port)
        # Each in turn is a minute ahead.
        self.seconds = 60 - self.seconds
        pathlib.Path(self.second.folder, "clock").write_text(str(self.seconds))
        self.first.sql("ALTER SYSTEM SET synchronous_standby_names='*'")
        self.first.sql("SELECT pg_reload_conf()")
        wait_until(lambda: self.first.sql("SELECT sync_state FROM pg_stat_replication") == "sync")

    @property
    def url(self):
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return f"postgresql://freshet@{hosts}/postgres"

    def switch(self, comes_back):
        """The standby takes over from one that has crashed, or that stands still and then goes on, as who was cut off does."""
        before, self.first = self.first, self.second
        if comes_back:
            before.stand_still()
        else:
            before.stop(signal.SIGQUIT)
        self.first.promote()
        if comes_back:
            before.go_on()
            time.sleep(0.5)
            before.stop(signal.SIGQUIT)
        before.close()
        self.follow()

    def close(self):
        for one in (self.first, self.second):
            if one is not None:
                one.close()


def test_a_standby_takes_over(cluster, preloaded):
    """The address names both; the one that can be written to is found."""
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    pair, ways = Pair(preloaded), [False, True]
    try:
        several = cluster(pair.url, 3)

        def switch():
            pair.switch(ways[0])
            ways.reverse()

        told = several.spend_accounts(switch, 1)
        assert any(one.names(503) for one in told)
        several.expect_alive()
    finally:
        pair.close()


def test_clocks_differ_by_a_minute(cluster, url, preloaded):
    """And are set to and fro."""
    several, rng = cluster(url, 3, preloaded=preloaded), random.Random(2)
    told = several.spend_accounts(lambda: several.set_clocks(rng.sample([-60, 0, 60], 3)), 6)
    assert all(set(one.counts()) == {200, 402} for one in told)
    several.expect_alive()


def test_a_month_ends_sooner_for_one_server(cluster, url, preloaded):
    """A minute before and behind the end of a month, to and fro: each month's credits are granted once, and what is not
    spent of the first expires."""
    now = datetime.datetime.now(datetime.timezone.utc)
    end = (now.replace(day=1, hour=0, minute=0, second=0, microsecond=0) + datetime.timedelta(days=32)).replace(day=1)
    several, until = cluster(url, 2, preloaded=preloaded), int((end - now).total_seconds())

    def set_clocks(*seconds):
        several.set_clocks([until + one for one in seconds])

    set_clocks(-120, -120)
    told, charged = several.spend_amid([functools.partial(set_clocks, *seconds)
                                        for seconds in ((-120, 60), (60, -120), (-120, -120), (60, 60))])
    expired = -sum(int(amount) for amount in several.rows("expiry"))
    assert several.rows("grant") == [str(CREDITS)] * 2
    assert len(charged) + expired == 2 * CREDITS and 0 < expired <= CREDITS - EARLY
    assert set(told.counts()) == {200, 402}
    several.expect_sound()

"""Servers over one book that count the rates of their callers and know their sources together over Redis, which is
killed, made to stand still and started anew under load."""

import collections
import concurrent.futures
import functools
import http.server
import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time
import urllib.request

import pytest
from support import postgres, redis
from support.freshet import program
from support.ports import free_port
from support.reach import out_of_reach
from support.waiting import PATIENCE_S, wait_until

# Nothing fails for slowness of this machine, where that is not what is shown.
PATIENT = "storage.redis_timeout_ms=10000"
AWAY = "Redis is away"
EMAIL = "someone@example.org"


@pytest.fixture(scope="module")
def database():
    if postgres.programs() is None or redis.program() is None:
        out_of_reach("initdb or redis-server is out of reach")
    one = postgres.Postgres()
    yield one
    one.close()


@pytest.fixture
def cache():
    one = redis.Redis()
    yield one
    one.close()


class Node:
    """A server with an operators' port."""

    def __init__(self, start, port):
        self.server, self.port, self.start = start(), port, start

    def restart(self):
        assert self.server.stop() == 0
        self.server = self.start()

    def metric(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=PATIENCE_S) as told:
            found = re.search(rf"^{name} (\S+)$", told.read().decode(), re.MULTILINE)
        return float(found[1])

    def is_with_redis(self):
        return self.metric("freshet_redis_up") == self.metric("freshet_sharing_up") == 1

    def is_without_redis(self):
        return self.metric("freshet_redis_up") == self.metric("freshet_sharing_up") == 0


@pytest.fixture
def nodes(serve, tmp_path, database, cache, monkeypatch):
    """nodes(n, settings…) starts so many over one new book and one Redis, and waits until all see it and each other."""
    def start(count, *settings):
        name = f"book_{os.urandom(6).hex()}"
        database.sql(f"CREATE DATABASE {name}")
        monkeypatch.setenv("FRESHET__STORAGE__DATABASE", database.url.replace("/postgres", "/" + name))
        monkeypatch.setenv("FRESHET__STORAGE__REDIS", cache.url)
        all_of_them = []
        for i in range(count):
            folder = tmp_path / f"node{i}"
            if i > 0:
                folder.mkdir(mode=0o700)
                shutil.copy(all_of_them[0].server.data / "pepper", folder / "pepper")
            port = free_port()
            begin = functools.partial(serve, *settings, f"operations.listen=127.0.0.1:{port}", data=folder.name)
            all_of_them.append(Node(begin, port))
        wait_until(lambda: all(one.is_with_redis() for one in all_of_them))
        return all_of_them

    return start


def key_of(all_of_them):
    """A new account's key, which all of them know; to find that out takes a token of each."""
    key = all_of_them[0].server.key(all_of_them[0].server.account(EMAIL))
    for one in all_of_them:
        wait_until(lambda at=one: at.server.call("account/show", key).status == 200)
    return key


def call(node, key, page):
    return node.server.request("POST", "/v1/scrape/markdown", {"url": page}, key)


@pytest.mark.parametrize("burst,count", [(10, 3), (60, 3), (60, 2)])
def test_callers_of_all_servers_get_the_plans_rate_in_all(nodes, pages, burst, count):
    """A token in three hours: what passes is the burst, of all calls to all servers."""
    several = nodes(count, "plans.free.rate=0.0001", f"plans.free.burst={burst}", PATIENT)
    key = key_of(several)
    with concurrent.futures.ThreadPoolExecutor(4 * count) as pool:
        answers = list(pool.map(lambda i: call(several[i % count], key, pages), range(4 * burst)))
    # What one of them took ahead is given by it, or by another one a moment later.
    answers += [call(one, key, pages) for one in several for _ in range(burst)]
    told = collections.Counter(one.status for one in answers)
    assert told == {200: burst - count, 429: 3 * burst + count * burst + count}
    for one in answers:
        assert one.headers["RateLimit-Policy"].split(";")[1] == f"q={burst}", one.headers["RateLimit-Policy"]
    assert all(int(one.headers["Retry-After"]) > 3600 for one in answers if one.status == 429)
    assert sum(one.metric("freshet_rates_alone_total") for one in several) == 0


def test_a_caller_of_one_server_alone_gets_all_of_it(nodes, pages):
    several = nodes(3, "plans.free.rate=0.0001", "plans.free.burst=30", PATIENT)
    key = key_of(several)
    before = several[1].metric("freshet_redis_runs_total")
    answers = [call(several[1], key, pages) for _ in range(40)]
    assert [one.status for one in answers] == [200] * 27 + [429] * 13
    left = [int(re.search(r"r=(\d+)", one.headers["RateLimit"])[1]) for one in answers]
    assert left == list(range(26, -1, -1)) + [0] * 13
    assert several[1].metric("freshet_redis_runs_total") - before <= 40
    assert call(several[0], key, pages).status == 429


def test_row_44_redis_is_killed_and_stands_still_under_load(nodes, pages, cache):
    """No call fails: each server gives its part meanwhile, and all count together again when Redis is back."""
    several = nodes(3, "plans.free.rate=100000", "plans.free.burst=100000", "plans.free.monthly_credits=1000000")
    key = key_of(several)
    is_over = threading.Event()

    def call_on(node):
        told = []
        while not is_over.is_set():
            told.append(call(node, key, pages).status)
        return told

    def wait_for_loss():
        wait_until(lambda: all(one.is_without_redis() for one in several))

    def kill():
        cache.stop(signal.SIGKILL)
        wait_for_loss()
        cache.start()

    def stand_still():
        cache.process.send_signal(signal.SIGSTOP)
        wait_for_loss()
        cache.process.send_signal(signal.SIGCONT)

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        callers = [pool.submit(call_on, several[i % 3]) for i in range(12)]
        try:
            for fault in (kill, stand_still, kill, stand_still):
                fault()
                wait_until(lambda: all(one.is_with_redis() for one in several))
        finally:
            is_over.set()
        told = collections.Counter(status for one in callers for status in one.result())
    assert set(told) == {200}, told
    for one in several:
        assert one.metric("freshet_redis_losses_total") >= 4
        assert one.metric("freshet_rates_alone_total") > 0
        # A line for each time, however often it was tried.
        assert one.server.log_path.read_text().count(AWAY) == one.metric("freshet_redis_losses_total")
    # What was answered was charged, and nothing else.
    balance = several[0].server.call("account/show", key).json["data"]["balance"]
    assert 1000000 - balance == told[200]


def test_a_redis_that_is_not_there_stops_no_server(nodes, pages, cache):
    several = nodes(2, "plans.free.rate=0.0001", "plans.free.burst=10")
    server = several[0].server
    assert "reachable at " + cache.url in server.run("doctor", "--offline")
    cache.stop()
    wait_until(lambda: all(one.is_without_redis() for one in several))
    doctor = subprocess.run([program(), "doctor", "--offline", "--data", server.data], capture_output=True, text=True)
    assert doctor.returncode != 0 and "not reachable at " + cache.url in doctor.stdout
    # Each has half of ten, once it has seen the other.
    key = key_of(several)
    test_key = server.key(EMAIL, "--test")
    for one in several:
        wait_until(lambda at=one: "q=100;" in at.server.call("microblog/search", test_key, q="tides")
                   .headers["RateLimit-Policy"])
    for one in several:
        answers = [call(one, key, pages) for _ in range(10)]
        assert [answer.status for answer in answers] == [200] * 4 + [429] * 6
    assert several[1].server.stop() == 0


@pytest.fixture
def forum(upstream_of):
    """A source on loopback, and the settings of who asks it alone."""
    source = upstream_of("hackernews")
    source.settings = f"sources.hackernews.base_url={source.url}", "platforms.forum.sources=hackernews"
    return source


def search(node, key, **more):
    return node.server.call("forum/search", key, q="climate", **more)


def test_what_one_server_is_refused_the_others_do_not_ask(nodes, forum, cache):
    several = nodes(3, *forum.settings, "network.cache_bytes=0", PATIENT)
    key = key_of(several)
    assert [search(one, key).status for one in several] == [200] * 3
    forum.status, forum.added = 429, {"Retry-After": "900"}
    assert search(several[0], key).status == 503
    asked = len(forum.seen)
    for one in several:
        wait_until(lambda at=one: at.metric("freshet_suspensions") == 1)
        refused = search(one, key)
        assert (refused.status, refused.json["code"]) == (503, "source_unavailable")
        assert 600 < refused.json["retry_after_s"] <= 900
    assert len(forum.seen) == asked
    # What was heard holds without Redis, too.
    cache.stop()
    wait_until(lambda: all(one.is_without_redis() for one in several))
    assert [search(one, key).status for one in several] == [503] * 3
    assert len(forum.seen) == asked


def grow_old(cache):
    """Until what Redis knows of quotas is no longer taken for what has just begun."""
    def is_old():
        names = cache.ask("KEYS", "freshet:*:quota").split("\r\n")[2::2]
        return names and time.time() * 1000 - int(cache.ask("GET", names[0]).split("\r\n")[1]) > 2500
    wait_until(is_old)


def test_a_source_gets_its_days_requests_from_all_servers_together(nodes, forum, cache):
    """Also from one that is started anew; and each asks for its share of what is left without Redis."""
    several = nodes(3, *forum.settings, "sources.hackernews.daily_requests=12", "network.cache_bytes=0", PATIENT)
    key = key_of(several)
    grow_old(cache)

    def ask_all(times):
        """One after the other at each server: equal searches at one time are one request."""
        with concurrent.futures.ThreadPoolExecutor(len(several)) as pool:
            each = list(pool.map(lambda at: [search(at, key).status for _ in range(times)], several))
        return collections.Counter(status for one in each for status in one)

    assert ask_all(2) == {200: 6} and len(forum.seen) == 6
    several[1].restart()
    wait_until(several[1].is_with_redis)
    assert ask_all(10) == {200: 6, 503: 24} and len(forum.seen) == 12
    assert sum(one.metric("freshet_quotas_alone_total") for one in several) == 0
    cache.stop()
    wait_until(lambda: all(one.is_without_redis() for one in several))
    assert [search(one, key).status for one in several] == [503] * 3
    cache.start()
    wait_until(lambda: all(one.is_with_redis() for one in several))
    # Its memory is lost; who had used them says so.
    assert [search(one, key).status for one in several for _ in range(3)] == [503] * 9
    assert len(forum.seen) == 12


class SlowSite(http.server.ThreadingHTTPServer):
    """A page that may be kept, and takes its time; it counts who asked for it."""

    request_queue_size = 256
    daemon_threads = True

    def __init__(self):
        site = self

        class Page(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append(self.path)
                site.may_answer.wait(PATIENCE_S)
                text = b"<title>Tides</title><main><h1>Tides</h1><p>High water at noon and at midnight.</p></main>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(text)))
                for name, value in site.added.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Page)
        self.asked, self.added, self.may_answer = [], {"Cache-Control": "max-age=600"}, threading.Event()
        self.may_answer.set()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        pass  # whoever asked was killed


@pytest.fixture
def site():
    one = SlowSite()
    yield one
    one.may_answer.set()
    one.shutdown()
    one.server_close()


def read(node, key, url):
    answer = node.server.call("scrape/markdown", key, url=url, respect_robots=False)
    assert answer.status == 200, answer.body
    return answer.json


def test_what_one_server_fetched_the_others_have(nodes, site, cache):
    several = nodes(3, PATIENT)
    key = key_of(several)
    first = read(several[0], key, site.url + "/a")
    others = [read(one, key, site.url + "/a") for one in several]
    assert [one["meta"]["sources"][0]["cache"] for one in [first, *others]] == ["miss"] + ["hit"] * 3
    assert all(one["data"]["markdown"] == first["data"]["markdown"] for one in others)
    assert site.asked == ["/a"]
    # This server's own memory goes first: Redis is not asked.
    hits = several[1].metric("freshet_shared_answers_hits_total")
    assert hits == 1 and read(several[1], key, site.url + "/a")
    assert several[1].metric("freshet_shared_answers_hits_total") == hits
    # Nobody reads an address there.
    assert "127.0.0.1" not in cache.ask("KEYS", "*")
    site.added = {"Cache-Control": "no-store"}
    for one in several:
        read(one, key, site.url + "/b")
    assert site.asked == ["/a"] + ["/b"] * 3


def test_servers_wait_for_the_one_that_fetches_and_fetch_where_it_dies(nodes, site):
    several = nodes(3, PATIENT)
    key = key_of(several)
    for path, is_killed in (("/once", False), ("/twice", True)):
        site.may_answer.clear()
        with concurrent.futures.ThreadPoolExecutor(9) as pool:
            fetching = pool.submit(several[2].server.request, "POST", "/v1/scrape/markdown",
                                   {"url": site.url + path, "respect_robots": False}, key)
            wait_until(lambda at=path: at in site.asked)
            waiting = [pool.submit(read, several[i % 2], key, site.url + path) for i in range(8)]
            waits = lambda: sum(one.metric("freshet_shared_answers_waits_total") for one in several[:2])
            wait_until(lambda: waits() >= (4 if is_killed else 2))
            if is_killed:
                several[2].server.kill()
                wait_until(lambda at=path: site.asked.count(at) >= 2)
            site.may_answer.set()
            assert len({one.result()["data"]["markdown"] for one in waiting}) == 1
            # Where this machine is slow they wait no longer, and fetch: tests/http sees to the rest.
            assert is_killed or fetching.result().status == 200


def test_row_44_without_redis_answers_are_fetched(nodes, site, cache):
    several = nodes(2, PATIENT)
    key = key_of(several)
    cache.stop()
    wait_until(lambda: all(one.is_without_redis() for one in several))
    for one in several:
        assert read(one, key, site.url + "/a")["meta"]["sources"][0]["cache"] == "miss"
    cache.start()
    wait_until(lambda: all(one.is_with_redis() for one in several))
    read(several[0], key, site.url + "/b")
    assert read(several[1], key, site.url + "/b")["meta"]["sources"][0]["cache"] == "hit"


def test_what_redis_is_not_for_is_refused(tmp_path, monkeypatch):
    def said(*settings):
        arguments = [part for one in settings for part in ("--set", one)]
        done = subprocess.run([program(), "accounts", "list", "--data", str(tmp_path), *arguments],
                              capture_output=True, text=True)
        assert done.returncode != 0
        return done.stderr

    assert "share a storage.database" in said("storage.redis=redis://127.0.0.1:6379")
    there = "storage.database=postgresql://nobody@127.0.0.1:1/x"
    assert "rediss:// is not supported" in said(there, "storage.redis=rediss://:secret@127.0.0.1")
    assert "secret" not in said(there, "storage.redis=redis://:secret@127.0.0.1:x")
    assert "redis_timeout_ms" in said(there, "storage.redis_timeout_ms=0")
    assert "redis_answer_bytes" in said(there, "storage.redis_answer_bytes=-1")

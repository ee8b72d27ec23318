"""Credits over HTTP: exact under concurrency and across kill -9."""

import concurrent.futures
import http.client
import http.server
import json
import random
import signal
import threading
import time

from support.freshet import Freshet
from support.waiting import wait_until


def test_200_parallel_calls_on_a_balance_of_50(serve, pages):
    server = serve("plans.free.monthly_credits=50")
    key = server.key(server.account())
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        answers = list(
            pool.map(lambda _: server.call("scrape/markdown", key, url=pages), range(200))
        )
    statuses = [answer.status for answer in answers]
    assert statuses.count(200) == 50
    assert [answer.body for answer in answers if answer.status not in (200, 402)] == []
    refused = next(answer for answer in answers if answer.status == 402)
    assert refused.json["code"] == "insufficient_credits"
    shown = server.call("account/show", key).json["data"]
    assert shown["balance"] == 0 and shown["reserved"] == 0
    assert "sound" in server.run("ledger", "verify")


def test_a_burst_may_run_at_once(serve):
    """More calls than the default of plans.<name>.concurrency, all under way together."""
    release = threading.Event()

    class Holding(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/robots.txt":
                release.wait(60)
            self.send_response(404)
            self.end_headers()

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Holding)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    server = serve("plans.free.burst=24")
    key = server.key(server.account())
    with concurrent.futures.ThreadPoolExecutor(24) as pool:
        calls = [pool.submit(server.call, "scrape/markdown", key,
                             url=f"http://127.0.0.1:{site.server_address[1]}/{n}") for n in range(24)]
        try:
            wait_until(lambda: server.call("account/show", key).json["data"]["reserved"] == 24)
        finally:
            release.set()
    assert [call.result().status for call in calls] == [404] * 24
    site.shutdown()
    site.server_close()


KILLS = 100


def charges(server, key):
    """Every movement of kind `usage`, however many pages they fill."""
    parameters, entries = {"kind": "usage", "limit": 100}, []
    while True:
        answer = server.request("POST", "/v1/account/ledger", parameters, key).json
        entries += answer["data"]
        if not answer["page"]["has_more"]:
            return entries
        parameters["cursor"] = answer["page"]["next_cursor"]


class Caller(threading.Thread):
    """Makes one call after the other, each repeated under its Idempotency-Key until it succeeds."""

    def __init__(self, name, servers, key, pages, stop):
        super().__init__(name=name)
        self.servers, self.key, self.pages, self.stop = servers, key, pages, stop
        self.credits = {}  # by the call's name: what its success said it had cost
        self.repeated, self.problem = 0, None

    def run(self):
        try:
            while not self.stop.is_set():
                self.call(f"{self.name}-{len(self.credits)}")
        except Exception as problem:  # told by the test, not by a thread that is gone
            self.problem = problem

    def call(self, name):
        headers = {"Idempotency-Key": name, "X-Request-Id": name}
        give_up = time.monotonic() + 60
        while True:
            assert time.monotonic() < give_up, f"{name} never succeeded"
            try:
                answer = self.servers[-1].request("POST", "/v1/scrape/markdown",
                                                  {"url": f"{self.pages}?{name}"}, self.key, headers)
            except (OSError, http.client.HTTPException):  # the server was killed
                self.repeated += 1
                time.sleep(0.01)
                continue
            if answer.status == 200:
                self.credits[name] = int(answer.headers["X-Service-Credits-Used"])
                return
            assert answer.json["retryable"], answer.body
            time.sleep(0.01)


def test_calls_repeated_across_100_kills_are_charged_exactly_once(tmp_path, pages):
    """SIGKILL at random moments under load; in the end the ledger has each success once, and
    nothing else."""
    rng = random.Random(20261122)
    settings = ("scrape.allow_private=127.0.0.0/8", "plans.free.rate=100000",
                "plans.free.burst=100000", "plans.free.monthly_credits=1000000",
                "server.access_log=false")
    data = tmp_path / "data"
    servers = [Freshet(data, *settings)]
    key = servers[0].key(servers[0].account())
    stop = threading.Event()
    callers = [Caller(f"caller{n}", servers, key, pages, stop) for n in range(4)]
    for caller in callers:
        caller.start()
    try:
        for _ in range(KILLS):
            time.sleep(rng.uniform(0.02, 0.15))
            servers[-1].kill()
            servers.append(Freshet(data, *settings))
        stop.set()
        for caller in callers:
            caller.join(90)
            assert caller.problem is None, caller.problem
        server = servers[-1]
        said = {name: used for caller in callers for name, used in caller.credits.items()}
        assert len(said) > KILLS and sum(caller.repeated for caller in callers) >= KILLS / 4
        # One that was charged when its server was killed is told 0 by the one after.
        assert set(said.values()) <= {0, 1}
        entries = charges(server, key)
        assert sorted(entry["request_id"] for entry in entries) == sorted(said)
        assert all(entry["amount"] == -1 for entry in entries)
        shown = server.call("account/show", key).json["data"]
        assert shown["balance"] == 1000000 - len(said) and shown["reserved"] == 0
        usage = server.call("account/usage", key, group_by="endpoint").json["data"]
        assert [(row["calls"], row["credits"]) for row in usage] == [(len(said), len(said))]
        report = json.loads(server.run("ledger", "verify", "--json"))
        assert report["ok"] and report["findings"] == [] and report["rows"] == len(said) + 1
        print(f"{len(said)} calls, {sum(caller.repeated for caller in callers)} broken off, "
              f"{list(said.values()).count(0)} charged when their server was killed")
    finally:
        stop.set()
        servers[-1].stop()


def test_an_idempotent_call_is_charged_once(serve, pages):
    server = serve()
    key = server.key(server.account())
    headers = {"Idempotency-Key": "one-and-the-same"}
    first = server.call("scrape/markdown", key, headers, url=pages)
    again = server.call("scrape/markdown", key, headers, url=pages)
    assert first.status == again.status == 200
    assert first.headers["X-Service-Credits-Used"] == "1"
    assert again.headers["X-Service-Credits-Used"] == "0"
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.body == again.body
    other = server.call("scrape/markdown", key, headers, url=pages + "?other")
    assert other.status == 422 and other.json["code"] == "idempotency_mismatch"
    assert server.call("account/show", key).json["data"]["balance"] == 999


def test_a_dry_run_quotes_and_max_credits_refuses(serve, pages):
    server = serve()
    key = server.key(server.account())
    quote = server.call("scrape/markdown", key, url=pages, dry_run=True)
    assert quote.status == 200
    assert quote.json["data"] is None
    assert quote.json["meta"]["quote"] == {"credits": 1}
    assert quote.headers["X-Service-Credits-Used"] == "0"
    refused = server.call("scrape/markdown", key, url=pages, max_credits=0)
    assert refused.status == 402 and refused.json["code"] == "max_credits_exceeded"
    assert server.call("account/show", key).json["data"]["balance"] == 1000


def test_the_rate_limit_is_told_truthfully(tmp_path):
    server = Freshet(tmp_path / "limited", "sandbox.rate=0.1", "sandbox.burst=3")
    try:
        key = server.key(server.account(), "--test")
        answers = [server.call("news/search", key, q="climate") for _ in range(4)]
        assert [answer.status for answer in answers] == [200, 200, 200, 429]
        assert int(answers[3].headers["Retry-After"]) >= 1
        assert answers[3].json["code"] == "rate_limited"
        assert 'r=0' in answers[3].headers["RateLimit"]
    finally:
        server.stop()


def test_key_scopes_and_revocation(serve):
    server = serve()
    email = server.account()
    reader = server.key(email, "--test", "--scope", "read")
    refused = server.call("account/show", reader)
    assert refused.status == 403 and refused.json["code"] == "forbidden_scope"
    assert server.call("news/search", reader, q="climate").status == 200
    identity = json.loads(server.run("keys", "list", email, "--json"))["keys"][0]["id"]
    server.run("keys", "revoke", identity)
    gone = server.call("news/search", reader, q="climate")
    assert gone.status == 401 and gone.json["code"] == "revoked_api_key"
    assert gone.headers["WWW-Authenticate"].startswith("Bearer")
    typo = server.call("news/search", reader[:-1] + ("0" if reader[-1] != "0" else "1"), q="x")
    assert typo.status == 401 and typo.json["code"] == "invalid_api_key"


def test_sigterm_lets_a_running_call_finish(serve, pages):
    server = serve()
    key = server.key(server.account())
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        running = [pool.submit(server.call, "scrape/markdown", key, url=pages) for _ in range(4)]
        time.sleep(0.02)
        server.process.send_signal(signal.SIGTERM)
        outcomes = []
        for one in running:
            try:
                outcomes.append(one.result().status)
            except OSError:
                outcomes.append("refused")  # it came after the listener had closed
    assert server.process.wait(20) == 0
    assert all(outcome in (200, 503, "refused") for outcome in outcomes)

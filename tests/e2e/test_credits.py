"""Credits over HTTP: exact under concurrency, across kill -9, and the same data from every door."""

import concurrent.futures
import json
import os
import random
import signal
import subprocess
import time

import pytest
from support.freshet import Freshet, program


def test_200_parallel_calls_on_a_balance_of_50(serve, pages):
    server = serve("plans.free.monthly_credits=50")
    key = server.key(server.account())
    with concurrent.futures.ThreadPoolExecutor(200) as pool:
        answers = list(
            pool.map(lambda _: server.call("scrape/markdown", key, url=pages), range(200))
        )
    statuses = [answer.status for answer in answers]
    assert statuses.count(200) == 50
    assert statuses.count(402) == 150
    refused = next(answer for answer in answers if answer.status == 402)
    assert refused.json["code"] == "insufficient_credits"
    shown = server.call("account/show", key).json["data"]
    assert shown["balance"] == 0 and shown["reserved"] == 0
    assert "sound" in server.run("ledger", "verify")


def test_no_acknowledged_debit_is_lost_by_kill_9(tmp_path, pages):
    """20 times: load, SIGKILL at a random moment, reopen; what was acknowledged is in the ledger."""
    rng = random.Random(20261121)
    settings = ("network.allow_private=127.0.0.0/8", "plans.free.rate=100000",
                "plans.free.burst=100000", "plans.free.monthly_credits=1000000")
    data = tmp_path / "data"
    server = Freshet(data, *settings)
    key = server.key(server.account())
    acknowledged, in_flight_most, workers = 0, 0, 8
    for _ in range(20):
        stop_at = time.monotonic() + rng.uniform(0.1, 0.5)

        def load(_):
            done = 0
            while time.monotonic() < stop_at + 0.2:
                try:
                    if server.call("scrape/markdown", key, url=pages).status == 200:
                        done += 1
                except Exception:  # the server was killed
                    return done
            return done

        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            counts = [pool.submit(load, n) for n in range(workers)]
            time.sleep(max(0.0, stop_at - time.monotonic()))
            server.kill()
            acknowledged += sum(count.result() for count in counts)
        in_flight_most += workers
        server = Freshet(data, *settings)
    try:
        shown = server.call("account/show", key).json["data"]
        spent = 1000000 - shown["balance"]
        assert acknowledged > 0
        assert acknowledged <= spent <= acknowledged + in_flight_most
        assert shown["reserved"] == 0
        report = json.loads(server.run("ledger", "verify", "--json"))
        assert report["ok"] is True
        assert report["rows"] >= 2 * spent
    finally:
        server.stop()


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


def test_the_rate_limit_of_the_plan_is_told_truthfully(tmp_path):
    server = Freshet(tmp_path / "limited", "plans.free.rate=1", "plans.free.burst=3")
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


CALLS = [
    ("microblog/users/lookup", {"username": "alice.test"}),
    ("microblog/users/posts", {"username": "alice.test"}),
    ("microblog/search", {"q": "climate", "limit": 5}),
    ("web-serp/search", {"q": "climate"}),
    ("scrape/markdown", {"url": "https://example.com/tide-gauges"}),
    ("forum/search", {"q": "climate", "community": "all"}),
    ("forum/posts/comments", {"id": "hackernews:9000003"}),
    ("shortvideo/search", {"q": "climate"}),
    ("shortvideo/hashtags/videos", {"hashtag": "tides"}),
    ("shortvideo/profiles/lookup", {"username": "coastlab"}),
    ("shortvideo/profiles/videos", {"username": "coastlab"}),
    ("news/search", {"q": "climate"}),
]


def data_bytes(envelope):
    """The bytes of `data`: our envelopes begin with it, and end it where page or meta begins."""
    assert envelope.startswith(b'{"data":')
    text = envelope.decode()
    value, end = json.JSONDecoder().raw_decode(text, len('{"data":'))
    return text[len('{"data":'):end].encode()


def test_the_same_call_gives_the_same_bytes_of_data_from_every_door(serve):
    server = serve()
    key = server.key(server.account(), "--test")
    binding = pytest.importorskip("freshet", reason="the Python module was not built")
    in_process = binding.Freshet(config={"network.sandbox": "true"})
    remote = binding.Freshet(base_url=server.url, api_key=key)
    cpp = os.environ.get("FRESHET_BUILD", "") + "/tests/same_bytes"
    assert os.path.exists(cpp), "tests/same_bytes was not built"
    for endpoint, parameters in CALLS:
        over_http = server.call(endpoint, key, **parameters)
        assert over_http.status == 200, (endpoint, over_http.body)
        expected = data_bytes(over_http.body)
        assert len(expected) > 100, endpoint
        body = json.dumps(parameters)
        command_line = subprocess.run(
            [program(), "call", endpoint, body, "--set", "network.sandbox=true"],
            capture_output=True, check=True,
        ).stdout
        assert data_bytes(command_line.strip()) == expected, endpoint
        through_server = subprocess.run(
            [program(), "call", endpoint, body, "--server", server.url, "--key", key],
            capture_output=True, check=True,
        ).stdout
        assert data_bytes(through_server.strip()) == expected, endpoint
        assert subprocess.run([cpp, endpoint, body], capture_output=True, check=True
                              ).stdout == expected, endpoint
        for client in (in_process, remote):
            status, _, data = client.call_bytes(endpoint, **parameters)
            assert status == 200 and data == expected, endpoint


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

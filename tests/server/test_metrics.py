"""What operators' Prometheus reads: the text holds to its own tools, says what happened, and cannot
be made to grow by callers; rules and board ask for what there is."""

import json
import re
import subprocess
import time
import urllib.error
import urllib.request

from serving import Wire
from support.reach import ROOT, need_tool
from support.waiting import wait_until

MONITORING = ROOT / "server/monitoring"


def operators_url(server):
    wait_until(lambda: "operators are listened to on" in server.log_text())
    return server.log_text().split("operators are listened to on ")[1].split('"')[0]


def metrics(server):
    with urllib.request.urlopen(operators_url(server) + "/metrics", timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        return answer.read().decode()


def samples(text):
    """By name and labels, as written."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}


def call(server, path, body, key):
    asked = urllib.request.Request(
        server.url + path, data=body if isinstance(body, bytes) else json.dumps(body).encode(),
        headers={"Authorization": "Bearer " + key, "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(asked, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as failed:
        return failed.code


def test_prometheus_reads_it_without_a_complaint(server):
    checked = subprocess.run([need_tool("promtool"), "check", "metrics"], input=metrics(server),
                             text=True, capture_output=True, timeout=30)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert not checked.stdout and not checked.stderr


def test_it_counts_what_happened(server, keys):
    before = samples(metrics(server))
    assert call(server, "/v1/microblog/search", {"q": "climate", "limit": 3}, keys["test"]) == 200
    assert call(server, "/v1/microblog/search", {"q": ""}, keys["test"]) == 400
    assert call(server, "/v1/microblog/search", {"q": "climate"}, "frs_live_x") == 401
    now = samples(metrics(server))

    def grown(name):
        return now.get(name, 0) - before.get(name, 0)

    label = 'endpoint="microblog/search"'
    assert grown(f'freshet_calls_total{{{label},code="ok"}}') == 1
    assert grown(f'freshet_calls_total{{{label},code="invalid_request"}}') == 1
    assert grown('freshet_source_answers_total{source="bluesky",code="ok"}') == 1
    assert grown(f'freshet_call_duration_seconds_count{{{label}}}') >= 2
    assert grown('freshet_http_answers_total{status="401"}') == 1
    assert now["process_resident_memory_bytes"] > 1e7
    assert now["freshet_ledger_writable"] == 1
    assert now["freshet_accounts_in_memory"] >= 1 and now["freshet_keys_in_memory"] >= 1
    assert time.time() - 3600 < now["process_start_time_seconds"] < time.time()


def test_no_caller_makes_a_series(server, keys):
    key = keys["test"]
    call(server, "/v1/microblog/search", {"q": "climate"}, key)
    before = set(samples(metrics(server)))
    for i in range(40):
        call(server, f"/v1/odd{i}/search", {"q": "x"}, key)
        call(server, "/v1/microblog/search", {"q": "climate", "sources": [f"odd{i}"]}, key)
        call(server, "/v1/microblog/users/posts", {"username": f"nobody{i}\n{{}}\"", "sources": ["x"]},
             key)
        call(server, "/v1/microblog/search", b"{" + str(i).encode(), f"frs_live_{i}")
    more = set(samples(metrics(server))) - before
    known = re.compile(r'freshet_(calls_total\{endpoint="(unknown|microblog/[a-z/]+)",code="[a-z_]+"\}'
                       r'|source_answers_total\{source="x",code="[a-z_]+"\}'
                       r'|http_answers_total\{status="4\d\d"\})')
    assert all(known.fullmatch(one) for one in more), more
    assert len(more) < 12, more


def test_only_operators_see_it(server):
    assert call(server, "/metrics", {}, "") == 404
    with Wire(server.port) as wire:
        wire.send(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n")
        assert wire.read().status == 404


def test_rules_hold_to_prometheus_and_ask_for_what_there_is(server):
    rules = MONITORING / "freshet.rules.yml"
    checked = subprocess.run([need_tool("promtool"), "check", "rules", rules],
                             text=True, capture_output=True, timeout=30)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    board = json.loads((MONITORING / "grafana.json").read_text())
    asked = rules.read_text() + "\n".join(
        target["expr"] for panel in board["panels"] for target in panel["targets"])
    # Of servers with Redis, a replica or an archive alone: tests/e2e/test_redis.py, test_replica.py and
    # test_shared_archive.py see them fall to 0 and rise again.
    elsewhere = {"freshet_redis_up", "freshet_sharing_up", "freshet_replica_up", "freshet_archive_filler"}
    there = {name.split("{")[0] for name in samples(metrics(server))}
    wanted = set(re.findall(r"\b(?:freshet|process)_[a-z_]+", asked))
    families = {re.sub(r"^# TYPE (\S+) .*", r"\1", line)
                for line in metrics(server).splitlines() if line.startswith("# TYPE")}
    assert wanted and not wanted - there - families - elsewhere
    assert not elsewhere - wanted

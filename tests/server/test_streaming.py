"""Streamed answers over HTTP: the same bytes as plain ones, in pieces, charged the same."""

import http.client
import json
import re

import pytest

from support.feeds import Feeds
from support.waiting import wait_until

STREAMS = {"events": "text/event-stream", "lines": "application/x-ndjson"}
CALLS = [
    ("microblog/search", {"q": "climate", "limit": 3}),
    ("web-serp/search", {"q": "climate"}),
    ("all/search", {"q": "climate", "limit": 9}),
    ("news/headlines", {"fields": ["url", "title"]}),
    ("forum/communities/posts", {"community": "all", "max_tokens": 900}),
    ("microblog/trends", {}),
    ("shortvideo/videos/comments", {"id": "youtube:frsSandb000", "limit": 2}),
    ("microblog/users/lookup", {"username": "alice.test"}),
]


def events_of(form, body):
    """[(name, the bytes of its data)] of a stream."""
    told = []
    if form == "lines":
        for line in body.decode().splitlines():
            name = json.loads(line)["event"] if line else ""
            if line:
                told.append((name, line[len('{"event":"","data":') + len(name):-1].encode()))
        return told
    for block in body.decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if lines:
            assert lines[0].startswith("event: ") and lines[1].startswith("data: ") and len(lines) == 2
            told.append((lines[0][7:], lines[1][6:].encode()))
    return told


def untimed(body):
    """The answer's bytes without what tells of the clock: how long its sources took, and its cursor."""
    body = re.sub(rb'"next_cursor":"[^"]+"', b'"next_cursor":"c1"', body)
    return re.sub(rb'"elapsed_ms":\d+', b'"elapsed_ms":0', body)


class Caller:
    """Calls of one key, plain and streamed."""

    def __init__(self, server, key):
        self.server, self.key = server, key

    def open(self, endpoint, body, accept=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}", **fields}
        if accept:
            headers["Accept"] = accept
        connection.request("POST", f"/v1/{endpoint}", json.dumps(body), headers)
        return connection, connection.getresponse()

    def whole(self, *what, **fields):
        connection, answer = self.open(*what, **fields)
        body = answer.read()
        connection.close()
        return answer, body


@pytest.mark.parametrize("form", STREAMS)
@pytest.mark.parametrize("endpoint,body", CALLS, ids=[name for name, _ in CALLS])
def test_a_streamed_answer_is_the_plain_one_byte_for_byte(server, keys, form, endpoint, body):
    as_test = Caller(server, keys["test"])
    same_id = {"X-Request-Id": "req_of_both"}
    answer, streamed = as_test.whole(endpoint, body, STREAMS[form], **same_id)
    assert answer.status == 200 and answer.getheader("Content-Type") == STREAMS[form]
    assert answer.getheader("X-Request-Id") == "req_of_both"
    plain, expected = as_test.whole(endpoint, body, **same_id)
    assert plain.getheader("Content-Type") == "application/json"
    told = events_of(form, streamed)
    assert [name for name, _ in told[:-1]] == ["source"] * (len(told) - 1)
    assert (told[-1][0], untimed(told[-1][1])) == ("result", untimed(expected))
    rows = [json.loads(data) for _, data in told[:-1]]
    meta = json.loads(expected)["meta"]
    if isinstance(json.loads(expected)["data"], list):
        assert {row["name"] for row in rows} == {one["name"] for one in meta["sources"]}
    else:
        assert rows == []


@pytest.mark.parametrize("accept,as_json", [
    ("application/json, text/event-stream", True), ("*/*", True), ("text/event-stream;q=0, */*", True),
    ("text/event-stream, */*;q=0.1", False), ("application/x-ndjson", False)])
def test_json_is_answered_to_who_names_it(server, keys, accept, as_json):
    answer, _ = Caller(server, keys["test"]).whole("microblog/search", {"q": "climate"}, accept)
    assert (answer.getheader("Content-Type") == "application/json") == as_json


def test_what_fails_before_a_source_is_a_problem_by_its_status(server, keys):
    for accept in STREAMS.values():
        answer, body = Caller(server, keys["test"]).whole("microblog/search", {"q": ""}, accept)
        assert answer.status == 400 and answer.getheader("Content-Type") == "application/problem+json"
        assert json.loads(body)["code"] == "invalid_request"
        assert server.post("/v1/microblog/search", {"q": "x"}, None, f"Accept: {accept}").status == 401


@pytest.fixture
def feeds():
    running = Feeds()
    yield running
    running.close()


@pytest.fixture
def live(start, feeds):
    """A server whose news are the two feeds, and a live key of an account with 1,000 credits."""
    running = start(*[part for one in feeds.settings for part in ("--set", one)])
    assert running.run("accounts", "create", "reader@example.org").returncode == 0
    made = running.run("keys", "create", "reader@example.org")
    assert made.returncode == 0, made.stderr
    return Caller(running, made.stdout.strip())


ASKED = ("news/search", {"q": "tide", "sources": ["feeds"]})


def balance(caller):
    _, body = caller.whole("account/show", {})
    return json.loads(body)["data"]["balance"]


def test_a_source_is_told_of_while_another_has_not_answered(live, feeds):
    connection, answer = live.open(*ASKED, STREAMS["lines"])
    first = json.loads(answer.readline())  # the other one waits for this test
    assert first["event"] == "source" and first["data"]["instance"].endswith("/quick")
    assert [one["title"] for one in first["data"]["data"]] == ["Tide at the quick quay"]
    feeds.let_go.set()
    second, last = json.loads(answer.readline()), json.loads(answer.readline())
    assert second["data"]["instance"].endswith("/slow") and answer.read() == b""
    assert last["event"] == "result" and len(last["data"]["data"]) == 2
    assert last["data"]["meta"]["credits"] == {"used": 1, "remaining": 999}
    connection.close()
    assert balance(live) == 999


def test_a_client_that_leaves_ends_the_work_and_pays_for_what_it_was_told(live, feeds):
    connection, answer = live.open(*ASKED, STREAMS["events"])
    assert answer.readline() == b"event: source\n"
    answer.close()
    connection.close()
    wait_until(lambda: balance(live) == 999)

    def has_ended():
        _, body = live.whole("account/requests/list", {"endpoint": "news/search"})
        return [one["code"] for one in json.loads(body)["data"]] == ["cancelled"]

    wait_until(has_ended)  # though /slow has not answered yet
    assert not feeds.let_go.is_set()


def test_an_idempotent_stream_is_replayed_without_sources(live, feeds):
    feeds.let_go.set()
    key = {"Idempotency-Key": "once"}
    first, body = live.whole(*ASKED, STREAMS["lines"], **key)
    again, replayed = live.whole(*ASKED, STREAMS["lines"], **key)
    assert again.getheader("Idempotency-Replayed") == "true"
    assert again.getheader("X-Service-Credits-Used") == "0"
    assert events_of("lines", replayed) == [events_of("lines", body)[-1]]
    assert balance(live) == 999 and first.status == 200

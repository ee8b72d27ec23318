"""A search that needs a session, through the whole program: one session serves many searches, and
one that has ended is opened anew. The answers are those of the sandbox."""

import pathlib
import threading

import pytest
from support.freshet import without_fetched_at
from support.session_gate import SessionGate, recorded

HAR = pathlib.Path(__file__).resolve().parents[2] / "lib/sources/bluesky/sandbox.har"


@pytest.fixture
def gate():
    one = SessionGate(recorded(HAR, "alice.test", "app-pass-word"))
    yield one
    one.close()


def searching(serve, gate, password="app-pass-word"):
    server = serve(f"sources.bluesky.pds_url={gate.url}", "sources.bluesky.identifier=alice.test",
                   f"sources.bluesky.app_password={password}",
                   "platforms.microblog.sources=bluesky")
    server.live_key = server.key(server.account())
    return server


def test_one_session_serves_many_searches(serve, gate):
    server = searching(serve, gate)
    items, metas = server.walk("microblog/search", server.live_key, q="climate")
    assert len(items) > 20 and len(metas) > 1
    assert all(meta["completeness"] == "complete" for meta in metas)
    for _ in range(3):
        assert server.call("microblog/search", server.live_key, q="climate").status == 200
    assert gate.opened == 1


def test_searches_at_once_share_a_session(serve, gate):
    server = searching(serve, gate)
    found = []
    threads = [
        threading.Thread(
            target=lambda: found.append(
                server.request("POST", "/v1/microblog/search", {"q": "climate"}, server.live_key)
            )
        )
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status for answer in found] == [200] * 8
    assert gate.opened == 1


def test_a_session_that_has_ended_is_opened_anew(serve, gate):
    server = searching(serve, gate)
    before = server.call("microblog/search", server.live_key, q="climate")
    gate.end_sessions()
    after = server.call("microblog/search", server.live_key, q="climate")
    assert after.status == 200
    assert without_fetched_at(after.json["data"]) == without_fetched_at(before.json["data"])
    assert (gate.opened, gate.refused) == (2, 1)
    assert server.call("microblog/search", server.live_key, q="climate").status == 200
    assert (gate.opened, gate.refused) == (2, 1)


def test_a_wrong_password_is_said_and_not_tried_at_every_call(serve, gate):
    server = searching(serve, gate, password="wrong")
    for _ in range(3):
        answer = server.call("microblog/search", server.live_key, q="climate")
        assert answer.status == 502
        assert answer.json["code"] == "source_auth_required"
        assert "wrong" not in answer.body.decode()
    assert gate.opened == 1

"""Rows 8, 9, 10, 12, 24 and 25: what is charged when a call goes wrong, and who may touch whose."""

import socket
import struct
import threading
import time

import pytest
from loopback_site import answer, reset
from serving import post_bytes
from support.waiting import wait_until


def test_row_08_upstream_fails_after_the_reservation(server, site):
    at = site()
    held = []

    def failing(to):
        # Somebody has reserved: the failure comes after.
        held.append(caller.shown()["reserved"])
        to.sendall(answer(b"", status="500 Internal Server Error"))

    def cut(to):
        to.sendall(answer(b"x" * 1000)[:-500])

    at.pages = {"/500": failing, "/reset": reset, "/cut": cut, "/nothing": lambda to: None,
                "/late": at.hold, "/junk": lambda to: to.sendall(b"no HTTP at all\r\n\r\n")}
    caller = server.caller()
    for path in at.pages:
        got = caller.call("scrape/markdown", {"url": at.url + path, "timeout_ms": 1000})
        assert got.status in (502, 503, 504), (path, got.body)
        assert got.field("X-Service-Credits-Used") == "0"
    assert held and set(held) == {1}
    shown = caller.shown()
    assert (shown["balance"], shown["reserved"]) == (1000, 0) and caller.charges() == []


def leave(wire):
    wire.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wire.socket.close()


@pytest.mark.parametrize("stage", ["before the body", "in the body", "while it is fetched",
                                   "while it is answered"])
def test_row_09_a_client_that_leaves(server, site, stage):
    at = site()
    at.pages = {"/held": at.hold, "/large": lambda to: to.sendall(answer(
        b"<main>" + b"<p>High water at noon and at midnight.</p>" * 20_000 + b"</main>"))}
    caller = server.caller()
    path = "/large" if stage == "while it is answered" else "/held"
    sent = post_bytes("/v1/scrape/markdown", {"url": at.url + path}, caller.key)
    wire = server.wire()
    wire.send({"before the body": sent[:sent.index(b"\r\n\r\n") + 4],
               "in the body": sent[:-5]}.get(stage, sent))
    if stage == "while it is fetched":
        wait_until(lambda: at.waiting == 1)
        assert caller.shown()["reserved"] == 1
    if stage == "while it is answered":
        assert wire.socket.recv(100)  # and the rest is not read
    leave(wire)
    wait_until(lambda: caller.shown()["reserved"] == 0)
    charged = 1 if stage == "while it is answered" else 0
    assert caller.shown()["balance"] == 1000 - charged and len(caller.charges()) == charged


def test_row_10_a_retry_after_a_lost_response(server, site):
    at = site()
    caller = server.caller()
    page = {"url": at.url + "/page"}
    wire = caller.begin("scrape/markdown", page, "Idempotency-Key: once")
    wait_until(lambda: caller.shown()["balance"] == 999)  # it is committed, and nobody has read it
    leave(wire)
    first, second = (caller.call("scrape/markdown", page, "Idempotency-Key: once") for _ in "12")
    for again in (first, second):
        assert again.status == 200 and again.field("X-Service-Credits-Used") == "0"
        assert again.field("Idempotency-Replayed") == "true"
    assert first.body == second.body and b"High water" in first.body
    assert len(caller.charges()) == 1 and at.counts["/page"] == 1


def test_row_12_one_key_in_parallel(server, site):
    at = site()
    at.pages = {"/held": at.hold}
    caller = server.caller()
    wires = [caller.begin("scrape/markdown", {"url": at.url + "/held"}, "Idempotency-Key: once")
             for _ in range(64)]
    wait_until(lambda: at.waiting == 1)
    # All others are told while the one runs, which waits for them.
    others = []
    threads = [threading.Thread(target=lambda wire=wire: others.append(wire.read())) for wire in wires]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(others) == 63)
    at.released.set()
    for thread in threads:
        thread.join()
    assert sorted(one.status for one in others) == [200] + [409] * 63
    assert at.counts["/held"] == 1 and len(caller.charges()) == 1
    for wire in wires:
        wire.socket.close()


def test_row_14_a_clock_that_is_set(rig, faults, site):
    """An answer is kept by the time that the server runs: a day ahead or back charges nothing twice."""
    at = site()
    server = rig(at.allowed, "scrape.respect_robots=false")
    caller = server.caller()
    page = {"url": at.url + "/page"}
    charged = 0
    for step, seconds in enumerate((0, 90_000, -90_000, 0)):
        faults.switch_on("clock", str(seconds).encode())
        time.sleep(1.2)  # looked at once a second
        name = f"Idempotency-Key: step-{step}"
        assert caller.call("scrape/markdown", page, name).field("X-Service-Credits-Used") == "1"
        charged += 1
        for earlier in range(step + 1):
            again = caller.call("scrape/markdown", page, f"Idempotency-Key: step-{earlier}")
            assert again.field("Idempotency-Replayed") == "true", (step, earlier, again.body)
            assert again.field("X-Service-Credits-Used") == "0"
    assert len(caller.charges()) == charged


def test_row_24_members_that_are_nobodys_to_set(server):
    caller = server.caller()
    paths = server.get("/openapi.json").json()["paths"]
    endpoints = [path.removeprefix("/v1/") for path in paths if path.startswith("/v1/")]
    assert len(endpoints) >= 20
    forced = {"credits": 1_000_000, "balance": 1_000_000, "account_id": "acc_1", "__proto__": {},
              "plan": "free\0"}
    before = caller.shown()
    for endpoint in endpoints:
        refused = caller.call(endpoint, forced)
        assert refused.status == 400, (endpoint, refused.body)
        pointers = {one["pointer"] for one in refused.json()["errors"]}
        assert {"/credits", "/balance", "/account_id"} <= pointers, (endpoint, pointers)
        assert refused.field("X-Service-Credits-Used") == "0"
    assert caller.shown() == before and caller.charges() == []


def told(refused, identity):
    problem = refused.json()
    problem.pop("request_id")
    return refused.status, str(problem).replace(identity, "ID")


def test_row_25_what_is_anothers_is_not_there(server, site):
    at = site()
    caller, other = server.caller(), server.caller()
    theirs = other.call("account/keys/list").json()["data"][0]["id"]
    absent = theirs[:-4] + ("0000" if not theirs.endswith("0000") else "1111")
    for endpoint in ("account/keys/revoke", "account/keys/rotate"):
        touched = told(caller.call(endpoint, {"id": theirs}), theirs)
        assert touched == told(caller.call(endpoint, {"id": absent}), absent)
        assert touched[0] == 404
    assert other.call("account/show").status == 200
    for n in range(3):
        caller.call("scrape/markdown", {"url": f"{at.url}/page?{n}"}, "Idempotency-Key: k%d" % n)
    page = caller.call("account/ledger", {"limit": 1}).json()["page"]
    foreign = other.call("account/ledger", {"limit": 1, "cursor": page["next_cursor"]})
    assert foreign.status == 400 or all(
        row["request_id"] is None for row in foreign.json()["data"]), foreign.body
    # An idempotency key is its account's: another's is a call of its own, and pays for itself.
    mine = other.call("scrape/markdown", {"url": at.url + "/page?0"}, "Idempotency-Key: k0")
    assert mine.status == 200 and mine.field("X-Service-Credits-Used") == "1"
    assert mine.field("Idempotency-Replayed") is None

"""microblog over a real Bluesky network (PLC, PDS, AppView). Takes minutes to install and start."""

import json
import os
import pathlib
import subprocess
import urllib.request

import pytest
from support import upstream
from support.session_gate import SESSION, SessionGate, forward_to

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def network(shared, tmp_path_factory):
    upstream.need("npm", "redis-server", "/usr/lib/postgresql/15/bin/initdb")
    top = tmp_path_factory.mktemp("upstream")
    state = top / "state.json"
    if "FRESHET_BLUESKY" in os.environ:  # an installed copy, so that a second run need not compile
        folder = pathlib.Path(os.environ["FRESHET_BLUESKY"])
    else:
        upstream.copy(shared, "tools", top)
        folder = upstream.copy(shared, "bluesky", top)
    if not (folder / "node_modules").exists():
        print("installing the Bluesky packages, which takes minutes", flush=True)
        install = subprocess.run(["bash", "install.sh"], cwd=folder, capture_output=True, text=True)
        if install.returncode != 0:
            pytest.skip("the Bluesky packages could not be installed: " + install.stderr[-300:])
    process = subprocess.Popen(
        ["bash", "up.sh"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "STATE_FILE": str(state)},
    )
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.strip() == "READY":
            break
    else:
        raise RuntimeError("".join(lines[-20:]))
    yield json.loads(state.read_text())
    upstream.end_process(process.pid, seconds=30)


@pytest.fixture
def server(serve, network):
    one = serve(f"sources.bluesky.base_url={network['appview']}",
                "platforms.microblog.sources=bluesky")
    one.test_key = one.key(one.account())
    return one


def xrpc(network, path, body, token=None):
    request = urllib.request.Request(network["pds"] + path, data=json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", "Bearer " + token)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read())


@pytest.fixture(scope="module")
def app_password(network):
    """An app password of alice, as she makes it in the settings."""
    alice = network["users"]["alice"]
    session = xrpc(network, SESSION,
                   {"identifier": alice["handle"], "password": alice["password"]})
    made = xrpc(network, "/xrpc/com.atproto.server.createAppPassword", {"name": "freshet"},
                session["accessJwt"])
    return made["password"]


@pytest.fixture
def gate(network):
    one = SessionGate(forward_to(network["pds"]))
    yield one
    one.close()


@pytest.fixture
def signed_in(serve, network, gate, app_password):
    """Searches through the server that holds the account; the public address is out of reach."""
    one = serve(f"sources.bluesky.pds_url={gate.url}",
                "sources.bluesky.base_url=http://127.0.0.1:9",
                f"sources.bluesky.identifier={network['users']['alice']['handle']}",
                f"sources.bluesky.app_password={app_password}",
                "platforms.microblog.sources=bluesky")
    one.test_key = one.key(one.account())
    return one


def test_lookup(server, network):
    answer = server.call("microblog/users/lookup", server.test_key, username="alice.test")
    assert answer.status == 200, answer.body
    user = answer.json["data"]
    assert user["object"] == "user"
    assert user["handle"] == "alice.test"
    assert network["users"]["alice"]["did"] in user["id"]
    missing = server.call("microblog/users/lookup", server.test_key, username="nobody.test")
    assert missing.status == 404


def test_search_to_the_end_without_a_duplicate(server, network):
    items, _ = server.walk("microblog/search", server.test_key, q="climate", limit=3)
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids)) > 3
    expected = {post["uri"] for post in network["posts"] if "climate" in post["text"].lower()}
    assert {item["id"].removeprefix("bluesky:") for item in items} == expected


def test_an_exact_phrase(server, network):
    items, _ = server.walk("microblog/search", server.test_key, q='"tide gauge"')
    for item in items:
        assert "tide gauge" in item["text"].lower()


def test_search_in_a_session(signed_in, network, gate):
    items, metas = signed_in.walk("microblog/search", signed_in.test_key, q="climate", limit=3)
    expected = {post["uri"] for post in network["posts"] if "climate" in post["text"].lower()}
    assert {item["id"].removeprefix("bluesky:") for item in items} == expected
    assert len(items) == len(expected) and len(metas) > 1
    assert all(meta["completeness"] == "complete" for meta in metas)
    phrase, _ = signed_in.walk("microblog/search", signed_in.test_key, q='"tide gauge"')
    assert phrase
    assert all("tide gauge" in item["text"].lower() for item in phrase)
    assert gate.opened == 1


def test_a_session_that_has_ended_is_opened_anew(signed_in, gate):
    before = signed_in.call("microblog/search", signed_in.test_key, q="climate")
    assert before.status == 200, before.body
    gate.end_sessions()
    after = signed_in.call("microblog/search", signed_in.test_key, q="climate")
    assert after.status == 200, after.body
    assert after.json["data"] == before.json["data"]
    assert (gate.opened, gate.refused) == (2, 1)


def test_timeline_to_the_end(server):
    items, _ = server.walk("microblog/users/posts", server.test_key, username="alice.test", limit=4)
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids)) > 4
    own = [item["created_at"] for item in items if item["reposted_by"] is None]
    assert own == sorted(own, reverse=True)


def test_replies(server, network):
    posts = []
    for user in network["users"].values():
        timeline, _ = server.walk(
            "microblog/users/posts", server.test_key, username=user["handle"]
        )
        posts += timeline
    asked = max(posts, key=lambda item: item["metrics"]["replies"] or 0)
    assert asked["metrics"]["replies"], "the seed has a thread"
    replies, _ = server.walk("microblog/posts/replies", server.test_key, id=asked["id"], limit=2)
    assert replies
    known = {asked["id"]}
    for reply in replies:  # pre-order: each follows what it answers
        assert reply["parent_id"] in known
        known.add(reply["id"])

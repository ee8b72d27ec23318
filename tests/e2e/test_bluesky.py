"""microblog over a real Bluesky network (PLC, PDS, AppView). Takes minutes to install and start.

The AppView's own search, which stands in for the search service, finds posts that hold the query's
text letter by letter, quotes included, and knows no `since`: what is promised beyond that is kept
here by Freshet's filters, which the expectations below check on the seed's own texts."""

import base64
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import subprocess
import threading
import time
import urllib.request

import pytest
from support.freshet import without_fetched_at
from support import upstream
from support.reach import out_of_reach
from support.session_gate import SESSION, SessionGate, forward_to

pytestmark = pytest.mark.long

SIGNING_SECRET = b"jwt-secret"  # of the PDS, a constant of @atproto/dev-env


@pytest.fixture(scope="module")
def network(tmp_path_factory):
    upstream.need("npm", "redis-server", "/usr/lib/postgresql/15/bin/initdb")
    top = tmp_path_factory.mktemp("upstream")
    state = top / "state.json"
    if "FRESHET_BLUESKY" in os.environ:  # an installed copy, so that a second run need not compile
        folder = pathlib.Path(os.environ["FRESHET_BLUESKY"])
    else:
        upstream.copy("tools", top)
        folder = upstream.copy("bluesky", top)
    if not (folder / "node_modules").exists():
        print("installing the Bluesky packages, which takes minutes", flush=True)
        install = subprocess.run(["bash", "install.sh"], cwd=folder, capture_output=True, text=True)
        if install.returncode != 0:
            out_of_reach("the Bluesky packages could not be installed: " + install.stderr[-300:])
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
    threading.Thread(target=process.stdout.read, daemon=True).start()  # a full pipe would stop it
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
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def session_of(network, name):
    """Of a user, opened with the account's own password: it may do what an app may not."""
    user = network["users"][name]
    return xrpc(network, SESSION, {"identifier": user["handle"], "password": user["password"]})


def make_app_password(network, name):
    """An app password of alice, as she makes it in the settings."""
    made = xrpc(network, "/xrpc/com.atproto.server.createAppPassword", {"name": name},
                session_of(network, "alice")["accessJwt"])
    return made["password"]


def claims_of(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def wait_for_another_second(token):
    """The PDS gives one account the same token for as long as a second lasts."""
    while int(time.time()) <= claims_of(token)["iat"]:
        time.sleep(0.05)


def remade(token, key=SIGNING_SECRET, **changes):
    """A token of the PDS with other claims, signed anew as the PDS does."""
    header = token.split(".")[0]
    text = json.dumps({**claims_of(token), **changes}).encode()
    payload = base64.urlsafe_b64encode(text).decode().rstrip("=")
    signature = hmac.digest(key, f"{header}.{payload}".encode(), hashlib.sha256)
    return f"{header}.{payload}." + base64.urlsafe_b64encode(signature).decode().rstrip("=")


def expired(token):
    then = int(time.time()) - 60
    return remade(token, iat=then - 7200, exp=then)


def forged(token):
    return remade(token, key=b"another secret")


def holding(network, *words, without=(), after=None):
    """The ids of the seed's posts that hold every word (or phrase) as whole words."""

    def holds(text, word):
        return re.search(r"(?<!\w)" + re.escape(word) + r"(?!\w)", text.lower()) is not None

    return {
        "bluesky:" + post["uri"]
        for post in network["posts"]
        if all(holds(post["text"], word) for word in words)
        and not any(holds(post["text"], word) for word in without)
        and (after is None or datetime.datetime.fromisoformat(post["createdAt"]) >= after)
    }


def ids_of(items):
    """The items' ids, none of them twice."""
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids))
    return set(ids)


@pytest.fixture(scope="module")
def app_password(network):
    return make_app_password(network, "freshet")


@pytest.fixture
def gate(network):
    one = SessionGate(forward_to(network["pds"]))
    yield one
    one.close()


@pytest.fixture
def sign_in(serve, gate):
    """Searches through the server that holds the account; the public address is out of reach."""

    def start(password, *settings, identifier="alice.test"):
        one = serve(f"sources.bluesky.pds_url={gate.url}",
                    "sources.bluesky.base_url=http://127.0.0.1:9",
                    f"sources.bluesky.identifier={identifier}",
                    f"sources.bluesky.app_password={password}",
                    *(settings or ["platforms.microblog.sources=bluesky"]))
        one.test_key = one.key(one.account())
        return one

    return start


@pytest.fixture
def signed_in(sign_in, app_password):
    return sign_in(app_password)


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
    items, metas = server.walk("microblog/search", server.test_key, q="climate", limit=3)
    assert ids_of(items) == holding(network, "climate")
    assert len(items) > 3 and len(metas) > 1


def test_search_in_a_session(signed_in, network, gate):
    items, metas = signed_in.walk("microblog/search", signed_in.test_key, q="climate", limit=3)
    assert ids_of(items) == holding(network, "climate")
    assert len(metas) > 1
    assert all(meta["completeness"] == "complete" for meta in metas)
    times = [item["created_at"] for item in items]
    assert times == sorted(times, reverse=True)
    whole, _ = signed_in.walk("microblog/search", signed_in.test_key, q="climate")
    assert [item["id"] for item in whole] == [item["id"] for item in items]
    assert gate.opened == 1


def test_words_phrases_and_exclusions_in_a_session(signed_in, network, gate):
    def found(q):
        return ids_of(signed_in.walk("microblog/search", signed_in.test_key, q=q, limit=2)[0])

    # The server finds "#tides" and "timetable" with these letters too: they are not the word.
    assert found("tide") == holding(network, "tide") != set()
    # Alice wrote this one in quotes, which is how the network's own search compares a phrase.
    part = "measuring the sea with a 3 euro part"
    assert found(f'"{part.capitalize()}"') == holding(network, part) != set()
    assert found('"the sea measuring"') == set()
    rest = found("climate -trains")
    assert rest == holding(network, "climate", without=["trains"])
    assert rest < holding(network, "climate")
    assert found('climate -"night trains" -#hardware') == holding(
        network, "climate", without=["night trains", "#hardware"]
    )
    assert gate.opened == 1


def test_since_in_a_session(signed_in, network):
    every = holding(network, "climate")
    now = datetime.datetime.now(datetime.timezone.utc)
    dates = sorted(datetime.datetime.fromisoformat(post["createdAt"]) for post in network["posts"])
    days = (now - dates[len(dates) // 2]).days
    expected = holding(network, "climate", after=now - datetime.timedelta(days=days))
    assert set() < expected < every
    items, metas = signed_in.walk("microblog/search", signed_in.test_key, q="climate", limit=2,
                                  since=f"{days}d")
    assert ids_of(items) == expected
    assert metas[-1]["completeness"] == "complete"


def test_a_post_made_now_is_found(signed_in, network):
    session = session_of(network, "bob")
    moments = {"a minute ago": -60, "three hours ago": -3 * 3600, "tomorrow": 86400}
    made = {}
    for when, seconds in moments.items():
        at = datetime.datetime.fromtimestamp(time.time() + seconds, datetime.timezone.utc)
        record = {"$type": "app.bsky.feed.post", "text": f"equinox tide, {when}",
                  "createdAt": at.isoformat(timespec="milliseconds").replace("+00:00", "Z")}
        made[when] = "bluesky:" + xrpc(
            network, "/xrpc/com.atproto.repo.createRecord",
            {"repo": session["did"], "collection": "app.bsky.feed.post", "record": record},
            session["accessJwt"])["uri"]
    end = time.monotonic() + 60
    while True:  # the AppView indexes what the PDS announces a moment later
        items, _ = signed_in.walk("microblog/search", signed_in.test_key, q="equinox")
        if len(items) == len(made) or time.monotonic() > end:
            break
        time.sleep(0.5)
    assert ids_of(items) == set(made.values())
    recent, _ = signed_in.walk("microblog/search", signed_in.test_key, q="equinox", since="2h")
    assert ids_of(recent) == {made["a minute ago"], made["tomorrow"]}
    late = next(item for item in items if item["id"] == made["tomorrow"])
    said = datetime.datetime.fromisoformat(late["created_at"])
    assert said.timestamp() <= time.time() + 5, "a post from the future counts from when it is seen"


@pytest.mark.parametrize("ending, name", [(expired, "ExpiredToken"), (forged, "InvalidToken")])
def test_a_session_that_the_server_refuses_is_opened_anew(signed_in, gate, ending, name):
    before = signed_in.call("microblog/search", signed_in.test_key, q="climate")
    assert before.status == 200, before.body
    wait_for_another_second(gate.tokens[-1])
    gate.end_sessions(instead=ending)
    after = signed_in.call("microblog/search", signed_in.test_key, q="climate")
    assert after.status == 200, after.body
    assert without_fetched_at(after.json["data"]) == without_fetched_at(before.json["data"])
    assert (gate.opened, gate.refusals) == (2, [name])
    assert gate.tokens[0] != gate.tokens[1]
    again = signed_in.call("microblog/search", signed_in.test_key, q="tide")
    assert again.status == 200 and (gate.opened, gate.refused) == (2, 1)


def test_an_app_password_that_was_revoked(sign_in, network, gate):
    one = sign_in(make_app_password(network, "short-lived"))
    assert one.call("microblog/search", one.test_key, q="climate").status == 200
    own = session_of(network, "alice")["accessJwt"]
    revoke = urllib.request.Request(
        network["pds"] + "/xrpc/com.atproto.server.revokeAppPassword", method="POST",
        data=json.dumps({"name": "short-lived"}).encode(),
        headers={"Content-Type": "application/json", "Authorization": "Bearer " + own})
    urllib.request.urlopen(revoke, timeout=60).close()  # its answer has no body
    # The server honours a session to its end, and opens no other.
    assert one.call("microblog/search", one.test_key, q="tide").status == 200
    assert gate.opened == 1
    gate.end_sessions(instead=expired)
    for _ in range(3):
        answer = one.call("microblog/search", one.test_key, q="climate")
        assert (answer.status, answer.json["code"]) == (502, "source_auth_required"), answer.body
    assert (gate.opened, gate.refusals) == (2, ["ExpiredToken"])


def test_a_wrong_password(sign_in, gate):
    one = sign_in("abcd-efgh-ijkl-mnop")
    for _ in range(3):
        answer = one.call("microblog/search", one.test_key, q="climate")
        assert (answer.status, answer.json["code"]) == (502, "source_auth_required"), answer.body
        assert b"abcd-efgh" not in answer.body
    assert gate.opened == 1


@pytest.mark.parametrize("identifier", ["@alice.test", "alice@example.com", "the DID"])
def test_other_names_of_the_account(sign_in, network, app_password, gate, identifier):
    known = network["users"]["alice"]["did"] if identifier == "the DID" else identifier
    one = sign_in(app_password, identifier=known)
    assert one.call("microblog/search", one.test_key, q="climate").status == 200
    assert gate.opened == 1


def test_a_walk_goes_on_when_the_network_stops(sign_in, network, app_password, gate, upstream_of):
    """Beside the recorded posts of a Mastodon server, which still answers."""
    other = upstream_of("mastodon")
    one = sign_in(app_password, "platforms.microblog.sources=bluesky,mastodon",
                  f"sources.mastodon.instances={other.url}", "network.cache_bytes=0")

    def walk(**more):
        return one.walk("microblog/search", one.test_key, q="#climate", limit=6, **more)

    whole, _ = walk()
    from_here = holding(network, "#climate")
    assert set() < from_here < ids_of(whole)
    first = one.call("microblog/search", one.test_key, q="#climate", limit=6).json
    assert first["meta"]["completeness"] == "complete"
    gate.is_cut = True
    rest, metas = walk(cursor=first["page"]["next_cursor"])
    assert ids_of(whole) - from_here <= ids_of(first["data"] + rest) < ids_of(whole)
    assert metas[0]["completeness"] == "partial"
    states = {source["name"]: source for source in metas[0]["sources"]}
    assert states["bluesky"]["code"] == "source_unavailable"
    gate.is_cut = False


def test_timeline_to_the_end(server):
    items, _ = server.walk("microblog/users/posts", server.test_key, username="alice.test", limit=4)
    assert len(ids_of(items)) > 4
    own = [item["created_at"] for item in items if item["reposted_by"] is None]
    assert own == sorted(own, reverse=True)


def test_timeline_since(server):
    every, _ = server.walk("microblog/users/posts", server.test_key, username="carla.test")
    now = datetime.datetime.now(datetime.timezone.utc)
    made = [datetime.datetime.fromisoformat(item["created_at"]) for item in every]
    days = (now - sorted(made)[len(made) // 2]).days
    expected = {item["id"] for item, at in zip(every, made)
                if at >= now - datetime.timedelta(days=days)}
    assert set() < expected < ids_of(every)
    items, _ = server.walk("microblog/users/posts", server.test_key, username="carla.test", limit=3,
                           since=f"{days}d")
    assert ids_of(items) == expected


def test_replies(server, network):
    """The whole thread of the seed, and no post of another one."""
    root = "bluesky:" + network["thread"]
    replies, metas = server.walk("microblog/posts/replies", server.test_key, id=root, limit=2)
    assert len(metas) == 2
    texts = {item["id"]: item["text"] for item in replies}
    assert len(texts) == len(replies) == 4
    assert {"Following this.", "Found it, you are a hero."} < set(texts.values())
    known = {root}
    for reply in replies:  # pre-order: each follows what it answers
        assert reply["parent_id"] in known
        assert reply["conversation_id"] == root
        known.add(reply["id"])
    key = network["thread"].rsplit("/", 1)[1]
    by_page, _ = server.walk("microblog/posts/replies", server.test_key,
                             url=f"https://bsky.app/profile/bob.test/post/{key}")
    assert [item["id"] for item in by_page] == [item["id"] for item in replies]


def test_replies_to_a_post_that_is_not_there(server, network):
    gone = network["thread"].rsplit("/", 1)[0] + "/3aaaaaaaaaaaa"
    answer = server.call("microblog/posts/replies", server.test_key, id="bluesky:" + gone)
    assert (answer.status, answer.json["code"]) == (404, "not_found"), answer.body

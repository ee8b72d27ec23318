"""The request log of several servers over one database: what one writes the others show, what is too old goes, and a
database that is away costs no call and, for a while, no row."""

import concurrent.futures
import http.client
import json
import os
import re
import signal
import subprocess
import threading

import pytest
from support.freshet import program
from support.waiting import wait_until

API = "/dashboard/api/"
PASSWORD = "a tide of gauges"


def listed(server, key, /, **parameters):
    answer = server.call("account/requests/list", key, **parameters)
    assert answer.status == 200, answer.body
    return answer.json["data"]


def made_ids(server, key):
    """Of the calls that were made, without those that looked for them."""
    return [row["id"] for row in listed(server, key, endpoint="scrape/markdown")]


def ask(text):
    """What psql prints of it, in the servers' database."""
    return subprocess.run(
        ["psql", "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", os.environ["FRESHET__STORAGE__DATABASE"], "-c", text],
        capture_output=True, text=True, check=True).stdout.strip()


class Person:
    """Who is signed in at the dashboard, of any server."""

    def __init__(self, server, email):
        self.server, self.headers = server, {}
        assert self.post("sign-up", {"email": email}).status == 202
        link = re.compile(rf"mail to {re.escape(email)} .*?/dashboard/verify\?token=([\w-]+)", re.S)
        token = wait_until(lambda: link.search(server.log_path.read_text()))[1]
        done = self.post("verify", {"token": token, "password": PASSWORD})
        assert done.status == 200, done.body
        self.headers = {"Cookie": done.headers["Set-Cookie"].split(";")[0], "X-CSRF-Token": done.json["csrf_token"]}

    def post(self, name, body, server=None):
        return (server or self.server).request("POST", API + name, body, headers=self.headers)


class Events:
    """An account's events as they come."""

    def __init__(self, server, person):
        self.connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
        self.connection.request("GET", API + "events", headers={"Cookie": person.headers["Cookie"]})
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200

    def hears(self):
        while b"event: calls" not in self.answer.readline():
            pass


def test_every_server_shows_the_calls_of_all(servers, pages, book):
    nodes = servers(2, "requests.bodies_hours=24")
    first, second = nodes
    person = Person(first, "owner@example.org")
    email = "owner@example.org"
    key = first.key(email)
    wait_until(lambda: second.call("account/show", key).status == 200)
    expected = []
    for turn in range(6):
        answer = nodes[turn % 2].call("scrape/markdown", key, url=pages)
        assert answer.status == 200
        expected.insert(0, answer.json["meta"]["request_id"])
        # In the order in which they are written, a moment behind the calls.
        wait_until(lambda: expected == made_ids(first, key) == made_ids(second, key))
    rows, _ = second.walk("account/requests/list", key, limit=2, endpoint="scrape/markdown")
    assert [row["id"] for row in rows] == expected
    for made in expected:
        shown = [one.call("account/requests/show", key, id=made).json["data"] for one in nodes]
        assert shown[0] == shown[1]
        assert json.loads(shown[0]["body"]) == {"url": pages} and shown[0]["ledger_entry"]
    missing = second.call("account/requests/show", key, id="req_01KATZ5V2N8Q4R6S8T0V2W4X6Z")
    assert missing.status == 404 and missing.json["code"] == "not_found"
    # By the command line, at the dashboard, and as an operator sees it: from any of them.
    first.run("accounts", "operator", email)
    for one in nodes:
        logged = json.loads(one.run("logs", email, "--endpoint", "scrape/markdown", "--json"))["requests"]
        assert [row["id"] for row in logged] == expected

        def at_dashboard(server=one):
            mine = person.post("v1/account/requests/list", {"endpoint": "scrape/markdown"}, server)
            theirs = person.post("operator/requests.list", {"email": email, "endpoint": "scrape/markdown"}, server)
            return mine.status == theirs.status == 200 and (mine.json["data"], theirs.json["requests"])

        for rows in wait_until(at_dashboard):
            assert [row["id"] for row in rows] == expected
        detail = person.post("operator/requests.show", {"email": email, "id": expected[0]}, one)
        assert detail.status == 200 and detail.json["id"] == expected[0]
    # Who is forgotten is so on every server.
    assert person.post("delete", {"password": PASSWORD}, second).status == 200
    wait_until(lambda: ask("SELECT count(*) FROM request_chunks") == "0")
    assert ask("SELECT count(*) FROM request_bodies") == "0"
    for one in nodes:
        assert not (one.data / "freshet.db.requests").exists()


def test_who_watches_at_one_server_hears_of_calls_at_another(servers, book):
    first, second = servers(2)
    person = Person(first, "watcher@example.org")
    key = first.key("watcher@example.org", "--test")
    wait_until(lambda: second.call("account/show", key).status == 200)
    wait_until(lambda: person.post("v1/account/show", {}, second).status == 200)
    heard = threading.Event()
    events = Events(first, person)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(lambda: (events.hears(), heard.set()))
        wait_until(lambda: second.call("microblog/search", key, q="tides").status == 200 and heard.is_set())
        waiting.result()
    following = subprocess.Popen(
        [program(), "logs", "watcher@example.org", "--follow", "--json", "--endpoint", "news/search", "--data",
         str(first.data)], stdout=subprocess.PIPE, text=True)
    try:
        for _ in range(3):
            made = second.call("news/search", key, q="climate").json["meta"]["request_id"]
            assert json.loads(following.stdout.readline())["id"] == made
    finally:
        following.kill()
        following.wait()
        following.stdout.close()


def test_what_is_too_old_goes_by_whole_days(serve, servers, book):
    nodes = servers(2, "requests.keep_days=2")
    key = nodes[0].key(nodes[0].account())
    wait_until(lambda: nodes[1].call("account/show", key).status == 200)
    ids = [nodes[turn % 2].call("account/show", key).json["meta"]["request_id"] for turn in range(4)]
    wait_until(lambda: set(ids) <= {row["id"] for row in listed(nodes[0], key)})
    assert ask("SELECT count(*) FROM request_parts") == "1"
    assert [one.stop() for one in nodes] == [0, 0]
    # A day of four weeks ago, as a server that kept more had left it.
    ask("""DO $$ DECLARE day BIGINT := (floor(extract(epoch FROM now()) / 86400) - 28) * 86400000 * 1048576; BEGIN
        EXECUTE format('CREATE TABLE request_chunks_%s (LIKE request_chunks INCLUDING ALL)', day / 3774873600000);
        EXECUTE format('CREATE TABLE request_names_%s (LIKE request_names INCLUDING ALL)', day / 3774873600000);
        EXECUTE format('ALTER TABLE request_chunks ATTACH PARTITION request_chunks_%s FOR VALUES FROM (%s) TO (%s)',
                       day / 3774873600000, day, day + 90596966400000);
        EXECUTE format('ALTER TABLE request_names ATTACH PARTITION request_names_%s FOR VALUES FROM (%s) TO (%s)',
                       day / 3774873600000, day, day + 90596966400000);
        INSERT INTO request_parts VALUES ('calls', day, day + 90596966400000);
        INSERT INTO request_chunks SELECT day + 1, account, calls, bytes, kinds, codes, endpoints, keys, packed
          FROM request_chunks ORDER BY number LIMIT 1;
        UPDATE request_sizes SET calls=(SELECT sum(bytes) FROM request_chunks); END $$""")
    assert ask("SELECT count(*) FROM request_parts") == "2"
    # They remove it though both begin to at once.
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        nodes = list(pool.map(lambda one: serve("requests.keep_days=2", data=one.data.name), nodes))
    wait_until(lambda: ask("SELECT count(*) FROM request_parts") == "1")
    assert ask("SELECT sum(calls)-(SELECT sum(bytes) FROM request_chunks) FROM request_sizes") == "0"
    for one in nodes:
        assert set(ids) <= {row["id"] for row in listed(one, key)}


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])  # in good order, and as a crash does
def test_a_database_that_is_away_costs_no_call_and_no_row(servers, pages, book, database, how):
    nodes = servers(2)
    email = nodes[0].account()
    key, test_key = nodes[0].key(email), nodes[0].key(email, "--test")
    wait_until(lambda: nodes[1].call("account/show", key).status == 200)
    assert {one.call("microblog/search", test_key, q="tides").status for one in nodes} == {200}
    database.stop(how)
    free, ids = [], []
    for turn in range(40):
        answer = nodes[turn % 2].call("microblog/search", test_key, q="tides")
        free.append(answer.status)
        ids.append(answer.json["meta"]["request_id"])
    assert free == [200] * 40
    refused = nodes[0].call("scrape/markdown", key, url=pages)
    assert refused.status == 503
    database.start()
    for one in nodes:
        wait_until(lambda at=one: at.request("GET", "/readyz").status == 200)
        wait_until(lambda at=one: at.call("account/requests/list", key).status == 200)

    def found():
        rows, _ = nodes[0].walk("account/requests/list", key, limit=100)
        kept = [row["id"] for row in rows]
        assert len(kept) == len(set(kept))
        return set(ids) | {refused.json["request_id"]} <= set(kept)

    wait_until(found)
    for one in nodes:
        assert "calls wait for the log" in one.log_path.read_text()
        assert "calls are missing" not in one.log_path.read_text()
        assert one.process.poll() is None

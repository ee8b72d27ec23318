"""web-serp over a real SearX and a real MediaWiki."""

import http.server
import socket
import threading
import time
import urllib.parse

import pytest


class Relay:
    """A way to a server on loopback that can be cut in the middle of a walk."""

    def __init__(self, port):
        self.port = port
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.open = []
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            try:
                near, _ = self.listening.accept()
                far = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                return
            self.open += [near, far]
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    @staticmethod
    def pump(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def cut(self):
        for one in [self.listening, *self.open]:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            one.close()


@pytest.fixture
def relay():
    made = []

    def to(port):
        made.append(Relay(port))
        return made[-1]

    yield to
    for one in made:
        one.cut()


def test_searx_over_mediawiki(serve, searx):
    server = serve(f"sources.searxng.base_url={searx}", "platforms.web-serp.sources=searxng")
    key = server.key(server.account())
    answer = server.call("web-serp/search", key, q="tide")
    assert answer.status == 200, answer.body
    envelope = answer.json
    assert answer.headers["X-Service-Credits-Used"] == "1"
    assert envelope["meta"]["credits"] == {"used": 1, "remaining": 999}
    titles = [item["title"] for item in envelope["data"]]
    assert "Tide gauge" in titles
    for rank, item in enumerate(envelope["data"], 1):
        assert item["object"] == "web_result"
        assert item["rank"] == rank
        assert item["url"].startswith("http")
        assert item["engines"][0]["name"] == "wiki"


def test_mediawiki_pages_to_the_end_without_a_duplicate(serve, mediawiki):
    server = serve(
        f"sources.mediawiki.base_url={mediawiki}/w", "platforms.web-serp.sources=mediawiki"
    )
    key = server.key(server.account())
    items, metas = server.walk("web-serp/search", key, q="tide", limit=1)
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids)) > 2
    assert [item["rank"] for item in items] == list(range(1, len(items) + 1))
    assert all(meta["sources"][0]["name"] == "mediawiki" for meta in metas)


def test_a_phrase_is_exact_and_exclusion_excludes(serve, mediawiki):
    server = serve(
        f"sources.mediawiki.base_url={mediawiki}/w", "platforms.web-serp.sources=mediawiki"
    )
    key = server.key(server.account())
    phrase, _ = server.walk("web-serp/search", key, q='"storm surge"')
    assert [item["title"] for item in phrase] == ["Storm surge"]
    without, _ = server.walk("web-serp/search", key, q="tide -storm")
    titles = [item["title"] for item in without]
    assert "Tide gauge" in titles and "Storm surge" not in titles


def test_two_engines_merge_and_one_may_fail(serve, searx, mediawiki):
    both = "platforms.web-serp.sources=searxng,mediawiki"
    server = serve(
        both, f"sources.searxng.base_url={searx}", f"sources.mediawiki.base_url={mediawiki}/w"
    )
    key = server.key(server.account())
    found = server.call("web-serp/search", key, q="tide").json["data"]
    merged = [item for item in found if len(item["engines"]) > 1]
    assert merged, "a page that both found has both engines"
    assert len({item["url"] for item in found}) == len(found)
    broken = serve(
        both,
        "sources.searxng.base_url=http://127.0.0.1:9",
        f"sources.mediawiki.base_url={mediawiki}/w",
        data="broken",
    )
    key = broken.key(broken.account())
    answer = broken.call("web-serp/search", key, q="tide")
    envelope = answer.json
    assert answer.status == 200
    assert envelope["meta"]["completeness"] == "partial"
    states = {source["name"]: source for source in envelope["meta"]["sources"]}
    assert states["searxng"]["status"] == "error"
    assert states["searxng"]["code"] == "source_unavailable"
    assert states["mediawiki"]["status"] == "ok"


def test_a_page_that_two_engines_found_keeps_the_rank_of_each(serve, searx, mediawiki):
    addresses = (f"sources.searxng.base_url={searx}", f"sources.mediawiki.base_url={mediawiki}/w")
    server = serve("platforms.web-serp.sources=searxng,mediawiki", *addresses)
    key = server.key(server.account())
    alone, _ = server.walk("web-serp/search", key, q="tide", sources=["mediawiki"])
    merged, _ = server.walk("web-serp/search", key, q="tide", limit=2)
    assert [item["rank"] for item in merged] == list(range(1, len(merged) + 1))
    urls = [item["url"] for item in merged]
    assert len(set(urls)) == len(urls)
    assert {item["url"] for item in alone} <= set(urls)
    places = {item["url"]: item["rank"] for item in alone}
    shared = 0
    for item in merged:
        ranks = {engine["name"]: engine["rank"] for engine in item["engines"]}
        assert len(ranks) == len(item["engines"])
        if {"wiki", "mediawiki"} <= set(ranks):
            shared += 1
            assert ranks["mediawiki"] == places[item["url"]]
    assert shared > 0


def test_a_walk_goes_on_when_one_of_its_engines_stops(serve, searx, mediawiki, relay):
    way = relay(int(searx.rpartition(":")[2]))
    server = serve(
        "platforms.web-serp.sources=searxng,mediawiki",
        "network.cache_bytes=0",
        f"sources.searxng.base_url={way.url}",
        f"sources.mediawiki.base_url={mediawiki}/w",
    )
    key = server.key(server.account())
    alone, _ = server.walk("web-serp/search", key, q="tide", sources=["mediawiki"])
    first = server.call("web-serp/search", key, q="tide", limit=1).json
    assert first["meta"]["completeness"] == "complete" and first["page"]["has_more"]
    way.cut()
    rest, metas = server.walk(
        "web-serp/search", key, q="tide", limit=1, cursor=first["page"]["next_cursor"]
    )
    items = first["data"] + rest
    assert len({item["url"] for item in items}) == len(items)
    assert {item["url"] for item in alone} <= {item["url"] for item in items}
    assert metas[0]["completeness"] == "partial"
    states = {source["name"]: source for source in metas[0]["sources"]}
    assert states["searxng"]["status"] == "error"
    assert states["mediawiki"]["status"] == "ok"


class Forms(http.server.BaseHTTPRequestHandler):
    """Pages behind one another's hidden forms, as DuckDuckGo has them; whoever comes to the second
    without the token of the first is shown a challenge."""

    token = "4-31415926535897932384626433832795"
    pages = 3

    def do_POST(self):
        form = dict(urllib.parse.parse_qsl(
            self.rfile.read(int(self.headers["Content-Length"])).decode(), keep_blank_values=True))
        self.server.asked.append((time.monotonic(), form))
        start = int(form.get("s", 0))
        if form["q"] == "robots" or (start and form.get("vqd") != self.token):
            return self.answer(202, "<form id='challenge-form' action='/anomaly.js?cc=x'></form>")
        results = "".join(
            f"<div class='result web-result'><a class='result__a' href='//duckduckgo.com/l/?uddg="
            f"https%3A%2F%2Fpage-{n}.example%2F&amp;rut=0'>Page {n}</a></div>"
            for n in range(start, start + 4))  # the last of a page is the first of the next
        following = start + 3
        form = (f"<div class='nav-link'><form><input type='hidden' name='s' value='{following}'>"
                f"<input type='hidden' name='vqd' value='{self.token}'></form></div>")
        self.answer(200, f"<div id='links'>{results}"
                         f"{form if following < 3 * self.pages else ''}</div>")

    def answer(self, status, body):
        data = ("<!doctype html><body>" + body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=UTF-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


@pytest.fixture
def forms():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Forms)
    server.asked = []
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_forms_are_followed_with_their_token_and_slowly(serve, forms):
    server = serve("platforms.web-serp.sources=duckduckgo",
                   f"sources.duckduckgo.base_url=http://127.0.0.1:{forms.server_port}")
    key = server.key(server.account())
    items, metas = server.walk("web-serp/search", key, q="page", limit=100)
    assert [item["url"] for item in items] == [f"https://page-{n}.example/" for n in range(10)]
    assert [item["rank"] for item in items] == list(range(1, 11))
    assert all(meta["completeness"] == "complete" for meta in metas)
    times = [at for at, _ in forms.asked]
    assert [form.get("s") for _, form in forms.asked] == [None, "3", "6"]
    assert all("df" not in form for _, form in forms.asked)
    assert all(later - earlier > 3.9 for earlier, later in zip(times, times[1:]))
    blocked = server.call("web-serp/search", key, q="robots")
    assert blocked.status == 502 and blocked.json["code"] == "source_blocked"
    assert blocked.headers["X-Service-Credits-Used"] == "0"


def test_when_all_fail_the_call_fails_and_costs_nothing(serve):
    server = serve(
        "sources.searxng.base_url=http://127.0.0.1:9", "platforms.web-serp.sources=searxng"
    )
    key = server.key(server.account())
    answer = server.call("web-serp/search", key, q="tide")
    assert answer.status == 503
    assert answer.json["code"] == "source_unavailable"
    assert answer.headers["X-Service-Credits-Used"] == "0"
    assert answer.json["credits"] == {"used": 0, "remaining": 1000}

"""Web pages of other origins: closed to all of them, but for a key that is for one."""

import functools
import http.server
import json
import threading

import pytest
from support import browsing
from support.reach import out_of_reach

from serving import post_bytes

SEARCH = "/v1/microblog/search"
FETCH = """async ([url, key]) => {
  try {
    const answer = await fetch(url, {method: 'POST', body: '{"q":"climate"}', headers: {
      'Authorization': 'Bearer ' + key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once'}});
    return [answer.status, answer.headers.get('X-Service-Credits-Used'), (await answer.json()).code ?? null];
  } catch (failure) { return failure.name; }
}"""


def preflight(server, origin, path=SEARCH):
    return server.exchange((f"OPTIONS {path} HTTP/1.1\r\nHost: x\r\nOrigin: {origin}\r\n"
                            "Access-Control-Request-Method: POST\r\n"
                            "Access-Control-Request-Headers: authorization\r\n\r\n").encode())


def call(server, key, origin):
    return server.exchange(post_bytes(SEARCH, {"q": "climate"}, key, f"Origin: {origin}"))


@pytest.fixture(scope="module")
def keys(server):
    server.run("accounts", "create", "pages@example.org")

    def make(*more):
        done = server.run("keys", "create", "pages@example.org", "--test", *more)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return make


def test_no_page_of_another_origin_reads_anything(server, keys):
    key = keys()
    for origin in ("https://elsewhere.example", "null", server.url):
        answer = preflight(server, origin)
        assert not answer.field("Access-Control-Allow-Origin") and answer.field("Allow")
        assert not call(server, key, origin).field("Access-Control-Allow-Origin")


def test_a_key_is_for_its_origins_alone(server, keys):
    mine, other = "https://app.example.org", "https://other.example"
    key = keys("--origin", mine)
    asked = preflight(server, mine)
    assert asked.status == 204 and asked.field("Access-Control-Allow-Origin") == mine
    assert "Authorization" in asked.field("Access-Control-Allow-Headers")
    answer = call(server, key, mine)
    assert answer.status == 200 and answer.field("Access-Control-Allow-Origin") == mine
    assert "Origin" in answer.field("Vary")
    # Failures can be read, too.
    bad = server.exchange(post_bytes(SEARCH, {"nothing": 1}, key, f"Origin: {mine}"))
    assert bad.status == 400 and bad.field("Access-Control-Allow-Origin") == mine
    for origin in (other, mine + ":444", mine.replace("https", "http"), "null", mine + "."):
        assert not call(server, key, origin).field("Access-Control-Allow-Origin"), origin
    assert not call(server, keys(), mine).field("Access-Control-Allow-Origin")
    assert not preflight(server, mine, "/mcp").field("Access-Control-Allow-Origin")
    assert not preflight(server, mine, "/dashboard/api/session").field("Access-Control-Allow-Origin")


def test_origins_are_checked_listed_and_kept_by_a_rotation(server, keys):
    refused = server.run("keys", "create", "pages@example.org", "--origin", "https://app.example.org/path")
    assert refused.returncode == 1 and "https://app.example.org" in refused.stderr, refused.stderr
    owner = keys("--scope", "account")
    made = server.post("/v1/account/keys/create", json.dumps(
        {"mode": "test", "origins": ["https://a.example", "https://b.example"]}), owner)
    assert made.status == 200, made.body
    key = made.json()["data"]
    assert key["origins"] == ["https://a.example", "https://b.example"]
    turned = server.post("/v1/account/keys/rotate", json.dumps({"id": key["id"]}), owner).json()["data"]
    assert turned["origins"] == key["origins"]
    answer = call(server, turned["key"], "https://b.example")
    assert answer.field("Access-Control-Allow-Origin") == "https://b.example"
    wrong = server.post("/v1/account/keys/create", json.dumps({"origins": ["*"]}), owner)
    assert (wrong.status, wrong.json()["errors"][0]["pointer"]) == (400, "/origins")


@pytest.fixture
def page_at(tmp_path):
    """A page of another origin, in a real browser."""
    if missing := browsing.why_not():
        out_of_reach(missing)
    from playwright.sync_api import sync_playwright

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    (tmp_path / "index.html").write_text("<title>An application</title>")
    running = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    origin = f"http://127.0.0.1:{running.server_address[1]}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browsing.CHROMIUM, args=browsing.FLAGS)
        page = browser.new_page()
        page.goto(origin)
        yield origin, page
        browser.close()
    running.shutdown()
    thread.join()
    running.server_close()


def test_a_browser_calls_from_the_page_that_a_key_is_for(server, keys, page_at):
    origin, page = page_at
    # Before any key is for the page its browser does not even send the call.
    assert page.evaluate(FETCH, [server.url + SEARCH, keys()]) == "TypeError"
    key = keys("--origin", origin)
    assert page.evaluate(FETCH, [server.url + SEARCH, key]) == [200, "0", None]
    # Another key is sent now, and what it gets cannot be read.
    assert page.evaluate(FETCH, [server.url + SEARCH, keys()]) == "TypeError"

"""Accounts that are deleted at one of several servers: what another was doing for them meanwhile leaves nothing."""

import concurrent.futures
import http.server
import json
import os
import subprocess
import threading
import urllib.parse
import urllib.request

import pytest
from support.waiting import wait_until

PASSWORD = "a tide of gauges"


@pytest.fixture
def slow_page():
    """A page that comes when it may, and whether it was asked for."""
    asked, may_come = threading.Event(), threading.Event()

    class Slow(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path != "/robots.txt":
                asked.set()
                may_come.wait(30)
            body = b"<title>Tides</title><main><p>High water at noon and at midnight.</p></main>"
            self.send_response(404 if self.path == "/robots.txt" else 200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{site.server_address[1]}/", asked, may_come
    may_come.set()
    site.shutdown()
    thread.join()
    site.server_close()


def delete_account(server, email):
    """As its owner does it at the dashboard."""
    people = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def post(name, body, csrf=""):
        asked = urllib.request.Request(f"{server.url}/dashboard/api/{name}", json.dumps(body).encode(), {
            "Content-Type": "application/json", "Origin": server.url, "X-CSRF-Token": csrf})
        return json.loads(people.open(asked).read() or "{}")

    link = server.run("accounts", "link", email)
    token = urllib.parse.parse_qs(urllib.parse.urlparse(link.split()[-1]).query)["token"][0]
    csrf = post("reset/confirm", {"token": token, "password": PASSWORD})["csrf_token"]
    post("delete", {"password": PASSWORD}, csrf)


def logged_calls():
    told = subprocess.run(["psql", "-X", "-A", "-t", "-q", os.environ["FRESHET__STORAGE__DATABASE"], "-c",
                           "SELECT coalesce(sum(calls), 0) FROM request_chunks"], capture_output=True, text=True,
                          check=True)
    return int(told.stdout)


def test_a_call_that_ends_elsewhere_after_its_account_was_deleted_is_not_logged(servers, book, slow_page):
    page, asked, may_come = slow_page
    here, there = servers(2)
    email = here.account()
    key = here.key(email)
    wait_until(lambda: there.call("account/show", key).status == 200)
    wait_until(lambda: logged_calls() > 0)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        late = pool.submit(there.call, "scrape/markdown", key, url=page)
        assert asked.wait(30)
        delete_account(here, email)
        wait_until(lambda: there.call("account/show", key).status == 401)
        wait_until(lambda: logged_calls() == 0)
        may_come.set()
        late.result()
    # What another account does is written behind it.
    other = there.key(there.account("other@example.org"))
    assert there.call("account/show", other).status == 200
    wait_until(lambda: logged_calls() > 0)
    assert logged_calls() == 1

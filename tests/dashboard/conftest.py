"""The fixtures. Without a built program, npm, Playwright or Chromium the tests are skipped."""

import functools
import http.server
import json
import os
import pathlib
import threading
import time

import pytest
from support import browsing
from support.freshet import Freshet
from support.reach import need_program, out_of_reach


@pytest.fixture(scope="session")
def app():
    """The folder in which the build has put the application together."""
    build = os.environ.get("FRESHET_BUILD")
    if not build:
        out_of_reach("FRESHET_BUILD does not name the build folder")
    folder = pathlib.Path(build) / "server/dashboard/app"
    if not (folder / "node_modules/.freshet").exists() or not (folder / "schema.d.ts").exists():
        out_of_reach("the dashboard was left out of this build: npm or its registry was out of reach")
    return folder


# Not longer than a file's tests: its event loop would be the one that other tests of the process
# find running.
@pytest.fixture(scope="module")
def browser(app):
    missing = browsing.why_not()
    if missing:
        out_of_reach(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browsing.CHROMIUM, args=browsing.FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A loopback site with one page, so that live calls need no internet."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(
        "<title>Tides</title><main><h1>Tides</h1><p>High water at <b>noon</b> and at midnight.</p>"
        "<script>document.title = 'run'</script><p>&lt;img src=x onerror=alert(1)&gt;</p></main>"
    )
    running = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}/"
    running.shutdown()
    thread.join()
    running.server_close()


# One for each file: from one address twenty may sign up.
@pytest.fixture(scope="module")
def server(app, tmp_path_factory):
    need_program()
    data = tmp_path_factory.mktemp("dashboard") / "data"
    data.mkdir(mode=0o700)
    # A check of today, so that none is made for a day.
    (data / "sources-check.json").write_text(json.dumps({
        "checked_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "checks": [{"source": "hackernews", "instance": None, "endpoint": "forum/search",
                    "status": "changed", "items": 20, "elapsed_ms": 9,
                    "findings": ["the key hits[].points is gone"]}]}))
    running = Freshet(data, "doctor.daily=true",
                      "scrape.allow_private=127.0.0.0/8", "dashboard.open_sign_up=true",
                      "plans.team.monthly_credits=50000", "requests.bodies_hours=24")
    yield running
    assert running.stop() == 0, running.log_path.read_text()


@pytest.fixture
def visit(browser, server):
    """visit() gives a person with a browser; at the end no page may have done what none may."""
    visitors = []

    def start(**options):
        # Nobody looks at what moves, and each of its pictures is drawn.
        context = browser.new_context(**{"locale": "en-GB", "timezone_id": "Europe/Berlin",
                                         "reduced_motion": "reduce", **options})
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        watch = browsing.Watch(context, server.url)
        visitors.append(browsing.Visitor(context, server, watch))
        return visitors[-1]

    yield start
    wrong = [one for visitor in visitors for one in visitor.watch.wrong]
    for visitor in visitors:
        visitor.context.close()
    assert wrong == []

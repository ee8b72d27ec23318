"""Row 32 where it is not the caller's own address that is fetched: a name that answers with a public
address and then with one of ours is judged by the one that is connected to."""

import base64
import json

import pytest
from dashboard import API, Person
from loopback_site import answer
from support.reach import need_tool, needs
from support.waiting import wait_until

need_browser = needs(need_tool, "Chromium", "chromium", "chromium-browser", "google-chrome")
SECRET = "whsec_" + base64.b64encode(b"s" * 24).decode()
VIDEO = {"uuid": "9c9de5e8-0a1e-484a-b099-e80766180a6d", "shortUUID": "kkGMgK9ZtnKfYAgnEtQxbv", "name": "Tides",
         "url": "https://video.example/w/kkGMgK9ZtnKfYAgnEtQxbv", "publishedAt": "2026-01-01T00:00:00.000Z",
         "account": {"name": "a", "host": "video.example", "url": "https://video.example/a/a"},
         "channel": {"name": "a", "host": "video.example", "url": "https://video.example/c/a"}}


@pytest.fixture
def tides(site):
    return site()


@pytest.fixture
def begin(rig, faults, tides):
    """A server that connects to the site, and of which it is noted whom else it would have connected to."""
    def run(*settings, **more):
        faults.switch_on("noting", str(tides.port).encode())
        return rig(tides.allowed, "scrape.respect_robots=false", *settings, **more)
    return run


def names(kind, count=4):
    return [f"http://{kind}{n}.rebind.test/{kind}" for n in range(count)]


def judged(faults, tides):
    """Both kinds of addresses have been found, those of ours were not connected to; those that were."""
    found, connects = set(faults.noted("lookups").split()), faults.noted("connects").split()
    assert not [one for one in connects if one.startswith("127.") and one != tides.address], connects
    return {"public", "private"} <= found and "93.184.215.14:80" in connects


@need_browser
def test_what_a_rendered_page_fetches(begin, faults, tides):
    scripts, others = names("script"), names("fetched")
    page = "<title>Tides</title><main><p>High water at noon.</p></main>"
    page += "".join(f"<script src={url}></script>" for url in scripts)
    page += "<script>" + "".join(f"fetch('{url}').catch(() => 0);" for url in others) + "</script>"
    page += "".join(f"<iframe src={url}></iframe>" for url in names("frame"))
    tides.pages["/rendered"] = lambda to: to.sendall(answer(page.encode()))
    # As far as other names go; there is no server of the configuration in these networks.
    caller = begin("network.allow_private=127.0.0.0/8").caller()
    got = caller.call("scrape/markdown", {"url": tides.url + "/rendered", "render": "always", "timeout_ms": 60000})
    assert got.status == 200, got.body
    assert judged(faults, tides)


def test_pictures_of_an_answer(begin, faults, tides):
    page = "<title>Tides</title><main><p>High water at noon, and again at midnight.</p>"
    page += "".join(f"<figure><img src={url} alt=Tides></figure><p>Words between them.</p>" for url in names("picture"))
    tides.pages["/pictures"] = lambda to: to.sendall(answer(page.encode()))
    ann = Person(begin("network.allow_private=127.0.0.0/8")).sign_up("ann@example.org")
    told = ann.post("v1/scrape/markdown", {"url": tides.url + "/pictures"}).json()
    assert len(told["pictures"]) == 4
    for address in told["pictures"].values():
        assert ann.get(address.removeprefix(API)).status >= 400
    assert judged(faults, tides)


def test_captions_that_lie_elsewhere(begin, faults, tides):
    """The list of them comes from a server that the configuration names, and may be in our network."""
    asked = f"/api/v1/videos/{VIDEO['uuid']}"
    urls = iter(names("captions"))
    tides.pages[asked] = lambda to: to.sendall(answer(json.dumps(VIDEO).encode(), "Content-Type: application/json"))
    tides.pages[asked + "/captions"] = lambda to: to.sendall(answer(json.dumps(
        {"total": 1, "data": [{"language": {"id": "en"}, "fileUrl": next(urls)}]}).encode(),
        "Content-Type: application/json"))
    server = begin("network.allow_private=127.0.0.0/8", f"sources.peertube.base_url={tides.url}")
    for _ in range(4):
        got = server.caller().call("shortvideo/videos/transcript", {"id": f"peertube:{tides.address}/{VIDEO['uuid']}"})
        assert got.status >= 400, got.body
    assert judged(faults, tides)


def test_the_operators_webhook(begin, faults, tides):
    """It is connected to where it may be, and in no network that the configuration does not name."""
    server = begin("alerts.webhook=http://hook.rebind.test/hook", f"alerts.webhook_secret={SECRET}",
                   "alerts.mail=false", plan={"monthly_credits": 1})
    seen = 0
    for first in ("public", "private"):
        # One name is known for a while: the other answer is that of another server's first question.
        if first == "private":
            server.stop()
            server = begin("alerts.webhook=http://hook.rebind.test/hook", f"alerts.webhook_secret={SECRET}",
                           "alerts.mail=false", plan={"monthly_credits": 1})
            server.caller().call("scrape/markdown", {"url": "http://other.rebind.test/", "timeout_ms": 3000})
        assert server.caller().call("scrape/markdown", {"url": tides.url}).status == 200
        wait_until(lambda: "alerts.webhook: " in server.log_text())
        assert len(faults.noted("lookups").split()) > seen
        seen = len(faults.noted("lookups").split())
    assert judged(faults, tides)

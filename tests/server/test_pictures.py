"""Pictures of answers: at addresses of this server that only the session has which received the answer,
fetched behind the guard, told by their bytes, and kept."""

import http.server
import sqlite3
import struct
import threading
import zlib

import pytest

from dashboard import API, Person
from support.waiting import wait_until

PICTURE_PATH = API + "picture/"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


PNG = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)) +
       chunk(b"IDAT", zlib.compress(b"\0\x80")) + chunk(b"IEND", b""))
FILES = {"/good.png": PNG, "/script.png": b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>",
         "/huge.png": PNG + bytes(3 << 20)}


class Site:
    """Pages, each with a picture of its own name, and a count of what was asked for."""

    def __init__(self):
        self.asked = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                site.asked.append(self.path)
                name = self.path.rsplit("/", 1)[1]
                page = (f"<title>Tides</title><meta property='og:image' content='{site.url}/{name}'>"
                        "<main><h1>Tides</h1><p>High water at noon and at midnight, as always.</p></main>")
                body = page.encode() if self.path.startswith("/page/") else FILES.get(self.path)
                self.send_response(404 if body is None else 200)
                # What a server says of a picture counts for nothing.
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(body or b"")

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture(scope="module")
def site():
    made = Site()
    yield made
    made.close()


@pytest.fixture
def place(start, site):
    return start("--set", f"scrape.allow_private={site.url.removeprefix('http://')}")


def scraped(person, site, name):
    answer = person.post("v1/scrape/markdown", {"url": f"{site.url}/page/{name}"})
    assert answer.status == 200, answer.body
    return answer.json()


def code_of(answer):
    return answer.status, answer.json()["code"]


def test_a_picture_comes_to_the_session_that_received_the_answer_alone(place, site):
    ann, bea = Person(place).sign_up("ann@example.org"), Person(place).sign_up("bea@example.org")
    answer = scraped(ann, site, "good.png")
    url = f"{site.url}/good.png"
    assert answer["data"]["image_url"] == url
    assert list(answer["pictures"]) == [url]
    address = answer["pictures"][url].removeprefix(API)
    shown = ann.get(address)
    assert (shown.status, shown.field("Content-Type"), shown.body) == (200, "image/png", PNG)
    assert shown.field("X-Content-Type-Options") == "nosniff"
    assert "sandbox" in shown.field("Content-Security-Policy")
    assert shown.field("Cache-Control").startswith("private")
    assert ann.get(address).body == PNG
    assert site.asked.count("/good.png") == 1  # it was kept
    assert code_of(bea.get(address)) == (404, "not_found")
    assert code_of(Person(place).get(address)) == (401, "not_signed_in")
    # Not what one would like to have fetched.
    mode, signature, rest = address[8], address[9:31], address[31:]
    for other in (f"picture/s{signature}{rest}", f"picture/{mode}{signature[::-1]}{rest}",
                  f"picture/{mode}{signature}{rest}AA", "picture/x", "picture/" + "A" * 3000):
        assert code_of(ann.get(other)) == (404, "not_found"), other
    # A key's answer has the same data, and no addresses that only a session could use.
    key = ann.post("v1/account/keys/create", {}).json()["data"]["key"]
    by_key = place.post("/v1/scrape/markdown", {"url": f"{site.url}/page/good.png"}, key).json()
    for one in (by_key, answer):
        del one["data"]["fetched_at"]  # each page came from its site
    assert by_key["data"] == answer["data"] and "pictures" not in by_key


@pytest.mark.parametrize("name, code", [("script.png", "unsupported_content"), ("huge.png", "source_error"),
                                        ("missing.png", "source_error")])
def test_what_is_no_picture_is_not_handed_on(place, site, name, code):
    ann = Person(place).sign_up("ann@example.org")
    (address,) = scraped(ann, site, name)["pictures"].values()
    shown = ann.get(address.removeprefix(API))
    assert shown.status >= 400 and shown.field("Content-Type") == "application/problem+json"
    assert shown.json()["code"] == code, shown.body


def test_a_picture_behind_the_guard_is_not_fetched(start, site):
    """The page is one that callers may name; where its picture lies is not."""
    elsewhere = Site()
    try:
        FILES["/inside.png"] = PNG
        place = start("--set", f"scrape.allow_private={site.url.removeprefix('http://')}")
        ann = Person(place).sign_up("ann@example.org")
        site.url, kept = elsewhere.url, site.url
        try:
            answer = ann.post("v1/scrape/markdown", {"url": f"{kept}/page/inside.png"}).json()
        finally:
            site.url = kept
        (url, address), = answer["pictures"].items()
        assert url == f"{elsewhere.url}/inside.png"
        assert code_of(ann.get(address.removeprefix(API)))[1] == "target_forbidden"
        assert elsewhere.asked == []
    finally:
        elsewhere.close()


class SlowSite(Site):
    """Whose pictures come when it is told to give them."""

    def __init__(self):
        super().__init__()
        self.release, self.waiting = threading.Event(), 0
        quick = self.server.RequestHandlerClass.do_GET
        site, lock = self, threading.Lock()

        def do_get(handler):
            if handler.path.endswith(".png") and not handler.path.startswith("/page/"):
                with lock:
                    site.waiting += 1
                site.release.wait(60)
            quick(handler)

        self.server.RequestHandlerClass.do_GET = do_get


def test_pictures_that_do_not_come_keep_no_others_waiting(start, site):
    slow = SlowSite()
    try:
        place = start("--set", "scrape.allow_private=" + ",".join(
            one.url.removeprefix("http://") for one in (site, slow)))
        people = [Person(place).sign_up(f"{name}@example.org") for name in ("ann", "bea", "eve")]
        def picture_of(person, at, name):
            (address,) = scraped(person, at, name)["pictures"].values()
            return person, address

        held = [picture_of(person, slow, f"{number}.png") for person in people[:2] for number in range(4)]
        _, address = picture_of(people[2], site, "good.png")
        wires = [place.wire(source=person.address) for person, _ in held]
        for wire, (person, path) in zip(wires, held):
            head = [f"GET {path} HTTP/1.1", "Host: localhost", *person.fields([]), "", ""]
            wire.send("\r\n".join(head).encode())
        wait_until(lambda: slow.waiting >= 4)  # so many threads there once were
        assert people[2].get(address.removeprefix(API)).body == PNG
        for wire in wires:
            wire.socket.setblocking(False)
            with pytest.raises(BlockingIOError):
                wire.socket.recv(1)  # none of them has been given up
            wire.socket.setblocking(True)
        slow.release.set()
        assert {wire.read().status for wire in wires} == {502}  # there is nothing at their address
    finally:
        slow.release.set()
        slow.close()


def test_the_sandbox_draws_its_own(place):
    ann = Person(place).sign_up("ann@example.org")
    answer = ann.post("v1/shortvideo/search", {"q": "climate"}, "X-Sandbox: true").json()
    stills = {item["thumbnail_url"] for item in answer["data"]} - {None}
    assert stills and stills <= answer["pictures"].keys()
    bodies = {ann.get(answer["pictures"][url].removeprefix(API)).body for url in stills}
    assert len(bodies) == len(stills) and all(body.startswith(b"\x89PNG") for body in bodies)


def test_whoever_sees_an_example_sees_its_pictures(place):
    stranger, ann = Person(place), Person(place).sign_up("ann@example.org")
    answer = stranger.get("examples/shortvideo/search").json()
    stills = {item["thumbnail_url"] for item in answer["data"]} - {None}
    assert stills and stills <= answer["pictures"].keys()
    for url in stills:
        address = answer["pictures"][url].removeprefix(API)
        shown = stranger.get(address)
        assert (shown.status, shown.field("Content-Type")) == (200, "image/png")
        assert ann.get(address).body == shown.body  # signed in or not
    # Nobody makes one: of a page, of another picture, or to be fetched.
    mode, rest = address[8], address[9:]
    for other in (f"picture/l{rest}", f"picture/{mode}{rest}AA"):
        assert code_of(stranger.get(other)) == (401, "not_signed_in"), other
        assert code_of(ann.get(other)) == (404, "not_found"), other


def test_what_an_account_has_fetched_goes_with_it(place, site):
    ann = Person(place).sign_up("ann@example.org")
    (address,) = scraped(ann, site, "good.png")["pictures"].values()
    assert ann.get(address.removeprefix(API)).status == 200
    kept = place.data_dir / "freshet.db.pictures"
    assert kept.exists()
    assert ann.post("delete", {"password": "a tide of gauges"}).status == 200
    with sqlite3.connect(f"file:{kept}?mode=ro", uri=True) as book:
        assert book.execute("SELECT count(*) FROM pictures").fetchone() == (0,)

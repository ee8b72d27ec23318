"""Rendering and PDFs through the real server: pages of a server on loopback, in a real Chromium."""

import http.server
import os
import pathlib
import shutil
import subprocess
import threading

import pytest
from support.reach import need_tool, needs, out_of_reach

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
need_browser = needs(need_tool, "Chromium", *BROWSERS)
# The first that is found draws no windows where it is installed; who has the whole browser has the same.
WHOLE = "/usr/lib/chromium/chromium"
with_each_browser = pytest.mark.parametrize("named", [None, WHOLE], ids=["first found", "whole"])
need_poppler = needs(need_tool, "poppler-utils", "pdftotext")

SHELL = b"""<!doctype html><title>Shell</title><div id="root"></div><script src="/app.js"></script>"""
APP = b"""fetch('/data').then(r => r.json()).then(d => {
  document.getElementById('root').innerHTML = '<main><h1>' + d.title + '</h1><p>' + d.text + '</p></main>';
});"""
DATA = b"""{"title": "Built by script", "text": "The harbour gauge wrote a height every ten minutes."}"""
PLAIN = b"""<!doctype html><title>Plain</title><main><h1>Plain</h1><p>A page that has its text already,
and a script that only counts.</p></main><script>document.title = 'changed'</script>"""
MOVED = b"""<!doctype html><title>Moved</title><div id="root"></div><script>
fetch('/away').then(r => r.text()).catch(() => 'It was refused.').then(t => {
  document.getElementById('root').innerHTML = '<p>' + t + '</p>';
});</script>"""
SPIN = b"""<!doctype html><title>Spin</title><div id="root"></div><script>setTimeout(() => { for (;;); })</script>"""


def make_pdf(text):
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[4 0 R]/Count 1>>",
        "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R"
        "/Resources<</Font<</F1 3 0 R>>>>>>",
    ]
    drawn = f"BT /F1 24 Tf 72 700 Td (Gauges) Tj /F1 11 Tf 0 -40 Td ({text}) Tj ET"
    objects.append(f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream")
    out, offsets = "%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    trailer = f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
    return (out + f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}").encode()


@pytest.fixture(scope="module")
def site():
    """Pages on 127.0.0.1; what was asked for stands in `seen`."""
    seen = []
    pages = {
        "/shell": ("text/html", SHELL),
        "/app.js": ("text/javascript", APP),
        "/data": ("application/json", DATA),
        "/plain": ("text/html", PLAIN),
        "/moved": ("text/html", MOVED),
        "/spin": ("text/html", SPIN),
        "/paper.pdf": ("application/pdf", make_pdf("A page of paper, with words on it.")),
        "/broken.pdf": ("application/pdf", b"%PDF-1.4 and nothing more"),
    }

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append(self.headers["Host"].split(":")[0] + self.path)
            if self.path == "/away":
                self.send_response(302)
                self.send_header("Location", f"http://127.0.0.2:{self.server.server_port}/secret")
                self.end_headers()
                return
            kind, body = pages.get(self.path, ("text/plain", b"none"))
            self.send_response(200 if self.path in pages else 404)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("0.0.0.0", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    site = f"http://127.0.0.1:{server.server_port}"
    yield site, seen
    server.shutdown()


@pytest.fixture
def start(tmp_path):
    """A server that may reach 127.0.0.1 and no other private address."""
    from support.freshet import Freshet

    started = []

    def run(*settings):
        one = Freshet(tmp_path / f"data{len(started)}", "scrape.allow_private=127.0.0.1/32",
                      "plans.free.rate=1000", "plans.free.burst=1000", *settings)
        started.append(one)
        return one, one.key(one.account())

    yield run
    for one in started:
        one.stop()


def naming(browser):
    """The settings with which it is the one that renders."""
    if browser is None:
        return []
    if not os.path.exists(browser):
        out_of_reach("there is no " + browser)
    return ["render.chromium=" + browser]


@need_browser
@with_each_browser
def test_always_and_auto_render_what_scripts_build(start, site, named):
    server, key = start(*naming(named))
    url, _ = site
    never = server.call("scrape/markdown", key, url=url + "/shell").json
    assert "Built by script" not in never["data"]["markdown"]
    assert never["meta"]["credits"]["used"] == 1
    for mode in ("always", "auto"):
        answer = server.call("scrape/markdown", key, url=url + "/shell", render=mode)
        assert answer.status == 200, answer.body
        assert answer.json["data"]["markdown"].startswith("# Built by script\n")
        assert answer.json["data"]["final_url"] == url + "/shell"
        assert answer.json["meta"]["credits"]["used"] == 5
        assert answer.headers["X-Service-Credits-Used"] == "5"
        assert answer.json["meta"]["warnings"] == []


@need_browser
def test_auto_leaves_alone_what_can_be_read(start, site):
    server, key = start()
    url, _ = site
    answer = server.call("scrape/markdown", key, url=url + "/plain", render="auto").json
    assert answer["data"]["title"] == "Plain"
    assert answer["meta"]["credits"] == {"used": 1, "remaining": 999}
    shown = server.call("account/show", key).json["data"]
    assert shown["balance"] == 999, shown
    quote = server.call("scrape/markdown", key, url=url + "/plain", render="auto", dry_run=True)
    assert quote.json["meta"]["quote"] == {"credits": 5}
    dear = server.call("scrape/markdown", key, url=url + "/plain", render="auto", max_credits=4)
    assert dear.status == 402
    assert dear.json["code"] == "max_credits_exceeded"


@need_browser
@with_each_browser
def test_a_request_that_is_redirected_to_a_private_address_is_refused(start, site, named):
    server, key = start(*naming(named))
    url, seen = site
    answer = server.call("scrape/markdown", key, url=url + "/moved", render="always")
    assert answer.status == 200, answer.body
    assert "It was refused." in answer.json["data"]["markdown"]
    assert [one for one in seen if "secret" in one] == []
    (warning,) = answer.json["meta"]["warnings"]
    assert "http://127.0.0.2:" in warning
    assert "127.0.0.1/away" in seen


@need_browser
def test_a_page_that_hangs_costs_nothing_and_the_next_is_rendered(start, site):
    server, key = start("render.page_time_ms=1500", "render.max_browsers=1")
    url, _ = site
    hung = server.call("scrape/markdown", key, url=url + "/spin", render="always")
    assert hung.status == 504
    assert hung.json["code"] == "source_timeout"
    assert hung.json["credits"]["remaining"] == 1000
    after = server.call("scrape/markdown", key, url=url + "/shell", render="always")
    assert after.status == 200, after.body


@need_browser
def test_pages_that_spin_are_paid_in_browser_seconds(start, site):
    """Failures cost no credit, so a spinning page was free, however long it had a browser."""
    server, key = start("render.page_time_ms=1500", "plans.free.browser_share=0.05")
    other = server.key(server.account("b@example.com"))
    url, _ = site
    hung = server.call("scrape/markdown", key, url=url + "/spin", render="always")
    assert hung.status == 504
    for mode in ("always", "auto"):
        refused = server.call("scrape/markdown", key, url=url + "/shell", render=mode)
        assert refused.status == 429, refused.body
        assert refused.json["code"] == "rate_limited"
        assert "browser" in refused.json["detail"]
        # 4.5 seconds of the 3 that were saved up, at a twentieth of a second a second.
        assert 15 <= int(refused.headers["Retry-After"]) <= 120
        assert refused.json["credits"]["used"] == 0
    assert server.call("scrape/markdown", key, url=url + "/plain", render="never").status == 200
    assert server.call("scrape/markdown", key, url=url + "/plain", render="auto").status == 200
    assert server.call("scrape/markdown", other, url=url + "/shell", render="always").status == 200


@need_browser
def test_no_browser_outlives_a_server_that_is_killed(start, site):
    server, key = start()
    url, _ = site
    assert server.call("scrape/markdown", key, url=url + "/shell", render="always").status == 200
    family = subprocess.run(["ps", "-o", "pid=", "--ppid", str(server.process.pid)],
                            capture_output=True, text=True).stdout.split()
    assert family
    server.kill()
    for _ in range(100):
        alive = [one for one in family if is_running(one)]
        if not alive:
            break
        threading.Event().wait(0.05)
    assert alive == []


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_without_a_browser_everything_else_works(start, site):
    server, key = start("render.chromium=/nowhere/chromium")
    url, _ = site
    always = server.call("scrape/markdown", key, url=url + "/shell", render="always")
    assert always.status == 400
    assert always.json["errors"][0]["pointer"] == "/render"
    assert "/nowhere/chromium" in always.json["detail"]
    auto = server.call("scrape/markdown", key, url=url + "/shell", render="auto")
    assert auto.status == 200
    assert auto.json["meta"]["credits"]["used"] == 1
    assert any("install Chromium" in one for one in auto.json["meta"]["warnings"])
    assert server.call("scrape/markdown", key, url=url + "/plain").status == 200


@need_poppler
def test_a_pdf_is_a_document_like_others(start, site):
    server, key = start()
    url, _ = site
    for mode in ("never", "auto", "always"):
        if mode == "always" and not any(shutil.which(name) for name in BROWSERS):
            continue
        answer = server.call("scrape/markdown", key, url=url + "/paper.pdf", render=mode)
        assert answer.status == 200, answer.body
        page = answer.json["data"]
        assert page["markdown"] == "# Gauges\n\nA page of paper, with words on it.\n"
        assert page["content_type"] == "application/pdf"
        assert answer.json["meta"]["credits"]["used"] == 1
    broken = server.call("scrape/markdown", key, url=url + "/broken.pdf")
    assert broken.status == 422
    assert broken.json["code"] == "unsupported_content"
    assert broken.json["credits"]["used"] == 0


@need_poppler
def test_the_command_line_reads_a_pdf(tmp_path):
    paper = tmp_path / "paper.pdf"
    paper.write_bytes(make_pdf("Read from a file."))
    done = subprocess.run([os.environ["FRESHET_BIN"], "markdown", str(paper)],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "# Gauges\n\nRead from a file.\n" in done.stdout

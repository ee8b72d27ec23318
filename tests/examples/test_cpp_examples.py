"""The examples of lib/examples, each run as a reader would: against the sandbox, without network."""

import os
import pathlib
import re
import subprocess

from support.freshet import Freshet
from support.reach import needs_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = {path.stem for path in (ROOT / "lib/examples").glob("*.cpp")}
TOOLS = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev")) / "tests"
TIMEOUT_S = 60

pytestmark = needs_program


def run(name, *arguments, **more):
    done = subprocess.run([TOOLS / f"example_{name}", *arguments], capture_output=True, text=True,
                          timeout=TIMEOUT_S, **more)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_search_and_read():
    done = run("search_and_read")
    assert re.search(r"## A short history of the gauge \(\d+ tokens\)\nhttps://example.org/gauge/history", done.stdout)
    assert "| 2011 to today | Radar | 1,440 |" in done.stdout
    assert done.stderr.count("skipped https://") >= 1  # links that are not in the recordings


def test_every_page():
    lines = run("every_page").stdout.splitlines()
    posts, cost = re.fullmatch(r"(\d+) posts for (\d+) credits", lines[-1]).groups()
    assert int(posts) == len(lines) - 1 == len(set(lines)) - 1 and int(posts) > 50
    assert cost == "0"


def test_page_to_markdown():
    done = run("page_to_markdown")
    assert done.stdout.startswith("# ") and "| Float | 10 mm |" in done.stdout
    assert "[Amsterdam][1]" in done.stdout and "\n[1]: https://" in done.stdout
    assert re.search(r"\d+ words, \d+ tokens$", done.stderr.strip())
    failed = subprocess.run([TOOLS / "example_page_to_markdown", "https://example.com/gone"],
                            capture_output=True, text=True, timeout=TIMEOUT_S)
    assert failed.returncode == 1 and failed.stderr.startswith("not_found: ")


def test_site_to_data():
    said = run("site_to_data").stdout
    assert said.startswith("https://example.com/tide-gauges\n")
    assert '"title":"How tide gauges work","author":"Ines Castellan","published":"2026-10-12"' in said
    assert '"sections":["Three kinds of instrument","Reading a record"]' in said
    assert "  /author from json-ld: Article/author\n" in said
    assert "  /sections/0 from selector: article h2\n" in said


def test_local_html(tmp_path):
    page = "<h1>Tides</h1><p>High at <b>noon</b>, see <a href='gauge'>the gauge</a>.</p>"
    said = run("local_html", input=page).stdout
    assert said == "# Tides\n\nHigh at **noon**, see [the gauge](https://example.org/notes/gauge).\n\n"
    (tmp_path / "page.html").write_text(page)
    assert run("local_html", str(tmp_path / "page.html")).stdout == said


def test_errors_and_retry():
    done = run("errors_and_retry")
    told = done.stdout
    assert "/since: " in told and "/limit: " in told and "\nnobody\n" in told
    assert re.search(r"(?m)^source_unavailable: .*rate limit", told) and "partial: " in told
    assert len(re.findall(r"(?m)^again in 1 s: ", done.stderr)) == 2


def test_remote_client(tmp_path):
    server = Freshet(tmp_path / "data", "network.sandbox=true")
    try:
        key = server.key(server.account())
        lines = run("remote_client", server.url, key).stdout.splitlines()
    finally:
        assert server.stop() == 0
    assert lines[3] == "999 credits left"
    first, second = (line.rsplit(" ", 1) for line in lines[4:])
    assert first[0] == second[0] and (first[1], second[1]) == ("1", "0")


def test_many_at_once():
    told = dict(line.split(": ") for line in run("many_at_once").stdout.splitlines())
    assert set(told) == {"microblog/search", "forum/search", "news/search", "web-serp/search"}
    cancelled = told.pop("web-serp/search")
    assert cancelled == "cancelled, 0 bytes" or cancelled.startswith("ok, ")
    assert all(re.fullmatch(r"ok, \d{4,} bytes", answer) for answer in told.values())


def test_every_example_is_run_here():
    named = set(re.findall(r'run\("(\w+)"', pathlib.Path(__file__).read_text()))
    assert named == EXAMPLES

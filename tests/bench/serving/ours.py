"""Our server as tests/bench/server asks it: on a data folder of its own, with one source a platform,
which is the upstream on loopback, and an account whose plan has no limits. Beside it stands a second
one that has no cache and takes what the sources say from a recording: what it answers is read anew for
each call, and no source's pace holds it up."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

from serving.upstream import ITEMS, NEVER_KEPT, PAGE, SEARCHES, WORD
from support.freshet import Freshet

HERE = pathlib.Path(__file__).resolve().parent
EMAIL = "bench@example.org"
PLAN = {"monthly_credits": 1_000_000_000, "rate": 10_000_000, "burst": 10_000_000, "concurrency": 4096,
        "bytes_in_flight": 1 << 40, "processor_share": 1000}
SETTINGS = ["server.access_log=false"]
SANDBOX_PAGE = "https://example.com/tide-gauges"
SANDBOX_WORD = "climate"


@contextlib.contextmanager
def upstream():
    """The address of the sources' end."""
    process = subprocess.Popen([sys.executable, "-B", str(HERE / "upstream.py")], stdout=subprocess.PIPE, text=True,
                               start_new_session=True)
    try:
        port = process.stdout.readline().strip()
        if not port:
            raise RuntimeError("the upstream did not start; are ../shared/recordings there?")
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


def settings(address, *more):
    made = [f"plans.bench.{name}={value}" for name, value in PLAN.items()] + SETTINGS
    made += [f"network.allow_private={address}", "scrape.allow_private=127.0.0.0/28"]
    for search in SEARCHES:
        made.append(f"platforms.{search.endpoint.split('/')[0]}.sources={search.source}")
        made += [f"sources.{search.source}." + one.format(url=f"http://{address}") for one in search.settings]
    return [*made, *more]


@contextlib.contextmanager
def serving(program, data, *more):
    """A server, ended with its block."""
    os.environ["FRESHET_BIN"] = str(program)
    server = Freshet(data, *more)
    try:
        yield server
    finally:
        server.stop()


def with_keys(server):
    server.run("accounts", "create", EMAIL, "--plan", "bench")
    return server.key(EMAIL), server.key(EMAIL, "--test")


def record(program, folder, address):
    """A HAR of one call of each search."""
    har = folder / "searches.har"
    with serving(program, folder / "recorder", *settings(address, f"network.record={har}")) as server:
        live, _ = with_keys(server)
        for search in SEARCHES:
            check(search.endpoint, server.request("POST", "/v1/" + search.endpoint, {"q": WORD}, live), 1, ITEMS)
    return har


class Row:
    """What is asked in one row of the table, and what its answer must say so that it measures this."""

    def __init__(self, name, server, path, key=None, body=None, used=0, cache=None, items=None):
        self.name, self.server, self.path, self.key = name, server, path, key
        self.body, self.used, self.cache, self.items = body, used, cache, items

    def request(self):
        if self.body is None:
            return {}
        return {"body": json.dumps(self.body),
                "headers": {"Content-Type": "application/json", "Authorization": f"Bearer {self.key}"}}

    def checked(self):
        """The size of the answer. The first call of a page or of words is a miss, also of a hit."""
        for _ in range(2):
            if self.body is None:
                answer = self.server.request("GET", self.path)
            else:
                text = json.dumps(self.body).replace("NUMBER", "1").replace("HOST", "1")
                answer = self.server.request("POST", self.path, text.encode(), self.key)
        check(self.name, answer, self.used, self.items, self.cache)
        return len(answer.body)


def check(name, answer, used, items=None, cache=None):
    if answer.status != 200:
        raise RuntimeError(f"{name}: status {answer.status}: {answer.body[:500]}")
    if name.endswith("healthz"):
        return
    told = answer.json
    found = {"credits": told["meta"]["credits"]["used"]}
    wanted = {"credits": used}
    if items is not None:
        found["items"], wanted["items"] = len(told["data"]), items
    if cache is not None:
        found["cache"], wanted["cache"] = [one["cache"] for one in told["meta"]["sources"]], [cache]
    if found != wanted:
        raise RuntimeError(f"{name}: {found} in place of {wanted}: it would measure something else")


def rows(live, anew, address):
    """All that is asked of the two servers."""
    key, test_key = with_keys(live)
    anew_key, _ = with_keys(anew)
    scrape, page = "/v1/scrape/markdown", f"http://{address}{PAGE}"
    never_kept = f"http://127.0.0.HOST:{address.split(':')[1]}{NEVER_KEPT}NUMBER"
    made = [
        Row("/healthz", live, "/healthz"),
        Row("account/show", live, "/v1/account/show", key, {}),
        Row("scrape/markdown, sandbox", live, scrape, test_key, {"url": SANDBOX_PAGE}),
        Row("scrape/markdown, hit", live, scrape, key, {"url": page}, 1, "hit"),
        Row("scrape/markdown, miss", live, scrape, key, {"url": never_kept}, 1, "miss"),
    ]
    for search in SEARCHES:
        path, body = "/v1/" + search.endpoint, {"q": WORD}
        made += [
            Row(f"{search.endpoint}, sandbox", live, path, test_key, {"q": SANDBOX_WORD}),
            Row(f"{search.endpoint}, hit", live, path, key, body, 1, "hit", ITEMS),
            Row(f"{search.endpoint}, read anew", anew, path, anew_key, body, 1, "miss", ITEMS),
        ]
    return made


@contextlib.contextmanager
def running(program, folder, address, har, io_threads):
    """The rows of both servers, with so many I/O threads; None: as many as the program takes."""
    folder = pathlib.Path(folder) / f"ours-{io_threads or 'default'}"
    folder.mkdir()
    more = [f"server.io_threads={io_threads}"] if io_threads else []
    with contextlib.ExitStack() as held:
        live = held.enter_context(serving(program, folder / "live", *settings(address, *more)))
        anew = held.enter_context(
            serving(program, folder / "anew", *settings(address, f"network.replay={har}", *more)))
        yield rows(live, anew, address)

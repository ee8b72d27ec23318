"""Freshet over HTTP against real software on loopback."""

import functools
import http.server
import os
import shutil
import tempfile
import threading

import pytest
from support import postgres, upstream
from support.freshet import Freshet
from support.reach import needs_program, out_of_reach
from support.recorded_source import Recorded


def pytest_collection_modifyitems(items):
    for item in items:
        if "/e2e/" in str(item.path):
            item.add_marker(needs_program)


@pytest.fixture(scope="session")
def mediawiki(tmp_path_factory):
    upstream.need("php", "/usr/share/mediawiki")
    folder = upstream.copy("mediawiki", tmp_path_factory.mktemp("upstream"))
    with upstream.servers_of(folder, 4101, "pid"):
        yield "http://127.0.0.1:4101"


@pytest.fixture(scope="session")
def searx(tmp_path_factory, mediawiki):
    upstream.need("/usr/bin/searx-run")
    folder = upstream.copy("searx", tmp_path_factory.mktemp("upstream"))
    with upstream.servers_of(folder, 4102, "pid"):
        upstream.wait_for_results("http://127.0.0.1:4102/search?format=json&q=tide")
        yield "http://127.0.0.1:4102"


@pytest.fixture(scope="session")
def wordpress(tmp_path_factory):
    upstream.need("php", "mariadbd", "/usr/share/wordpress")
    # MariaDB runs as a user of its own, who may not enter pytest's private folders.
    top = tempfile.mkdtemp(prefix="freshet-wordpress-")
    os.chmod(top, 0o755)
    folder = upstream.copy("wordpress", top)
    with upstream.servers_of(folder, 4103, "php.pid", "db.pid"):
        yield "http://127.0.0.1:4103"
    shutil.rmtree(top, ignore_errors=True)


@pytest.fixture
def upstream_of():
    made = []

    def start(source):
        made.append(Recorded(source))
        return made[-1]

    yield start
    for one in made:
        one.close()


@pytest.fixture
def serve(tmp_path):
    """Starts a server with settings; each is stopped at the end."""
    started = []

    def start(*settings, data="data"):
        one = Freshet(tmp_path / data, "network.allow_private=127.0.0.0/8",
                      "scrape.allow_private=127.0.0.0/8", "plans.free.rate=1000",
                      "plans.free.burst=1000", *settings)
        started.append(one)
        return one

    yield start
    for one in started:
        one.stop()


@pytest.fixture
def pages(tmp_path):
    """A loopback site with one page, so that live calls need no internet."""
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "index.html").write_text(
        "<title>Tides</title><main><h1>Tides</h1><p>High water at noon and at midnight.</p></main>"
    )
    class Site(http.server.ThreadingHTTPServer):
        request_queue_size = 256  # of 5, what comes beside them waits for a second

    site = Site(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    site.handle_error = lambda *_: None  # whoever asked was killed
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{site.server_address[1]}/"
    site.shutdown()
    thread.join()
    site.server_close()


@pytest.fixture(scope="module")
def database():
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    # It crashes here: what it has acknowledged must have left it.
    one = postgres.Postgres(settings=["fsync=off"])
    yield one
    one.close()


@pytest.fixture
def book(database, monkeypatch):
    """An empty database, which the server and its commands find by the environment."""
    name = f"book_{os.urandom(6).hex()}"
    database.sql(f"CREATE DATABASE {name}")
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", database.url.replace("/postgres", "/" + name))
    return name


@pytest.fixture
def slow_disk(monkeypatch):
    """A database of its own whose commits wait a tenth of a second for the disk, and which writes nothing before."""
    if postgres.programs() is None:
        out_of_reach("initdb is out of reach")
    one = postgres.Postgres(settings=["commit_delay=100000", "commit_siblings=0", "wal_writer_delay=10s"])
    monkeypatch.setenv("FRESHET__STORAGE__DATABASE", one.url)
    yield one
    one.close()


@pytest.fixture
def servers(serve, tmp_path):
    """servers(n) starts so many over one book: each has a data folder of its own, with the pepper of the first."""
    def start(count, *settings):
        first = serve(*settings)
        others = []
        for i in range(1, count):
            folder = tmp_path / f"node{i}"
            folder.mkdir(mode=0o700)
            shutil.copy(first.data / "pepper", folder / "pepper")
            others.append(serve(*settings, data=folder.name))
        return [first, *others]

    return start

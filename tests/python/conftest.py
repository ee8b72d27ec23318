"""Clients of both kinds, and upstreams on loopback that answer nothing or what a test says."""

import http.server
import os
import pathlib
import socket
import sys
import threading

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from support.freshet import Freshet as Server  # noqa: E402
from support.reach import need_program  # noqa: E402

try:
    import freshet
except ImportError:
    # test_binding.py is left, and says why it is skipped.
    collect_ignore_glob = ["test_[!b]*.py"]


# The sandbox stands on one day, whenever the two are asked.
DATE = "2026-11-01"


@pytest.fixture(scope="session")
def package():
    return pathlib.Path(freshet.__file__).parent


@pytest.fixture(scope="session")
def environment(package):
    """Of a child process that imports the same package."""
    return {**os.environ, "PYTHONPATH": str(package.parent)}


@pytest.fixture(scope="session")
def client():
    with freshet.Freshet(config={"network.sandbox": True, "sandbox.date": DATE}) as opened:
        yield opened


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    need_program()
    running = Server(
        tmp_path_factory.mktemp("server") / "data",
        "network.sandbox=true",
        f"sandbox.date={DATE}",
        "plans.free.rate=1000",
        "plans.free.burst=1000",
    )
    running.account()
    yield running
    assert running.stop() == 0, running.log_path.read_text()


@pytest.fixture(scope="session")
def test_key(server):
    return server.key("someone@example.org", "--test")


@pytest.fixture(scope="session")
def live_key(server):
    return server.key("someone@example.org")


class SilentUpstream:
    """Accepts, reads and never answers. It sees that a caller has come, and that it has gone."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.came, self.gone = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        while True:
            try:
                caller = self.listening.accept()[0]
            except OSError:
                return
            self.came.set()
            with caller:
                try:
                    while caller.recv(65536):
                        pass
                except OSError:
                    pass  # gone, too
            self.gone.set()

    def close(self):
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()
        self.thread.join()


@pytest.fixture
def silent_upstream():
    upstream = SilentUpstream()
    yield upstream
    upstream.close()


@pytest.fixture
def scripted_server():
    """A base_url; a list of the (status, content type, body) that the next calls get; and the heads of
    those that have come."""
    answers, heads = [], []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            heads.append(self.headers)
            status, content_type, body = answers.pop(0)
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    listening = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{listening.server_port}", answers, heads
    listening.shutdown()
    thread.join()
    listening.server_close()

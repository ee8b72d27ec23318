"""An archive of two servers over one database: both answer from it, one fills it, and when that one is killed, or
stopped beyond its tenure, the other goes on where it ended: without a gap or a duplicate."""

import base64
import datetime
import hashlib
import json
import re
import signal
import socketserver
import threading
import time
import urllib.request

import pytest
from support.waiting import wait_until

EVERY_S = 0.02


class Jetstream:
    """A stream of posts, one each few milliseconds, that can be had from any moment again."""

    def __init__(self):
        self.made, self.ending = [], threading.Event()
        stream = self

        class Reader(socketserver.BaseRequestHandler):
            def handle(self):
                stream.serve(self.request)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, allow_reuse_address = True, True

        self.server = Server(("127.0.0.1", 0), Reader)
        self.server.handle_error = lambda *_: None  # a reader was killed
        self.threads = [threading.Thread(target=self.server.serve_forever), threading.Thread(target=self.post)]
        for each in self.threads:
            each.start()

    @property
    def url(self):
        return f"ws://127.0.0.1:{self.server.server_address[1]}/subscribe"

    def post(self):
        while not self.ending.wait(EVERY_S):
            number, now = len(self.made), time.time()
            at = datetime.datetime.fromtimestamp(now, datetime.timezone.utc).isoformat(timespec="milliseconds")
            record = {"text": f"tide number{number}", "createdAt": at.replace("+00:00", "Z")}
            commit = {"operation": "create", "collection": "app.bsky.feed.post", "rkey": f"p{number}", "record": record}
            message = {"did": "did:plc:alice", "time_us": int(now * 1e6), "kind": "commit", "commit": commit}
            self.made.append((int(now * 1e6), json.dumps(message).encode()))

    def serve(self, connection):
        asked = b""
        while b"\r\n\r\n" not in asked:
            asked += connection.recv(4096)
        key = re.search(rb"sec-websocket-key: *(\S+)", asked, re.I)[1]
        accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest())
        connection.sendall(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        cursor = re.search(rb"cursor=(\d+)", asked)
        # Without a position a stream begins now; what was before nobody gets.
        first = int(cursor[1]) if cursor else 0
        sent = 0
        while not self.ending.wait(EVERY_S / 2):
            for at, message in self.made[sent:]:
                sent += 1
                if at >= first:
                    connection.sendall(b"\x81\x7e" + len(message).to_bytes(2, "big") + message)

    def close(self):
        self.ending.set()
        self.server.shutdown()
        self.server.server_close()
        for each in self.threads:
            each.join()


@pytest.fixture
def jetstream():
    one = Jetstream()
    yield one
    one.close()


def number_in(item):
    return int(re.search(r"number(\d+)", item["text"])[1])


def found(server, key):
    """The numbers of all posts that a server finds, newest first."""
    items, _ = server.walk("microblog/search", key, q="tide", limit=100)
    return [number_in(item) for item in items]


def newest(server, key):
    answer = server.call("microblog/search", key, q="tide", limit=1)
    items = answer.json["data"] if answer.status == 200 else []
    return number_in(items[0]) if items else -1


def fills(server):
    """Whether a server says that it fills the archive, and not since that another does."""
    said = re.findall(r"(this|another) server fills it from now on", server.log_path.read_text())
    return bool(said) and said[-1] == "this"


def filler(server):
    """What its metrics say of that."""
    at = re.search(r"operators are listened to on ([^\"]+)", server.log_path.read_text())[1]
    with urllib.request.urlopen(at + "/metrics", timeout=60) as told:
        return int(re.search(r'^freshet_archive_filler{platform="microblog"} (\d)$', told.read().decode(), re.M)[1])


@pytest.mark.parametrize("is_stopped", [False, True], ids=["killed", "stopped"])
def test_another_server_fills_the_archive_on(servers, jetstream, book, is_stopped):
    nodes = servers(2, "platforms.microblog.archive=true", "sources.bluesky.stream_url=" + jetstream.url,
                    "platforms.microblog.sources=archive", "network.cache_bytes=0", "operations.listen=127.0.0.1:0")
    nodes[0].account("owner@example.org")
    key = nodes[0].key("owner@example.org")
    wait_until(lambda: nodes[1].call("account/show", key).status == 200)
    holder = wait_until(lambda: next((one for one in nodes if fills(one)), None))
    other = next(one for one in nodes if one is not holder)
    assert not fills(other)
    assert (filler(holder), filler(other)) == (1, 0)
    for one in nodes:
        wait_until(lambda one=one: newest(one, key) > 20)
    if is_stopped:
        holder.process.send_signal(signal.SIGSTOP)
    else:
        holder.kill()
    began = time.monotonic()
    lost_at = len(jetstream.made)
    wait_until(lambda: fills(other))
    print(f"taken over after {time.monotonic() - began:.1f} s")
    wait_until(lambda: newest(other, key) > lost_at + 20)
    assert filler(other) == 1
    if is_stopped:
        holder.process.send_signal(signal.SIGCONT)
        # Who has stood still for long is counted as gone, and ends.
        has_ended = lambda: holder.process.poll() is not None
        wait_until(lambda: has_ended() or "another server fills it" in holder.log_path.read_text())
        resumed_at = len(jetstream.made)
        wait_until(lambda: newest(other, key) > resumed_at + 50)
        assert has_ended() or filler(holder) == 0
    numbers = found(other, key)
    assert numbers == list(range(numbers[0], -1, -1))

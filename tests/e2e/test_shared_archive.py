"""An archive of two servers over one database: both answer from it, one fills it, and when that one is killed, or
stopped beyond its tenure, the other goes on where it ended: without a gap or a duplicate."""

import re
import signal
import time
import urllib.request

import pytest
from support.jetstream import Jetstream
from support.waiting import wait_until


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

"""Deadlines, crowds, clients that go away, and the end of the process."""

import json
import os
import signal
import socket
import subprocess
import threading
import time

import pytest

from serving import Wire, clean_environment, post_bytes, run_freshet
from support.waiting import wait_until

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def is_closed(wire, answer_status=None):
    """Waits until the server has closed; checks the answer that comes before."""
    answer = wire.read()
    if answer_status is None:
        return answer is None
    return (answer.status == answer_status and answer.field("Connection") == "close"
            and wire.ended())


def test_slow_heads_slow_bodies_and_idlers_are_ended(start):
    server = start("--set", "server.header_timeout_s=1", "--set", "server.body_timeout_s=2",
                   "--set", "server.idle_timeout_s=3")
    with server.wire() as silent, server.wire() as head, server.wire() as body, \
            server.wire() as idle:
        head.send(b"GET /healthz HTTP/1.1\r\nHo")
        body.send(post_bytes("/dashboard/api/sign-in", "x" * 100)[:-50])
        idle.send(HEALTH)
        assert idle.read().status == 200
        assert is_closed(silent)
        assert is_closed(head, 408)
        assert is_closed(body, 408)
        assert is_closed(idle)


def test_a_head_that_trickles_does_not_live_longer(start):
    server = start("--set", "server.header_timeout_s=1")
    with server.wire() as wire, pytest.raises(OSError):
        for byte in b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 1000:
            wire.send(bytes([byte]))
            time.sleep(0.1)


# Asks for more than a small socket's buffers hold.
LONG_ANSWER = b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n"


def slow_reader(server):
    """A connection that takes little at once and waits for nothing."""
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    slow.connect(("127.0.0.1", server.port))
    slow.setblocking(False)
    return slow


def test_slow_readers_are_ended_and_do_not_hold_others_up(start):
    server = start("--set", "server.write_timeout_s=1")
    slow = slow_reader(server)
    # Far more answers than the socket's buffers hold, and nobody reads them.
    try:
        for _ in range(2000):
            slow.send(LONG_ANSWER)
    except BlockingIOError:
        pass
    assert server.get("/healthz").status == 200
    wait_until(lambda: '"status":499' in server.log_text())
    slow.close()


def test_a_reader_that_trickles_does_not_live_longer(start):
    server = start("--set", "server.write_timeout_s=1")
    slow = slow_reader(server)

    def is_ended():
        # A few bytes each time, which is more than nothing and less than enough.
        for step in (lambda: slow.send(LONG_ANSWER), lambda: slow.recv(200)):
            try:
                step()
            except BlockingIOError:
                pass
            except OSError:
                return True
        return '"status":499' in server.log_text()
    wait_until(is_ended)
    slow.close()


def test_above_the_cap_the_longest_idle_connection_makes_room(start):
    server = start("--set", "server.max_connections=5")
    held = [server.wire() for _ in range(5)]
    for wire in held:
        wire.send(HEALTH)
        assert wire.read().status == 200
    with server.wire() as extra:
        extra.send(HEALTH)
        assert extra.read().status == 200
        assert held[0].ended()
    for wire in held:
        wire.socket.close()


def test_where_all_connections_work_only_the_health_is_answered(start, hanging_source):
    server = start(*hanging_source.options, "--set", "server.max_connections=3")
    key = live_key(server)
    busy = [server.wire(timeout=60) for _ in range(3)]
    for wire in busy:
        wire.send(post_bytes("/v1/web-serp/search", {"q": "a"}, key))
    time.sleep(1)  # one that came before all three have been read would take the place of one
    wait_until(lambda: server.post("/v1/account/show", "{}", key).status == 503)
    answer = server.post("/v1/account/show", "{}", key)
    assert answer.json()["code"] == "overloaded" and answer.field("Retry-After") == "1"
    assert answer.field("Connection") == "close"
    assert server.get("/healthz").status == 200
    assert server.get("/readyz").status == 200
    hanging_source.release.set()
    assert [wire.read().status for wire in busy] == [200] * 3
    for wire in busy:
        wire.socket.close()


def test_thousands_of_connections_starve_nobody(start):
    server = start()
    key = live_key(server)
    with server.wire() as keyed:
        keyed.send(post_bytes("/v1/account/show", "{}", key))
        assert keyed.read().status == 200
        crowd = []
        body = post_bytes("/v1/web-serp/search", "x" * 60000)[:-1]
        for n in range(900):
            one = socket.create_connection(("127.0.0.1", server.port),
                                           source_address=(f"127.0.{n % 9}.{1 + n % 200}", 0))
            crowd.append(one)
            try:
                one.sendall(body if n % 3 == 0 else b"GET /he" if n % 3 == 1 else b"")
            except OSError:
                pass
        assert server.get("/healthz").status == 200
        assert server.post("/v1/account/show", "{}", key).status == 200
        keyed.send(post_bytes("/v1/account/show", "{}", key))
        assert keyed.read().status == 200
        for one in crowd:
            one.close()


def test_operators_ask_on_a_listener_of_their_own(start):
    server = start()
    wait_until(lambda: "operators are listened to on" in server.log_text())
    port = int(server.log_text().split("listened to on http://127.0.0.1:")[1].split('"')[0])
    for path, status in (("/healthz", 200), ("/readyz", 200), ("/openapi.json", 404), ("/", 404)):
        with Wire(port) as wire:
            wire.send(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            assert wire.read().status == status
    off = start("--set", "operations.listen=")
    assert "operators are listened to" not in off.log_text()


def test_a_log_that_nobody_reads_stops_nothing(tmp_path):
    reading, writing = os.pipe()
    process = subprocess.Popen([os.environ["FRESHET_BIN"], "serve", "--listen", "127.0.0.1:0",
                                "--data", tmp_path / "data"], stdout=subprocess.PIPE,
                               stderr=writing, env=clean_environment(tmp_path))
    os.close(writing)
    try:
        port = int(process.stdout.readline().decode().rsplit(":", 1)[1])
        with Wire(port) as wire:
            for _ in range(3000):
                wire.send(HEALTH)
                assert wire.read().status == 200
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        os.close(reading)


def test_running_out_of_descriptors_is_survived(start):
    server = start(limit_files=200)
    crowd = []
    for _ in range(400):
        crowd.append(socket.create_connection(("127.0.0.1", server.port)))
    def ticks():
        fields = open(f"/proc/{server.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])
    before = ticks()
    time.sleep(1)
    assert (ticks() - before) / os.sysconf("SC_CLK_TCK") < 0.3, "a busy loop"
    for one in crowd:
        one.close()
    wait_until(lambda: server.get("/healthz").status == 200)


def test_a_client_that_goes_away_ends_its_call(start, hanging_source):
    server = start(*hanging_source.options)
    key = live_key(server)
    wire = server.wire()
    wire.send(post_bytes("/v1/web-serp/search", {"q": "a"}, key))
    wait_until(lambda: hanging_source.asked.is_set())
    wire.socket.close()
    wait_until(lambda: '"status":499' in server.log_text())
    assert server.post("/v1/account/show", "{}", key).json()["data"]["balance"] == 1000


def test_a_client_that_has_only_finished_sending_is_answered_and_has_not_gone(start):
    server = start()
    with server.wire() as wire:
        wire.send(HEALTH)
        wire.socket.shutdown(socket.SHUT_WR)
        assert wire.read().status == 200 and wire.ended()
    server.stop()
    assert '"status":499' not in server.log_text()


@pytest.mark.parametrize("version, field", [
    ("1.1", ""), ("1.1", "Accept: text/event-stream\r\n"), ("1.0", "")], ids=["plain", "events", "HTTP/1.0"])
def test_who_has_finished_sending_gets_what_its_call_answers(start, hanging_source, version, field):
    server = start(*hanging_source.options)
    key = live_key(server)
    asked = post_bytes("/v1/web-serp/search", {"q": "a"}, key)
    with server.wire() as wire:
        wire.send(asked.replace(b"HTTP/1.1\r\n", f"HTTP/{version}\r\n{field}".encode()))
        wait_until(lambda: hanging_source.asked.is_set())
        wire.socket.shutdown(socket.SHUT_WR)
        if version == "1.1":
            assert wire.read().status == 100  # by which the server learns who is still there
        else:
            time.sleep(0.5)  # which has no such answers
        hanging_source.release.set()
        while wire.more():
            pass
    assert wire.buffer.startswith(b"HTTP/1.1 200 ") and b"https://example.org/a" in wire.buffer, wire.buffer
    server.stop()
    assert '"status":499' not in server.log_text()


def test_a_hangup_ends_no_server(start):
    server = start()
    server.signal(signal.SIGHUP)
    wait_until(lambda: "nothing to read again" in server.log_text())
    assert server.get("/healthz").status == 200
    server.stop()
    assert server.process.returncode == 0


def live_key(server):
    assert server.run("accounts", "create", "a@example.org").returncode == 0
    return server.run("keys", "create", "a@example.org").stdout.strip()


class HangingSource:
    """A search engine on loopback that takes a question and answers when it is told to."""

    def __init__(self):
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.asked, self.release, self.over = (threading.Event() for _ in range(3))
        self.open = []
        url = f"http://127.0.0.1:{self.listening.getsockname()[1]}"
        self.options = ["--set", "network.allow_private=127.0.0.0/8",
                        "--set", "platforms.web-serp.sources=searxng",
                        "--set", f"sources.searxng.base_url={url}"]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.over.is_set():
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            self.open.append(connection)
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        head = connection.recv(65536)
        if not head:
            return
        if head.startswith(b"GET /robots.txt"):
            body, status = b"", b"404 Not Found"
        else:
            self.asked.set()
            self.release.wait(60)
            body = json.dumps({"query": "a", "number_of_results": 1, "results": [
                {"title": "A", "url": "https://example.org/a", "content": "a", "engine": "e",
                 "engines": ["e"], "positions": [1], "score": 1.0, "category": "general"}],
                "answers": [], "corrections": [], "infoboxes": [], "suggestions": [],
                "unresponsive_engines": []}).encode()
            status = b"200 OK"
        try:
            connection.sendall(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d"
                               b"\r\nConnection: close\r\n\r\n%s" % (status, len(body), body))
            connection.close()
        except OSError:
            pass

    def close(self):
        self.over.set()
        self.release.set()
        self.listening.close()
        for connection in self.open:
            connection.close()


@pytest.fixture
def hanging_source():
    source = HangingSource()
    yield source
    source.close()


def test_sigterm_finishes_what_runs(start, hanging_source):
    server = start(*hanging_source.options)
    key = live_key(server)
    with server.wire(timeout=30) as running, server.wire() as idle:
        idle.send(HEALTH)
        assert idle.read().status == 200
        running.send(post_bytes("/v1/web-serp/search", {"q": "a"}, key))
        wait_until(lambda: hanging_source.asked.is_set())
        server.signal(signal.SIGTERM)
        wait_until(lambda: "draining" in server.log_text())
        idle.send(b"GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n")
        answer = idle.read()
        assert answer.status == 503 and answer.field("Connection") == "close"
        with pytest.raises(OSError):
            server.wire()
        hanging_source.release.set()
        answer = running.read()
        assert answer.status == 200, answer.body
        assert answer.field("Connection") == "close"
    assert server.wait() == 0
    report = server.run("ledger", "verify", "--json")
    assert report.returncode == 0 and json.loads(report.stdout)["ok"] is True
    assert not (server.data_dir / "admin.sock").exists()


def test_the_drain_has_a_deadline(start, hanging_source):
    server = start(*hanging_source.options, "--set", "server.drain_timeout_s=1")
    key = live_key(server)
    with server.wire(timeout=30) as running:
        running.send(post_bytes("/v1/web-serp/search", {"q": "a"}, key))
        wait_until(lambda: hanging_source.asked.is_set())
        server.signal(signal.SIGINT)
        answer = running.read()
        assert answer is None or answer.status == 503
    assert server.wait() == 0


def test_a_second_signal_ends_at_once(start, hanging_source):
    server = start(*hanging_source.options)
    key = live_key(server)
    with server.wire() as running:
        running.send(post_bytes("/v1/web-serp/search", {"q": "a"}, key))
        wait_until(lambda: hanging_source.asked.is_set())
        server.signal(signal.SIGTERM)
        wait_until(lambda: "draining" in server.log_text())
        server.signal(signal.SIGTERM)
        assert server.wait() == 1


def test_no_request_is_lost_while_draining(start):
    server = start()
    lost, answered, stop = [], [], threading.Event()

    def ask():
        while not stop.is_set():
            try:
                wire = server.wire()
            except OSError:
                return  # refused before anything was sent
            try:
                wire.send(HEALTH)
                (answered if wire.read() else lost).append(1)
            except OSError as error:
                lost.append(error)
            wire.socket.close()

    askers = [threading.Thread(target=ask) for _ in range(8)]
    for asker in askers:
        asker.start()
    time.sleep(0.5)
    server.signal(signal.SIGTERM)
    assert server.wait() == 0
    stop.set()
    for asker in askers:
        asker.join()
    assert answered and not lost, lost


def test_a_killed_server_leaves_nothing_in_the_way(start):
    server = start()
    live_key(server)
    server.process.kill()
    server.process.wait()
    assert (server.data_dir / "admin.sock").exists()
    # The command finds the stale socket, and opens the accounts itself.
    assert server.run("keys", "list", "a@example.org").returncode == 0
    again = start(data_dir=server.data_dir)
    assert again.run("ledger", "verify").returncode == 0


def test_a_second_server_on_the_same_data_does_not_start(start):
    server = start()
    second = run_freshet("serve", "--listen", "127.0.0.1:0", "--data", server.data_dir)
    assert second.returncode == 1 and second.stdout == ""
    assert json.loads(second.stderr.splitlines()[-1])["detail"]
    assert server.run("accounts", "create", "still@example.org").returncode == 0


def test_files_are_for_their_owner_alone(start):
    server = start()
    live_key(server)
    assert (server.data_dir.stat().st_mode & 0o777) == 0o700
    for path in server.data_dir.iterdir():
        assert (path.stat().st_mode & 0o077) == 0, path
    limits = open(f"/proc/{server.process.pid}/limits").read()
    core = next(line for line in limits.splitlines() if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"]


def test_an_address_in_use_is_said(start):
    server = start()
    second = run_freshet("serve", "--listen", f"127.0.0.1:{server.port}", "--data",
                         server.data_dir.parent / "other")
    assert second.returncode == 1 and "server.listen" in second.stderr

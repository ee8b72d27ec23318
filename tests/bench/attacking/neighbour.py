"""The neighbour: probes one thing after the other, each in a process and on a connection of its own."""

import collections
import contextlib
import ctypes
import http.client
import json
import multiprocessing
import os
import socket
import ssl
import struct
import time

PROBE_PAUSE_S = 0.005
ALERT_PAUSE_S = 0.5
# Before the machine's other users, where that is allowed.
PRIORITY = -5

MINE = os.sched_getaffinity(0)
# Of a turn on the processor, as of Linux 6.12: who asks for a short one has it soon.
TURN_NS = 100_000
SCHED_SETATTR = {"x86_64": 314, "aarch64": 274}


def processors(are_attackers):
    """Of this machine's an upper half is the attackers', where there are two: who attacks has a machine of
    their own, and what they compute there is nobody's wait."""
    mine = sorted(MINE)
    half = (len(mine) + 1) // 2
    return set(mine[half:] or mine) if are_attackers else set(mine[:half])


def go_first():
    """A neighbour has a machine of its own: its waiting for this one is no wait for the server."""
    os.sched_setaffinity(0, processors(are_attackers=False))
    with contextlib.suppress(PermissionError):
        os.nice(PRIORITY)
    if number := SCHED_SETATTR.get(os.uname().machine):
        # struct sched_attr: size, policy, flags, niceness, priority, runtime, deadline, period.
        asked = struct.pack("=IIQiIQQQ", 48, os.SCHED_OTHER, 0, os.nice(0), 0, TURN_NS, 0, 0)
        ctypes.CDLL(None).syscall(number, 0, asked, 0)


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * part // 100)] * 1e3


class Probe:
    def __init__(self, url, asked):
        self.scheme, self.address = url.split("://")
        self.method, self.path, body, key = asked
        self.body = None if body is None else json.dumps(body)
        self.headers = {"Authorization": "Bearer " + key} if key else {}
        if body is not None:
            self.headers["Content-Type"] = "application/json"
        self.kept = None

    def connect(self):
        if self.scheme == "http":
            return http.client.HTTPConnection(self.address, timeout=60)
        return http.client.HTTPSConnection(self.address, timeout=60, context=ssl._create_unverified_context())

    def ask(self, connection):
        connection.request(self.method, self.path, self.body, self.headers)
        return connection.getresponse()

    def once(self):
        """Seconds, and the status; 0 for none."""
        began = time.monotonic()
        kept, self.kept = self.kept, None
        try:
            connection = kept or self.connect()
            try:
                answer = self.ask(connection)
            except (ConnectionError, http.client.RemoteDisconnected):
                if kept is None:
                    raise
                # It has been closed meanwhile, as kept ones may be: every client asks again.
                connection = self.connect()
                answer = self.ask(connection)
            answer.read()
            if not answer.will_close:
                self.kept = connection
            status = answer.status
        except (OSError, http.client.HTTPException):
            status = 0
        return time.monotonic() - began, status

    def serve(self, pipe):
        go_first()
        while True:
            seconds = pipe.recv()
            end = time.monotonic() + seconds
            took, failed = [], collections.Counter()
            while time.monotonic() < end:
                used, status = self.once()
                took.append(used)
                if status != 200:
                    failed[status] += 1
                time.sleep(PROBE_PAUSE_S)
            pipe.send((took, failed))


class AlertProbe(Probe):
    """From what asks for an alert until it has come to a webhook here. Each account may ask once a minute."""

    def __init__(self, url, keys, listening):
        super().__init__(url, ("POST", "/v1/account/alerts/test", {}, None))
        self.keys, self.turn, self.listening = keys, 0, listening
        webhook = {"webhook": f"http://127.0.0.1:{listening.getsockname()[1]}/"}
        for key in keys:
            Probe(url, ("POST", "/v1/account/alerts/update", webhook, key)).once()

    def once(self):
        time.sleep(ALERT_PAUSE_S)
        key = self.keys[self.turn % len(self.keys)]
        self.headers["Authorization"] = "Bearer " + key
        self.turn += 1
        began = time.monotonic()
        _, status = super().once()
        if status == 200:
            self.listening.settimeout(60)
            with contextlib.suppress(TimeoutError), self.listening.accept()[0] as taken:
                taken.recv(65536)
                taken.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        return time.monotonic() - began, status


class Window:
    """What the neighbour felt for some time: per probe."""

    def __init__(self, seen):
        self.p99 = {name: percentile(took, 99) for name, (took, _) in seen.items()}
        self.failed = {name: failed for name, (_, failed) in seen.items()}
        self.count = {name: len(took) for name, (took, _) in seen.items()}


class Neighbour:
    def __init__(self, url, key, test_key, site=None, alerts=None, is_rendering=False):
        asked = {
            "account/show": ("POST", "/v1/account/show", {}, key),
            "search": ("POST", "/v1/microblog/search", {"q": "climate", "limit": 5}, test_key),
            "healthz": ("GET", "/healthz", None, None),
        }
        if site:
            asked["scrape"] = ("POST", "/v1/scrape/markdown", {"url": site}, key)
        probes = {name: Probe(url, one) for name, one in asked.items()}
        if alerts:
            probes["alert"] = alerts
        if is_rendering:
            probes["rendered"] = Probe(url, ("POST", "/v1/scrape/markdown", {"url": site, "render": "always"}, key))
        self.pipes, self.processes = {}, []
        for name, one in probes.items():
            self.pipes[name], theirs = multiprocessing.Pipe()
            process = multiprocessing.get_context("fork").Process(target=one.serve, args=(theirs,), daemon=True)
            process.start()
            self.processes.append(process)

    def measure(self, seconds):
        for pipe in self.pipes.values():
            pipe.send(seconds)
        return Window({name: pipe.recv() for name, pipe in self.pipes.items()})

    def end(self):
        for process in self.processes:
            process.kill()
            process.join()

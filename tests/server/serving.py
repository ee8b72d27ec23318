"""Starts the built program on a free port over a data folder of its own, and talks raw HTTP to it."""

import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import time

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 60


def clean_environment(data_dir):
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FRESHET_")}
    kept["XDG_DATA_HOME"] = str(data_dir)
    kept["FRESHET__SANDBOX__DATE"] = "2026-11-01"  # what it answers is the same on every day
    return kept


def run_freshet(*arguments, data_dir=None, stdin=None, environment=None):
    """One command to its end: returncode, stdout, stderr (text)."""
    env = clean_environment(data_dir or "/nonexistent")
    env.update(environment or {})
    return subprocess.run([os.environ["FRESHET_BIN"], *map(str, arguments)], env=env, input=stdin,
                          capture_output=True, text=True, timeout=60)


class Answer:
    """One response as it came over the wire."""

    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def field(self, name):
        return self.fields.get(name.lower())

    def json(self):
        return json.loads(self.body)


class Wire:
    """A raw connection: sends what it is told and reads responses one by one. With `trust`, an
    ssl.SSLContext, under TLS, whose end must be said; `first` goes before that."""

    def __init__(self, port, timeout=60, trust=None, first=b"", source="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout,
                                               source_address=(source, 0))
        if first:
            self.socket.sendall(first)
        if trust:
            self.socket = trust.wrap_socket(self.socket, server_hostname="localhost",
                                            suppress_ragged_eofs=False)
        self.buffer = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        self.socket.sendall(data)

    def more(self):
        """Reads on; False at the end of input."""
        try:
            data = self.socket.recv(65536)
        except ConnectionResetError:
            return False
        self.buffer += data
        return bool(data)

    def read(self, head_only=False):
        """The next response, or None if the connection ended before one came."""
        while b"\r\n\r\n" not in self.buffer:
            if not self.more():
                assert not self.buffer, self.buffer
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        fields = {}
        for line in lines[1:]:
            name, value = line.split(":", 1)
            assert name.lower() not in fields, f"{name} comes twice"
            fields[name.lower()] = value.strip()
        status = int(lines[0].split(" ")[1])
        size = 0 if head_only or status in (100, 204, 304) else int(fields["content-length"])
        while len(self.buffer) < size:
            assert self.more(), "the body is cut"
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return Answer(status, fields, body)

    def ended(self):
        """Whether the server closes without another byte."""
        while self.more():
            pass
        return not self.buffer


class Server:
    """A running `freshet serve`; `trust` for one that speaks TLS."""

    def __init__(self, data_dir, *options, limit_files=None, limit_file_kb=None, trust=None):
        self.trust = trust
        self.data_dir = pathlib.Path(data_dir)
        self.log_path = self.data_dir.parent / (self.data_dir.name + ".log")
        where = [] if "--listen" in options else ["--listen", "127.0.0.1:0"]
        command = [os.environ["FRESHET_BIN"], "serve", *where, "--data", str(self.data_dir), *options]
        if limit_files:
            command = ["sh", "-c", f'ulimit -n {limit_files} && exec "$@"', "sh", *command]
        if limit_file_kb:  # of each file that it writes; in the units of dash, half a kilobyte each
            command = ["sh", "-c", f'ulimit -f {2 * limit_file_kb} && exec "$@"', "sh", *command]
        self.log = open(self.log_path, "ab")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log,
                                        env=clean_environment(self.data_dir.parent))
        line = self.process.stdout.readline().decode()
        scheme = "https" if trust else "http"
        assert line.startswith((f"listening on {scheme}://127.0.0.1:", f"listening on {scheme}://0.0.0.0:")), (
            line, self.log_text())
        self.url = line.split()[-1]
        self.port = int(self.url.rsplit(":", 1)[1])

    def log_text(self):
        """Once nothing more comes, for a second at most: a thread of the server's writes what calls
        have left to it, and others may be calling."""
        found = self.log_path.read_text()
        for _ in range(20):
            before = found
            time.sleep(0.05)
            found = self.log_path.read_text()
            if found == before or self.process.poll() is not None:
                break
        return found

    def wire(self, **options):
        return Wire(self.port, **{"trust": self.trust, **options})

    def exchange(self, data, **options):
        with self.wire(**options) as wire:
            wire.send(data)
            return wire.read()

    def get(self, path, *fields, method="GET", **options):
        head = "\r\n".join([f"{method} {path} HTTP/1.1", "Host: localhost", *fields, "", ""])
        with self.wire(**options) as wire:
            wire.send(head.encode())
            return wire.read(head_only=method == "HEAD")

    def post(self, path, body, key=None, *fields):
        return self.exchange(post_bytes(path, body, key, *fields))

    def run(self, *arguments):
        return run_freshet(*arguments, "--data", self.data_dir, data_dir=self.data_dir.parent)

    def signal(self, number):
        self.process.send_signal(number)

    def wait(self):
        return self.process.wait(timeout=STOP_TIMEOUT_S)

    def stop(self):
        if self.process.poll() is None:
            self.signal(signal.SIGTERM)
            try:
                self.wait()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise
        self.process.stdout.close()
        self.log.close()

    def end(self):
        """At once, however far it is."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()


@contextlib.contextmanager
def starting(kind, folder):
    """A function that starts servers of this kind with data of their own in a folder; they end with it."""
    started = []

    def run(*options, data_dir=None, **more):
        started.append(kind(data_dir or folder / f"data{len(started)}", *options, **more))
        return started[-1]

    try:
        yield run
    finally:
        for one in started:
            one.end()


def post_bytes(path, body, key=None, *fields):
    if not isinstance(body, (bytes, str)):
        body = json.dumps(body)
    body = body.encode() if isinstance(body, str) else body
    head = [f"POST {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json",
            f"Content-Length: {len(body)}", *fields]
    if key:
        head.append(f"Authorization: Bearer {key}")
    return "\r\n".join([*head, "", ""]).encode() + body

"""A redis-server of the tests' own on loopback: it keeps nothing, and is ended by its id."""

import shutil
import signal
import socket
import subprocess
import tempfile

from support.postgres import end_with_parent
from support.ports import free_port
from support.waiting import wait_until


def program():
    """Null where there is none."""
    return shutil.which("redis-server")


class Redis:
    def __init__(self):
        self.port, self.process = free_port(), None
        self.folder = tempfile.mkdtemp(prefix="freshet-redis-")
        self.start()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}"

    def start(self):
        self.process = subprocess.Popen(
            [program(), "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_parent)
        wait_until(self.answers)

    def answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as wire:
                wire.sendall(b"PING\r\n")
                return wire.recv(16) == b"+PONG\r\n"
        except OSError:
            return False

    def ask(self, *words):
        """What it answers to a command, as it comes over the wire."""
        with socket.create_connection(("127.0.0.1", self.port), 10) as wire:
            wire.sendall(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(one), one.encode()) for one in words))
            return wire.recv(65536).decode(errors="replace")

    def stop(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(60)

    def close(self):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

"""Between a server and PostgreSQL: passes everything on until a COMMIT, whose answer is lost, and is then no
more. So nobody knows whether it was done."""

import contextlib
import select
import socket
import threading


class CommitCutter:
    """On a port of loopback, for the PostgreSQL at another one. Armed, it cuts at the next COMMIT."""

    def __init__(self, port):
        self.upstream = ("127.0.0.1", port)
        self.armed = threading.Event()
        self.has_cut = threading.Event()
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        self.threads = [threading.Thread(target=self.accept)]
        self.threads[0].start()

    def accept(self):
        with contextlib.suppress(OSError):
            while not self.has_cut.is_set():
                if not select.select([self.listening], [], [], 0.05)[0]:
                    continue
                one = threading.Thread(target=self.carry, args=(self.listening.accept()[0],))
                self.threads.append(one)
                one.start()
        self.listening.close()

    def carry(self, client):
        with client, socket.create_connection(self.upstream) as server:
            other = {client: server, server: client}
            while not self.has_cut.is_set():
                for ready in select.select([client, server], [], [], 0.05)[0]:
                    try:
                        data = ready.recv(65536)
                        other[ready].sendall(data)
                    except OSError:
                        return
                    if not data:
                        return
                    if ready is client and b"COMMIT" in data and self.armed.is_set():
                        self.has_cut.set()

    def close(self):
        self.has_cut.set()
        for one in self.threads:
            one.join()

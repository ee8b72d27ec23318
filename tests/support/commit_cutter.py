"""Between a server and PostgreSQL: passes everything on until the COMMIT of what a test is about, whose answer
is lost, and is then no more. So nobody knows whether it was done."""

import contextlib
import select
import socket
import threading


class CommitCutter:
    """On a port of loopback, for the PostgreSQL at another one. Armed, it cuts at the COMMIT of the next transaction
    that says `word`: others, as a server's beats, are committed all the time."""

    def __init__(self, port, word):
        self.word = word
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
            is_said = False
            while not self.has_cut.is_set():
                for ready in select.select([client, server], [], [], 0.05)[0]:
                    try:
                        data = ready.recv(65536)
                        other[ready].sendall(data)
                    except OSError:
                        return
                    if not data:
                        return
                    if ready is client:
                        is_said = is_said or self.word in data
                        if b"COMMIT" in data:
                            if is_said and self.armed.is_set():
                                self.has_cut.set()
                            is_said = False

    def close(self):
        self.has_cut.set()
        for one in self.threads:
            one.join()

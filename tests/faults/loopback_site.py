"""A site on loopback whose pages are functions of the connection: what is asked is counted, what is
answered is up to the test, byte for byte."""

import collections
import socket
import struct
import threading

PAGE = (b"<title>Tides</title><main><h1>Tides</h1><p>High water at noon, and again at midnight, when "
        b"nobody looks at it.</p></main>")


def answer(body, *fields, status="200 OK"):
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close",
            *(fields or ("Content-Type: text/html",))]
    return "\r\n".join([*head, "", ""]).encode() + body


class Site:
    def __init__(self, context=None):
        self.context = context
        self.pages = {}  # by path; what has none is the page
        self.counts = collections.Counter()  # requests by path
        self.targets = []  # as they were asked
        self.connections, self.waiting, self.lock = 0, 0, threading.Lock()
        self.released = threading.Event()  # for those that hold
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listening.getsockname()[1]
        self.address = f"127.0.0.1:{self.port}"
        self.url = f"http{'s' if context else ''}://{self.address}"
        self.allowed = f"scrape.allow_private={self.address}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                caller = self.listening.accept()[0]
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(caller,), daemon=True).start()

    def serve(self, caller):
        try:
            caller.settimeout(60)
            if self.context:
                caller = self.context.wrap_socket(caller, server_side=True)
            head = b""
            while b"\r\n\r\n" not in head:
                more = caller.recv(65536)
                if not more:
                    return
                head += more
            target = head.split(b" ")[1].decode()
            path = target.split("?")[0]
            with self.lock:
                self.counts[path] += 1
                self.targets.append(target)
            if path == "/robots.txt" and path not in self.pages:
                caller.sendall(answer(b"", status="404 Not Found"))
            else:
                self.pages.get(path, lambda to: to.sendall(answer(PAGE)))(caller)
        except OSError:
            pass  # who asked has gone, or wants no such certificate
        finally:
            caller.close()

    def hold(self, to):
        """A page that comes when the test releases it."""
        with self.lock:
            self.waiting += 1
        self.released.wait(60)
        to.sendall(answer(PAGE, "Content-Type: text/html", "Cache-Control: no-store"))

    def close(self):
        self.released.set()
        self.listening.shutdown(socket.SHUT_RDWR)
        self.listening.close()


def reset(to):
    """Ends a connection as a host does that has lost its memory."""
    to.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    to.close()

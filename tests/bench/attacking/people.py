"""Attacks of people: with a session of the dashboard, or with no more than its forms and what else is
answered without a key."""

import json
import random
import socket
import time

from attacking.attacker import again_and_again, in_threads, read_answer, send_without_end


def password_resets(of):
    """Of people that there are not, and of one that there is, from many addresses."""
    def once(number):
        email = "attacker@example.org" if number % 2 else f"a{random.random()}@example.org"
        with of.connect() as connection:
            connection.sendall(of.post("/dashboard/api/reset/request", {"email": email}, None))
            read_answer(connection)
    in_threads(16, again_and_again(once))


def mcp_greetings(of):
    """Of programs that show no key."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}}
    asked = of.post("/mcp", hello, None, "Accept: application/json, text/event-stream")
    send_without_end(of, asked * 20)


def everything_without_a_key(of):
    """What there is for who shows none, from all addresses at once: documents, pages, forms, refusals."""
    documents = b"".join(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % path
                         for path in (b"/openapi.json", b"/llms-full.txt", b"/docs", b"/dashboard", b"/", b"/nothing"))
    example = b"GET /dashboard/api/examples/microblog/search HTTP/1.1\r\nHost: a\r\n\r\n"
    options = b"OPTIONS /v1/microblog/search HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n\r\n"
    session = b"GET /dashboard/api/session HTTP/1.1\r\nHost: a\r\nCookie: freshet_session=%s\r\n\r\n" % (b"x" * 43)
    refused = of.post("/v1/microblog/search", {"q": "climate"}, None) + of.post("/mcp", {"jsonrpc": "2.0"}, None)
    sign_in = of.post("/dashboard/api/sign-in", {"email": "a@example.org", "password": "a password, long enough"}, None)
    kinds = [documents, example * 10, options * 20, session * 20, refused * 10, sign_in]

    def once(number):
        with of.connect() as connection:
            for _ in range(20):
                connection.sendall(kinds[number % len(kinds)])
                connection.recv(1 << 20)
    in_threads(48, again_and_again(once))


def event_streams(of):
    """Word of one's calls, which nobody reads, by as many streams as there may be and more."""
    kept = []
    head = f"GET /dashboard/api/events HTTP/1.1\r\nHost: a\r\n{of.session.cookie}\r\n\r\n".encode()

    def once(number):
        if number % 4 == 0:
            of.session.ask("POST", "v1/microblog/search", {"q": f"climate {random.random()}"})
            return
        connection = of.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.sendall(head)
        kept.append(connection)
        time.sleep(0.02)
    in_threads(16, again_and_again(once))


def data_exports(of):
    in_threads(16, again_and_again(lambda _: of.session.ask("GET", "export")))


def pictures_that_do_not_come(of):
    """Those of a page, of a host of which now and then a byte comes."""
    def once(number):
        page = f"{of.trap}/gallery?{number}-{random.random()}"
        told = json.loads(of.session.ask("POST", "v1/scrape/markdown", {"url": page}) or b"{}")
        for address in list(told.get("pictures", {}).values())[:8]:
            of.session.ask("GET", address.removeprefix("/dashboard/api/"))
    in_threads(32, again_and_again(once))


def mails_that_nobody_takes(of):
    """To people that there are not, of as many domains, through a server that does not finish its greeting."""
    def once(number):
        email = "attacker@example.org" if number == 0 else f"a{random.random()}@a{random.random()}.example"
        with of.connect() as connection:
            connection.sendall(of.post("/dashboard/api/sign-up", {"email": email}, None))
            read_answer(connection)
    in_threads(16, again_and_again(once))


PEOPLE = [password_resets, mcp_greetings, everything_without_a_key, event_streams, data_exports,
          pictures_that_do_not_come, mails_that_nobody_takes]

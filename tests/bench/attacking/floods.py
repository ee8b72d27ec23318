"""Attacks by number: of requests that cost the server little, or that cost nobody anything. What a flood of
`new_connections` and `health_checks` does is what as many connections and requests do by themselves: the
measure for all others, as `busy_machine` is for what computes."""

import contextlib
import ctypes
import os
import random
import signal
import socket
import time

from attacking.attacker import again_and_again, in_threads, pages_of, read_answer, send_without_end

PR_SET_PDEATHSIG = 1
SEARCH = "/v1/microblog/search"


def health_checks(of):
    send_without_end(of, b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n" * 50)


def new_connections(of):
    """Each asks for one thing that is refused by its head."""
    def once(_):
        with of.connect() as connection:
            connection.sendall(b"GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            read_answer(connection)
    in_threads(16, again_and_again(once))


def options_and_heads(of):
    """What is answered without a key, at paths that there are and that there are not."""
    asked = b"".join(b"%s %s HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n"
                     b"Access-Control-Request-Method: POST\r\n\r\n" % (method, path)
                     for method in (b"OPTIONS", b"HEAD") for path in
                     (SEARCH.encode(), b"/", b"/openapi.json", b"/errors/invalid_request", b"/v1/nothing", b"/docs"))
    send_without_end(of, asked * 4)


def with_test_key(of, count, make):
    def once(number):
        with of.connect() as connection:
            for _ in range(50):
                connection.sendall(make(number))
                read_answer(connection)
    in_threads(count, again_and_again(once))


def request_lists(of):
    """Of a log that is full of one's own calls."""
    def make(number):
        if number % 4 == 0:
            return of.post(SEARCH, {"q": f"climate {random.random()}"}, of.test_key)
        return of.post("/v1/account/requests/list", {"limit": 100, "since": "30d", "endpoint": "microblog/search"},
                       of.test_key)
    with_test_key(of, 16, make)


def dropin_searches(of):
    with_test_key(of, 16, lambda _: of.post("/v2/search", {"query": "climate", "limit": 100}, of.test_key))


def dropin_refusals(of):
    """As much as a body may hold, of which nothing is known."""
    body = {"query": "climate", **{f"p{i}": 1 for i in range(5_000)}}
    with_test_key(of, 16, lambda _: of.post("/v2/search", body, of.test_key))


def half_closed_calls(of):
    """Of which nobody hears the end: half of them have only finished sending."""
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/drip?{number}-{random.random()}", timeout_ms=2000))
            connection.shutdown(socket.SHUT_WR)
            if number % 2:
                read_answer(connection)
            else:
                time.sleep(0.05)
    in_threads(32, again_and_again(once))


def calls_left_at_once(of):
    """A connection each, with a key, and gone before its answer comes."""
    head = of.head("/v1/account/show", b"{}", of.test_key) + b"{}"

    def once(_):
        with of.connect() as connection:
            connection.sendall(head)
    in_threads(16, again_and_again(once))


def packed_pages(of):
    """Sixteen kilobytes that are as much as a page may have."""
    pages_of("/packed", 16)(of)


def transcripts(of):
    with_test_key(of, 16, lambda _: of.post("/v1/shortvideo/videos/transcript", {"id": "dailymotion:xhnwgzv"},
                                            of.test_key))


def hostile_feeds(of):
    """A feed that the server's operator follows, and that has become as costly as it can: asked for again
    and again, which it does not let be kept."""
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.post("/v1/news/search", {"q": f"word {random.random()}", "sources": ["feeds"]}, of.key))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def busy_machine(of):
    """No attack, the floor of those that compute: programs of the usual niceness that do, one a core."""
    os.sched_setaffinity(0, range(os.cpu_count()))
    for _ in range(os.cpu_count() - 1):
        if os.fork() == 0:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            break
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, 0)
    while True:
        pass


def pages_that_repeat(of):
    """What they say of themselves, and which addresses they name."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    asked = [("extract", "/repeating", {"schema": schema}), ("extract", "/types", {"schema": schema}), ("map", "/based", {})]

    def once(number):
        endpoint, path, parameters = asked[number % len(asked)]
        with of.connect() as connection:
            connection.sendall(of.post("/v1/scrape/" + endpoint,
                                       {"url": f"{of.trap}{path}?{number}-{random.random()}", **parameters}, of.key))
            read_answer(connection)
    in_threads(9, again_and_again(once))


def hostile_pdfs(of):
    """Which a program reads until its time is up."""
    def once(number):
        with of.connect() as connection:
            path = "/packed.pdf" if number % 2 else "/nested.pdf"
            connection.sendall(of.scrape(f"{path}?{number}-{random.random()}", timeout_ms=20_000))
            read_answer(connection)
    in_threads(8, again_and_again(once))


FLOODS = [hostile_pdfs, pages_that_repeat, busy_machine, health_checks, new_connections, options_and_heads, request_lists, dropin_searches,
          dropin_refusals, half_closed_calls, calls_left_at_once, packed_pages, transcripts, hostile_feeds]

"""Attacks of many accounts at once, each within its own limits, and of one network that makes many."""

import contextlib
import itertools
import random
import socket

from attacking.attacker import again_and_again, in_threads, read_answer


def ask_by_turns(of, count, make):
    """make(key) by each account of the gang, one behind the other, on `count` connections at once."""
    keys = itertools.cycle(of.gang)

    def once(_):
        with of.connect() as connection:
            connection.sendall(make(next(keys)))
            read_answer(connection)
    in_threads(count, again_and_again(once))


def dead_webhooks(of):
    """Whose addresses take what is sent, and never answer: all are told of something, and again."""
    body = {"webhook": of.trap + "/silent"}
    for key in of.gang:
        with contextlib.suppress(OSError), of.connect() as connection:
            connection.sendall(of.post("/v1/account/alerts/update", body, key))
            read_answer(connection)
    ask_by_turns(of, 8, lambda key: of.post("/v1/account/alerts/test", {}, key))


def silent_sites(of):
    """As many calls as accounts may have under way, each to a page that never begins."""
    ask_by_turns(of, 16 * len(of.gang), lambda key: of.scrape(f"/silent?{random.random()}", key))


def large_pages(of):
    """Four at once of each account, as long as pages may be."""
    ask_by_turns(of, 4 * len(of.gang), lambda key: of.scrape(f"/large?{random.random()}", key))


def bombs(of):
    """Bytes that are as much as a page may have, in every coding, four at once of each account."""
    paths = itertools.cycle(["/packed", "/packed.br", "/packed.zst"])
    ask_by_turns(of, 4 * len(of.gang), lambda key: of.scrape(f"{next(paths)}?{random.random()}", key))


def spinning_pages(of):
    """Four at once of each account, whose scripts keep a browser until it is taken from them."""
    ask_by_turns(of, 4 * len(of.gang), lambda key: of.scrape(f"/spin?{random.random()}", key, render="always"))


def sign_ups_of_a_network(of):
    """By as many people as one network can make up."""
    def once(_):
        source = f"127.9.9.{random.randrange(1, 255)}", 0
        with socket.create_connection((of.host, of.port), 60, source) as connection:
            for _ in range(20):
                connection.sendall(of.post("/dashboard/api/sign-up", {"email": f"a{random.random()}@example.org"}, None))
                if not read_answer(connection):
                    return
    in_threads(16, again_and_again(once))


# By how many accounts.
GANGS = {dead_webhooks: 300, silent_sites: 20, large_pages: 3, bombs: 16, spinning_pages: 12, sign_ups_of_a_network: 0}

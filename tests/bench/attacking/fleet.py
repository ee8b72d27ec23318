"""Attacks on servers that share PostgreSQL and Redis: whoever attacks asks both, the neighbour one of them."""

import json
import random
import time

from attacking.attacker import again_and_again, in_threads, read_answer


def ask_both(of, count, make):
    """make(number, server) of either server, a connection for some."""
    def once(number):
        server = of if number % 2 else of.elsewhere
        with server.connect() as connection:
            for _ in range(20):
                connection.sendall(make(number, server))
                read_answer(connection)
    in_threads(count, again_and_again(once))


def new_key(of):
    made = json.loads(of.session.ask("POST", "v1/account/keys/create", {"mode": "test"}))
    return made["data"] if "data" in made else None


def revoke(of, key):
    of.session.ask("POST", "v1/account/keys/revoke", {"id": key["id"]})


def keys_come_and_go(of):
    """Each is told to all servers, and asks the database."""
    def once(_):
        if key := new_key(of):
            revoke(of, key)
        else:
            time.sleep(0.05)
    in_threads(8, again_and_again(once))


def keys_of_nobody(of):
    """Some were revoked a moment ago, most never were: no server knows them, and the database is asked."""
    gone = [key["key"] for key in (new_key(of) for _ in range(10)) if key]
    for row in json.loads(of.session.ask("POST", "v1/account/keys/list", {}))["data"]:
        revoke(of, row)

    def make(number, server):
        key = random.choice(gone) if gone and number % 4 == 0 else "frs_test_" + "".join(
            random.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", k=len(of.test_key) - 9))
        return server.post("/v1/account/show", {}, key)
    ask_both(of, 16, make)


def credits_to_and_fro(of):
    """Charged calls of one account at both, whose balance is nearly used up: what one has leased the other wants."""
    ask_both(of, 16, lambda number, server: server.scrape("/page?" + str(random.random())))


def one_rate_at_both(of):
    """Far beyond it: whose tokens are counted in Redis."""
    ask_both(of, 16, lambda number, server: server.post("/v1/account/show", {}, of.key))


def one_idempotency_key(of):
    """The same call at both at once, of which one may run."""
    def make(number, server):
        return server.scrape(f"/page?{int(time.time() * 10)}", None, f"Idempotency-Key: key-{int(time.time() * 10)}")
    ask_both(of, 16, make)


def sign_ins_at_both(of):
    """With a wrong password, of one account that there is: all want its row of the database."""
    body = {"email": "person@example.org", "password": "not the password of an attacker"}
    ask_both(of, 16, lambda number, server: server.post("/dashboard/api/sign-in", body, None))


FLEET = [keys_come_and_go, keys_of_nobody, credits_to_and_fro, one_rate_at_both, one_idempotency_key, sign_ins_at_both]

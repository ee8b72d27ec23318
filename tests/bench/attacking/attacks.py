"""The attacks: each runs in a process of its own until that is ended."""

import base64
import contextlib
import ctypes
import ctypes.util
import random
import socket
import ssl
import time

from attacking.attacker import again_and_again, in_threads, pages_of, read_answer, send_without_end, trickle
from attacking.fleet import FLEET
from attacking.floods import FLOODS, busy_machine
from attacking.gangs import GANGS, dead_webhooks, spinning_pages
from attacking.latecomers import LATECOMERS, phrases_of_an_archive
from attacking.people import PEOPLE, mails_that_nobody_takes
from attacking.strangers import STRANGERS


def language_selectors(of):
    parameters = {"include": [", ".join(f":lang(a{i})" for i in range(20))],
                  "exclude": [", ".join(f":lang(b{i})" for i in range(20))]}

    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/language?{number}-{random.random()}", **parameters))
            read_answer(connection)
    in_threads(2, again_and_again(once))


def cancelled_conversions(of):
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/large?{number}-{random.random()}"))
            time.sleep(0.45)
        time.sleep(0.5)
    in_threads(20, again_and_again(once))


def dripping_pages(of):
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/drip?{number}-{random.random()}"))
            read_answer(connection)
        time.sleep(0.5)
    in_threads(64, again_and_again(once))


def unread_answers(of):
    """Free replays of one paid call, none of which is read."""
    with of.connect() as connection:
        connection.sendall(of.scrape("/large?once", None, "Idempotency-Key: one"))
        read_answer(connection)
    kept = []

    def once(number):
        connection = of.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(of.scrape("/large?once", None, "Idempotency-Key: one"))
        kept.append(connection)
        time.sleep(0.6)
    in_threads(8, again_and_again(once))


def idle_connections(of):
    kept = []
    while True:
        try:
            kept.append(of.connect(1))
            if len(kept) > 6000:
                time.sleep(0.01)
        except OSError:
            time.sleep(0.05)


def unfinished_bodies(of):
    kept = []
    while True:
        try:
            connection = of.connect(1)
            connection.sendall(of.head("/v1/web-serp/search", b"x" * 65_000, None) + b"x" * 64_000)
            kept.append(connection)
        except OSError:
            time.sleep(0.05)


def mcp_post(of, message, *fields):
    return of.post("/mcp", message, of.test_key, "Accept: application/json, text/event-stream", *fields)


def mcp_initialize(capabilities):
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": capabilities,
                       "clientInfo": {"name": "x", "version": "1"}}}


def mcp_sessions(of):
    """Sessions whose capabilities are as large as a body may be."""
    message = mcp_initialize({"experimental": {"x": {"y": "z" * 60_000}}})

    def once(_):
        with of.connect() as connection:
            while True:
                connection.sendall(mcp_post(of, message))
                if not read_answer(connection):
                    return
    in_threads(4, again_and_again(once))


def mcp_lists(of):
    batch = [{"jsonrpc": "2.0", "id": i, "method": "tools/list"} for i in range(32)]

    def once(_):
        with of.connect() as connection:
            connection.sendall(mcp_post(of, batch, "MCP-Protocol-Version: 2025-03-26"))
            read_answer(connection)
    in_threads(16, again_and_again(once))


def unknown_parameters(of):
    body = {f"p{i}": 1 for i in range(6_000)}

    def once(_):
        with of.connect() as connection:
            for _ in range(50):
                connection.sendall(of.post("/v1/microblog/search", body, of.test_key))
                read_answer(connection)
    in_threads(4, again_and_again(once))


def hostile_robots(of):
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape("/" + "a" * 4_000 + str(random.random())))
            read_answer(connection)
        time.sleep(0.2)
    in_threads(8, again_and_again(once))


def slow_heads(of):
    kept = []
    trickle(kept)
    while True:
        try:
            connection = of.connect(1)
            connection.sendall(b"GET /healthz HTTP/1.1\r\nX-Slow: ")
            kept.append(connection)
            if len(kept) > 2000:
                time.sleep(0.05)
        except OSError:
            time.sleep(0.05)


def reports(of):
    """What an account has much of, for nothing: each reads all of it."""
    asked = [("account/usage", {"group_by": "day,endpoint", "since": "3650d", "empty_days": True}),
             ("account/ledger/verify", {}), ("account/requests/list", {"code": "internal", "since": "3650d"}),
             ("account/ledger", {"limit": 100}), ("account/keys/list", {"limit": 100})]

    def once(number):
        endpoint, parameters = asked[number % len(asked)]
        with of.connect() as connection:
            connection.sendall(of.post("/v1/" + endpoint, parameters, of.key))
            read_answer(connection)
    in_threads(20, again_and_again(once))


def schemas(of):
    """As long as a body may be, referred to from as many places as there may be."""
    choices = list(range(10_000))
    many = {f"p{i}": {"$ref": "#/$defs/one"} for i in range(200)}
    schema = {"$defs": {"one": {"enum": choices, "default": "x" * 2_000}}, "type": "array", "x-type": "Product",
              "items": {"properties": many, "required": ["p0"] * 1_000}}

    def once(number):
        parameters = {"url": f"{of.trap}/things?{number}-{random.random()}", "schema": schema}
        with of.connect() as connection:
            connection.sendall(of.post("/v1/scrape/extract", parameters, of.key))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def styles(of):
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/styles?{number}-{random.random()}"))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def maps(of):
    def once(number):
        parameters = {"url": f"{of.trap}/page?{number}-{random.random()}", "q": "a -b " * 50, "limit": 100}
        with of.connect() as connection:
            connection.sendall(of.post("/v1/scrape/map", parameters, of.key))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def keyless_calls(of):
    """As many as a connection takes, one behind the other, from many addresses."""
    asked = of.post("/v1/microblog/search", {"q": "climate"}, None) * 50
    send_without_end(of, asked)


def handshakes(of):
    """To their end, and no more; of a server that speaks TLS."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE

    def once(_):
        with of.connect() as connection, context.wrap_socket(connection):
            pass
    in_threads(16, again_and_again(once))


def first_word():
    context, said = ssl.create_default_context(), ssl.MemoryBIO()
    context.check_hostname = False
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(ssl.MemoryBIO(), said).do_handshake()
    return said.read()


def first_words(of):
    """Handshakes that are begun and left, for each of which a server signs."""
    hello, kept = first_word(), []

    def once(_):
        connection = of.connect()
        connection.sendall(hello)
        kept.append(connection)
        del kept[:-3000]
    in_threads(8, again_and_again(once))


def kept_handshakes(of):
    """Of 3,000 clients that have said their first word, and wait."""
    hello, kept = first_word(), []

    def once(_):
        if len(kept) >= 3000:
            time.sleep(0.1)
            return
        connection = of.connect()
        connection.sendall(hello)
        kept.append(connection)
    in_threads(8, again_and_again(once))


def changing_keys(of):
    """Of connections under TLS 1.3 with a valid key, which ask for nothing more."""
    tls = ctypes.CDLL(ctypes.util.find_library("ssl"))
    for name in ("SSL_CTX_new", "SSL_new", "TLS_client_method"):
        getattr(tls, name).restype = ctypes.c_void_p
    context = ctypes.c_void_p(tls.SSL_CTX_new(ctypes.c_void_p(tls.TLS_client_method())))
    asked = of.post("/v1/account/show", {}, of.test_key)

    def once(_):
        with of.connect() as connection:
            connection.setblocking(True)
            session = ctypes.c_void_p(tls.SSL_new(context))
            tls.SSL_set_fd(session, connection.fileno())
            if tls.SSL_connect(session) == 1 and tls.SSL_write(session, asked, len(asked)) > 0:
                while tls.SSL_key_update(session, 0) == 1 and tls.SSL_do_handshake(session) == 1:
                    pass
            tls.SSL_free(session)
    in_threads(4, again_and_again(once))


def wide_tables(of):
    pages_of("/tables")(of)


def marks_upon_marks(of):
    pages_of("/marks")(of)


def old_charsets(of):
    pages_of("/charset")(of)


def pictures_in_pages(of):
    pages_of("/pictures")(of)


def nested_lists(of):
    pages_of("/lists")(of)


def codings_upon_codings(of):
    pages_of("/codings", 4)(of)


def framing_without_end(of):
    pages_of("/framing", 16)(of)


def crowded_heads(of):
    """As many fields as there may be, and longer than they may be, from many addresses."""
    asked = of.post("/v1/account/show", {}, None, *(f"X-{i}: {'h' * 300}" for i in range(90)))

    def once(_):
        with of.connect() as connection:
            for _ in range(50):
                connection.sendall(asked)
                read_answer(connection)
    in_threads(16, again_and_again(once))


def forged_cursors(of):
    def once(_):
        with of.connect() as connection:
            for _ in range(50):
                cursor = base64.urlsafe_b64encode(random.randbytes(6_000)).decode()
                connection.sendall(of.post("/v1/microblog/search", {"q": "climate", "cursor": cursor}, of.test_key))
                read_answer(connection)
    in_threads(16, again_and_again(once))


def slow_bodies(of):
    """Long bodies of an account, of which a byte comes now and then."""
    kept = []
    head = of.head("/v1/microblog/search", b"x" * 65_000, of.test_key)
    trickle(kept)
    while True:
        try:
            connection = of.connect(1)
            connection.sendall(head)
            kept.append(connection)
            if len(kept) > 3000:
                time.sleep(0.05)
        except OSError:
            time.sleep(0.05)


def sign_ins(of):
    """Of people that there are not, from many addresses: each costs what hashing a password does."""
    def once(_):
        with of.connect() as connection:
            connection.sendall(of.post("/dashboard/api/sign-in", {
                "email": f"a{random.random()}@example.org", "password": "a password that is long enough"}, None))
            read_answer(connection)
    in_threads(16, again_and_again(once))


def sign_ups(of):
    def once(_):
        with of.connect() as connection:
            connection.sendall(of.post("/dashboard/api/sign-up", {"email": f"a{random.random()}@example.org"}, None))
            read_answer(connection)
    in_threads(16, again_and_again(once))


def idempotency_keys(of):
    def once(_):
        with of.connect() as connection:
            for _ in range(50):
                connection.sendall(of.post("/v1/microblog/search", {"q": "climate", "limit": 20}, of.test_key,
                                           f"Idempotency-Key: {random.random()}{'k' * 100}"))
                read_answer(connection)
    in_threads(8, again_and_again(once))


def unread_documents(of):
    """What everybody may read, asked for without end and compressed."""
    asked = b"".join(b"GET %s HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n" % path
                     for path in (b"/openapi.json", b"/llms-full.txt", b"/docs", b"/dashboard")) * 5
    send_without_end(of, asked)


def unread_streams(of):
    """Lists as streams of events, of which nobody reads more than the head."""
    kept = []

    def once(_):
        connection = of.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.sendall(of.post("/v1/all/search", {"q": "climate", "limit": 100}, of.test_key,
                                   "Accept: text/event-stream"))
        kept.append(connection)
        time.sleep(0.02)
    in_threads(8, again_and_again(once))


def odd_framing(of):
    """Bodies of one byte a chunk, whose chunks say more than their size."""
    chunk = b"1;" + b"x" * 200 + b"\r\n \r\n"
    head = of.head("/v1/microblog/search", b"", of.test_key).replace(b"Content-Length: 0", b"Transfer-Encoding: chunked")

    def once(_):
        with of.connect() as connection:
            connection.sendall(head + chunk * 60_000)
            read_answer(connection)
    in_threads(16, again_and_again(once))


def many_values(of):
    """A body of one parameter that is said again and again, and of others as deep as may be."""
    body = b'{"q": "a"' + b', "q": "climate"' * 3_900 + b"}"
    deep = b'{"q": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"

    def once(number):
        with of.connect() as connection:
            for _ in range(50):
                text = body if number % 2 else deep
                connection.sendall(of.head("/v1/microblog/search", text, of.test_key) + text)
                read_answer(connection)
    in_threads(8, again_and_again(once))


ATTACKS = [language_selectors, unread_answers, dripping_pages, cancelled_conversions, idle_connections,
           unfinished_bodies, slow_heads, mcp_sessions, mcp_lists, hostile_robots, unknown_parameters, reports,
           schemas, styles, maps, keyless_calls, handshakes, first_words, kept_handshakes, changing_keys, wide_tables, marks_upon_marks,
           old_charsets, pictures_in_pages, nested_lists, sign_ins, sign_ups, idempotency_keys, unread_documents, unread_streams,
           odd_framing, many_values, codings_upon_codings, framing_without_end, crowded_heads, forged_cursors,
           slow_bodies, *FLOODS, *PEOPLE, *LATECOMERS, *STRANGERS, *FLEET, *GANGS]
# Those that a server of this kind of certificate is for.
UNDER_TLS = {handshakes, first_words, kept_handshakes, changing_keys}
# Those that need a mail server, and one that is in the attacker's hand.
WITH_MAIL = {mails_that_nobody_takes}
# Those on a server that has an archive, with posts in it.
WITH_ARCHIVE = {phrases_of_an_archive}
# Those beside which the neighbour is told by a webhook of its own.
WITH_ALERTS = {dead_webhooks}
# Those beside which the neighbour has pages rendered.
WITH_BROWSERS = {spinning_pages}
# Those on two servers.
OF_SEVERAL = set(FLEET)

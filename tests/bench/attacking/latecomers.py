"""Attacks on what came last: drop-in routes, highlights, budgets of tokens, streams over MCP, alerts, exports,
and addresses that lead on and on."""

import random
import socket
import time

from attacking.attacker import again_and_again, in_threads, pages_of, read_answer

# As long as a query of passages may be.
QUERY = " ".join(f"word{i}" for i in range(72))


def ask_all_day(of, count, make, times=50):
    def once(number):
        with of.connect() as connection:
            for _ in range(times):
                connection.sendall(make(number))
                if not read_answer(connection):
                    return
    in_threads(count, again_and_again(once))


def keys_in_bodies(of):
    """The one route whose key may stand in the body: as much as a body may hold, with a key of nobody's."""
    body = {"query": "climate", "exclude_domains": [f"a{i}.example" for i in range(3_000)], "api_key": "a" * 50}
    ask_all_day(of, 16, lambda _: of.post("/search", body, None))


def crowded_lists(of):
    """As many domains, fields and sources as a body may hold, at the drop-in routes and ours."""
    domains = [f"a{i}.example" for i in range(3_000)]
    asked = [("/v2/search", {"query": "climate", "limit": 100, "includeDomains": domains}),
             ("/v2/search", {"query": "climate", "limit": 100, "excludeDomains": domains}),
             ("/search", {"query": "climate", "max_results": 20, "include_domains": domains}),
             ("/v1/microblog/search", {"q": "climate", "limit": 100, "fields": ["title", "url"] * 3_000}),
             ("/v1/microblog/search", {"q": "climate", "sources": ["mastodon"] * 4_000})]
    ask_all_day(of, 16, lambda number: of.post(*asked[number % len(asked)], of.test_key))


def searches_of_pages(of):
    """Results of a search, each fetched: one call of many."""
    ask_all_day(of, 16, lambda _: of.post(
        "/v2/search", {"query": "climate", "limit": 100, "scrapeOptions": {"formats": ["markdown", "links", "images"]}},
        of.test_key))


def highlights_of_pages(of):
    """The sentences of a long page that answer hundreds of words and phrases."""
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/sentences?{number}-{random.random()}",
                                         highlights={"query": QUERY, "max_tokens": 10_000}))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def highlights_of_lists(of):
    ask_all_day(of, 16, lambda _: of.post("/v1/all/search", {
        "q": "climate", "limit": 100, "cluster": True, "max_tokens": 50_000,
        "highlights": {"query": QUERY, "max_tokens": 10_000}}, of.test_key))


def long_queries(of):
    """Marks in an order that normalising has to mend; phrases; words that are not wanted."""
    marks = "".join(chr(0x0300 + n % 2 * 0x23) for n in range(14_000))
    queries = ["a" + marks, '"a b" ' * 8_000, "-a " * 16_000, "\ufdfa" * 10_000, "a" * 50_000]
    ask_all_day(of, 16, lambda number: of.post("/v1/microblog/search", {"q": queries[number % len(queries)]}, of.test_key))


def tokens_of_one_word(of):
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/word?{number}-{random.random()}", max_tokens=1_000 + number))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def selectors_within_selectors(of):
    part = "div * * :not(u):nth-last-child(2n+1) ~ p:not(:nth-of-type(5)) ~ * > i:nth-last-of-type(3n)"
    parameters = {"include": [part] * 8, "exclude": [part.replace("i:", "b:")] * 8}

    def once(number):
        with of.connect() as connection:
            connection.sendall(of.scrape(f"/styles?{number}-{random.random()}", **parameters))
            read_answer(connection)
    in_threads(4, again_and_again(once))


def extracts_by_selectors(of):
    leaf = {"type": "string", "x-selector": "* * * *:not(b)", "x-attribute": "id"}
    schema = {"type": "array", "x-selector": "*", "items": {"type": "object", "properties": {
        f"p{i}": {"type": "array", "x-selector": "* *", "items": leaf} for i in range(60)}}}

    def once(number):
        with of.connect() as connection:
            connection.sendall(of.post("/v1/scrape/extract", {
                "url": f"{of.trap}/styles?{number}-{random.random()}", "schema": schema}, of.key))
            read_answer(connection)
    in_threads(4, again_and_again(once))


def leading_on(of):
    """From address to address, each with as many cookies and fields as there is room for."""
    pages_of("/onward", 16)(of)


def unclosed_marks(of):
    pages_of("/unclosed")(of)


def formulas_without_end(of):
    pages_of("/formulas")(of)


def chained_variables(of):
    pages_of("/variables")(of)


def entities(of):
    """A sitemap of entities that stand for entities, and indexes that lead to each other."""
    def once(number):
        with of.connect() as connection:
            connection.sendall(of.post("/v1/scrape/map", {"url": f"{of.trap}/entities?{number}-{random.random()}",
                                                          "limit": 1000}, of.key))
            read_answer(connection)
    in_threads(8, again_and_again(once))


def one_key_many_bodies(of):
    """The same Idempotency-Key with other bodies, all at once."""
    def make(_):
        return of.post("/v1/microblog/search", {"q": f"climate {random.random()}", "limit": 100}, of.test_key,
                       f"Idempotency-Key: k{int(time.time())}")
    ask_all_day(of, 48, make)


def mcp_listeners(of):
    """Streams of a session's events, opened again and again from the beginning."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
    accept = "Accept: application/json, text/event-stream"
    kept = []

    def once(_):
        with of.connect() as connection:
            connection.sendall(of.post("/mcp", hello, of.test_key, accept))
            head = read_answer(connection).decode(errors="replace")
        found = [line.split(": ", 1)[1] for line in head.split("\r\n") if line.lower().startswith("mcp-session-id")]
        if not found:
            return time.sleep(0.1)
        session = f"Mcp-Session-Id: {found[0]}"
        call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "all_search", "arguments": {"q": "climate", "limit": 100}, "_meta": {"progressToken": 1}}}
        for number in range(40):
            connection = of.connect()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            if number % 4 == 0:
                connection.sendall(of.post("/mcp", call, of.test_key, accept, session))
            else:
                connection.sendall("\r\n".join([
                    "GET /mcp HTTP/1.1", f"Host: {of.host}:{of.port}", "Accept: text/event-stream", session, f"Last-Event-ID: {number}-0",
                    "Authorization: Bearer " + of.test_key, "", ""]).encode())
            kept.append(connection)
        del kept[:-2000]
    in_threads(16, again_and_again(once))


def alerts_changed(of):
    """An address for alerts that does not answer, set again and again, and asked to be told."""
    def once(number):
        if number % 4:
            body = {"webhook": f"https://a{random.random()}.example/{'x' * 1500}" if random.random() < .7 else ""}
            of.session.ask("POST", "v1/account/alerts/update", body)
        else:
            of.session.ask("POST", "v1/account/alerts/test", {})
    in_threads(16, again_and_again(once))


def unread_exports(of):
    kept = []
    head = f"GET /dashboard/api/export HTTP/1.1\r\nHost: a\r\n{of.session.cookie}\r\n\r\n".encode()

    def once(_):
        connection = of.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.sendall(head * 20)
        kept.append(connection)
        time.sleep(0.02)
        del kept[:-3000]
    in_threads(16, again_and_again(once))


def phrases_of_an_archive(of):
    """Of common words, which nobody wrote: every post that has them is looked at."""
    def once(number):
        phrases = " ".join(f'"w{random.randrange(1, 9)} w{random.randrange(1, 9)} w{random.randrange(1, 9)}"' for _ in range(3))
        with of.connect() as connection:
            connection.sendall(of.post("/v1/microblog/search", {"q": phrases, "sources": ["archive"]}, of.key))
            read_answer(connection)
    in_threads(16, again_and_again(once))


LATECOMERS = [keys_in_bodies, crowded_lists, searches_of_pages, highlights_of_pages, highlights_of_lists, long_queries,
              tokens_of_one_word, selectors_within_selectors, extracts_by_selectors, leading_on, unclosed_marks,
              formulas_without_end, chained_variables, entities,
              one_key_many_bodies, mcp_listeners, alerts_changed, unread_exports, phrases_of_an_archive]

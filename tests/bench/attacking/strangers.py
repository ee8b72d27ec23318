"""Attacks that were thought up after the others held: the largest document of MCP, names that a body says again
and again, and styles that lead on."""

import time

from attacking.attacker import again_and_again, in_threads, pages_of, read_answer
from attacking.latecomers import ask_all_day

ACCEPT = "Accept: application/json, text/event-stream"


def mcp_of(of):
    """Messages of sessions of one's own, each a call of what `make` answers."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize",
             "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}

    def once(make):
        with of.connect() as connection:
            connection.sendall(of.post("/mcp", hello, of.test_key, ACCEPT))
            head = read_answer(connection).decode(errors="replace")
            found = [line.split(": ", 1)[1] for line in head.split("\r\n")
                     if line.lower().startswith("mcp-session-id")]
            if not found:
                return time.sleep(0.1)
            for number in range(50):
                message = {"jsonrpc": "2.0", "id": number + 2, **make(number)}
                connection.sendall(of.post("/mcp", message, of.test_key, ACCEPT, f"Mcp-Session-Id: {found[0]}"))
                if not connection.recv(1 << 20):
                    return None
        return None
    return once


def mcp_descriptions(of):
    """The largest document that is offered, read again and again."""
    once = mcp_of(of)
    read = {"method": "resources/read", "params": {"uri": "freshet://openapi.json"}}
    in_threads(16, again_and_again(lambda _: once(lambda _: read)))


def names_again_and_again(of):
    """A name that a body says ten thousand times, and as many that nobody knows."""
    again = ("{" + ",".join(['"q":1'] * 10_800) + "}").encode()
    unknown = ("{" + ",".join(f'"quer{i}":1' for i in range(5_000)) + "}").encode()

    def make(number):
        text = again if number % 2 else unknown
        return of.head("/v1/microblog/search", text, of.test_key) + text
    ask_all_day(of, 16, make)


def styles_that_lead_on(of):
    pages_of("/onward-styles", 16)(of)


def boxes_in_boxes(of):
    pages_of("/boxes", 16)(of)


STRANGERS = [mcp_descriptions, names_again_and_again, styles_that_lead_on, boxes_in_boxes]

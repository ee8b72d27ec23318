"""Calls of a program that uses OpenTelemetry belong to the trace of its current span."""

import asyncio
import http.server
import json
import threading

import pytest
from support.reach import need_module

import freshet

ANSWER = json.dumps({"data": [], "page": {"next_cursor": None}, "meta": {}}).encode()


@pytest.fixture
def listening():
    """A base_url, and the heads of the calls that have come."""
    heads = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            heads.append(self.headers)
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(ANSWER)))
            self.end_headers()
            self.wfile.write(ANSWER)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", heads
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_call_belongs_to_the_current_span(listening):
    need_module("opentelemetry.sdk", "opentelemetry-sdk is out of reach")
    from opentelemetry.sdk.trace import TracerProvider

    url, heads = listening
    tracer = TracerProvider().get_tracer("test")
    with freshet.Freshet(url, "frs_test_x") as client:
        with tracer.start_as_current_span("research") as span:
            client.call_bytes("forum/search", q="climate")
        client.call_bytes("forum/search", q="climate")

    async def ask():
        async with freshet.AsyncFreshet(url, "frs_test_x") as client:
            with tracer.start_as_current_span("research") as span:
                await client.call_bytes("forum/search", q="climate")
                return span

    other = asyncio.run(ask())
    expected = [f"00-{one.trace_id:032x}-{one.span_id:016x}-{one.trace_flags:02x}"
                for one in (span.context, other.context)]
    assert [head.get("traceparent") for head in heads] == [expected[0], None, expected[1]]

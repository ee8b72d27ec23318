"""Calls of a program that uses OpenTelemetry belong to the trace of its current span."""

import asyncio
import json

import pytest
from support.reach import need_module

import freshet

ANSWER = (200, "application/json",
          json.dumps({"data": [], "page": {"next_cursor": None}, "meta": {}}).encode())


@pytest.fixture
def listening(scripted_server):
    """A base_url for a hundred calls, and the heads of those that have come."""
    base_url, answers, heads = scripted_server
    answers += [ANSWER] * 100
    return base_url, heads


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

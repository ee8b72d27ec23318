"""Traces of calls (OpenTelemetry): a client with the official SDK, the server, a source on loopback and a
real collector see one trace; pages, keys of caches and the collector's troubles see nothing of it."""

import json
import socket
import urllib.request

import pytest
from support.certificates import Authority
from support.reach import need_module
from support.spans import Collector, SpanReceiver
from support.waiting import wait_until

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"
SEARCH = "POST /v1/forum/search"


@pytest.fixture
def receiver():
    one = SpanReceiver()
    yield one
    one.close()


@pytest.fixture
def traced(serve, upstream_of, receiver):
    """traced(*settings): a server that tells `receiver`, with one source on loopback, and a live key."""
    source = upstream_of("hackernews")

    def start(*settings, endpoint=None):
        server = serve(f"sources.hackernews.base_url={source.url}",
                       "platforms.forum.sources=hackernews",
                       f"telemetry.otlp_endpoint={endpoint or receiver.url}", *settings)
        server.live = server.key(server.account())
        server.source = source
        return server

    return start


def search(server, headers=(), q="climate", **more):
    return server.call("forum/search", server.live, headers, q=q, **more)


def post_at_once(server, path, body, key):
    """Head and body in one piece: a head that comes alone is refused for its key before there is a call."""
    port = int(server.url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as wire:
        wire.sendall((f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                      f"Authorization: Bearer {key}\r\nConnection: close\r\n"
                      f"Content-Length: {len(body)}\r\n\r\n{body}").encode())
        return int(wire.makefile("rb").readline().split()[1])


def fields_of(server, name):
    """What the source was sent under this name."""
    return [value for _, head, _ in server.source.seen for key, value in head.items()
            if key.lower() == name]


def test_client_server_and_source_are_one_trace(traced, receiver, tmp_path):
    """The server and the client tell a real collector, which hands on what it has understood."""
    need_module("opentelemetry.sdk", "opentelemetry-sdk is out of reach")
    need_module("opentelemetry.exporter.otlp.proto.http", "its exporter is out of reach")
    need_module("opentelemetry.instrumentation.requests", "its instrumentation is out of reach")
    import requests
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.instrumentation.requests import RequestsInstrumentor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    collector = Collector(receiver, tmp_path)
    try:
        server = traced(endpoint=collector.url)
        provider = TracerProvider(resource=Resource.create({"service.name": "customer"}))
        provider.add_span_processor(
            SimpleSpanProcessor(OTLPSpanExporter(endpoint=collector.url + "/v1/traces")))
        RequestsInstrumentor().instrument(tracer_provider=provider)
        try:
            with provider.get_tracer("test").start_as_current_span("research"):
                answer = requests.post(server.url + "/v1/forum/search", json={"q": "climate"},
                                       headers={"Authorization": "Bearer " + server.live}, timeout=20)
        finally:
            RequestsInstrumentor().uninstrument()
        assert answer.status_code == 200, answer.text
        assert server.stop() == 0  # which sends what waits
        (research,) = receiver.wait_for("research", service="customer")
        (asking,) = receiver.wait_for("POST", service="customer")
        (call,) = receiver.wait_for(SEARCH)
        (gather,) = receiver.wait_for("gather")
        (exchange,) = receiver.wait_for("GET")
        (read,) = receiver.wait_for("read")
        (reserve,), (settle,) = receiver.wait_for("reserve"), receiver.wait_for("settle")
    finally:
        collector.close()
    chain = [research, asking, call, gather, exchange]
    assert {one.trace for one in chain + [read, reserve, settle]} == {research.trace}
    assert [one.parent for one in chain] == ["", *[one.id for one in chain[:-1]]]
    assert read.parent == gather.id and reserve.parent == settle.parent == call.id
    assert call.kind == "SPAN_KIND_SERVER" and exchange.kind == "SPAN_KIND_CLIENT"
    # Each lies in its parent, the server's in the client's by the same clock.
    for outer, inner in zip(chain, chain[1:]):
        assert outer.began <= inner.began <= inner.ended <= outer.ended
    (sent,) = fields_of(server, "traceparent")
    assert sent.startswith(f"00-{call.trace}-{exchange.id}-") and int(sent[-2:], 16) & 1


def test_a_call_says_what_it_was_and_not_what_was_asked(traced, receiver):
    server = traced("telemetry.otlp_headers=Authorization=Bearer%20secret%2C,X-Scope=tides")
    answer = search(server, {"X-Request-Id": "mine-1"}, q="climate")
    assert answer.status == 200
    assert search(server, q='"unheard of"').status == 404
    assert post_at_once(server, "/v1/forum/search", '{"q": "x"}', "frs_live_x") == 401
    server.source.close()
    assert search(server, q="later").status == 503
    # As they come by themselves: what is left at the end has two seconds, which may not be enough here.
    told = receiver.wait_for(SEARCH, 4)
    assert server.stop() == 0
    call, missing, refused, failed = sorted(told, key=lambda one: one.began)
    assert call.attributes == {
        "http.request.method": "POST", "http.route": "/v1/forum/search",
        "http.response.status_code": 200, "freshet.request_id": "mine-1",
        "freshet.credits_used": 1, "freshet.account": 1}
    assert call.resource.keys() == {"service.name", "service.version", "service.instance.id"}
    assert not call.failed and call.parent == ""
    exchange = next(one for one in receiver.named("GET") if one.trace == call.trace)
    port = int(server.source.url.rsplit(":", 1)[1])
    assert exchange.attributes == {
        "http.request.method": "GET", "server.address": "127.0.0.1", "server.port": port,
        "freshet.source": "hackernews", "http.response.status_code": 200, "freshet.cache": "miss"}
    assert not missing.failed and missing.attributes["error.type"] == "not_found"
    (missed,) = [one for one in receiver.named("GET") if one.trace == missing.trace]
    assert missed.failed and missed.attributes["error.type"] == "404"
    assert failed.failed and failed.attributes["error.type"] == "source_unavailable"
    assert not refused.failed and refused.attributes["error.type"] == "invalid_api_key"
    assert "freshet.account" not in refused.attributes
    told = b"".join(receiver.bodies)
    for secret in (b"climate", b"unheard", b"later", server.live.encode(), b"example.org", b"secret"):
        assert secret not in told
    assert {(head["Authorization"], head["X-Scope"]) for head in receiver.heads} == {
        ("Bearer secret,", "tides")}
    assert "secret" not in server.log_path.read_text()


def test_a_callers_trace_is_gone_on_with(traced, receiver):
    server = traced("telemetry.sampling=0")
    assert search(server, {"traceparent": PARENT, "tracestate": "a=1, b=2"}).status == 200
    assert server.stop() == 0
    (call,) = receiver.wait_for(SEARCH)
    assert (call.trace, call.parent, call.state) == (TRACE, "b7ad6b7169203331", "a=1,b=2")
    (exchange,) = receiver.named("GET")
    assert fields_of(server, "traceparent") == [f"00-{TRACE}-{exchange.id}-01"]
    assert fields_of(server, "tracestate") == ["a=1,b=2"]


def test_a_trace_that_nobody_records_is_passed_on_and_not_told(traced, receiver):
    server = traced()
    assert search(server, {"traceparent": PARENT[:-1] + "0"}).status == 200
    assert server.stop() == 0
    (sent,) = fields_of(server, "traceparent")
    assert sent.startswith(f"00-{TRACE}-") and sent.endswith("-00") and sent[:-1] != PARENT[:-1]
    assert receiver.spans == []


@pytest.mark.parametrize("wrong", [PARENT.upper(), "00-" + "0" * 32 + "-b7ad6b7169203331-01",
                                   "ff" + PARENT[2:], PARENT + "-more", PARENT[:-3]])
def test_a_malformed_trace_is_none(traced, receiver, wrong):
    server = traced()
    assert search(server, {"traceparent": wrong, "tracestate": "a=1"}).status == 200
    assert server.stop() == 0
    (call,) = receiver.wait_for(SEARCH)
    assert call.parent == "" and call.trace.lower() != TRACE and call.state == ""


def test_traces_make_no_request_another(traced, receiver, tmp_path):
    """Neither the cache nor a recording knows of them."""
    server = traced(f"network.record={tmp_path}/recorded.har")
    server.source.added = {"Cache-Control": "max-age=60"}
    for i, fields in enumerate((["url"], ["title"])):  # in the same words it would not be asked at all
        trace = {"traceparent": PARENT.replace("b7", f"a{i}")}
        assert search(server, trace, fields=fields).status == 200
    assert server.stop() == 0
    assert len(server.source.seen) == 1
    assert [one.attributes["freshet.cache"] for one in receiver.wait_for("GET", 2)] == ["miss", "hit"]
    recorded = (tmp_path / "recorded.har").read_text()
    assert "hitsPerPage" in recorded and "traceparent" not in recorded and TRACE not in recorded


def test_a_page_that_a_caller_names_learns_nothing(traced, receiver, upstream_of):
    server = traced()
    page = upstream_of("hackernews")  # whatever it answers, it keeps what it was asked
    server.call("scrape/markdown", server.live, {"traceparent": PARENT, "tracestate": "a=1"},
                url=page.url + "/tides")
    assert server.stop() == 0
    assert page.seen and not any(
        name.lower().startswith("trace") for _, head, _ in page.seen for name in head)
    (exchange,) = receiver.wait_for("GET")
    assert exchange.trace == TRACE and "server.address" not in exchange.attributes


def test_without_an_endpoint_nobody_is_told(serve, upstream_of):
    source = upstream_of("hackernews")
    server = serve(f"sources.hackernews.base_url={source.url}", "platforms.forum.sources=hackernews")
    key = server.key(server.account())
    assert server.call("forum/search", key, {"traceparent": PARENT}, q="climate").status == 200
    assert "traceparent" not in {name.lower() for _, head, _ in source.seen for name in head}
    assert "spans" not in operators_metrics(server)


def operators_metrics(server):
    wait_until(lambda: "operators are listened to on" in server.log_path.read_text())
    at = server.log_path.read_text().split("operators are listened to on ")[1].split('"')[0]
    with urllib.request.urlopen(at + "/metrics", timeout=60) as answer:
        return answer.read().decode()


def test_a_collector_that_is_gone_costs_no_call_and_is_told_of(traced):
    gone = SpanReceiver()
    gone.close()
    server = traced(endpoint=gone.url)
    for _ in range(20):
        assert search(server).status == 200
    wait_until(lambda: "freshet_spans_waiting" in operators_metrics(server))
    assert "freshet_spans_exported_total 0\n" in operators_metrics(server)
    assert server.stop() == 0
    assert "spans were not delivered" in server.log_path.read_text()


def test_a_collector_that_is_busy_gets_them_later(traced, receiver):
    receiver.answers = [(503, {"Retry-After": "1"}, b""), (429, {}, b"")]
    server = traced()
    assert search(server).status == 200
    wait_until(lambda: "freshet_spans_exported_total 6\n" in operators_metrics(server))
    assert len(receiver.named(SEARCH)) == 1 and len(receiver.heads) == 3


def test_tools_of_mcp_go_on_with_a_trace(traced, receiver):
    """By the transport's field, or by `_meta` of the one request, which comes first."""
    server = traced()

    def call(headers, meta):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "forum_search", "arguments": {"q": "climate"}, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}, **meta}}}
        answer = server.request("POST", "/mcp", body, server.live, {
            "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2026-07-28",
            "Mcp-Method": "tools/call", "Mcp-Name": "forum_search", **headers})
        assert answer.status == 200, answer.body
        assert b'"isError":true' not in answer.body

    call({"traceparent": PARENT, "tracestate": "a=1"}, {})
    call({"traceparent": PARENT}, {"traceparent": PARENT.replace("0af7", "1af7"), "tracestate": "b=2"})
    assert server.stop() == 0
    first, second = sorted(receiver.wait_for(SEARCH, 2), key=lambda one: one.began)
    assert (first.trace, first.state) == (TRACE, "a=1")
    assert (second.trace, second.state) == ("1" + TRACE[1:], "b=2")


def test_pages_of_a_drop_in_call_are_one_trace(traced, receiver):
    server = traced()
    server.request("POST", "/v2/scrape", {"url": server.source.url + "/"}, server.live,
                   {"traceparent": PARENT})
    assert server.stop() == 0
    assert {one.trace for one in receiver.wait_for("POST /v1/scrape/markdown")} == {TRACE}


@pytest.mark.parametrize("setting", ["telemetry.otlp_endpoint=127.0.0.1:4318",
                                     "telemetry.otlp_headers=secret", "telemetry.sampling=2"])
def test_a_setting_that_cannot_be_is_named(serve, setting):
    with pytest.raises(RuntimeError) as refused:
        serve(setting)
    assert setting.split("=")[0] + ":" in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("trusted", [True, False])
def test_a_collector_of_an_authority_of_the_operators_own(traced, tmp_path, trusted):
    collectors, another = Authority(tmp_path / "collectors"), Authority(tmp_path / "another")
    receiver = SpanReceiver(pair=collectors.issue())
    try:
        server = traced(f"telemetry.ca_file={(collectors if trusted else another).file}",
                        endpoint=receiver.url)
        assert search(server).status == 200
        assert server.stop() == 0
        assert len(receiver.named(SEARCH)) == (1 if trusted else 0)
    finally:
        receiver.close()


def test_the_json_is_what_a_collector_is_sent(traced, receiver):
    """Ids in hexadecimal, whole numbers as texts: what protobuf's own reader would not tell."""
    server = traced()
    assert search(server).status == 200
    assert server.stop() == 0
    (body,) = receiver.bodies
    (of,) = json.loads(body)["resourceSpans"]
    for one in of["scopeSpans"][0]["spans"]:
        assert len(one["traceId"]) == 32 and len(one["spanId"]) == 16
        assert isinstance(one["startTimeUnixNano"], str) and isinstance(one["kind"], int)

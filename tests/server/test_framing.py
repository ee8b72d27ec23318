"""Requests that two servers could frame differently: exactly one answer, then the end."""

import pytest

BODY = b'{"q":"hello"}\n'
LINE = b"POST /v1/web-serp/search HTTP/1.1\r\n"
HOST = b"Host: localhost\r\n"
JSON = b"Content-Type: application/json\r\n"
LENGTH = b"Content-Length: 14\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"e\r\n" + BODY + b"\r\n0\r\n\r\n"
SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


def post(*fields, body=BODY, line=LINE, host=HOST):
    return line + host + JSON + b"".join(fields) + b"\r\n" + body


CLOSING = {
    "CL then TE": (post(LENGTH, CHUNKED, body=CHUNKS), 400),
    "TE then CL": (post(CHUNKED, LENGTH, body=CHUNKS), 400),
    "TE gzip then CL": (post(b"Transfer-Encoding: gzip\r\n", LENGTH), 501),
    "CL then TE gzip": (post(LENGTH, b"Transfer-Encoding: gzip\r\n"), 501),
    "TE identity then CL": (post(b"Transfer-Encoding: identity\r\n", LENGTH), 501),
    "TE xchunked then CL": (post(b"Transfer-Encoding: xchunked\r\n", LENGTH), 501),
    "TE gzip only": (post(b"Transfer-Encoding: gzip\r\n"), 501),
    "TE gzip, chunked": (post(b"Transfer-Encoding: gzip, chunked\r\n", body=CHUNKS), 501),
    "TE chunked twice": (post(CHUNKED, CHUNKED, body=CHUNKS), 501),
    "dup CL same": (post(LENGTH, LENGTH), 400),
    "dup CL differ": (post(LENGTH, b"Content-Length: 15\r\n"), 400),
    "CL list same": (post(b"Content-Length: 14, 14\r\n"), 400),
    "CL +14": (post(b"Content-Length: +14\r\n"), 400),
    "CL -1": (post(b"Content-Length: -1\r\n"), 400),
    "CL hex": (post(b"Content-Length: 0x0e\r\n"), 400),
    "CL overflow": (post(b"Content-Length: 99999999999999999999\r\n"), 400),
    "TE space before colon": (post(b"Transfer-Encoding : chunked\r\n", body=CHUNKS), 400),
    "CL space before colon": (post(b"Content-Length : 14\r\n"), 400),
    "bare LF": (post(LENGTH).replace(b"\r\n", b"\n"), 400),
    "bare CR in value": (post(b"X: a\rb\r\n", LENGTH), 400),
    "NUL in value": (post(b"X: a\0b\r\n", LENGTH), 400),
    "obs-fold": (post(b"X: a\r\n b\r\n", LENGTH), 400),
    "no Host": (post(LENGTH, host=b""), 400),
    "dup Host": (post(LENGTH, HOST), 400),
    "chunk ext bare LF": (post(CHUNKED, body=b"e;x\n" + BODY + b"\r\n0\r\n\r\n"), 400),
    "chunk size overflow": (post(CHUNKED, body=b"fffffffffffffffff\r\n"), 400),
    "chunk over the limit": (post(CHUNKED, body=b"fffffff\r\n"), 413),
    "chunk no CRLF after data": (post(CHUNKED, body=b"e\r\n" + BODY + b"0\r\n\r\n"), 400),
    "HTTP/1.0 chunked": (post(CHUNKED, body=CHUNKS, line=LINE.replace(b"1.1", b"1.0")), 400),
    "HTTP/1.0 no length": (post(line=LINE.replace(b"1.1", b"1.0"), body=b""), 411),
    "header 9 KB": (post(b"X: " + b"a" * 9000 + b"\r\n", LENGTH), 431),
    "header 100 KB": (post(b"X: " + b"a" * 100_000 + b"\r\n", LENGTH), 431),
    "300 headers": (post(b"X: y\r\n" * 300, LENGTH), 431),
    "target 9 KB": (post(LENGTH, line=b"POST /" + b"a" * 9000 + b" HTTP/1.1\r\n"), 414),
    "body 70 KB": (post(b"Content-Length: 70000\r\n", body=b"x" * 70_000), 413),
    "unknown expectation": (post(b"Expect: 200-ok\r\n", LENGTH), 417),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "TLS on a plain port": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
    "no version": (b"GET /\r\n\r\n", 400),
}


@pytest.mark.parametrize("name", CLOSING)
def test_refused_with_one_answer_and_a_close(server, name):
    request, status = CLOSING[name]
    with server.wire() as wire:
        wire.send(request + SMUGGLED)
        answer = wire.read()
        assert answer is not None, "closed without an answer"
        assert answer.status == status
        assert answer.field("Connection") == "close"
        assert answer.field("X-Service-Credits-Used") == "0"
        problem = answer.json()
        assert answer.field("Content-Type") == "application/problem+json"
        assert problem["status"] == status
        assert problem["request_id"] == answer.field("X-Request-Id")
        assert wire.ended(), "a second answer"


@pytest.mark.parametrize("request_bytes", [
    post(LENGTH), post(CHUNKED, body=CHUNKS),
    post(CHUNKED, body=b"3;a=\"b\"\r\n{\"q\r\nb\r\n\":\"hello\"}\n\r\n0\r\nX-T: 1\r\n\r\n"),
], ids=["length", "chunked", "chunks with extensions and a trailer"])
def test_well_framed_requests_keep_the_connection(server, request_bytes):
    with server.wire() as wire:
        for _ in range(2):
            wire.send(request_bytes)
            answer = wire.read()
            assert answer.status == 401  # the route was reached; there is no key
            assert answer.field("Connection") is None


def test_one_byte_at_a_time(server):
    with server.wire() as wire:
        for byte in post(LENGTH):
            wire.send(bytes([byte]))
        assert wire.read().status == 401


def test_a_hundred_pipelined_requests_are_answered_in_order(server):
    with server.wire() as wire:
        wire.send(b"".join(b"GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: order-%d\r\n\r\n" % i
                           for i in range(100)))
        for i in range(100):
            answer = wire.read()
            assert (answer.status, answer.field("X-Request-Id")) == (200, f"order-{i}")


def test_expect_100_continue(server, keys):
    key = b"Authorization: Bearer " + keys["test"].encode() + b"\r\n"
    with server.wire() as wire:
        wire.send(LINE + HOST + JSON + LENGTH + key + b"Expect: 100-continue\r\n\r\n")
        assert wire.read().status == 100
        wire.send(BODY)
        assert wire.read().status != 401
    with server.wire() as wire:
        wire.send(LINE + HOST + JSON + LENGTH + b"Expect: 100-continue\r\n\r\n")
        assert wire.read().status == 401
        assert wire.ended()


def test_http_1_0_closes_unless_it_asks_to_stay(server):
    with server.wire() as wire:
        wire.send(b"GET /healthz HTTP/1.0\r\n\r\n")
        answer = wire.read()
        assert answer.status == 200 and answer.field("Connection") == "close"
        assert wire.ended()
    with server.wire() as wire:
        for _ in range(2):
            wire.send(b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            assert wire.read().field("Connection") == "keep-alive"


def test_an_answer_reaches_a_client_that_goes_on_sending(server):
    with server.wire() as wire:
        wire.send(post(b"Content-Length: 1000000\r\n", body=b"x" * 500_000))
        assert wire.read().status == 413


def test_one_byte_chunks_up_to_the_limit(server):
    with server.wire() as wire:
        wire.send(post(CHUNKED, body=b"1\r\n \r\n" * 60_000 + b"0\r\n\r\n"))
        assert wire.read().status == 401

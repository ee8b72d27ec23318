"""The routes and what every answer carries."""

import gzip
import json

import pytest

from support.waiting import wait_until


def test_every_answer_has_the_fields_of_the_contract(server):
    for answer in (server.get("/"), server.get("/openapi.json"), server.get("/nowhere"),
                   server.get("/errors/rate_limited"), server.get("/v1/web-serp/search"),
                   server.post("/v1/web-serp/search", "{}")):
        assert answer.field("X-Service-Credits-Used") == "0"
        assert answer.field("X-Request-Id")
        assert answer.field("X-Content-Type-Options") == "nosniff"
        assert answer.field("Referrer-Policy") == "no-referrer"
        assert answer.field("Strict-Transport-Security") is None  # it is plain HTTP
        assert answer.field("Cache-Control") in ("no-store", "no-cache")
        assert answer.field("Date").endswith(" GMT")
        assert "json" in answer.field("Content-Type")
        answer.json()


def test_index_links_to_everything(server):
    index = server.get("/").json()
    assert "/openapi.json" in index["links"] and "/v1/web-serp/search" in index["endpoints"]
    for path in index["links"]:
        assert server.get(path).status == 200


def test_browsers_find_the_icon_that_they_ask_for_unasked(server):
    icon = server.get("/favicon.ico")
    assert (icon.status, icon.field("Content-Type")) == (200, "image/svg+xml")
    assert icon.body.startswith(b"<svg")


def test_everybody_may_see_the_status(server):
    assert server.get("/status").field("Content-Type").startswith("text/html")
    status = server.get("/dashboard/api/status").json()
    assert status["takes_calls"] is True
    names = [one["name"] for one in status["platforms"]]
    assert {"microblog", "forum", "news", "scrape"} <= set(names) and names == sorted(names)
    for one in status["platforms"]:
        assert one["state"] == "ok" and one["answering"] == one["sources"] > 0


def test_a_browser_is_shown_a_page_where_programs_get_the_index(server):
    accepted = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    page = server.get("/", f"Accept: {accepted}")
    assert page.status == 200 and page.field("Content-Type").startswith("text/html")
    assert page.field("Content-Security-Policy")
    for wanted in ("*/*", "application/json", "application/json, text/html"):
        index = server.get("/", f"Accept: {wanted}")
        assert index.json()["name"] == "freshet" and "Accept" in index.field("Vary").split(", ")


def test_request_id_is_echoed_if_it_is_valid(server):
    assert server.get("/healthz", "X-Request-Id: my-id_1").field("X-Request-Id") == "my-id_1"
    for bad in ("with space", "a" * 1000, "q\"uote"):
        assert server.get("/healthz", f"X-Request-Id: {bad}").field("X-Request-Id") != bad


def test_openapi_is_cached_by_its_tag(server):
    whole = server.get("/openapi.json")
    assert whole.status == 200 and whole.json()["openapi"].startswith("3.1")
    tag = whole.field("ETag")
    assert tag.startswith('"')
    for given in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = server.get("/openapi.json", f"If-None-Match: {given}")
        assert (again.status, again.body, again.field("ETag")) == (304, b"", tag)
        assert again.field("X-Service-Credits-Used") == "0"
    assert server.get("/openapi.json", 'If-None-Match: "other"').status == 200


def test_head_is_get_without_the_body(server):
    got, head = server.get("/openapi.json"), server.get("/openapi.json", method="HEAD")
    assert head.status == 200 and head.field("ETag") == got.field("ETag")
    assert head.field("Content-Length") == got.field("Content-Length")
    with server.wire() as wire:  # nothing of a body follows: the next answer does
        wire.send(b"HEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert wire.read(head_only=True).status == 200
        assert wire.read().json() == {"status": "ok"}


def test_gzip_where_asked_and_worth_it(server):
    plain = server.get("/openapi.json")
    packed = server.get("/openapi.json", "Accept-Encoding: br, gzip")
    assert packed.field("Content-Encoding") == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    assert packed.field("ETag") != plain.field("ETag")
    assert packed.field("Vary") == "Accept-Encoding"
    assert server.get("/openapi.json", "Accept-Encoding: gzip;q=0").field("Content-Encoding") is None
    assert server.get("/healthz", "Accept-Encoding: gzip").field("Content-Encoding") is None


def test_errors_are_described(server):
    codes = [path.rsplit("/", 1)[1] for path in server.get("/errors/").json()["errors"]]
    assert "insufficient_credits" in codes
    for code in codes:
        page = server.get(f"/errors/{code}").json()
        assert page["code"] == code and page["title"] and page["help"]
        assert isinstance(page["status"], int) and isinstance(page["retryable"], bool)
    missing = server.get("/errors/rate_limitd")
    assert missing.status == 404 and "rate_limited" in missing.json()["detail"]


def test_unknown_paths_name_the_nearest(server):
    answer = server.post("/v1/microblog/serch", "{}")
    assert answer.status == 404 and answer.json()["code"] == "unknown_endpoint"
    assert "'/v1/microblog/search'" in answer.json()["detail"]
    assert server.get("/openapi.jsn").json()["detail"].endswith("did you mean '/openapi.json'?")
    for path in ("/v1/microblog%2Fsearch", "/v1/microblog/search/", "//v1/microblog/search",
                 "/v1/../healthz", "/V1/microblog/search"):
        assert server.post(path, "{}").status == 404, path


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "BREW"])
def test_endpoints_take_post(server, method):
    answer = server.get("/v1/web-serp/search", method=method)
    assert answer.status == 405 and answer.field("Allow") == "POST, OPTIONS"


def test_fixed_routes_take_get_and_head(server):
    answer = server.post("/openapi.json", "{}")
    assert answer.status == 405 and answer.field("Allow") == "GET, HEAD, OPTIONS"


def test_options_says_what_is_allowed(server):
    answer = server.get("/v1/web-serp/search", method="OPTIONS")
    assert answer.status == 200 and answer.field("Allow") == "POST, OPTIONS"
    assert server.get("/healthz", method="OPTIONS").field("Allow") == "GET, HEAD, OPTIONS"
    assert server.get("*", method="OPTIONS").status == 200


def raw_post(server, *fields, body=b"{}", path="/v1/web-serp/search"):
    head = "\r\n".join([f"POST {path} HTTP/1.1", "Host: a", f"Content-Length: {len(body)}", *fields,
                        "", ""])
    return server.exchange(head.encode() + body)


def test_representations_that_cannot_be_read_or_written(server):
    assert raw_post(server).status == 415
    assert raw_post(server, "Content-Type: text/plain").status == 415
    assert raw_post(server, "Content-Type: application/json; charset=utf-16").status == 415
    assert raw_post(server, "Content-Type: application/json", "Content-Encoding: gzip").status == 415
    assert raw_post(server, "Content-Type: application/json", "Accept: text/html").status == 406
    query = raw_post(server, "Content-Type: application/json", path="/v1/web-serp/search?q=a")
    assert query.status == 400 and query.json()["code"] == "invalid_request"


@pytest.mark.parametrize("field, code", [
    (None, "missing_api_key"), ("", "missing_api_key"), ("Bearer", "missing_api_key"),
    ("Bearer  ", "missing_api_key"), ("Basic dXNlcjpwYXNz", "missing_api_key"),
    ("Bearer nonsense", "invalid_api_key"), ("Bearer frs_live_" + "a" * 38, "invalid_api_key"),
    ("bearer frs_test_" + "a" * 38, "invalid_api_key"),
])
def test_no_call_without_a_valid_key(server, field, code):
    fields = ["Content-Type: application/json"]
    if field is not None:
        fields.append(f"Authorization: {field}")
    answer = raw_post(server, *fields, body=b'{"q":"a"}')
    assert answer.status == 401 and answer.json()["code"] == code
    assert answer.field("WWW-Authenticate") == "Bearer"


def test_two_authorizations_are_none(server, keys):
    field = f"Authorization: Bearer {keys['test']}"
    assert raw_post(server, "Content-Type: application/json", field, field).status == 401


def test_a_call_in_the_sandbox(server, keys):
    answer = server.post("/v1/account/show", "{}", keys["test"])
    assert answer.status == 200, answer.body
    envelope = answer.json()
    assert envelope["meta"]["request_id"] == answer.field("X-Request-Id")
    assert answer.field("X-Service-Credits-Used") == "0"
    assert answer.field("X-Service-Credits-Remaining") is not None
    assert answer.field("RateLimit").startswith('"default";r=')
    assert answer.field("RateLimit-Policy").startswith('"default";q=')


def test_a_body_is_optional(server, keys):
    with server.wire() as wire:
        wire.send(f"POST /v1/account/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {keys['test']}"
                  "\r\n\r\n".encode())
        assert wire.read().status == 200


@pytest.mark.parametrize("bad", ["", "a" * 256, "caf\xe9", "tab\tin"])
def test_idempotency_keys_are_checked(server, keys, bad):
    head = (f"POST /v1/account/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {keys['test']}\r\n"
            f"Idempotency-Key: {bad}\r\n\r\n")
    answer = server.exchange(head.encode("latin-1"))
    assert answer.status == 400 and answer.json()["code"] == "invalid_request"


@pytest.mark.parametrize("body", [
    b"", b"null", b"[]", b"{", b'{"q": NaN}', b'{"limit": 1e999}', b'{"q": "\xff"}',
    b"[" * 60_000, b'{"a":' * 10_000, b'{"q":"a","q":"b"}',
    json.dumps({f"k{i}": 1 for i in range(5000)}).encode(),
    b'{"account_id": 1, "credits": 1000000, "q": "a"}',
], ids=lambda b: b[:12].decode("latin-1") or "empty")
def test_odd_json_is_a_bad_request(server, keys, body):
    answer = server.post("/v1/web-serp/search", body, keys["test"])
    assert answer.status in (400, 429), answer.body
    answer.json()


def test_retry_after_when_the_bucket_is_empty(start):
    server = start("--set", "sandbox.rate=0.5", "--set", "sandbox.burst=2")
    server.run("accounts", "create", "rate@example.org")
    key = server.run("keys", "create", "rate@example.org", "--test").stdout.strip()
    answers = [server.post("/v1/account/show", "{}", key) for _ in range(4)]
    assert [a.status for a in answers] == [200, 200, 429, 429]
    assert int(answers[2].field("Retry-After")) >= 1
    assert answers[2].json()["retry_after_s"] == int(answers[2].field("Retry-After"))
    assert answers[2].field("RateLimit").startswith('"default";r=0')


def test_log_lines_are_json_and_hold_no_key(server, keys):
    server.post("/v1/account/show", "{}", keys["live"])
    server.get(f"/x/{keys['live']}?key={keys['live']}", f"User-Agent: {keys['live']}")
    server.get("/" + "%0a%0d{}")
    wait_until(lambda: "%0a%0d{}" in server.log_text() and server.log_text().endswith("\n"))
    lines = server.log_text().splitlines()
    for line in lines:
        record = json.loads(line)
        assert record["time"].endswith("Z") and record["level"] in ("info", "warn", "error")
    assert keys["live"] not in server.log_text()
    shown = [json.loads(line) for line in lines if "/x/" in line]
    assert shown[-1]["path"] == "/x/frs_live_***" and shown[-1]["status"] == 404
    for name in ("request_id", "method", "ms", "credits", "bytes"):
        assert name in shown[-1]

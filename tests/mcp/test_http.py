"""/mcp over HTTP, exchange by exchange: the statuses and messages of shared/mcp/wire, sessions,
streams that are resumed, and clients that do what no client should. The sandbox answers."""

import concurrent.futures
import http.server
import json
import socket
import threading
import time

import pytest
from over_http import STATELESS, Http
from support.freshet import Freshet, endpoint_count
from support.reach import needs_program
from support.waiting import wait_until

pytestmark = needs_program
UNHURRIED = ("server.mcp_rate=100000", "server.mcp_burst=100000")
SEARCH = {"name": "news_search", "arguments": {"q": "climate", "limit": 1}}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Freshet(tmp_path_factory.mktemp("http") / "data", "plans.free.rate=100000",
                      "plans.free.burst=100000", *UNHURRIED)
    started.email = started.account()
    yield started
    assert started.stop() == 0, started.log_path.read_text()[-2000:]


@pytest.fixture
def guest(server):
    """A client with a test key of its own, so that no test counts another's sessions."""
    return Http(server.url, server.key(server.email, "--test"))


@pytest.fixture
def talk(guest):
    guest.greet()
    return guest


def code_of(reply):
    return reply.json["error"]["code"]


# What shared/mcp/wire shows for revisions with a handshake: request, status, code.
REFUSED = {
    "accept_json_only": (dict(Accept="application/json"), 406, -32000),
    "no_accept": (dict(Accept=None), 406, -32000),
    "wrong_content_type": (dict(Content_Type="text/plain"), 415, -32000),
    "bad_version_header": (dict(MCP_Protocol_Version="1999-01-01"), 400, -32000),
    "no_session": (dict(Mcp_Session_Id=None), 400, -32000),
    "unknown_session": (dict(Mcp_Session_Id="0" * 48), 404, -32000),
    "evil_host": (dict(Host="evil.example"), 403, -32000),
    "evil_origin": (dict(Origin="https://evil.example"), 403, -32000),
    "null_origin": (dict(Origin="null"), 403, -32000),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_before_it_is_read(talk, case):
    fields, status, code = REFUSED[case]
    refused = talk.post("ping", fields)
    assert (refused.status, code_of(refused)) == (status, code)
    assert refused.json["id"] is None and refused.field("X-Service-Credits-Used") == "0"


def test_known_names_are_let_in(talk):
    port = talk.address.split(":")[1]
    for name in ("localhost", "127.0.0.1", "[::1]"):
        assert talk.post("ping", dict(Host=f"{name}:{port}", Origin=f"http://{name}:1")).status == 200


@pytest.mark.parametrize("body, code", [
    ("{", -32700), ("[]", -32600), ("[" * 100, -32700), ('{"jsonrpc":"2.0"}', -32600),
    (json.dumps([{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in range(33)]), -32600),
], ids=["parse_error", "empty_batch", "deep", "no_method", "long_batch"])
def test_what_is_no_message(talk, body, code):
    refused = talk.send("POST", body)
    assert (refused.status, code_of(refused)) == (400, code)


def test_methods_of_http(talk):
    for method in ("PUT", "PATCH", "HEAD"):
        refused = talk.send(method)
        assert refused.status == 405 and refused.field("Allow") == "GET, POST, DELETE"
    assert talk.send("OPTIONS").field("Allow") == "GET, POST, DELETE"
    assert talk.send("GET", Accept="application/json").status == 406
    refused = talk.send("GET", MCP_Protocol_Version="2026-07-28")
    assert refused.status == 405 and refused.field("Allow") == "POST"


def test_a_body_that_is_too_large_is_refused(talk):
    assert talk.send("POST", "x" * 100_000).status == 413


@pytest.mark.parametrize("asked, answered, primes", [
    ("2025-11-25", "2025-11-25", True), ("2025-06-18", "2025-06-18", False),
    ("2025-03-26", "2025-03-26", False), ("1999-01-01", "2025-11-25", True),
])
def test_the_handshake(guest, asked, answered, primes):
    opened = guest.greet(asked)
    events = opened.events()
    assert json.loads(events[-1]["data"])["result"]["protocolVersion"] == answered
    assert len(guest.session) >= 32 and events[-1]["event"] == "message"
    assert (events[0].get("retry") == "1000" and not events[0]["data"]) is primes
    assert guest.result("ping") == {}
    again = guest.post("initialize", protocolVersion=asked)
    assert (again.status, code_of(again)) == (400, -32600)


def test_answers_and_errors_come_as_events(talk):
    for method, params, code in (("nope", {}, -32601), ("tools/call", {"name": "nope"}, -32602),
                                 ("resources/read", {"uri": "freshet://nope"}, -32002)):
        told = talk.post(method, **params)
        assert told.status == 200 and told.messages()[-1]["error"]["code"] == code
    batch = talk.send("POST", [talk.message("ping"), talk.message("ping"),
                               talk.message("notifications/nothing", is_request=False)])
    assert sorted(one["id"] for one in batch.messages()) == [talk.last - 1, talk.last]
    assert talk.send("POST", {"jsonrpc": "2.0", "id": "freshet-9", "result": {}}).status == 202


def test_a_call_is_billed_as_from_any_door(server):
    email = server.account("billed@example.org")
    live = Http(server.url, server.key(email))
    live.greet()
    server.run("credits", "grant", email, "5", "--reason", "test")
    dry = live.result("tools/call", name="news_search", arguments={"q": "climate", "dry_run": True})
    assert dry["_meta"]["freshet/price"] == 1 and dry["_meta"]["freshet/credits_used"] == 0
    assert dry["_meta"]["freshet/credits_remaining"] == 1005


def test_progress_and_logging_only_where_they_are_asked_for(talk):
    quiet = talk.post("tools/call", **SEARCH).messages()
    assert len(quiet) == 1
    told = talk.post("tools/call", _meta={"progressToken": "t"}, **SEARCH).messages()
    steps = [one["params"] for one in told[:-1]]
    assert steps[0]["progress"] == 0 and steps[-1]["progress"] == 1 and len(steps) > 2
    assert all(one["progress"] < two["progress"] for one, two in zip(steps, steps[1:]))
    for one in steps[1:-1]:
        row = one["_meta"]["freshet/source"]
        assert one["message"] == row["name"] + ": " + row["status"] and isinstance(row["data"], list)
    assert talk.result("logging/setLevel", level="error") == {}


def test_a_stream_is_resumed_after_any_of_its_events(talk):
    events = talk.post("tools/call", _meta={"progressToken": 7}, **SEARCH).events()
    assert len(events) > 4
    for n, event in enumerate(events):
        again = talk.send("GET", Last_Event_ID=event["id"])
        assert again.status == 200
        rest = [one for one in again.events() if one["data"]]
        assert rest == events[n + 1:]
    for wrong in ("1-99", "77-1", "x", "-1", "1-", "99999999999999999999-1", "1-1-1"):
        assert talk.send("GET", Last_Event_ID=wrong).status == 400, wrong


def test_what_a_client_missed_waits_for_it(talk):
    left = talk.post("tools/call", _meta={"progressToken": 7}, **SEARCH)
    first = left.event()
    left.leave()
    again = talk.send("GET", Last_Event_ID=first["id"])
    assert json.loads(again.events()[-1]["data"])["id"] == talk.last


def test_a_session_ends_with_delete(talk):
    listening = talk.send("GET")
    assert listening.event()["data"] == ""
    assert talk.send("DELETE").status == 200
    assert listening.event() is None
    assert talk.post("ping").status == talk.send("GET").status == talk.send("DELETE").status == 404


def test_the_newest_listener_is_the_one(talk):
    first, second = talk.send("GET"), talk.send("GET")
    assert len(first.events()) == 1 and second.event()["data"] == ""
    second.leave()


def test_a_session_is_its_key_s_alone(server, talk):
    other = Http(server.url, server.key(server.email, "--test"))
    other.session = talk.session
    assert other.post("ping").status == other.send("DELETE").status == 404
    assert talk.result("ping") == {}


def test_keys(server, guest):
    metadata = server.url + "/.well-known/oauth-protected-resource"
    for key, said in ((None, "missing_api_key"), ("frs_live_nope", "invalid_api_key")):
        refused = Http(server.url, key).post("initialize", protocolVersion="2025-11-25")
        assert refused.status == 401 and refused.json["code"] == said
        assert refused.field("WWW-Authenticate") == (
            f'Bearer error="invalid_token", resource_metadata="{metadata}"')
    for path in ("", "/mcp"):
        described = server.request("GET", "/.well-known/oauth-protected-resource" + path).json
        assert described["resource"] == server.url + "/mcp"
        assert described["bearer_methods_supported"] == ["header"]
    narrow = Http(server.url, server.key(server.email, "--test", "--scope", "read"))
    narrow.greet()
    refused = narrow.post("tools/call", name="account_show", arguments={})
    assert refused.status == 403 and refused.json["code"] == "forbidden_scope"
    assert 'error="insufficient_scope"' in refused.field("WWW-Authenticate")
    assert narrow.post("tools/call", **SEARCH).status == 200


def test_a_revoked_key_has_no_session_any_more(server):
    secret = server.key(server.email, "--test")
    talk = Http(server.url, secret)
    talk.greet()
    mine = server.call("account/show", secret).json["data"]["key"]["id"]
    server.run("keys", "revoke", mine)
    assert talk.post("ping").status == 401


# The revision without a handshake, as shared/mcp/wire-2026-07-28 shows it.
def test_a_request_without_a_handshake(guest):
    told = guest.stateless("server/discover")
    assert told.status == 200 and told.json["result"]["supportedVersions"] == ["2026-07-28"]
    listed = guest.stateless("tools/list").json["result"]
    assert len(listed["tools"]) == endpoint_count() and listed["ttlMs"] > 0 and listed["cacheScope"] == "public"
    called = guest.stateless("tools/call", name="news_search", arguments={"q": "climate", "limit": 1})
    assert not called.is_stream and called.json["result"]["resultType"] == "complete"
    assert called.field("Mcp-Session-Id") is None
    told = guest.stateless("tools/call", meta={**STATELESS, "progressToken": "t"}, name="news_search",
                           arguments={"q": "climate", "limit": 1})
    assert told.is_stream
    methods = [one.get("method") for one in told.messages()]  # of each source, then the answer
    assert len(methods) > 2 and set(methods[:-1]) == {"notifications/progress"} and methods[-1] is None
    page = guest.stateless("resources/read", uri="freshet://document/https://example.com/tide-gauges")
    assert page.json["result"]["cacheScope"] == "private" and page.json["result"]["ttlMs"] == 0
    note = guest.message("notifications/cancelled", {"requestId": 1, "_meta": STATELESS}, is_request=False)
    assert guest.send("POST", note, MCP_Protocol_Version="2026-07-28",
                      Mcp_Method="notifications/cancelled").status == 202


@pytest.mark.parametrize("fields, status, code", [
    (dict(Mcp_Method="prompts/list"), 400, -32020), (dict(Mcp_Method="TOOLS/CALL"), 400, -32020),
    (dict(Mcp_Method=None), 400, -32020), (dict(Mcp_Name=None), 400, -32020),
    (dict(Mcp_Name="forum_search"), 400, -32020), (dict(MCP_Protocol_Version=None), 400, -32020),
    (dict(MCP_Protocol_Version="2030-01-01"), 400, -32020), (dict(Accept=None), 406, -32000),
    (dict(Mcp_Name="=?base64?bmV3c19zZWFyY2g?="), 400, -32020),
    (dict(Mcp_Name="=?base64?bmV3c19zZWFyY2g=?="), 200, None),
    (dict(Mcp_Name="  news_search "), 200, None),
], ids=str)
def test_the_fields_agree_with_the_message(guest, fields, status, code):
    told = guest.stateless("tools/call", fields, name="news_search",
                           arguments={"q": "climate", "limit": 1, "dry_run": True})
    assert told.status == status
    if code:
        assert code_of(told) == code


def test_what_the_revision_without_a_handshake_refuses(guest):
    for method in ("initialize", "ping", "logging/setLevel", "resources/subscribe", "nope"):
        refused = guest.stateless(method)
        assert (refused.status, code_of(refused), refused.json["id"]) == (404, -32601, guest.last)
    refused = guest.stateless("tools/list", meta=None)
    assert (refused.status, code_of(refused)) == (400, -32602)
    for missing in STATELESS:
        refused = guest.stateless("tools/list", meta={k: v for k, v in STATELESS.items() if k != missing})
        assert (refused.status, code_of(refused)) == (400, -32602)
    later = {**STATELESS, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    refused = guest.stateless("tools/list", dict(MCP_Protocol_Version="2030-01-01"), meta=later)
    assert (refused.status, code_of(refused)) == (400, -32022)
    assert refused.json["error"]["data"] == {"requested": "2030-01-01", "supported": ["2026-07-28"]}
    refused = guest.stateless("resources/read", uri="freshet://nope")
    assert code_of(refused) == -32602 and refused.json["error"]["data"]["uri"] == "freshet://nope"
    batch = guest.send("POST", [guest.message("tools/list", {"_meta": STATELESS})] * 2,
                       MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/list")
    assert batch.status == 400


# Clients that do what no client should.
def test_an_account_has_a_bounded_number_of_sessions_whatever_keys_it_has(server):
    email = server.account("many.keys@example.org")
    keys = [server.key(email, "--test") for _ in range(3)]
    opened = []
    for n in range(66):
        talk = Http(server.url, keys[n % 3])
        talk.greet()
        opened.append(talk)
    assert [talk.post("ping").status for talk in opened] == [404] * 2 + [200] * 64


def test_listeners_hold_their_sessions_and_then_there_is_no_room_for_their_account(server, guest):
    guest.key = server.key(server.account("listens@example.org"), "--test")
    listeners = []
    for _ in range(64):
        guest.session = None
        guest.greet()
        listeners.append(guest.send("GET"))
        assert listeners[-1].event()["data"] == ""
    guest.session = None
    refused = guest.post("initialize", protocolVersion="2025-11-25")
    assert refused.status == 503 and refused.field("Retry-After") == "60"
    other = Http(server.url, server.key(server.account("comes@example.org"), "--test"))
    other.greet()
    for one in listeners:
        one.leave()


def test_a_full_server_takes_a_newcomer_s_session(tmp_path):
    server = Freshet(tmp_path / "data", "server.mcp_max_sessions=6", "server.mcp_max_sessions_per_account=4")
    try:
        talks = []
        for who in ("a", "b"):
            key = server.key(server.account(f"{who}@example.org"), "--test")
            for _ in range(4):
                talks.append(Http(server.url, key))
                talks[-1].greet()
        assert [talk.post("ping").status for talk in talks].count(200) == 6
        for who in ("c", "d"):
            newcomer = Http(server.url, server.key(server.account(f"{who}@example.org"), "--test"))
            newcomer.greet()
            assert newcomer.result("ping") == {}
    finally:
        assert server.stop() == 0


def test_a_free_account_may_start_clients_and_flood_nobody(tmp_path):
    """What a client sends as it starts passes on the defaults; what goes on and on does not."""
    server = Freshet(tmp_path / "data")
    try:
        email = server.account()
        talk = Http(server.url, server.key(email, "--test"))
        for _ in range(3):
            talk.session = None
            talk.greet()
            assert len(talk.result("tools/list")["tools"]) == endpoint_count()
            assert talk.result("resources/list") and talk.result("prompts/list")
            assert talk.result("ping") == {}
        # Notifications, the ends of sessions, streams and guesses count like requests, over all keys.
        other = Http(server.url, server.key(email, "--test"))
        floods = [lambda: talk.send("POST", talk.message("notifications/nothing", is_request=False)),
                  lambda: other.send("DELETE", Mcp_Session_Id="0" * 48),
                  lambda: other.send("GET", Mcp_Session_Id="0" * 48, Last_Event_ID="1-1"),
                  lambda: talk.stateless("tools/list"),
                  lambda: talk.send("POST", [talk.message("tools/list")] * 32)]
        for flood in floods:
            for _ in range(400):
                refused = flood()
                if refused.status == 429:
                    break
                refused.leave()
            assert refused.status == 429 and int(refused.field("Retry-After")) >= 1
            assert refused.json["error"]["data"]["code"] == "rate_limited"
        someone = Http(server.url, server.key(server.account("another@example.org"), "--test"))
        someone.greet()
        assert someone.result("ping") == {}
    finally:
        assert server.stop() == 0


def test_all_answers_of_a_batch_arrive(talk):
    batch = talk.send("POST", [talk.message("tools/list") for _ in range(32)])
    told = batch.messages()
    assert [one["id"] for one in told] == list(range(talk.last - 31, talk.last + 1))
    assert all(len(one["result"]["tools"]) == endpoint_count() for one in told)


def test_what_a_client_writes_long_is_not_said_back_in_full(talk):
    long = "x" * 50_000
    asked = {"jsonrpc": "2.0", "id": long, "method": "ping"}
    assert len(talk.send("POST", asked).text) < 1000
    for method, params in (("tools/call", {"name": long}), (long, {}), ("ping", {"_meta": {"progressToken": long}}),
                           ("resources/read", {"uri": long}), ("prompts/get", {"name": long})):
        told = talk.send("POST", talk.message(method, params)).messages()[-1]
        assert "error" in told or method == "ping"
        assert len(json.dumps(told)) < 5000, method


def test_what_is_kept_open_ends_with_its_key(server):
    secret = server.key(server.account("revokes@example.org"), "--test")
    talk = Http(server.url, secret)
    talk.greet()
    listening = talk.send("GET")
    assert listening.event()["data"] == ""
    server.run("keys", "revoke", server.call("account/show", secret).json["data"]["key"]["id"])
    assert listening.event() is None  # nobody has asked for anything since
    assert talk.send("GET").status == 401


def test_sessions_end_in_silence(tmp_path):
    server = Freshet(tmp_path / "data", "server.mcp_session_idle_s=1")
    try:
        talk = Http(server.url, server.key(server.account(), "--test"))
        talk.greet()
        idle, talk.session = talk.session, None
        talk.greet()
        listening = talk.send("GET")
        assert listening.event()["data"] == ""
        kept, talk.session = talk.session, idle
        time.sleep(1.2)
        assert talk.post("ping").status == 404
        talk.session = kept
        assert talk.result("ping") == {}
        listening.leave()
    finally:
        assert server.stop() == 0


NASTY = [None, True, -1, 1e300, "", "\u0000", "x" * 3000, [], [[]], {}, {"name": {}}, {"uri": 7},
         {"name": "news_search", "arguments": [1]}, {"name": "news_search", "arguments": {"q": {}}},
         {"ref": {}, "argument": {"name": 1}}, {"level": []}, {"_meta": 1}, {"_meta": {"progressToken": {}}},
         {"name": "read_page", "arguments": {"url": ["x"]}}, {"requestId": {}}, {"protocolVersion": []},
         {"uri": "freshet://document/"}, {"uri": "freshet://document/file:///etc/passwd"}]


def test_no_parameters_end_the_server(talk):
    methods = ("ping", "tools/list", "tools/call", "resources/read", "resources/list", "prompts/get",
               "completion/complete", "logging/setLevel", "notifications/cancelled", "server/discover")
    for method in methods:
        for params in NASTY:
            told = talk.send("POST", talk.message(method, params))
            assert told.status in (200, 202, 400), (method, params)
            told.text or told.messages()
    for method in methods:
        for params in NASTY:
            if isinstance(params, dict):
                asked = talk.message(method, {**params, "_meta": STATELESS})
                named = params.get("uri" if method == "resources/read" else "name")
                told = talk.send("POST", asked, Mcp_Session_Id=None, MCP_Protocol_Version="2026-07-28",
                                 Mcp_Method=method, Mcp_Name=named if isinstance(named, str) else None)
                assert told.status in (200, 202, 400, 404), (method, params)
    assert talk.result("ping") == {}


class Silent:
    """A page on loopback that is never answered; it tells when somebody asks and when they go."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.socket.settimeout(20)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/page"

    def asked(self):
        connection, _ = self.socket.accept()
        connection.settimeout(20)
        assert connection.recv(65536)
        return connection

    @staticmethod
    def was_left(connection):
        return connection.recv(65536) == b""


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A server that fetches from loopback, and a live key of it."""
    started = Freshet(tmp_path_factory.mktemp("live") / "data", "scrape.allow_private=127.0.0.0/8",
                      "plans.free.rate=100000", "plans.free.burst=100000")
    started.secret = started.key(started.account())
    yield started
    assert started.stop() == 0, started.log_path.read_text()[-2000:]


def balance(server):
    shown = server.call("account/show", server.secret).json["data"]
    return shown["balance"], shown["reserved"]


def scrape(page):
    return {"name": "scrape_markdown", "arguments": {"url": page.url, "respect_robots": False}}


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<title>Tides</title><main><h1>Tides</h1><p>High at noon.</p></main>"
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_a_call_is_charged_once_whatever_carries_it(live):
    email = live.account("charged@example.org")
    secret = live.key(email)
    shown = lambda: live.call("account/show", secret).json["data"]["balance"]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page) as pages:
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        wanted = {"name": "scrape_markdown", "arguments": {
            "url": f"http://127.0.0.1:{pages.server_port}/page", "respect_robots": False}}
        talk = Http(live.url, secret)
        talk.greet()
        streamed = talk.post("tools/call", **wanted)
        events = streamed.events()
        told = json.loads(events[-1]["data"])["result"]
        assert told["_meta"]["freshet/credits_used"] == 1 and told["_meta"]["freshet/untrusted"] is True
        assert told["_meta"]["freshet/credits_remaining"] == shown() == 999
        assert "High at noon." in told["content"][0]["text"]
        # What is told again is not called again.
        again = talk.send("GET", Last_Event_ID=events[0]["id"]).events()
        assert again == events[1:] and shown() == 999
        whole = talk.stateless("tools/call", **wanted)
        assert whole.field("X-Service-Credits-Used") == "1" and shown() == 998
        resource = talk.stateless("resources/read", uri="freshet://document/" + wanted["arguments"]["url"])
        assert resource.status == 200
        pages.shutdown()
    assert live.run("ledger", "verify")


def test_a_cancelled_call_ends_and_costs_nothing(live):
    talk, page = Http(live.url, live.secret), Silent()
    talk.greet()
    asked = talk.message("tools/call", scrape(page))
    running = talk.send("POST", asked)
    assert running.event()["data"] == ""
    fetching = page.asked()
    assert balance(live)[1] == 1
    note = talk.message("notifications/cancelled", {"requestId": asked["id"]}, is_request=False)
    assert talk.send("POST", note).status == 202
    assert running.events() == [] and page.was_left(fetching)
    wait_until(lambda: balance(live) == (1000, 0))


def test_leaving_a_stream_without_a_session_cancels_its_call(live):
    talk, page = Http(live.url, live.secret), Silent()
    running = talk.stateless("tools/call", meta={**STATELESS, "progressToken": 1}, **scrape(page))
    assert json.loads(running.event()["data"])["params"]["progress"] == 0
    fetching = page.asked()
    running.leave()
    assert page.was_left(fetching)
    wait_until(lambda: balance(live) == (1000, 0))


def test_leaving_a_stream_of_a_session_does_not_cancel_but_its_end_does(live):
    talk, page = Http(live.url, live.secret), Silent()
    talk.greet()
    running = talk.send("POST", talk.message("tools/call", scrape(page)))
    first = running.event()
    fetching = page.asked()
    running.leave()
    again = talk.send("GET", Last_Event_ID=first["id"])
    assert again.event()["id"] == first["id"] and balance(live)[1] == 1
    assert talk.send("DELETE").status == 200
    assert again.event() is None and page.was_left(fetching)
    wait_until(lambda: balance(live) == (1000, 0))


def test_calls_at_once_are_bounded(live):
    talk, page = Http(live.url, live.secret), Silent()
    talk.greet()
    many = [talk.message("resources/read", {"uri": "freshet://document/" + page.url}) for _ in range(70)]
    refused = []
    for start in range(0, 70, 14):  # of a batch 32 are taken
        body = talk.send("POST", many[start:start + 14])
        assert body.status == 200
        refused.append(body)
    talk.send("DELETE")
    told = [one for body in refused for one in body.messages()]
    assert [one["error"]["message"] for one in told] == ["64 calls are under way; wait for one to end"] * 6
    wait_until(lambda: balance(live)[1] == 0)


def test_a_server_that_stops_lets_listeners_go(tmp_path):
    server = Freshet(tmp_path / "data")
    talk = Http(server.url, server.key(server.account(), "--test"))
    talk.greet()
    listening = talk.send("GET")
    assert listening.event()["data"] == ""
    assert server.stop() == 0
    assert listening.event() is None


def test_clients_that_leave_in_the_middle_do_no_harm(server, talk):
    body = json.dumps(talk.message("tools/call", {**SEARCH, "_meta": {"progressToken": 1}}))
    head = (f"POST /mcp HTTP/1.1\r\nHost: {talk.address}\r\nAuthorization: Bearer {talk.key}\r\n"
            "Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\n"
            f"Mcp-Session-Id: {talk.session}\r\nContent-Length: {len(body)}\r\n\r\n")
    whole = (head + body).encode()
    host, port = talk.address.split(":")

    def leave_after(size):
        with socket.create_connection((host, int(port)), timeout=10) as rude:
            rude.sendall(whole[:size])
            if size == len(whole):
                rude.recv(40)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(leave_after, [10, len(head), len(whole) - 1, len(whole)] * 20))
    assert talk.result("ping") == {}
    assert len(server.request("GET", "/healthz").body) > 0

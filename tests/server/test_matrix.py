"""Who may what: every route by every kind of caller, in tables. A route without a row fails the test,
and so does a row without a route.

In the tables: `ok` is 200; the others are named by their code, with its status checked beside."""

import contextlib
import pathlib
import re
import sqlite3
import zlib

import pytest

from dashboard import PASSWORD, Person
from serving import Server, post_bytes, run_freshet

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STATUS = {"ok": 200, "accepted": 202, "missing_api_key": 401, "invalid_api_key": 401,
          "revoked_api_key": 401, "forbidden_scope": 403, "not_signed_in": 401, "csrf_failed": 403,
          "invalid_credentials": 401, "invalid_token": 400, "invalid_request": 400, "not_found": 404,
          "unknown_endpoint": 404, "method_not_allowed": 405, "unsupported_media_type": 415,
          "no_recipient": 409}
# What the tables abbreviate.
SHORT = {"-": "missing_api_key", "inv": "invalid_api_key", "rev": "revoked_api_key",
         "scope": "forbidden_scope", "out": "not_signed_in", "csrf": "csrf_failed",
         "cred": "invalid_credentials", "token": "invalid_token", "bad": "invalid_request",
         "none": "not_found", "400": "400", "404": "unknown_endpoint", "405": "method_not_allowed", "ok": "ok",
         "nobody": "no_recipient"}

# POST with the arguments below. `other`: a live key with both scopes on an object of another account.
ENDPOINTS = """
                                 nobody  malformed  unknown  revoked  expired  session's   read   account  both   test   other
                                                                               cookie
/v1/microblog/users/lookup       -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/users/posts        -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/users/search       -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/users/followers    -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/users/following    -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/search             -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/posts/lookup       -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/posts/replies      -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/microblog/trends             -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/all/search                   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/web-serp/search              -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/web-serp/images/search       -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/web-serp/videos/search       -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/web-serp/suggest             -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/scrape/markdown              -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/scrape/map                   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/scrape/extract               -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/forum/search                 -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/forum/communities/posts      -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/forum/posts/lookup           -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/forum/posts/comments         -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/search            -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/trends            -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/videos/lookup     -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/videos/comments   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/videos/transcript  -      inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/hashtags/videos   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/profiles/lookup   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/shortvideo/profiles/videos   -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/news/search                  -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/news/headlines               -       inv        inv      rev      rev      -           ok     scope    ok     ok     ok
/v1/account/show                 -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/usage                -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/ledger               -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/ledger/verify        -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/keys/list            -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/keys/create          -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/keys/rotate          -       inv        inv      rev      rev      -           scope  ok       ok     scope  none
/v1/account/keys/revoke          -       inv        inv      rev      rev      -           scope  ok       ok     scope  none
/v1/account/requests/list        -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/requests/show        -       inv        inv      rev      rev      -           scope  ok       ok     ok     none
/v1/account/alerts/show          -       inv        inv      rev      rev      -           scope  ok       ok     ok     ok
/v1/account/alerts/update        -       inv        inv      rev      rev      -           scope  ok       ok     scope  ok
/v1/account/alerts/test          -       inv        inv      rev      rev      -           scope  nobody   nobody  scope  nobody
"""
ARGUMENTS = {"username": "alice.test", "community": "coast", "q": "climate", "id": "hackernews:9000003",
             "url": "https://example.com/tide-gauges", "hashtag": "tides",
             "schema": {"properties": {"headline": {"type": "string"}}}}

# GET, and POST for the last column. The same for everybody: with a key, a session or nothing.
FIXED = """
                                 nobody  key   session  POST
/                                ok      ok    ok       405
/openapi.json                    ok      ok    ok       405
/openapi.yaml                    ok      ok    ok       405
/errors/                         ok      ok    ok       405
/errors/rate_limited             ok      ok    ok       405
/errors/nothing                  404     404   404      405
/healthz                         ok      ok    ok       405
/readyz                          ok      ok    ok       405
/.well-known/oauth-protected-resource      ok  ok  ok  405
/.well-known/oauth-protected-resource/mcp  ok  ok  ok  405
/nowhere                         404     404   404      404
/v1/nowhere                      404     404   404      404
/dashboard/api/nowhere           404     404   404      404
/v2/scrape                       405     405   405      -
/v2/search                       405     405   405      -
/v2/nowhere                      404     404   404      404
/search                          405     405   405      -
/extract                         405     405   405      -
/map                             405     405   405      -
/crawl                           405     405   405      -
"""

# POST with `{}`: `bad` means that the call was let in. The peers' shapes have codes of their own.
DROPIN = """
                                 nobody  malformed  unknown  revoked  expired  session's   read   account  both   test
                                                                               cookie
/v2/scrape                       -       inv        inv      rev      rev      -           bad    scope    bad    bad
/v2/search                       -       inv        inv      rev      rev      -           bad    scope    bad    bad
/search                          -       inv        inv      rev      rev      -           bad    scope    bad    bad
/extract                         -       inv        inv      rev      rev      -           bad    scope    bad    bad
/map                             -       inv        inv      rev      rev      -           bad    scope    bad    bad
/crawl                           -       inv        inv      rev      rev      -           bad    scope    bad    bad
"""

# POST of `initialize`, GET and DELETE without a session; a session's cookie counts for nothing.
MCP = """
                                 nobody  malformed  unknown  revoked  expired  cookie  read  account  both  test
POST /mcp                        -       inv        inv      rev      rev      -       ok    ok       ok    ok
GET /mcp                         -       inv        inv      rev      rev      -       400   400      400   400
DELETE /mcp                      -       inv        inv      rev      rev      -       400   400      400   400
"""

# `{}` as arguments: `bad` and the like mean that the command was reached. `key`: a live key as Bearer.
# `ended`: a session that was signed out. `other's`: the CSRF token of another session.
VISITS = """
                                 nobody  key    ended  no token  other's  member  operator
GET  session                     ok      ok     ok     ok        ok       ok      ok
POST sign-up                     bad     bad    bad    csrf      csrf     bad     bad
POST verify                      token   token  token  csrf      csrf     token   token
POST verify/check                token   token  token  csrf      csrf     token   token
POST sign-in                     bad     bad    bad    csrf      csrf     bad     bad
POST sign-out                    ok      ok     ok     csrf      csrf     ok      ok
POST reset/request               bad     bad    bad    csrf      csrf     bad     bad
POST reset/check                 token   token  token  csrf      csrf     token   token
POST reset/confirm               token   token  token  csrf      csrf     token   token
POST password                    out     out    out    csrf      csrf     bad     bad
GET  second-factor               out     out    out    ok        ok       ok      ok
POST second-factor/begin         out     out    out    csrf      csrf     cred    cred
POST second-factor/confirm       out     out    out    csrf      csrf     bad     bad
POST second-factor/remove        out     out    out    csrf      csrf     cred    cred
POST passkeys/ask                cred    cred   cred   csrf      csrf     none    none
POST passkeys/begin              out     out    out    csrf      csrf     bad     bad
POST passkeys/add                out     out    out    csrf      csrf     bad     bad
POST passkeys/remove             out     out    out    csrf      csrf     cred    cred
GET  sessions                    out     out    out    ok        ok       ok      ok
POST sessions/end                out     out    out    csrf      csrf     none    none
GET  status                      ok      ok     ok     ok        ok       ok      ok
GET  sources                     out     out    out    ok        ok       ok      ok
GET  plans                       out     out    out    ok        ok       ok      ok
GET  picture                     out     out    out    none      none     none    none
GET  export                      out     out    out    ok        ok       ok      ok
POST delete                      out     out    out    csrf      csrf     cred    cred
POST operator/accounts.list      out     out    out    csrf      csrf     scope   ok
POST operator/accounts.create    out     out    out    csrf      csrf     scope   bad
POST operator/accounts.plan      out     out    out    csrf      csrf     scope   bad
POST operator/credits.grant      out     out    out    csrf      csrf     scope   bad
POST operator/credits.refund     out     out    out    csrf      csrf     scope   bad
POST operator/keys.list          out     out    out    csrf      csrf     scope   bad
POST operator/keys.revoke        out     out    out    csrf      csrf     scope   bad
POST operator/ledger.verify      out     out    out    csrf      csrf     scope   ok
POST operator/ledger.list        out     out    out    csrf      csrf     scope   bad
POST operator/usage.show         out     out    out    csrf      csrf     scope   bad
POST operator/requests.list      out     out    out    csrf      csrf     scope   bad
POST operator/requests.show      out     out    out    csrf      csrf     scope   bad
POST operator/service.show       out     out    out    csrf      csrf     scope   ok
POST operator/audit.list         out     out    out    csrf      csrf     scope   ok
POST v1/<endpoint>               out     out    out    csrf      csrf     ok      ok
POST v1/account/keys/rotate      out     out    out    csrf      csrf     none    none
POST v1/account/keys/revoke      out     out    out    csrf      csrf     none    none
"""


def rows_of(table, columns):
    """Each row as its route and its expected codes."""
    rows = {}
    for line in table.strip("\n").splitlines():
        cells = re.split(r"\s{2,}", line.strip())
        if len(cells) == columns + 1 and re.match(r"/|GET|POST|DELETE", line):
            rows[cells[0] if not cells[0] == "GET" else line] = [SHORT[cell] for cell in cells[1:]]
    return rows


ENDPOINT_ROWS = rows_of(ENDPOINTS, 11)
DROPIN_ROWS = rows_of(DROPIN, 10)
FIXED_ROWS = rows_of(FIXED, 4)
MCP_ROWS = rows_of(MCP, 10)
COMMAND_ROWS = rows_of(re.sub(r"(?m)^GET  ", "GET ", VISITS), 7)


def code_of(answer):
    """As our problem documents have it, as Firecrawl's errors, or as Tavily's."""
    body = answer.json()
    code = body["detail"]["code"] if isinstance(body.get("detail"), dict) else body["code"]
    return {"BAD_REQUEST": "invalid_request"}.get(code, code)


def check(answer, expected, what):
    told = "ok" if answer.status == 200 else code_of(answer)
    assert (told, answer.status) == (expected, STATUS[expected]), (what, answer.body[:300])
    assert answer.field("X-Service-Credits-Used") == "0", what


def unknown_key():
    """Well formed, its checksum right, and nobody's."""
    alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    body = "frs_live_" + "0" * 32
    rest, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        rest, digit = divmod(rest, 62)
        digits = alphabet[digit] + digits
    return body + digits


class World:
    """A server with two accounts, an operator, and keys of every kind."""

    def __init__(self, tmp):
        expired = self.expired_key(tmp / "data", tmp)
        self.server = Server(tmp / "data", "--set", "plans.free.rate=10000",
                             "--set", "plans.free.burst=10000",
                             # Some endpoints have no source without a credential; nothing is fetched.
                             "--set", "sources.brave.api_key=none", "--set", "sources.youtube.api_key=none")
        link = self.server.run("accounts", "link", "member@example.org").stdout.strip()
        self.member = Person(self.server)
        set_password = {"token": link.split("=")[1], "password": PASSWORD}
        assert self.member.post("reset/confirm", set_password).status == 200
        self.other = Person(self.server).sign_up("other@example.org")
        self.operator = Person(self.server).sign_up("operator@example.org")
        assert self.server.run("accounts", "operator", "operator@example.org").returncode == 0
        revoked = self.key("live")
        assert self.member.post("v1/account/keys/revoke", {"id": revoked["id"]}).status == 200
        self.keys = {"nobody": None, "malformed": "frs_live_nonsense", "unknown": unknown_key(),
                     "revoked": revoked["key"], "expired": expired,
                     "read": self.key("live", ["read"])["key"],
                     "account": self.key("live", ["account"])["key"],
                     "both": self.key("live")["key"], "test": self.key("test")["key"]}
        self.theirs = self.other.post("v1/account/keys/create", {}).json()["data"]["id"]
        # A call of theirs and one of the member's, as the request log names them.
        key = self.other.post("v1/account/keys/create", {"scopes": ["account"]}).json()["data"]["key"]
        self.calls = [self.server.post("/v1/account/show", {}, each).json()["meta"]["request_id"]
                      for each in (key, self.keys["both"])]

    @staticmethod
    def expired_key(data, home):
        """A key whose end is set back in the file, since nothing makes one that is over at once."""
        run = lambda *what: run_freshet(*what, "--data", data, data_dir=home)
        assert run("accounts", "create", "member@example.org").returncode == 0
        key = run("keys", "create", "member@example.org", "--expires", "1h").stdout.strip()
        with contextlib.closing(sqlite3.connect(data / "freshet.db")) as file, file:
            file.execute("UPDATE keys SET expires_at=created_at")
        return key

    def key(self, mode, scopes=("read", "account")):
        made = self.member.post("v1/account/keys/create", {"mode": mode, "scopes": list(scopes)})
        return made.json()["data"]

    def arguments(self, path, own=None):
        """What the endpoint needs, as the description says, and nothing that is fetched or charged."""
        schema = self.description["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        needed = schema.get("required") or schema.get("anyOf", schema.get("oneOf", [{}]))[0].get("required", [])
        given = {name: ARGUMENTS[name] for name in needed}
        if path.startswith("/v1/microblog/posts/"):
            given = {"id": "mastodon:mastodon.social/117532337438730006"}
        if path.startswith("/v1/shortvideo/videos/"):
            captioned = path.endswith("/transcript")
            given = {"id": "dailymotion:xhnwgzv" if captioned else "youtube:frsSandb000"}
        if path.startswith("/v1/account/"):
            return {"id": own} if "id" in needed else {}
        return {**given, "dry_run": True}

    @property
    def description(self):
        if not hasattr(self, "_description"):
            self._description = self.server.get("/openapi.json").json()
        return self._description


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("matrix"))
    yield made
    made.server.stop()


def test_every_route_has_its_row(world):
    assert set(ENDPOINT_ROWS) == set(world.description["paths"])
    source = "".join((ROOT / f"lib/engine/dashboard/{name}_commands.cpp").read_text()
                     for name in ("session", "factor", "member"))
    commands = {("POST " if guarded == "true" else "GET ") + name for name, guarded in
              re.findall(r'\{\{"([\w/-]+)", required_role::\w+, (true|false)\}', source)}
    administration = (ROOT / "lib/engine/admin/admin_table.cpp").read_text()
    rows = re.findall(r'row\("([\w.]+)",[^;]*?, (dashboard|command_line),', administration)
    assert len(rows) == administration.count('row("') >= 15
    commands |= {f"POST operator/{name}" for name, place in rows if place == "dashboard"}
    assert len(commands) >= 24
    assert {row for row in COMMAND_ROWS if "v1/" not in row} == commands
    served = re.search(r"served\{(.*?)\};", (ROOT / "server/dropin/dropin.cpp").read_text(), re.S)[1]
    assert set(DROPIN_ROWS) == set(re.findall(r'"(/[\w/]+)"', served)) <= set(FIXED_ROWS)
    routes = re.search(r"fixed_routes\(\) noexcept \{(.*?)\}\};",
                       (ROOT / "server/fixed_routes.cpp").read_text(), re.S)[1]
    assert set(re.findall(r'\{"(/[\w./-]*)"', routes)) <= set(FIXED_ROWS)


@pytest.mark.parametrize("path", ENDPOINT_ROWS)
def test_endpoints(world, path):
    callers = ["nobody", "malformed", "unknown", "revoked", "expired", "cookie", "read", "account", "both",
               "test", "other"]
    for caller, expected in zip(callers, ENDPOINT_ROWS[path], strict=True):
        own = world.member.post("v1/account/keys/create", {}).json()["data"]["id"]
        theirs = world.theirs
        if path == "/v1/account/requests/show":
            theirs, own = world.calls
        body = world.arguments(path, theirs if caller == "other" else own)
        if caller == "cookie":
            answer = world.server.exchange(post_bytes(path, body, None, *world.member.fields()))
        else:
            answer = world.server.post(path, body, world.keys["both" if caller == "other" else caller])
        check(answer, expected, (path, caller))


@pytest.mark.parametrize("path", DROPIN_ROWS)
def test_dropin_routes(world, path):
    callers = ["nobody", "malformed", "unknown", "revoked", "expired", "cookie", "read", "account", "both",
               "test"]
    for caller, expected in zip(callers, DROPIN_ROWS[path], strict=True):
        if caller == "cookie":
            answer = world.server.exchange(post_bytes(path, {}, None, *world.member.fields()))
        else:
            answer = world.server.post(path, {}, world.keys[caller])
        check(answer, expected, (path, caller))


@pytest.mark.parametrize("path", FIXED_ROWS)
def test_fixed_routes(world, path):
    nobody, key, session, post = FIXED_ROWS[path]
    check(world.server.get(path), nobody, path)
    check(world.server.get(path, f"Authorization: Bearer {world.keys['both']}"), key, path)
    check(world.server.get(path, *world.member.fields()), session, path)
    check(world.server.post(path, "{}"), post, path)


@pytest.mark.parametrize("row", MCP_ROWS)
def test_mcp(world, row):
    method, path = row.split()
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}
    callers = ["nobody", "malformed", "unknown", "revoked", "expired", "cookie", "read", "account", "both",
               "test"]
    for caller, expected in zip(callers, MCP_ROWS[row], strict=True):
        fields = world.member.fields() if caller == "cookie" else []
        key = None if caller == "cookie" else world.keys[caller]
        sent = post_bytes(path, body, key, "Accept: application/json, text/event-stream", *fields)
        if expected == "ok":  # a stream, whose head alone is looked at
            with world.server.wire() as wire:
                wire.send(sent)
                while b"\r\n\r\n" not in wire.buffer:
                    assert wire.more()
                assert wire.buffer.startswith(b"HTTP/1.1 200 "), (row, caller)
                continue
        answer = world.server.exchange(sent.replace(b"POST", method.encode(), 1))
        if expected == "400":
            assert answer.status == 400 and answer.json()["error"]["code"] == -32000, (row, caller)
        else:
            check(answer, expected, (row, caller))


@pytest.mark.parametrize("row", COMMAND_ROWS)
def test_visits(world, row):
    method, name = row.split()
    name = name.replace("<endpoint>", "account/show")
    body = {"id": world.theirs} if name.startswith("v1/account/keys/") else {}
    ended = Person(world.server)
    assert ended.sign_in("member@example.org").status == 200
    left = Person(world.server, ended.cookie)
    left.csrf = ended.csrf
    assert ended.post("sign-out").status == 200
    for caller, expected in zip(["nobody", "key", "ended", "no token", "other's", "member", "operator"],
                                COMMAND_ROWS[row], strict=True):
        person = Person(world.server)
        if caller in ("no token", "other's", "member"):
            assert person.sign_in("member@example.org").status == 200
        if caller == "operator":
            assert person.sign_in("operator@example.org").status == 200
        if caller == "ended":
            person = left
        if caller == "no token":
            person.csrf = None
        if caller == "other's":
            person.csrf = world.other.csrf
        more = [f"Authorization: Bearer {world.keys['both']}"] if caller == "key" else []
        answer = person.get(name, *more) if method == "GET" else person.post(name, body, *more)
        check(answer, expected, (row, caller))


@pytest.mark.parametrize("name", ["sign-in", "operator/audit.list", "v1/account/show", "sign-out"])
def test_no_page_of_another_site_gets_through(world, name):
    for field in ("Origin: https://evil.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none"):
        check(world.operator.post(name, {}, field), "csrf_failed", (name, field))
    plain = post_bytes(f"/dashboard/api/{name}", {}, None, *world.operator.fields())
    plain = plain.replace(b"application/json", b"text/plain")
    check(world.server.exchange(plain), "unsupported_media_type", name)


def test_nothing_was_charged(world):
    # Another session: the rows above have used up what one account may have at once.
    member = Person(world.server)
    assert member.sign_in("member@example.org").status == 200
    shown = member.post("v1/account/show").json()
    assert shown["data"]["balance"] == 1000 and shown["data"]["reserved"] == 0
    assert world.server.run("ledger", "verify").returncode == 0

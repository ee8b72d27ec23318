"""The dashboard's interface: signing up and in, cookies, CSRF, sessions, calls by session, one's data."""

import json
import re

import pytest

from support.waiting import wait_until
from dashboard import API, PASSWORD, Person, link_of, logged_mails
from serving import post_bytes


def code_of(answer):
    return answer.status, answer.json()["code"]


@pytest.fixture(scope="module")
def ann(server):
    return Person(server).sign_up("ann@example.org")


def test_a_person_signs_up_and_is_signed_in(server):
    person = Person(server)
    before = person.get("session")
    assert before.status == 200
    assert before.json() == {"signed_in": False, "csrf_token": None, "account": None,
                             "sign_up_open": True, "mail": "log", "alert_mails": False,
                             "service": before.json()["service"]}
    assert before.json()["service"]["base_url"] == server.url
    asked = person.post("sign-up", {"email": "Bea@Example.org"})
    # At the server's own machine the link is handed over, since no mail will bring it.
    assert asked.status == 202 and asked.json() == {
        "next": "verify", "mail": "log", "token": link_of(server, "bea@example.org", "verify")}
    assert person.cookie is None
    link = {"token": link_of(server, "bea@example.org", "verify")}
    for password in (None, "short", "Bea@example.org"):  # the link stays good
        refused = person.post("verify", link if password is None else {**link, "password": password})
        assert code_of(refused) == (400, "invalid_request")
        assert refused.json()["errors"][0]["pointer"] == "/password"
    done = person.post("verify", {**link, "password": PASSWORD})
    assert done.status == 200, done.body
    account = done.json()["account"]
    assert account["email"] == "bea@example.org" and account["email_verified"]
    assert account["plan"] == "free" and account["operator"] is False
    assert done.json()["signed_in"] and done.json()["csrf_token"]
    assert person.get("session").json() == done.json()
    again = Person(server).post("verify", {**link, "password": PASSWORD})
    assert code_of(again) == (400, "invalid_token")
    assert person.post("sign-out").status == 200
    assert person.sign_in("bea@example.org").status == 200


@pytest.mark.parametrize("field", ["X-Forwarded-For: 192.0.2.7", "Forwarded: for=192.0.2.7", "Via: 1.1 proxy",
                                   "X-Real-IP: 192.0.2.7"])
def test_a_link_is_handed_to_nobody_behind_a_proxy(server, field):
    # An address is told so many times an hour: each has its own.
    asked = Person(server).post("sign-up", {"email": field.split(":")[0] + "@example.org"}, field)
    assert (asked.status, asked.json()) == (202, {"next": "verify", "mail": "log"})


def test_a_link_is_handed_over_only_at_the_machine_and_for_a_new_account(server, start):
    body = json.dumps({"email": "new@example.org"}).encode()

    def asked_as(host):
        head = (f"POST {API}sign-up HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        return server.exchange(head + body).json()

    # A page of another name that leads to the loopback has that name in Host.
    assert "token" not in asked_as("rebound.example:8080")
    assert "token" in asked_as("localhost:8080")
    Person(server).sign_up("here@example.org")
    assert Person(server).post("sign-up", {"email": "here@example.org"}).json() == {"next": "verify", "mail": "log"}
    public = start("--set", "server.base_url=https://api.example.org", "--set", "dashboard.open_sign_up=true")
    assert "token" not in Person(public).post("sign-up", {"email": "new@example.org"}).json()


def test_who_signs_up_by_anothers_address_chooses_no_password(server):
    theirs = "the password of a stranger"
    stranger = Person(server)
    # A password is still taken, and not used.
    asked = stranger.post("sign-up", {"email": "victim@example.org", "password": theirs})
    assert asked.status == 202 and stranger.cookie is None
    owner = Person(server)
    link = link_of(server, "victim@example.org", "verify")
    assert owner.post("verify", {"token": link, "password": PASSWORD}).status == 200
    assert code_of(stranger.sign_in("victim@example.org", theirs)) == (401, "invalid_credentials")
    assert owner.sign_in("victim@example.org").status == 200


def test_the_cookie_is_strict(server, ann):
    answer = Person(server).sign_in("ann@example.org")
    attributes = answer.field("Set-Cookie").split("; ")
    assert re.fullmatch(r"freshet_session=[\w-]{43}", attributes[0])
    assert set(attributes[1:]) == {"Path=/dashboard", "HttpOnly", "SameSite=Strict",
                                   "Max-Age=2592000"}
    assert answer.field("Cache-Control") == "no-store"


def test_the_cookie_is_secure_where_the_server_is(start):
    server = start("--set", "server.base_url=https://api.example.org",
                   "--set", "dashboard.open_sign_up=true")
    person = Person(server)
    person.post("sign-up", {"email": "a@example.org"})
    token = link_of(server, "a@example.org", "verify")
    mail = logged_mails(server, "a@example.org")[-1]
    assert "https://api.example.org/dashboard/verify?token=" in mail
    answer = person.post("verify", {"token": token, "password": PASSWORD},
                         "Origin: https://api.example.org")
    assert answer.status == 200
    cookie = answer.field("Set-Cookie")
    assert re.fullmatch(r"__Host-freshet_session=[\w-]{43}; Path=/; HttpOnly; SameSite=Strict; Secure; "
                        r"Max-Age=2592000", cookie)
    assert answer.field("Strict-Transport-Security") == "max-age=31536000"
    assert person.get("session").json()["signed_in"] is True
    person.cookie_name = "freshet_session"  # which another host of the domain could set
    assert person.get("session").json()["signed_in"] is False


def test_sign_up_is_closed_where_the_server_has_a_public_name(start):
    server = start("--set", "server.base_url=https://api.example.org")
    assert Person(server).get("session").json()["sign_up_open"] is False
    answer = Person(server).post("sign-up", {"email": "a@example.org"})
    assert code_of(answer) == (403, "sign_up_closed")


def test_known_and_unknown_addresses_are_told_the_same(server, ann):
    # From elsewhere: who sits at the server's own machine may know who has an account on it.
    answers = [Person(server).post("sign-up", {"email": email}, "Via: 1.1 proxy")
               for email in ("ann@example.org", "nobody-yet@example.org")]
    assert answers[0].status == answers[1].status == 202
    assert answers[0].body == answers[1].body
    wait_until(lambda: "have an account already" in logged_mails(server, "ann@example.org")[-1])
    resets = [Person(server).post("reset/request", {"email": email})
              for email in ("ann@example.org", "nobody@example.org")]
    assert resets[0].status == resets[1].status == 202 and resets[0].body == resets[1].body
    assert logged_mails(server, "nobody@example.org") == []
    wrong = [Person(server).sign_in(email, "not the password")
             for email in ("ann@example.org", "nobody@example.org")]
    for answer in wrong:
        assert code_of(answer) == (401, "invalid_credentials")
        assert answer.field("WWW-Authenticate") == "Session"
    assert wrong[0].json()["detail"] == wrong[1].json()["detail"]


def test_a_mailbox_signs_up_once_however_it_is_spelled(start):
    server = start("--set", "server.base_url=https://api.example.org",
                   "--set", "dashboard.open_sign_up=true")
    person, first, second = Person(server), "a.b@gmail.com", "ab+2@googlemail.com"
    told = [person.post("sign-up", {"email": email}) for email in (first, second)]
    links = [link_of(server, email, "verify") for email in (first, second)]
    confirmed = [Person(server).post("verify", {"token": link, "password": PASSWORD},
                                     "Origin: https://api.example.org") for link in links]
    assert confirmed[0].status == 200
    assert code_of(confirmed[1]) == (400, "invalid_token")
    told.append(person.post("sign-up", {"email": "A.B+3@gmail.com"}))
    assert {(answer.status, answer.body) for answer in told} == {(202, told[0].body)}
    wait_until(lambda: logged_mails(server, "a.b+3@gmail.com"))
    mail = logged_mails(server, "a.b+3@gmail.com")[-1]
    assert "token=" not in mail and "which has an account as a.b@gmail.com " in mail
    assert "https://api.example.org/dashboard" in mail
    # The operator makes whatever is asked for.
    assert server.run("accounts", "create", "a.b+4@gmail.com")


@pytest.mark.parametrize("body, pointer", [
    ({"email": "no address"}, "/email"),
    ({"email": "a@b.c\r\nBcc: d@e.f"}, "/email"),
    ({"password": PASSWORD}, "/email"),
    ({"email": "a@example.org", "plan": "team"}, "/plan"),
    ({"email": ["a@example.org"]}, "/email"),
])
def test_what_is_wrong_is_named(server, body, pointer):
    answer = Person(server).post("sign-up", body)
    assert code_of(answer) == (400, "invalid_request")
    assert answer.json()["errors"][0]["pointer"] == pointer


def test_sign_in_rotates_the_session_and_sign_out_ends_it(server, ann):
    person = Person(server)
    assert person.sign_in("ann@example.org").status == 200
    first, first_csrf = person.cookie, person.csrf
    assert person.sign_in("ann@example.org").status == 200
    assert person.cookie != first
    old = Person(server, first)
    answer = old.get("session")
    assert answer.json()["signed_in"] is False and old.cookie is None
    assert code_of(Person(server, first).get("sessions")) == (401, "not_signed_in")
    stale = Person(server, person.cookie)
    stale.csrf = first_csrf
    assert code_of(stale.post("sign-out")) == (403, "csrf_failed")
    done = person.post("sign-out")
    assert (done.status, done.json()) == (200, {})
    assert "Max-Age=0" in done.field("Set-Cookie") and person.cookie is None
    assert person.get("session").json()["signed_in"] is False


@pytest.mark.parametrize("name", ["sign-in", "sign-out", "password", "sessions/end", "delete",
                                  "reset/request", "v1/account/show", "operator/audit.list"])
def test_a_session_needs_its_own_csrf_token(server, ann, name):
    other = Person(server)
    other.sign_in("ann@example.org")
    for token in (None, "", "wrong", other.csrf):
        person = Person(server, ann.cookie)
        person.csrf = token
        assert code_of(person.post(name)) == (403, "csrf_failed"), token
    assert ann.get("session").json()["signed_in"]


@pytest.mark.parametrize("fields, status", [
    (["Origin: https://evil.example"], 403),
    (["Origin: null"], 403),
    (["Origin: http://localhost", "Origin: https://evil.example"], 403),
    (["Sec-Fetch-Site: cross-site"], 403),
    (["Sec-Fetch-Site: same-site"], 403),
    (["Sec-Fetch-Site: same-origin", "Origin: http://localhost"], 401),
    (["Origin: http://localhost"], 401),
    ([], 401),
])
def test_posts_of_other_sites_are_refused(server, fields, status):
    answer = Person(server).post("sign-in", {"email": "a@example.org", "password": PASSWORD}, *fields)
    assert answer.status == status, answer.body
    if status == 403:
        assert answer.json()["code"] == "csrf_failed"


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_form_cannot_post(server, content_type):
    body = json.dumps({"email": "a@example.org", "password": PASSWORD}).encode()
    head = [f"POST {API}sign-in HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}"]
    if content_type:
        head.append(f"Content-Type: {content_type}")
    answer = server.exchange("\r\n".join([*head, "", ""]).encode() + body)
    assert code_of(answer) == (415, "unsupported_media_type")


def test_two_cookies_of_the_name_are_none(server, ann):
    twice = f"Cookie: freshet_session={ann.cookie}; freshet_session=other"
    assert server.get(API + "session", twice).json()["signed_in"] is False
    among = f"Cookie: a=b; freshet_session={ann.cookie}; c=d"
    assert server.get(API + "session", among).json()["signed_in"] is True


def test_methods(server):
    for name in ("session", "sources", "export"):
        answer = server.exchange(post_bytes(API + name, {}))
        assert answer.status == 405 and answer.field("Allow") == "GET, HEAD, OPTIONS"
    for name in ("sign-in", "operator/audit.list", "v1/account/show"):
        answer = server.get(API + name)
        assert answer.status == 405 and answer.field("Allow") == "POST, OPTIONS"
        assert server.get(API + name, method="OPTIONS").field("Allow") == "POST, OPTIONS"
    assert server.get(API + "session", method="HEAD").status == 200
    assert server.get(API + "nothing").status == 404


class Watched:
    """The events of an account, as a browser listens to them."""

    def __init__(self, server, cookie):
        self.wire = server.wire(timeout=60)
        self.wire.send(f"GET {API}events HTTP/1.1\r\nHost: localhost\r\n"
                       f"Cookie: freshet_session={cookie}\r\n\r\n".encode())
        while b"retry: " not in self.wire.buffer:
            assert self.wire.more() and b" 200 " in self.wire.buffer, self.wire.buffer

    def events(self):
        return self.wire.buffer.count(b"event: calls\ndata: {}\n\n")

    def hears(self):
        """Waits for the first event."""
        while self.events() == 0:
            assert self.wire.more(), self.wire.buffer


def test_who_watches_hears_of_calls_until_the_session_ends(server):
    person = Person(server).sign_up("watcher@example.org")
    key = person.post("v1/account/keys/create", {"mode": "test"}).json()["data"]["key"]
    watched = Watched(server, person.cookie)
    head = watched.wire.buffer.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"http/1.1 200") and b"content-type: text/event-stream" in head
    assert b"cross-origin-resource-policy: same-origin" in head
    assert watched.events() == 0
    assert server.post("/v1/news/search", {"q": "climate"}, key).status == 200
    watched.hears()
    assert person.post("sign-out", {}).status == 200
    other = Person(server)
    other.sign_in("watcher@example.org")
    again = Watched(server, other.cookie)
    heard = watched.events()
    assert server.post("/v1/news/search", {"q": "climate"}, key).status == 200
    again.hears()  # told after those who came before it
    watched.wire.socket.settimeout(0.5)
    with pytest.raises(TimeoutError):
        watched.wire.more()
    assert watched.events() == heard
    assert code_of(server.get(API + "events")) == (401, "not_signed_in")
    assert server.get(API + "events", method="HEAD").status == 405


def test_so_many_watch_an_account_at_once(server):
    person = Person(server).sign_up("crowd@example.org")
    cookie = f"Cookie: freshet_session={person.cookie}"
    held = [Watched(server, person.cookie) for _ in range(16)]
    refused = server.get(API + "events", cookie)
    assert code_of(refused) == (503, "overloaded") and int(refused.field("Retry-After")) > 0
    held.pop().wire.socket.close()

    def has_place():
        with server.wire() as wire:
            wire.send(f"GET {API}events HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n\r\n".encode())
            wire.more()
            return b" 200 " in wire.buffer

    wait_until(has_place)


def test_sessions_are_listed_and_ended(server):
    person = Person(server, agent="first browser").sign_up("sam@example.org")
    other = Person(server, agent="second browser")
    other.sign_in("sam@example.org")
    listed = person.get("sessions").json()["sessions"]
    assert len(listed) == 2
    assert sorted(one["user_agent"] for one in listed) == ["first browser", "second browser"]
    assert [one["user_agent"] for one in listed if one["current"]] == ["first browser"]
    assert {one["address"] for one in listed} == {person.address, other.address}
    theirs = next(one["id"] for one in listed if not one["current"])
    stranger = Person(server).sign_up("sue@example.org")
    assert code_of(stranger.post("sessions/end", {"id": theirs})) == (404, "not_found")
    assert other.get("session").json()["signed_in"]
    assert person.post("sessions/end", {"id": theirs}).status == 200
    assert other.get("session").json()["signed_in"] is False
    mine = person.get("sessions").json()["sessions"][0]["id"]
    assert person.post("sessions/end", {"id": mine}).status == 200 and person.cookie is None


def test_a_new_password_ends_the_other_sessions(server):
    person = Person(server).sign_up("pam@example.org")
    other = Person(server)
    other.sign_in("pam@example.org")
    before = person.cookie
    wrong = person.post("password", {"current_password": "not this one", "new_password": PASSWORD})
    assert code_of(wrong) == (401, "invalid_credentials")
    done = person.post("password", {"current_password": PASSWORD, "new_password": "another tide"})
    assert done.status == 200 and person.cookie != before
    assert other.get("session").json()["signed_in"] is False
    assert code_of(Person(server).sign_in("pam@example.org")) == (401, "invalid_credentials")
    assert Person(server).post("reset/request", {"email": "pam@example.org"}).status == 202
    token = link_of(server, "pam@example.org", "reset")
    late = Person(server)
    assert late.post("reset/confirm", {"token": token, "password": "short"}).status == 400
    assert late.post("reset/confirm", {"token": token, "password": PASSWORD}).status == 200
    assert late.get("session").json()["signed_in"]
    assert person.get("session").json()["signed_in"] is False
    again = Person(server).post("reset/confirm", {"token": token, "password": PASSWORD})
    assert code_of(again) == (400, "invalid_token")


def test_calls_by_session(server):
    person = Person(server).sign_up("cal@example.org")
    shown = person.post("v1/account/show")
    assert shown.status == 200 and shown.json()["data"]["email"] == "cal@example.org"
    assert shown.field("X-Service-Credits-Used") == "0"
    found = person.post("v1/news/search", {"q": "climate", "limit": 1}, "X-Sandbox: true")
    assert found.status == 200 and len(found.json()["data"]) == 1
    assert found.json()["meta"]["credits"]["used"] == 0
    made = person.post("v1/account/keys/create", {"mode": "test"}).json()["data"]
    assert server.post("/v1/account/keys/list", "{}", made["key"]).status in (200, 403)
    by_key = server.post("/v1/news/search", {"q": "climate", "limit": 1}, made["key"])
    assert by_key.json()["data"] == found.json()["data"]
    wrong = person.post("v1/news/serch", {"q": "climate"})
    assert code_of(wrong) == (404, "unknown_endpoint")
    bad = person.post("v1/news/search", {"qq": "climate"})
    assert code_of(bad) == (400, "invalid_request")
    nobody = Person(server).post("v1/account/show")
    assert code_of(nobody) == (401, "not_signed_in")
    ended = Person(server, "x" * 43).post("v1/account/show")
    assert code_of(ended) == (401, "not_signed_in")
    # A session is no key, and a key is no session.
    assert server.post("/v1/account/show", "{}", person.cookie).status == 401
    assert Person(server, made["key"]).get("session").json()["signed_in"] is False


def test_another_accounts_key_is_not_there(server):
    mine = Person(server).sign_up("kim@example.org")
    other = Person(server).sign_up("kit@example.org")
    key = other.post("v1/account/keys/create", {}).json()["data"]
    for name in ("rotate", "revoke"):
        assert code_of(mine.post(f"v1/account/keys/{name}", {"id": key["id"]})) == (404, "not_found")
    assert other.post("v1/account/keys/revoke", {"id": key["id"]}).status == 200


@pytest.mark.parametrize("name", ["pay\u202eroll", "pay\u2066roll", "pay\x9b31mroll"])
def test_a_name_turns_no_letters_and_moves_no_terminal(server, ann, name):
    made = ann.post("v1/account/keys/create", {"name": name})
    passkey = ann.post("passkeys/add", {"name": name, "passkey": "{}"})
    for refused in (made, passkey):
        assert code_of(refused) == (400, "invalid_request")
        assert refused.json()["errors"][0]["pointer"] == "/name"
    printed = server.run("keys", "create", "ann@example.org", "--name", name)
    assert printed.returncode == 1 and "name" in printed.stderr
    # What scripts and emoji need stays.
    kept = "\u05d0\u200f \U0001f469\u200d\U0001f4bb"
    assert ann.post("v1/account/keys/create", {"name": kept}).json()["data"]["name"] == kept


def test_sources_and_plans(server, ann):
    sources = {one["name"]: one for one in ann.get("sources").json()["sources"]}
    assert sources["hackernews"]["platforms"] == ["forum"]
    assert sources["hackernews"]["state"] == "ok"
    assert sources["brave"]["state"] == "not_configured"
    assert sources["googlenews"]["state"] == "disabled"
    for one in sources.values():
        assert set(one) == {"name", "platforms", "state", "code", "retry_after_s", "asked", "failed", "p50_ms",
                            "last_error", "last_error_at"}
    plans = ann.get("plans").json()["plans"]
    assert plans[0] == {"name": "free", "monthly_credits": 1000, "rate": 2.0, "burst": 10}
    for name in ("sources", "plans", "sessions", "export"):
        assert code_of(Person(server).get(name)) == (401, "not_signed_in")


def test_export_and_deletion(server):
    person = Person(server).sign_up("eve@example.org")
    key = person.post("v1/account/keys/create", {"mode": "live"}).json()["data"]
    assert person.post("v1/account/show").status == 200
    export = person.get("export")
    assert re.fullmatch(r'attachment; filename="freshet-acc_\w+\.json"',
                        export.field("Content-Disposition"))
    data = export.json()
    assert data["account"]["email"] == "eve@example.org"
    assert [one["id"] for one in data["keys"]] == [key["id"]]
    assert len(data["sessions"]) == 1 and data["ledger"][0]["kind"] == "grant"
    for secret in (key["key"], person.cookie, person.csrf, "argon2"):
        assert secret not in export.body.decode()
    assert code_of(person.post("delete", {"password": "not this one"})) == (401, "invalid_credentials")
    cookie = person.cookie
    done = person.post("delete", {"password": PASSWORD})
    assert (done.status, done.json()) == (200, {}) and person.cookie is None
    assert Person(server, cookie).get("session").json()["signed_in"] is False
    assert code_of(server.post("/v1/account/show", "{}", key["key"])) == (401, "revoked_api_key")
    assert code_of(Person(server).sign_in("eve@example.org")) == (401, "invalid_credentials")
    assert server.run("ledger", "verify").returncode == 0
    # The address may come back, without a second grant in the same month.
    again = Person(server).sign_up("eve@example.org")
    assert again.post("v1/account/show").json()["data"]["balance"] == 0


def test_too_many_guesses_are_refused_with_the_time_to_wait(start):
    server = start()
    Person(server).sign_up("lou@example.org")
    guesser = Person(server)
    seen = [guesser.sign_in("lou@example.org", "a wrong guess") for _ in range(12)]
    assert [one.status for one in seen] == [401] * 10 + [429] * 2
    assert seen[-1].json()["code"] == "rate_limited"
    assert 1 <= int(seen[-1].field("Retry-After")) <= 90


def test_the_caller_behind_a_proxy(start):
    server = start("--set", "server.trusted_proxies=127.0.0.0/8,10.0.0.0/8")
    person = Person(server).sign_up("pia@example.org")
    for field, address in (("203.0.113.5", "203.0.113.5"), ("6.6.6.6, 203.0.113.6, 10.1.2.3", "203.0.113.6"),
                           ("junk", None), ("2001:db8::1", "2001:db8::1"),
                           ("203.0.113.7:5678", "203.0.113.7"), ("[2001:db8::2]:80", "2001:db8::2")):
        other = Person(server)
        other.post("sign-in", {"email": "pia@example.org", "password": PASSWORD},
                   f"X-Forwarded-For: {field}")
        mine = [one for one in other.get("sessions").json()["sessions"] if one["current"]]
        assert mine[0]["address"] == (address or other.address)
    direct = start()
    person = Person(direct)
    person.sign_up("pia@example.org")
    person.post("sign-in", {"email": "pia@example.org", "password": PASSWORD},
                "X-Forwarded-For: 203.0.113.5")
    assert {one["address"] for one in person.get("sessions").json()["sessions"]} == {person.address}


def test_the_log_holds_no_password_and_no_session(server, ann):
    ann.post("sign-in", {"email": "ann@example.org", "password": "a wrong guess"})
    text = server.log_text()
    for secret in (PASSWORD, "a wrong guess", ann.cookie, ann.csrf):
        assert secret not in text


def test_sessions_outlive_a_restart(start, tmp_path):
    data = tmp_path / "kept"
    server = start(data_dir=data)
    person = Person(server).sign_up("rae@example.org")
    server.stop()
    again = start(data_dir=data)
    back = Person(again, person.cookie)
    assert back.get("session").json()["account"]["email"] == "rae@example.org"
    assert back.csrf == person.csrf


def test_the_interface_goes_with_the_dashboard(start):
    server = start("--set", "dashboard.enabled=false")
    assert server.get(API + "session").status == 404


@pytest.mark.parametrize("setting, said", [
    ("dashboard.sign_up_plan=none", "no plan 'none'"),
    ("dashboard.session_idle_s=0", "dashboard.session_idle_s"),
    ("server.trusted_proxies=somewhere", "somewhere"),
    ("mail.url=http://127.0.0.1:25", "mail.url"),
    ("mail.url=smtp://127.0.0.1:25", "mail.from"),
])
def test_wrong_settings_stop_the_start(tmp_path, setting, said):
    from serving import run_freshet
    run = run_freshet("serve", "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--set", setting,
                      data_dir=tmp_path)
    assert run.returncode == 1 and said in run.stderr

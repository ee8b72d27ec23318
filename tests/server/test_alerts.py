"""Who is told that credits go down: the owner by mail, the operator's program by a signed request."""

import http.server
import json
import threading
import time

import pytest
from support.reach import need_module
from support.waiting import wait_until

from dashboard import Person, logged_mails
from serving import run_freshet

SECRET = "whsec_" + "c2VjcmV0" * 6


class Listener:
    """An operator's program, which refuses first so many, and a page to be charged for."""

    def __init__(self, refusals=0):
        self.taken, self.refusals = [], refusals
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                page = b"<title>Tides</title><p>The tide comes in twice a day, and goes out as often.</p>"
                self.send_response(404 if self.path == "/robots.txt" else 200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                listener.taken.append(({name.lower(): value for name, value in self.headers.items()}, body))
                listener.refusals -= 1
                self.send_response(503 if listener.refusals >= 0 else 204)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def listener():
    made = Listener(refusals=1)
    yield made
    made.close()


def settings(*given):
    return [part for one in given for part in ("--set", one)]


def spend(server, listener, key, count):
    for _ in range(count):
        asked = {"url": f"http://{listener.place}/page"}
        assert server.post("/v1/scrape/markdown", asked, key).status == 200


def test_the_owner_and_the_operator_are_told(start, listener):
    webhook = need_module("standardwebhooks", "standardwebhooks is out of reach").Webhook(SECRET)
    server = start(*settings("plans.free.monthly_credits=5", "network.allow_private=127.0.0.1/32",
                             f"scrape.allow_private={listener.place}",
                             f"alerts.webhook=http://{listener.place}/hook",
                             f"alerts.webhook_secret={SECRET}"))
    person = Person(server).sign_up("amy@example.org")
    key = person.post("v1/account/keys/create", {}).json()["data"]["key"]

    def mails():
        return [one for one in logged_mails(server, "amy@example.org") if "Confirm" not in one]

    spend(server, listener, key, 3)
    assert mails() == [] and listener.taken == []
    spend(server, listener, key, 1)
    wait_until(lambda: len(mails()) == 1 and len(listener.taken) == 2)
    assert "You have 1 credit left" in mails()[0] and f"{server.url}/dashboard" in mails()[0]
    spend(server, listener, key, 1)
    wait_until(lambda: len(mails()) == 2 and len(listener.taken) == 3)
    assert "Your credits are used up" in mails()[1] and "insufficient_credits" in mails()[1]
    # The first was refused once: the same event came again, with a time of its own.
    first, again, last = [webhook.verify(body, head) for head, body in listener.taken]
    ids = [head["webhook-id"] for head, _ in listener.taken]
    assert first == again and ids[0] == ids[1] != ids[2]
    account = person.get("session").json()["account"]["id"]
    assert first["type"] == "account.credits_low" and first["timestamp"].endswith("Z")
    assert first["data"] == {"account": account, "email": "amy@example.org", "percent": 20,
                             "balance": 1, "monthly_credits": 5}
    assert (last["data"]["percent"], last["data"]["balance"]) == (0, 0)


def test_nobody_is_mailed_who_has_not_confirmed_the_address(start, listener):
    server = start(*settings("plans.free.monthly_credits=1", f"scrape.allow_private={listener.place}"))
    server.run("accounts", "create", "bob@example.org")
    key = json.loads(server.run("keys", "create", "bob@example.org", "--json").stdout)["key"]
    spend(server, listener, key, 1)
    assert server.post("/v1/scrape/markdown", {"url": f"http://{listener.place}/"}, key).status == 402
    assert logged_mails(server, "bob@example.org") == []


def test_an_owners_dead_webhook_keeps_nothing_from_the_operator(start, listener):
    dead = Listener(refusals=1_000)
    server = start(*settings("plans.free.monthly_credits=10", "plans.free.rate=1000", "plans.free.burst=1000",
                             "network.allow_private=127.0.0.1/32",
                             f"scrape.allow_private={listener.place},{dead.place}",
                             f"alerts.webhook=http://{listener.place}/hook",
                             f"alerts.webhook_secret={SECRET}"))
    person = Person(server).sign_up("eve@example.org")
    person.post("v1/account/alerts/update", {"webhook": f"http://{dead.place}/own"})
    for _ in range(8):
        few = person.post("v1/account/keys/create", {"monthly_budget": 1}).json()["data"]["key"]
        assert server.post("/v1/all/search", {"q": "tides"}, few).json()["code"] == "key_budget_exceeded"
    wait_until(lambda: len({head["webhook-id"] for head, _ in dead.taken}) == 8)
    spend(server, listener, person.post("v1/account/keys/create", {}).json()["data"]["key"], 8)
    wait_until(lambda: listener.taken)
    assert json.loads(listener.taken[0][1])["data"]["balance"] == 2
    dead.close()


def test_owners_choose_what_they_are_told(start, listener):
    server = start(*settings("plans.free.monthly_credits=6", f"scrape.allow_private={listener.place}",
                             "network.allow_private=127.0.0.1/32", "alerts.failing_s=1",
                             f"sources.hackernews.base_url=http://{listener.place}/"))
    person = Person(server).sign_up("cyd@example.org")
    account = person.get("session").json()["account"]["id"]

    def alerts(**chosen):
        return person.post(f"v1/account/alerts/{'update' if chosen else 'show'}", chosen).json()["data"]

    def events():
        """What came, each once, though the first attempt was refused."""
        told = {head["webhook-id"]: json.loads(body) for head, body in listener.taken}
        return [(one["type"].removeprefix("account."), one["data"]) for one in told.values()]

    assert alerts() == {"object": "alert_settings", "id": account, "credits_left": ["0", "20"],
                        "key_budgets": True, "failing_sources": False, "mail": True,
                        "email": "cyd@example.org", "webhook": None, "webhook_secret": None}
    chosen = alerts(webhook=f"http://{listener.place}/own", credits_left=["50", "10"], failing_sources=True)
    secret = chosen["webhook_secret"]
    assert secret.startswith("whsec_") and alerts() == {**chosen, "webhook_secret": None}
    assert alerts(mail=False)["webhook_secret"] is None

    key = person.post("v1/account/keys/create", {}).json()["data"]["key"]
    few = person.post("v1/account/keys/create", {"monthly_budget": 1, "name": "few"}).json()["data"]
    spend(server, listener, key, 2)
    spend(server, listener, few["key"], 1)
    wait_until(lambda: len(listener.taken) == 2)
    percents = {"percent": 50, "balance": 3, "monthly_credits": 6}
    assert events() == [("credits_low", {"account": account, "email": "cyd@example.org", **percents})]
    for _ in range(3):
        refused = server.post("/v1/scrape/markdown", {"url": f"http://{listener.place}/page"}, few["key"])
        assert refused.json()["code"] == "key_budget_exceeded"
    wait_until(lambda: len(events()) == 2)
    assert events()[1] == ("key_budget_reached", {"account": account, "key_id": few["id"], "key_name": "few",
                                                  "monthly_budget": 1})

    def failing():
        time.sleep(0.6)
        server.post("/v1/forum/search", {"q": "tides", "sources": ["hackernews"]}, key)
        return len(events()) == 3

    wait_until(failing)
    kind, data = events()[2]
    assert (kind, data["source"], data["code"][:7]) == ("source_failing", "hackernews", "source_")
    # Nothing else came, neither by mail nor for the operator, and all of it is signed.
    assert [one for one in logged_mails(server, "cyd@example.org") if "Confirm" not in one] == []
    webhook = need_module("standardwebhooks", "standardwebhooks is out of reach").Webhook(secret)
    for head, body in listener.taken:
        webhook.verify(body, head)
    lines = server.run("audit", "list", "--q", "alerts.update").stdout
    assert lines.count("alerts.update") == 2 and secret not in server.log_text() + lines


def test_an_owners_webhook_lies_where_calls_may_go(start, listener):
    server = start(*settings("network.allow_private=127.0.0.1/32"))
    person = Person(server).sign_up("dee@example.org")
    assert person.post("v1/account/alerts/update", {"webhook": f"http://{listener.place}/"}).status == 200
    key = person.post("v1/account/keys/create", {"monthly_budget": 1}).json()["data"]["key"]
    assert server.post("/v1/all/search", {"q": "tides"}, key).json()["code"] == "key_budget_exceeded"
    wait_until(lambda: "A key has used its budget" in server.log_text())
    wait_until(lambda: "the webhook of acc_" in server.log_text())
    assert listener.taken == []


def test_a_test_goes_where_alerts_go(start, listener):
    server = start(*settings("network.allow_private=127.0.0.1/32", f"scrape.allow_private={listener.place}"))
    person = Person(server).sign_up("eve@example.org")

    def test():
        return person.post("v1/account/alerts/test", {})

    # There is no mail here, which is said; what is refused is not counted.
    refused = test()
    assert (refused.status, refused.json()["code"]) == (409, "no_recipient")
    assert "sends no alerts by mail" in refused.json()["detail"]
    asked = {"webhook": f"http://{listener.place}/own"}
    secret = person.post("v1/account/alerts/update", asked).json()["data"]["webhook_secret"]
    account = person.get("session").json()["account"]["id"]
    assert test().json()["data"] == {"object": "alert_test", "id": account, "email": None, **asked}
    wait_until(lambda: listener.taken)
    head, body = listener.taken[0]
    sent = need_module("standardwebhooks", "standardwebhooks is out of reach").Webhook(secret).verify(body, head)
    assert (sent["type"], sent["data"]) == ("account.test", {"account": account})
    again = test()
    assert (again.status, again.json()["code"], again.field("Retry-After")) == (429, "rate_limited", "60")
    # Another account's tests are its own.
    other = Person(server).sign_up("fay@example.org")
    other.post("v1/account/alerts/update", asked)
    assert other.post("v1/account/alerts/test", {}).status == 200


@pytest.mark.parametrize("wrong, named", [
    (["alerts.left=20,101"], "alerts.left"),
    (["alerts.left=some"], "alerts.left"),
    (["alerts.failing_s=0"], "alerts.failing_s"),
    (["alerts.webhook=ftp://hooks.example"], "alerts.webhook:"),
    (["alerts.webhook=https://hooks.example"], "alerts.webhook_secret: whsec_"),
    (["alerts.webhook=https://hooks.example", "alerts.webhook_secret=whsec_c2hvcnQ="], "24 bytes"),
])
def test_what_cannot_be_meant_is_refused(tmp_path, wrong, named):
    run = run_freshet("serve", *settings(*wrong), data_dir=tmp_path)
    assert run.returncode != 0 and named in run.stderr

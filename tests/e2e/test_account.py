"""The account calls over HTTP: what they show is what the calls before them have done."""

import datetime
import json


def test_usage_by_day_endpoint_key_and_source(serve, pages):
    server = serve()
    email = server.account()
    reader, other = server.key(email, "--scope", "read"), server.key(email)
    for key in (reader, reader, other):
        assert server.call("scrape/markdown", key, url=pages).status == 200

    def usage(**parameters):
        answer = server.call("account/usage", other, **parameters)
        assert answer.status == 200, answer.body
        return answer.json["data"]

    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    rows = usage()
    assert [(row["group"], row["calls"], row["credits"]) for row in rows] == [(today, 3, 3)]
    assert rows[0]["day"] == today and rows[0]["endpoint"] is None
    assert [row["group"] for row in usage(group_by="endpoint")] == ["scrape/markdown"]
    assert sorted(row["calls"] for row in usage(group_by="key")) == [1, 2]
    (by_source,) = usage(group_by="source")
    assert by_source["source"] == by_source["group"] and by_source["calls"] == 3
    (both,) = usage(group_by="day,endpoint")
    assert both["id"] == "day,endpoint:" + today + ",scrape/markdown"
    assert (both["day"], both["endpoint"], both["credits"]) == (today, "scrape/markdown", 3)

    week = usage(since="7d", time_zone="Pacific/Auckland", empty_days=True)
    assert len(week) == 8 and sum(row["calls"] for row in week) == 3
    days = [datetime.date.fromisoformat(row["day"]) for row in week]
    assert all(b - a == datetime.timedelta(1) for a, b in zip(days, days[1:]))


def test_usage_of_the_most_used_and_of_the_others_as_one(serve, pages):
    server = serve()
    email = server.account()
    keys = [server.key(email) for _ in range(4)]
    for key, calls in zip(keys, (3, 1, 2, 1)):
        for _ in range(calls):
            server.call("scrape/markdown", key, url=pages)
    all_keys = server.call("account/usage", keys[0], group_by="key").json["data"]
    calls_of = {row["group"]: row["calls"] for row in all_keys}
    most = sorted(calls_of, key=calls_of.get)[2:]

    def of_the_most(**parameters):
        return server.call("account/usage", keys[0], **parameters).json["data"]

    rows = of_the_most(group_by="key", top=2)
    assert [(row["group"], row["calls"], row["credits"]) for row in rows if row["group"] not in most] == [("*", 2, 2)]
    assert {row["group"]: row["calls"] for row in rows if row["group"] in most} == {part: calls_of[part] for part in most}
    assert rows[0]["key_id"] is None and of_the_most(group_by="key", top=4) == all_keys
    today = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    by_day = of_the_most(group_by="day,key", top=2, since="3d", empty_days=True)
    assert [row["group"] for row in by_day if row["calls"]] == [f"{today},*", *(f"{today},{part}" for part in sorted(most))]
    assert len(by_day) == 6 and by_day[-3]["day"] == today


def test_usage_goes_on_where_its_page_ended_though_calls_come_between(serve, pages):
    server = serve()
    key = server.key(server.account())
    server.call("scrape/markdown", key, url=pages)
    first = server.call("account/usage", key, since="9d", empty_days=True, limit=4).json
    assert first["page"]["has_more"] and len(first["data"]) == 4
    server.call("scrape/markdown", key, url=pages)
    rest = server.call("account/usage", key, since="9d", empty_days=True, limit=10,
                       cursor=first["page"]["next_cursor"]).json
    ids = [row["id"] for row in first["data"] + rest["data"]]
    assert len(ids) == len(set(ids)) == 10 and ids == sorted(ids)
    assert rest["data"][-1]["calls"] == 2 and not rest["page"]["has_more"]
    other = server.call("account/usage", key, since="8d", empty_days=True,
                        cursor=first["page"]["next_cursor"])
    assert other.status == 400 and other.json["code"] == "invalid_cursor"
    walked, _ = server.walk("account/usage", key, since="9d", empty_days=True, limit=4)
    assert [row["id"] for row in walked] == ids


def test_usage_says_what_is_wrong(serve):
    server = serve()
    key = server.key(server.account())
    for parameters, pointer in (({"time_zone": "Mars/Olympus"}, "/time_zone"),
                                ({"group_by": "hour"}, "/group_by"),
                                ({"group_by": "key", "empty_days": True}, "/empty_days"), ({"top": 3}, "/top"),
                                ({"group_by": "day", "top": 3}, "/top"), ({"group_by": "key", "top": 0}, "/top")):
        answer = server.call("account/usage", key, **parameters)
        assert answer.status == 400 and answer.json["code"] == "invalid_request"
        assert answer.json["errors"][0]["pointer"] == pointer
    assert "Europe/Berlin" in server.call("account/usage", key, time_zone="CEST").json["detail"]


def test_keys_show_all_but_themselves(serve, pages):
    server = serve()
    email = server.account()
    owner = server.key(email, "--name", "the desk")
    made = server.call("account/keys/create", owner, name="the laptop", scopes=["read"],
                       monthly_budget=5, expires="30d").json["data"]
    secret = made["key"]
    assert secret.startswith(made["prefix"]) and secret.endswith(made["last_four"])
    assert server.call("scrape/markdown", secret, url=pages).status == 200

    def key_of(name):
        keys = server.call("account/keys/list", owner).json["data"]
        return next(key for key in keys if key["name"] == name)

    shown = key_of("the laptop")
    assert shown["prefix"] == "frs_live_" and shown["last_four"] == secret[-4:]
    assert shown["scopes"] == ["read"] and shown["key"] is None
    assert (shown["monthly_budget"], shown["budget_used"]) == (5, 1)
    assert shown["expires_at"] and shown["last_used_at"] and shown["revoked_at"] is None
    assert key_of("the desk")["budget_used"] is None
    listed = server.call("account/keys/list", owner).body
    listed += server.run("keys", "list", email).encode()
    assert secret.encode() not in listed and secret[9:-4].encode() not in listed
    assert b"frs_live_..." + secret[-4:].encode() in listed

    rotated = server.call("account/keys/rotate", owner, id=shown["id"], grace="1h").json["data"]
    assert (rotated["name"], rotated["budget_used"]) == ("the laptop", 1)
    for key in (secret, rotated["key"]):  # both work, and share what is left of the budget
        for _ in range(2):
            assert server.call("scrape/markdown", key, url=pages).status == 200
    for key in (secret, rotated["key"]):
        over = server.call("scrape/markdown", key, url=pages)
        assert over.status == 402 and over.json["code"] == "key_budget_exceeded"
    again = server.call("account/keys/rotate", owner, id=shown["id"])
    assert again.status == 409 and again.json["code"] == "key_not_rotatable"
    ended = server.call("account/keys/revoke", owner, id=rotated["id"]).json["data"]
    again = server.call("account/keys/rotate", owner, id=ended["id"])
    assert again.status == 409 and "create another" in again.json["detail"]


def test_scopes_are_enforced_both_ways(serve, pages):
    server = serve()
    email = server.account()
    reader = server.key(email, "--scope", "read")
    owner = server.key(email, "--scope", "account")
    assert server.call("scrape/markdown", reader, url=pages).status == 200
    assert server.call("account/show", owner).status == 200
    refusals = [server.call("scrape/markdown", owner, url=pages)]
    for endpoint, parameters in (("account/show", {}), ("account/usage", {}),
                                 ("account/ledger", {}), ("account/keys/list", {}),
                                 ("account/keys/create", {}),
                                 ("account/keys/revoke", {"id": "key_1"}),
                                 ("account/keys/rotate", {"id": "key_1"})):
        refusals.append(server.call(endpoint, reader, **parameters))
    for refused in refusals:
        assert refused.status == 403 and refused.json["code"] == "forbidden_scope"
        assert refused.headers["X-Service-Credits-Used"] == "0"


def test_a_key_hands_on_no_more_than_it_has(serve):
    server = serve()
    email = server.account()
    owner, test = server.key(email), server.key(email, "--test")
    day, thrifty = server.key(email, "--expires", "1d"), server.key(email, "--monthly-budget", "5")
    ids = {key["last_four"]: key["id"] for key in server.call("account/keys/list", owner).json["data"]}

    def id_of(key):
        return ids[key[-4:]]

    def code_of(endpoint, key, **parameters):
        answer = server.call("account/keys/" + endpoint, key, **parameters)
        return "ok" if answer.status == 200 else answer.json["code"]

    assert code_of("create", test, mode="live") == "forbidden_scope"
    made = server.call("account/keys/create", test).json["data"]
    assert made["mode"] == "test" and made["key"].startswith("frs_test_")
    for endpoint in ("rotate", "revoke"):
        refused = server.call("account/keys/" + endpoint, test, id=id_of(owner))
        assert refused.status == 403 and "test keys alone" in refused.json["detail"]
        assert code_of(endpoint, test, id=made["id"]) == "ok"
    assert code_of("create", thrifty) == code_of("rotate", thrifty, id=id_of(owner)) == "forbidden_scope"
    assert code_of("create", thrifty, mode="test") == "ok"
    itself = server.call("account/keys/rotate", thrifty, id=id_of(thrifty)).json["data"]
    assert itself["monthly_budget"] == 5

    shown = server.call("account/show", day).json["data"]["key"]
    longer = server.call("account/keys/create", day, expires="2d")
    assert longer.status == 400 and longer.json["errors"][0]["pointer"] == "/expires"
    assert server.call("account/keys/create", day).json["data"]["expires_at"] <= shown["expires_at"]
    assert code_of("create", day, expires="1h") == "ok"
    assert code_of("rotate", day, id=id_of(owner)) == "forbidden_scope"
    assert code_of("rotate", day, id=id_of(day)) == code_of("revoke", day, id=made["id"]) == "ok"
    assert code_of("rotate", owner, id=id_of(owner)) == "ok"


def test_a_test_key_silences_no_alert_and_has_none_sent(serve):
    server = serve()
    email = server.account()
    owner, test = server.key(email), server.key(email, "--test")
    before = server.call("account/alerts/show", owner).json["data"]
    asked = {"webhook": "https://hooks.example.org/", "credits_left": [], "mail": False}
    for refused in (server.call("account/alerts/update", test, **asked), server.call("account/alerts/test", test)):
        assert refused.status == 403 and refused.json["code"] == "forbidden_scope"
        assert "a test key reaches nobody" in refused.json["detail"]
    assert server.call("account/alerts/show", test).json["data"] == before
    assert server.call("account/alerts/update", owner, **asked).json["data"]["mail"] is False


def test_an_owner_verifies_the_ledger_and_keeps_its_head(serve, pages):
    server = serve()
    key = server.key(server.account())
    assert server.call("scrape/markdown", key, url=pages).status == 200
    first = server.call("account/ledger/verify", key)
    assert first.headers["X-Service-Credits-Used"] == "0"
    made = first.json["data"]
    entries, _ = server.walk("account/ledger", key)
    assert made["ok"] and made["complete"] and made["findings"] == []
    assert made["entries"] == len(entries) == 2 and made["balance"] == entries[0]["balance"]
    number, digest = made["head"].split(":")
    assert f"led_{number}" == entries[0]["id"] and digest == entries[0]["hash"]
    assert server.call("scrape/markdown", key, url=pages + "?again").status == 200
    later = server.call("account/ledger/verify", key, known_head=made["head"]).json["data"]
    assert later["ok"] and later["entries"] == 1 and later["head"] != made["head"]
    other = server.call("account/ledger/verify", key, known_head=f"{number}:{'0' * 64}").json["data"]
    assert not other["ok"] and other["findings"][0].startswith("the book does not continue")
    wrong = server.call("account/ledger/verify", key, known_head="the newest")
    assert wrong.status == 400 and wrong.json["errors"][0]["pointer"] == "/known_head"


def test_a_key_revoked_by_command_is_refused_by_the_running_server_at_once(serve):
    server = serve()
    email = server.account()
    key = server.key(email)
    assert server.call("account/show", key).status == 200
    (record,) = json.loads(server.run("keys", "list", email, "--json"))["keys"]
    server.run("keys", "revoke", record["id"])
    for _ in range(20):
        assert server.call("account/show", key).json["code"] == "revoked_api_key"


def test_a_change_of_plan_is_in_force_at_once(serve):
    server = serve("plans.pro.monthly_credits=50000", "plans.pro.rate=7", "plans.pro.burst=70")
    email = server.account()
    key = server.key(email)
    assert server.call("account/show", key).json["data"]["plan"] == "free"
    done = json.loads(server.run("accounts", "plan", email, "pro", "--json"))
    shown = server.call("account/show", key)
    assert shown.json["data"]["plan"] == "pro"
    assert shown.json["data"]["balance"] == done["balance"] == 1000 + done["change"]
    assert shown.json["data"]["limits"] == {"rate": 7, "burst": 70}
    assert '"default";q=70' in shown.headers["RateLimit-Policy"]
    (entry, _) = server.call("account/ledger", key, kind="grant").json["data"]
    assert entry["amount"] == done["change"] and entry["reason"].startswith("plan free to pro: ")
    back = json.loads(server.run("accounts", "plan", email, "free", "--json"))
    assert back["change"] == -done["change"] and back["balance"] == 1000
    (expired,) = server.call("account/ledger", key, kind="expiry", since="1h").json["data"]
    assert expired["amount"] == back["change"]


def test_a_refund_stands_in_the_ledger_with_its_reason(serve, pages):
    server = serve()
    email = server.account()
    key = server.key(email)
    charged = server.call("scrape/markdown", key, {"X-Request-Id": "req-of-mine"}, url=pages)
    assert charged.status == 200
    said = server.run("credits", "refund", "req-of-mine", "--reason", "the page was empty")
    assert said.startswith("refunded 1 credits of led_") and said.endswith("balance 1000")
    refund, usage, _ = server.call("account/ledger", key).json["data"]
    assert (refund["kind"], refund["amount"]) == ("refund", 1)
    assert refund["reason"] == "the page was empty" and refund["refund_of"] == usage["id"]
    assert refund["request_id"] == usage["request_id"] == "req-of-mine"
    assert [row["id"] for row in server.call("account/ledger", key, kind="refund").json["data"]
            ] == [refund["id"]]
    assert "sound" in server.run("ledger", "verify")


def test_the_ledger_is_walked_by_kind(serve, pages):
    server = serve()
    key = server.key(server.account())
    for _ in range(5):
        server.call("scrape/markdown", key, url=pages)
    entries, _ = server.walk("account/ledger", key, kind="usage", since="1h", limit=2)
    assert len(entries) == 5 and {entry["kind"] for entry in entries} == {"usage"}
    wrong = server.call("account/ledger", key, kind="gift")
    assert wrong.status == 400 and wrong.json["errors"][0]["pointer"] == "/kind"

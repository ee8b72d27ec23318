"""Operators: by the command line and at the dashboard, and the log of what they did."""

import json
import re

import pytest

from dashboard import API, PASSWORD, Person
from serving import run_freshet

COMMANDS = ["accounts.list", "accounts.create", "accounts.plan", "credits.grant", "credits.refund",
            "keys.list", "keys.revoke", "ledger.verify", "ledger.list", "usage.show", "service.show",
            "audit.list"]


def code_of(answer):
    return answer.status, answer.json()["code"]


@pytest.fixture(scope="module")
def boss(server):
    assert server.run("accounts", "create", "boss@example.org", "--operator").returncode == 0
    link = server.run("accounts", "link", "boss@example.org").stdout.strip()
    assert link.startswith(f"{server.url}/dashboard/reset?token=")
    person = Person(server)
    done = person.post("reset/confirm", {"token": link.split("=")[1], "password": PASSWORD})
    assert done.status == 200 and done.json()["account"]["operator"] is True, done.body
    return person


@pytest.mark.parametrize("command", COMMANDS)
def test_only_operators_operate(server, boss, command):
    stranger = Person(server)
    assert code_of(stranger.post(f"operator/{command}")) == (401, "not_signed_in")
    if not hasattr(test_only_operators_operate, "member"):
        test_only_operators_operate.member = Person(server).sign_up("member@example.org")
    member = test_only_operators_operate.member
    assert code_of(member.post(f"operator/{command}")) == (403, "forbidden_scope")
    without = Person(server, boss.cookie)
    assert code_of(without.post(f"operator/{command}")) == (403, "csrf_failed")


def test_an_operator_makes_an_account_and_grants_credits(server, boss):
    made = boss.post("operator/accounts.create", {"email": "team@example.org", "plan": "free"})
    assert made.status == 200 and made.json()["email"] == "team@example.org"
    granted = boss.post("operator/credits.grant",
                        {"email": "team@example.org", "credits": 50, "reason": "welcome"})
    assert granted.json()["balance"] == 1050
    wrong = boss.post("operator/credits.grant", {"email": "none@example.org", "credits": 5, "reason": "x"})
    assert code_of(wrong) == (404, "not_found")
    assert boss.post("operator/ledger.verify").json()["ok"] is True
    key = json.loads(server.run("keys", "create", "team@example.org", "--json").stdout)
    listed = boss.post("operator/keys.list", {"email": "team@example.org"}).json()["keys"]
    assert [one["id"] for one in listed] == [key["id"]] and key["key"] not in json.dumps(listed)
    assert boss.post("operator/keys.revoke", {"id": key["id"]}).status == 200
    assert code_of(server.post("/v1/account/show", "{}", key["key"])) == (401, "revoked_api_key")
    # No door to another's secrets.
    for command in ("keys.create", "keys.rotate", "accounts.link", "accounts.operator",
                    "accounts.recover"):
        assert boss.post(f"operator/{command}", {"email": "team@example.org"}).status == 404

    entries = boss.post("operator/audit.list", {"limit": 6}).json()["entries"]
    done = [(one["actor"], one["action"]) for one in entries]
    assert done == [("operator:boss@example.org", "keys.revoke"),
                    ("command line", "keys.create"),
                    ("operator:boss@example.org", "credits.grant.failed"),
                    ("operator:boss@example.org", "credits.grant"),
                    ("operator:boss@example.org", "credits.grant"),
                    ("operator:boss@example.org", "accounts.create")]
    assert entries[0]["subject"] == key["id"] and entries[0]["address"] == boss.address
    assert entries[4]["subject"] == "team@example.org"
    assert json.loads(entries[4]["detail"]) == {"credits": 50, "reason": "welcome"}


def test_accounts_are_listed_with_what_their_people_are(server, boss):
    Person(server).sign_up("zoe@list.example")
    leaver = Person(server).sign_up("zac@list.example")
    account = leaver.get("session").json()["account"]["id"]
    server.run("accounts", "create", "zed@list.example")
    listed = boss.post("operator/accounts.list", {"q": "@list.example"}).json()["accounts"]
    assert {(one["email"], one["email_verified"], one["operator"]) for one in listed} == {
        ("zoe@list.example", True, False), ("zac@list.example", True, False),
        ("zed@list.example", False, False)}
    assert boss.post("operator/accounts.list", {"q": "boss@"}).json()["accounts"][0]["operator"]
    assert leaver.post("delete", {"password": PASSWORD}).status == 200
    assert len(boss.post("operator/accounts.list", {"q": "@list.example"}).json()["accounts"]) == 2
    gone = [one for one in boss.post("operator/accounts.list", {"limit": 100}).json()["accounts"]
            if one["id"] == account]
    assert all(one["deleted_at"] and not one["email"] for one in gone)


def test_the_log_names_no_key(server, boss):
    server.run("accounts", "create", "namer@example.org")
    assert server.run("keys", "create", "namer@example.org", "--name", "Maria's phone").returncode == 0
    entry = boss.post("operator/audit.list", {"limit": 1}).json()["entries"][0]
    assert entry["action"] == "keys.create" and "Maria" not in json.dumps(entry)


def test_the_log_is_walked_to_its_end(server, boss):
    seen, cursor = [], None
    while True:
        page = boss.post("operator/audit.list", {"limit": 3, **({"cursor": cursor} if cursor else {})})
        seen += [one["id"] for one in page.json()["entries"]]
        cursor = page.json()["next_cursor"]
        if cursor is None:
            break
        assert len(page.json()["entries"]) == 3
    assert len(seen) == len(set(seen)) and seen[-1] == "aud_1"
    for bad in ({"limit": 0}, {"cursor": "x"}, {"page": 1}):
        assert code_of(boss.post("operator/audit.list", bad)) == (400, "invalid_request")


def test_the_log_is_searched_where_it_is_kept(server, boss):
    for name in ("ines", "iris"):
        server.run("accounts", "create", f"{name}@search.example")
        boss.post("operator/credits.grant",
                  {"email": f"{name}@search.example", "credits": 7, "reason": f"Pilot of {name}"})

    def found(**asked):
        entries = boss.post("operator/audit.list", {"limit": 500, **asked}).json()["entries"]
        return [(one["action"], one["subject"]) for one in entries]

    ines = [("credits.grant", "ines@search.example"), ("accounts.create", "ines@search.example")]
    # By what is shown, in any case and order; by the account whatever it is called there.
    assert found(q="ines@search.EXAMPLE") == ines == found(email="ines@search.example")
    assert found(q="pilot grant of INES") == ines[:1]
    assert found(q="pilot", email="iris@search.example") == [("credits.grant", "iris@search.example")]
    assert found(q="no such thing") == []
    first = boss.post("operator/audit.list", {"q": "pilot", "limit": 1}).json()
    rest = boss.post("operator/audit.list", {"q": "pilot", "cursor": first["next_cursor"]}).json()
    assert [one["subject"] for one in first["entries"] + rest["entries"]] == [
        "iris@search.example", "ines@search.example"]
    assert rest["next_cursor"] is None
    wrong = boss.post("operator/audit.list", {"email": "nobody@search.example"})
    assert code_of(wrong) == (404, "not_found")


def test_an_operator_sees_what_an_account_has_used(server, boss):
    server.run("accounts", "create", "user@usage.example")
    key = json.loads(server.run("keys", "create", "user@usage.example", "--json").stdout)
    by_day = {"group_by": "day,key", "empty_days": True, "limit": 100}
    own = server.post("/v1/account/usage", by_day, key["key"]).json()["data"]
    asked = {"email": "user@usage.example", **by_day}
    answer = boss.post("operator/usage.show", asked).json()
    assert answer["email"] == "user@usage.example" and answer["usage"] == own != []
    first = boss.post("operator/usage.show", {**asked, "limit": 3}).json()
    rest = boss.post("operator/usage.show", {**asked, "cursor": first["next_cursor"]}).json()
    assert first["usage"] + rest["usage"] == own and rest["next_cursor"] is None
    assert boss.post("operator/usage.show", {**asked, "top": 1}).json()["usage"] == own
    for wrong in ({"group_by": "hour"}, {"since": "soon"}, {"group_by": "key", "empty_days": True},
                  {"limit": 0}, {"days": 3}, {"top": 1}):
        refused = boss.post("operator/usage.show", {"email": "user@usage.example", **wrong})
        assert code_of(refused) == (400, "invalid_request"), wrong


def test_what_an_owner_does_stands_in_the_log(server, boss):
    person = Person(server).sign_up("amy@example.org")
    key = person.post("v1/account/keys/create", {"scopes": ["read", "account"]}).json()["data"]
    fresh = server.post("/v1/account/keys/rotate", {"id": key["id"]}, key["key"]).json()["data"]
    assert person.post("v1/account/keys/revoke", {"id": fresh["id"]}).status == 200
    person.sign_in("amy@example.org", "a wrong guess")
    Person(server).sign_in("amy@example.org")
    person.post("password", {"current_password": PASSWORD, "new_password": "another tide"})
    person.post("delete", {"password": "another tide"})
    entries = boss.post("operator/audit.list", {"limit": 9}).json()["entries"]
    assert [one["action"] for one in entries] == [
        "account.delete", "password.change", "sign_in", "sign_in.failed", "keys.revoke",
        "keys.rotate", "keys.create", "sign_up", "sign_up.request"]
    # What is left of somebody who has gone is a number.
    assert "amy@example.org" not in json.dumps(entries)
    assert re.fullmatch(r"account:acc_\w+", entries[0]["actor"])
    assert entries[5]["detail"] == f"by {key['id']}" and entries[6]["detail"] == "by dashboard"


@pytest.fixture(params=["alone", "server"])
def administer(request, tmp_path, start):
    data = tmp_path / "administered"
    if request.param == "server":
        start(data_dir=data)
    return lambda *arguments: run_freshet(*arguments, "--data", data, data_dir=tmp_path)


def test_the_command_line(administer):
    assert administer("accounts", "create", "a@example.org").returncode == 0
    assert administer("accounts", "operator", "a@example.org").stdout == "a@example.org is an operator now\n"
    off = administer("accounts", "operator", "a@example.org", "--off")
    assert off.stdout == "a@example.org is no operator any more\n"
    link = administer("accounts", "link", "a@example.org")
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/dashboard/reset\?token=[\w-]{43}\n", link.stdout)
    for command in ("operator", "link"):
        missing = administer("accounts", command, "none@example.org")
        assert missing.returncode == 1 and json.loads(missing.stderr)["code"] == "not_found"
    listed = json.loads(administer("audit", "list", "--json").stdout)["entries"]
    assert [one["action"] for one in listed] == ["accounts.link", "accounts.operator",
                                                 "accounts.operator", "accounts.create"]
    assert [one["detail"] for one in listed][1:3] == ['{"off":true}', ""]
    assert {one["actor"] for one in listed} == {"command line"}
    assert {one["subject"] for one in listed} == {"a@example.org"}
    assert link.stdout.strip().split("=")[1] not in json.dumps(listed)
    lines = administer("audit", "list", "--limit", "1").stdout.splitlines()
    assert len(lines) == 2 and "accounts.link" in lines[0] and lines[1].startswith("more: --cursor ")
    assert administer("audit", "list", "--limit", "many").returncode == 2

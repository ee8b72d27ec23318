"""The request log over HTTP: every call of an account leaves a row, whatever came of it, which its
keys alone can see."""

import json
import pathlib
import subprocess
import time

from support.freshet import program


def listed(server, key, /, **parameters):
    answer = server.call("account/requests/list", key, **parameters)
    assert answer.status == 200, answer.body
    return answer.json["data"]


def shown(server, key, request_id):
    answer = server.call("account/requests/show", key, id=request_id)
    assert answer.status == 200, answer.body
    return answer.json["data"]


def test_a_charged_call_and_where_it_is_booked(serve, pages):
    server = serve()
    email = server.account()
    key = server.key(email, "--name", "the desk")
    answer = server.call("scrape/markdown", key, url=pages)
    assert answer.status == 200
    request_id = answer.json["meta"]["request_id"]
    (row,) = listed(server, key)
    assert row["object"] == "request" and row["id"] == request_id
    assert (row["endpoint"], row["status"], row["code"]) == ("scrape/markdown", 200, None)
    assert (row["mode"], row["key_name"], row["credits"]) == ("live", "the desk", 1)
    assert (row["items"], row["completeness"], row["replayed"]) == (1, "complete", False)
    (source,) = row["sources"]
    assert source["name"] == "web" and source["status"] == "ok" and source["items"] == 1
    assert row["body"] is row["answer"] is None
    whole = shown(server, key, request_id)
    entry = next(each for each in server.call("account/ledger", key, kind="usage").json["data"])
    assert whole["ledger_entry"] == entry["id"] and entry["request_id"] == request_id
    # From a kept page it is a call like any other.
    again = server.call("scrape/markdown", key, url=pages).json["meta"]["request_id"]
    kept = shown(server, key, again)
    assert (kept["items"], kept["completeness"], kept["credits"]) == (1, "complete", 1)
    assert kept["sources"][0]["cache"] in ("hit", "revalidated")


def test_every_kind_of_failure_leaves_a_row(serve, pages):
    server = serve("plans.slow.rate=0.0001", "plans.slow.burst=1")
    email = server.account()
    test, capped = server.key(email, "--test"), server.key(email, "--monthly-budget", "1")
    reader, owner = server.key(email, "--scope", "read"), server.key(email)
    calls = [
        ("microblog/search", owner, {"sinse": "24h"}, 400, "invalid_request"),
        ("web-serp/search", test, {"q": "forbidden", "sources": ["mojeek"]}, 502, "source_blocked"),
        ("microblog/users/lookup", test, {"username": "nobody.test"}, 404, "not_found"),
        ("scrape/markdown", owner, {"url": "http://10.1.2.3/"}, 403, "target_forbidden"),
        ("account/show", reader, {}, 403, "forbidden_scope"),
        ("scrape/markdown", owner, {"url": pages, "max_credits": 0}, 402, "max_credits_exceeded"),
        ("scrape/markdown", capped, {"url": pages}, 200, None),
        ("scrape/markdown", capped, {"url": pages}, 402, "key_budget_exceeded"),
        ("scrape/markdown", owner, {"url": pages.replace("127.0.0.1", "127.0.0.2")}, None, None),
    ]
    expected = []
    for endpoint, key, parameters, status, code in calls:
        answer = server.call(endpoint, key, **parameters)
        assert status in (None, answer.status), answer.body
        code = answer.json.get("code")
        request_id = answer.json.get("request_id") or answer.json["meta"]["request_id"]
        expected.insert(0, (request_id, endpoint, answer.status, code))
    malformed = server.request("POST", "/v1/news/search", b'{"q": ', owner)
    expected.insert(0, (malformed.json["request_id"], "news/search", 400, "invalid_json"))
    rows = listed(server, owner)
    assert [(row["id"], row["endpoint"], row["status"], row["code"]) for row in rows] == expected
    blocked = next(row for row in rows if row["code"] == "source_blocked")
    assert blocked["mode"] == "test" and blocked["sources"][0]["code"] == "source_blocked"
    assert all(row["credits"] == 0 for row in rows if row["status"] != 200)
    assert [row["status"] for row in listed(server, owner, status="402")] == [402, 402]
    assert {row["status"] for row in listed(server, owner, status="4xx")} == {400, 402, 403, 404}
    failed = listed(server, owner, status="failed")
    assert failed and all(row["status"] >= 400 for row in failed)
    assert {row["status"] for row in listed(server, owner, status="ok")} == {200}
    assert [row["code"] for row in listed(server, owner, code="not_found")] == ["not_found"]
    assert [row["status"] for row in listed(server, owner, endpoint="microblog/search")] == [400]
    assert {row["mode"] for row in listed(server, owner, mode="test")} == {"test"}
    by_key = listed(server, owner, key=blocked["key_id"])
    assert {row["key_id"] for row in by_key} == {blocked["key_id"]} and len(by_key) == 2
    assert listed(server, owner, since="1m")

    slow = server.account("slow@example.org")
    server.run("accounts", "plan", slow, "slow")
    key = server.key(slow)
    assert server.call("account/show", key).status == 200
    limited = server.call("account/show", key)
    assert limited.status == 429
    rows = json.loads(server.run("logs", slow, "--json"))["requests"]
    assert [row["status"] for row in rows] == [429, 200]
    assert rows[0]["id"] == limited.json["request_id"]


def test_replays_are_rows_of_their_own(serve, pages):
    server = serve()
    key = server.key(server.account())
    for _ in range(2):
        answer = server.call("scrape/markdown", key, [("Idempotency-Key", "once")], url=pages)
        assert answer.status == 200
    replay, first = listed(server, key)
    assert (first["credits"], first["replayed"]) == (1, False)
    assert (replay["credits"], replay["replayed"], replay["status"]) == (0, True, 200)


def test_an_account_sees_its_own_calls_alone(serve, pages):
    server = serve()
    mine, theirs = server.key(server.account()), server.key(server.account("other@example.org"))
    answer = server.call("scrape/markdown", mine, [("X-Request-Id", "order-66")], url=pages)
    assert answer.json["meta"]["request_id"] == "order-66"
    assert shown(server, mine, "order-66")["status"] == 200
    assert listed(server, theirs) == []
    for request_id in ("order-66", "req_01KATZ5V2N8Q4R6S8T0V2W4X6Z"):
        missing = server.call("account/requests/show", theirs, id=request_id)
        assert missing.status == 404 and missing.json["code"] == "not_found"
    # Other filters and other accounts have no use for a cursor.
    for _ in range(3):
        server.call("account/show", mine)
    page = server.call("account/requests/list", mine, limit=2).json
    cursor = page["page"]["next_cursor"]
    for key, parameters in ((theirs, {}), (mine, {"status": "ok"})):
        wrong = server.call("account/requests/list", key, cursor=cursor, limit=2, **parameters)
        assert wrong.json["code"] == "invalid_cursor"


def test_pages_are_disjoint_and_end_though_calls_come_between(serve):
    server = serve()
    key = server.key(server.account())
    made = [server.call("account/show", key).json["meta"]["request_id"] for _ in range(25)]
    rows, pages = server.walk("account/requests/list", key, limit=4, endpoint="account/show")
    assert [row["id"] for row in rows] == made[::-1]


def test_what_is_wrong_is_said(serve):
    server = serve()
    key = server.key(server.account())
    for name, value in (("status", "699"), ("status", "40"), ("status", "fine"), ("mode", "both"),
                        ("since", "24x"), ("cursor", "c1.nothing")):
        answer = server.call("account/requests/list", key, **{name: value})
        assert answer.status == 400, answer.body
    answer = server.call("account/requests/list", key, status="bad")
    assert answer.json["errors"][0]["pointer"] == "/status" and "4xx" in answer.json["detail"]
    answer = server.call("account/requests/list", key, endpoint="news/serch")
    assert answer.json["errors"][0]["pointer"] == "/endpoint"
    assert "did you mean 'news/search'?" in answer.json["detail"]
    assert server.call("account/requests/show", key).json["code"] == "invalid_request"


def test_bodies_are_kept_where_the_operator_says_so_and_never_a_key(serve, pages):
    server = serve("requests.bodies_hours=24")
    key = server.key(server.account())
    sent = b'{"q": "tide",   "sinse": 1}'
    wrong = server.request("POST", "/v1/news/search", sent, key)
    row = shown(server, key, wrong.json["request_id"])
    assert row["body"].encode() == sent and row["answer"].encode() == wrong.body
    assert listed(server, key)[0]["body"] is None
    right = server.call("scrape/markdown", key, url=pages)
    row = shown(server, key, right.json["meta"]["request_id"])
    assert json.loads(row["body"]) == {"url": pages} and row["answer"].encode() == right.body
    made = server.call("account/keys/create", key, name="secret", scopes=["read"])
    row = shown(server, key, made.json["meta"]["request_id"])
    assert json.loads(row["body"])["name"] == "secret" and row["answer"] is None
    secret = made.json["data"]["key"]
    server.stop()
    for path in pathlib.Path(server.data).glob("freshet.db.requests*"):
        assert secret.encode() not in path.read_bytes()


def test_the_log_outlives_the_server_and_needs_nobody(serve, tmp_path):
    server = serve()
    key = server.key(server.account())
    made = server.call("account/show", key).json["meta"]["request_id"]
    server.stop()
    log = pathlib.Path(server.data, "freshet.db.requests")
    assert log.stat().st_mode & 0o777 == 0o600
    again = serve()
    assert shown(again, key, made)["endpoint"] == "account/show"
    again.stop()
    # What is no database is put aside; calls go on.
    log.write_bytes(b"no database" * 1000)
    for beside in ("-wal", "-shm"):
        pathlib.Path(str(log) + beside).unlink(missing_ok=True)
    third = serve()
    assert third.call("account/show", key).status == 200
    assert [row["endpoint"] for row in listed(third, key)] == ["account/show"]
    assert pathlib.Path(str(log) + ".broken").exists()


def test_without_a_log_calls_go_on_and_the_settings_are_checked(serve):
    server = serve("requests.keep_days=0")
    key = server.key(server.account())
    assert server.call("account/show", key).status == 200
    answer = server.call("account/requests/list", key)
    assert answer.status == 503 and "requests.keep_days" in answer.json["detail"]
    assert not pathlib.Path(server.data, "freshet.db.requests").exists()


def test_a_folder_in_the_way_of_the_log_costs_no_call(serve, pages):
    server = serve()
    key = server.key(server.account())
    server.stop()
    for path in pathlib.Path(server.data).glob("freshet.db.requests*"):
        path.unlink()
    pathlib.Path(server.data, "freshet.db.requests").mkdir()
    again = serve()
    assert again.call("scrape/markdown", key, url=pages).status == 200
    assert again.call("account/requests/list", key).status == 503
    time.sleep(0.5)
    assert again.call("scrape/markdown", key, url=pages).status == 200


def test_logs_on_the_command_line(serve, pages):
    server = serve()
    email = server.account()
    key = server.key(email, "--name", "Küste")
    assert server.run("logs", email) == "no calls"
    server.call("scrape/markdown", key, url=pages)
    wrong = server.request("POST", "/v1/news/search", {"sinse": 1}, key).json["request_id"]
    titles, newest, oldest = server.run("logs", email).splitlines()
    assert titles.split()[:3] == ["time", "status", "endpoint"]
    for line, words in ((newest, ["400", "news/search", "live", "Küste", wrong, "invalid_request"]),
                        (oldest, ["200", "scrape/markdown", "live", "Küste"])):
        assert all(word in line.split() for word in words), line
    # The columns stand below their titles.
    assert newest.index("news/search") == oldest.index("scrape/markdown") == titles.index("endpoint")
    assert newest.index(wrong) == titles.index("request")
    failed = json.loads(server.run("logs", email, "--status", "failed", "--json"))
    assert [row["id"] for row in failed["requests"]] == [wrong]
    assert failed["requests"][0]["body"] is None
    page = json.loads(server.run("logs", email, "--limit", "1", "--json"))
    rest = json.loads(server.run("logs", email, "--cursor", page["next_cursor"], "--json"))
    assert [row["status"] for row in page["requests"] + rest["requests"]] == [400, 200]
    for options, said in ((("--status", "699"), "4xx"), (("--after", "x"), "newest")):
        done = subprocess.run([program(), "logs", email, *options, "--data", str(server.data)],
                              capture_output=True, text=True)
        assert done.returncode == 1 and said in done.stderr
    server.stop()
    assert len(json.loads(server.run("logs", email, "--json"))["requests"]) == 2


def test_logs_follow_what_comes(serve):
    server = serve()
    email = server.account()
    key = server.key(email)
    first = server.call("account/show", key).json["meta"]["request_id"]
    following = subprocess.Popen([program(), "logs", email, "--follow", "--json", "--data", str(server.data)],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert json.loads(following.stdout.readline())["id"] == first
        for _ in range(3):
            made = server.call("account/show", key).json["meta"]["request_id"]
            assert json.loads(following.stdout.readline())["id"] == made
        # Who read has had enough: that is no failure, and nobody has to call for it to be noticed.
        following.stdout.close()
        assert following.wait(timeout=60) == 0
        assert following.stderr.read() == ""
    finally:
        following.kill()
        following.wait()
        following.stderr.close()

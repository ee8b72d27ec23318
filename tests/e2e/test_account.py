"""The account calls over HTTP: what they show is what the calls before them have done."""

import datetime


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
                                ({"group_by": "key", "empty_days": True}, "/empty_days")):
        answer = server.call("account/usage", key, **parameters)
        assert answer.status == 400 and answer.json["code"] == "invalid_request"
        assert answer.json["errors"][0]["pointer"] == pointer
    assert "Europe/Berlin" in server.call("account/usage", key, time_zone="CEST").json["detail"]

"""The examples that the front page calls: each endpoint's own, by the sandbox, for whoever asks."""

import pytest


def example(server, endpoint, method="GET"):
    return server.get(f"/dashboard/api/examples/{endpoint}", method=method)


def test_every_example_is_answered_to_whoever_asks(server):
    described = server.get("/openapi.json").json()["paths"]
    endpoints = [path[4:] for path in described if not path.startswith("/v1/account/")]
    assert len(endpoints) > 30
    for endpoint in endpoints:
        answer = example(server, endpoint)
        assert answer.status == 200, (endpoint, answer.body)
        assert answer.json()["data"], endpoint
        meta = answer.json()["meta"]
        assert meta["completeness"] == "complete", (endpoint, meta["warnings"])
        assert meta["credits"] == {"used": 0, "remaining": None}
        assert answer.field("X-Service-Credits-Used") == "0"


@pytest.mark.parametrize("endpoint", ["microblog/search", "forum/search", "shortvideo/search"])
def test_each_source_has_something_on_the_example_of_a_search(server, endpoint):
    sources = example(server, endpoint).json()["meta"]["sources"]
    assert len(sources) >= 4 and all(one["items"] > 0 for one in sources), sources


@pytest.mark.parametrize("endpoint, method, status, code", [
    ("account/show", "GET", 401, "not_signed_in"),
    ("account/keys/create", "GET", 401, "not_signed_in"),
    ("news/serch", "GET", 404, "unknown_endpoint"),
    ("", "GET", 404, "unknown_endpoint"),
    ("news/search", "POST", 405, "method_not_allowed"),
])
def test_nothing_else_is(server, endpoint, method, status, code):
    answer = example(server, endpoint, method)
    assert (answer.status, answer.json()["code"]) == (status, code)


def test_a_key_changes_nothing(server):
    plain = example(server, "news/search").json()
    given = server.get("/dashboard/api/examples/news/search?q=quay", "Authorization: Bearer frs_live_mistyped",
                       "X-Sandbox: false")
    assert given.status == 200
    assert [one["id"] for one in given.json()["data"]] == [one["id"] for one in plain["data"]]

"""The examples that the front page calls: each endpoint's own, by the sandbox, for whoever asks."""

import re

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


def texts_of(value):
    """Every text of an item, whatever its key."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for one in value for text in texts_of(one)]
    return [value] if isinstance(value, str) else []


def misses(query, item):
    """What of a query an item does not keep to: words and phrases that it has not, excluded ones that it has."""
    text = re.sub(r"[\W_]+", " ", " ".join(texts_of(item))).lower()
    return [part for excluded, phrase, word in re.findall(r'(-?)(?:"([^"]*)"|(\S+))', query)
            for part in [re.sub(r"[\W_]+", " ", phrase or word).strip().lower()]
            if (f" {part}" in f" {text}") == bool(excluded)]


def test_a_query_is_told_from_what_does_not_keep_to_it():
    item = {"title": "The tide gauge", "tags": ["harbour"], "metrics": {"likes": 3}}
    assert misses('"tide gauge" -toy', item) == [] and misses("harbour", item) == []
    assert misses('"gauge tide" -harbour', item) == ["gauge tide", "harbour"]


def test_what_an_example_finds_keeps_to_its_query(server):
    paths, found = server.get("/openapi.json").json()["paths"], {}
    for path, operations in paths.items():
        (body,) = (media["example"] for media in operations["post"]["requestBody"]["content"].values())
        if "q" in body and not path.endswith("/suggest"):  # engines may go on with another word
            data = example(server, path.removeprefix("/v1/")).json()["data"]
            found[path] = [(misses(body["q"], item), item) for item in data]
    assert len(found) >= 8 and all(found.values())
    assert {path: wrong for path, items in found.items() if (wrong := [one for one in items if one[0]])} == {}


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

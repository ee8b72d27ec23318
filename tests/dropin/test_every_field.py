"""Every row of the table of fields over HTTP: what is refused, warned of and ignored is that, and no
value of any kind brings anything but an answer in the peer's shape."""

import json
import re

import pytest

from test_fields import PATHS, ROOT

ROWS = re.findall(r'^DROPIN_FIELD\((\w+), (\w+), (\w+), (\w+), "((?:[^"\\]|\\.)*)", "[^"]+"\)$',
                  (ROOT / "server/dropin/fields.def").read_text(), re.M)
BASE = {"firecrawl_scrape": {"url": "https://example.com/tide-gauges"},
        "firecrawl_search": {"query": "climate", "limit": 1},
        "tavily_search": {"query": "climate", "max_results": 1},
        "tavily_extract": {"urls": ["https://example.com/tide-gauges"]},
        "tavily_map": {"url": "https://example.com/tide-gauges"},
        "tavily_crawl": {"url": "https://example.com/tide-gauges", "limit": 1}}
SAMPLES = {"text": "other", "whole": 5, "texts": ["other"], "list": ["other"], "object": {"other": 1}, "any": 5}
ODD = [None, True, False, 0, -1, 5, 1.5, 1e300, 10**30, "", "x", "\u0000", [], [None], [[]], ["x"], {}, {"type": "x"},
       {"a": {"b": []}}, "x" * 5000]


def accepted_values(accepted):
    """As the column writes them."""
    return [json.loads(one) if one in ("true", "false", "[]", "{}", '""') else one
            for one in accepted.replace('\\"', '"').split()]


def sample(kind, accepted):
    return "true" not in accepted.split() if kind == "flag" else SAMPLES[kind]


def post(server, key, route, body):
    answer = server.request("POST", PATHS[route], body, key)
    assert answer.headers["X-Service-Credits-Used"] == "0"
    said = answer.json
    if answer.status == 200 and route.startswith("tavily_"):
        beside = {"tavily_search": "images", "tavily_extract": "failed_results"}.get(route, "results")
        assert isinstance(said["results"], list) and isinstance(said[beside], list)
        return 200, "; ".join(said.get("warnings", []))
    if answer.status == 200:
        assert said["success"] is True and isinstance(said["data"], dict)
        return 200, said.get("warning", "") + said["data"].get("warning", "")
    assert answer.status == 400, answer.body
    if route.startswith("tavily_"):
        return 400, said["detail"]["error"]
    assert said["success"] is False and said["code"] == "BAD_REQUEST" and said["details"]
    return 400, said["error"]


@pytest.mark.parametrize("route, name, kind, how, accepted", [row for row in ROWS if row[3] != "mapped"],
                         ids=lambda part: part if part in PATHS else "")
def test_rows(server, keys, route, name, kind, how, accepted):
    status, said = post(server, keys.test, route, {**BASE[route], name: sample(kind, accepted)})
    named = f"{name}: " in said
    assert (status, named) == {"refused": (400, True), "warned": (200, True), "ignored": (200, False)}[how], said
    for value in [None, *accepted_values(accepted)]:
        status, said = post(server, keys.test, route, {**BASE[route], name: value})
        assert status == 200 and f"{name}: " not in said, (value, said)


@pytest.mark.parametrize("route", PATHS)
def test_odd_values(server, keys, route):
    for of, name, *_ in ROWS:
        if of == route and name != "url":
            for value in ODD:
                post(server, keys.test, route, {**BASE[route], name: value})
    for value in ODD:
        assert post(server, keys.test, route, {**BASE[route], "unheard_of": value})[0] == (
            200 if value is None else 400)


def test_rows_of_scrape_options(server, keys):
    for route, name, kind, how, accepted in ROWS:
        if route == "firecrawl_scrape" and how == "refused":
            status, said = post(server, keys.test, "firecrawl_search", {
                "query": "climate", "scrapeOptions": {name: sample(kind, accepted)}})
            assert status == 400 and f"scrapeOptions.{name}: " in said, said
    status, said = post(server, keys.test, "firecrawl_search", {"query": "climate", "scrapeOptions": {"url": "x"}})
    assert status == 400 and "scrapeOptions.url: unknown parameter" in said

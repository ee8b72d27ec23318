"""The table of the peers' fields (server/dropin/fields.def) against what their clients can
send."""

import inspect
import json
import re

import pytest
from support.peers import MANIFEST, ROOT, npm_folder
from support.reach import need_module

TABLE = re.findall(r'^DROPIN_FIELD\((\w+), (\w+), (\w+), (\w+), "(?:[^"\\]|\\.)*", "[^"]+"\)$',
                   (ROOT / "server/dropin/fields.def").read_text(), re.M)
PATHS = {"firecrawl_scrape": "/v2/scrape", "firecrawl_search": "/v2/search", "tavily_search": "/search",
         "tavily_extract": "/extract", "tavily_map": "/map",
         "tavily_crawl": "/crawl"}
# Of the clients alone: they never leave them.
TAVILY_CLIENT = {"timeout", "session_id", "human_id", "client_name", "max_tokens", "kwargs", "self", "key"}


def fields(route):
    return {name for of, name, *_ in TABLE if of == route}


def plain(names):
    """Without what the languages make of a name: skipTlsVerification, skip_tls_verification."""
    return {name.replace("_", "").lower() for name in names}


def snake(name):
    return re.sub(r"([A-Z])", lambda m: "_" + m[1].lower(), name)


def test_the_table_is_sound():
    text = (ROOT / "server/dropin/fields.def").read_text()
    assert len(TABLE) == len(re.findall(r"^DROPIN_FIELD\(", text, re.M)) > 70
    assert len({(of, name) for of, name, *_ in TABLE}) == len(TABLE)
    assert {of for of, *_ in TABLE} == set(PATHS)
    assert {how for _, _, _, how in TABLE} == {"mapped", "ignored", "warned", "refused"}


@pytest.mark.parametrize("route, model", [("firecrawl_scrape", "ScrapeOptions"),
                                          ("firecrawl_search", "SearchRequest")])
def test_every_field_of_firecrawl_py(route, model):
    types = need_module("firecrawl.v2.types", "firecrawl-py is out of reach")
    sent = set(getattr(types, model).model_fields)
    assert len(sent) > 10 and plain(sent) - plain(fields(route)) == set()


def test_every_field_of_tavily_python():
    tavily = need_module("tavily", "tavily-python is out of reach")
    sent = set(inspect.signature(tavily.TavilyClient._search).parameters) - TAVILY_CLIENT
    assert len(sent) > 10 and sent - fields("tavily_search") == set()
    sent = set(inspect.signature(tavily.TavilyClient._extract).parameters) - {"self", "kwargs"}
    assert len(sent) > 7 and sent - fields("tavily_extract") == set()
    for route, method in (("tavily_map", "_map"), ("tavily_crawl", "_crawl")):
        sent = set(inspect.signature(getattr(tavily.TavilyClient, method)).parameters) - {"self", "kwargs"}
        assert len(sent) > 10 and sent - fields(route) == set()


def members(declarations, opening):
    """The members of a TypeScript interface or type, those of the first level."""
    body = declarations[declarations.index(opening) + len(opening):]
    depth, names = 1, []
    for line in re.sub(r"/\*.*?\*/|//[^\n]*", "", body, flags=re.S).splitlines():
        if depth == 1 and (found := re.match(r"\s*(\w+)\??:", line)):
            names.append(found[1])
        depth += line.count("{") - line.count("}")
        if depth < 1:
            break
    return set(names)


def test_every_field_of_the_npm_clients():
    modules = npm_folder() / "node_modules"
    firecrawl = (modules / "firecrawl/dist/index.d.ts").read_text()
    for route, name in (("firecrawl_scrape", "ScrapeOptions"), ("firecrawl_search", "SearchRequest")):
        sent = members(firecrawl, f"interface {name} {{")
        assert len(sent) > 10 and plain(sent) - plain(fields(route)) == set()
    tavily = (modules / "@tavily/core/dist/index.d.ts").read_text()
    sent = {snake(name) for name in members(tavily, "type TavilySearchOptions = {")} - TAVILY_CLIENT
    assert len(sent) > 10 and sent - fields("tavily_search") == set()
    for route, name in (("tavily_extract", "TavilyExtractOptions"), ("tavily_map", "TavilyMapOptions"),
                        ("tavily_crawl", "TavilyCrawlOptions")):
        declared = {snake(one) for one in members(tavily, f"type {name} = {{")}
        sent = declared - TAVILY_CLIENT | declared & {"timeout"}
        assert len(sent) > 6 and sent - fields(route) == set()


def test_the_versions_are_those_that_were_read():
    """A newer client's fields get their rows first."""
    pinned = re.findall(r"^(?:firecrawl-py|tavily-python)==[\d.]+$",
                        (ROOT / "tests/requirements.txt").read_text(), re.M)
    versions = json.loads(MANIFEST.read_text())["devDependencies"].values()
    assert len(pinned) == 2 and all(re.fullmatch(r"[\d.]+", one) for one in versions)

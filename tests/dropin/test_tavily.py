"""Tavily's official clients against Freshet: what they send is understood, what comes back they read,
and what fails they raise as their own errors."""

import asyncio
import datetime
import re

import pytest
from support.freshet import Freshet
from support.peers import Failed, told
from support.reach import need_module

# By status, what the clients of PyPI raise; npm's raise Error with the text alone.
RAISED = {400: "BadRequestError", 401: "InvalidAPIKeyError", 403: "ForbiddenError", 432: "ForbiddenError",
          429: "UsageLimitExceededError", 502: "HTTPError"}


def refused(clients, server, key, status, query, **options):
    with pytest.raises(Failed) as failed:
        clients.tavily(server.url, key, "search", query, **options)
    assert failed.value.kind == ("Error" if clients.name == "npm" else RAISED[status]), failed.value
    return failed.value.message


def test_a_search_of_the_sandbox(clients, server, keys):
    found = clients.tavily(server.url, keys.test, "search", "climate", max_results=3, include_usage=True)
    assert found["query"] == "climate" and found["images"] == [] and found["usage"] == {"credits": 0}
    assert told(found, "request_id").startswith("req_") and told(found, "response_time") >= 0
    assert [one["score"] for one in found["results"]] == [0.99, 0.97, 0.95]
    first = found["results"][0]
    assert first["url"] == "https://cape-alder.example/climate/4" and first["title"].startswith("Mapping")
    assert first["content"].startswith("Every household of Tern Island") and not told(first, "raw_content")
    assert told(first, "published_date") == "Mon, 05 Oct 2026 00:00:00 GMT"
    assert len(clients.tavily(server.url, keys.test, "search", "climate")["results"]) == 5


def test_what_frameworks_always_send(clients, server, keys):
    found = clients.tavily(
        server.url, keys.test, "search", "climate", search_depth="basic", topic="general", days=7,
        include_domains=[], exclude_domains=[], include_answer=False, include_raw_content=False,
        include_images=False, include_favicon=False, auto_parameters=False, exact_match=True,
        include_domains_mode="restrict")
    assert len(found["results"]) == 5


def test_news(clients, server, keys, web):
    def paths(**options):
        found = clients.tavily(server.url, keys.live, "search", "tides", topic="news", **options)
        return [one["url"].removeprefix(web.url) for one in found["results"]]
    assert paths() == ["/harbour", "/gauge", "/old"]
    assert paths(time_range="day") == ["/harbour"] and paths(days=7) == ["/harbour", "/gauge"]
    assert paths(time_range="year", max_results=1) == ["/harbour"]
    today = datetime.datetime.now(datetime.timezone.utc).date()
    ten_days_ago = (today - datetime.timedelta(days=10)).isoformat()
    assert paths(start_date=ten_days_ago, end_date=today.isoformat()) == ["/harbour", "/gauge"]
    assert paths(exclude_domains=["127.0.0.1"]) == [] and paths(country="united kingdom") == paths()
    assert paths(include_domains=["127.0.0.1"]) == paths() and paths(include_domains=["example.org"]) == []


def test_domains_alone(clients, server, keys):
    def hosts(**options):
        found = clients.tavily(server.url, keys.test, "search", "climate", **options)["results"]
        return [one["url"].split("/")[2] for one in found]
    every = hosts()
    assert "www.skerry-bay.example" in every and "loughmore.example" in every
    two = hosts(include_domains=["skerry-bay.example", "loughmore.example"], max_results=20)
    assert len(two) > 1 and {host.removeprefix("www.") for host in two} == {
        "skerry-bay.example", "loughmore.example"}
    assert set(hosts(include_domains=["loughmore.example"], exclude_domains=["skerry-bay.example"])) == {
        "loughmore.example"}


def test_results_with_their_pages(clients, server, keys, web):
    def balance():
        return server.call("account/show", keys.live).json["data"]["balance"]
    before = balance()
    found = clients.tavily(server.url, keys.live, "search", "tides", include_raw_content="markdown",
                           include_usage=True, search_depth="advanced")
    first, gone, last = found["results"]
    assert "**noon**" in told(first, "raw_content") and "fixed mark" in told(last, "raw_content")
    assert not told(gone, "raw_content")
    assert found["usage"] == {"credits": 3} and balance() == before - 3
    if clients.name == "pypi":  # npm's hands on the keys that it knows
        depth, page = found["warnings"]
        assert depth.startswith("search_depth: ") and page.startswith(f"raw_content of {web.url}/missing: ")
    plain = clients.tavily(server.url, keys.live, "search", "tides", include_raw_content="text")["results"][0]
    assert "noon" in told(plain, "raw_content") and "**" not in told(plain, "raw_content")


def test_a_search_with_pictures(clients, server, keys):
    found = clients.tavily(server.url, keys.test, "search", "climate", max_results=2, include_images=True)
    pictures = [one["url"] if isinstance(one, dict) else one for one in found["images"]]  # npm's says so itself
    assert len(found["results"]) == 2 and len(pictures) == 5 and all(one.startswith("https://") for one in pictures)
    described = clients.tavily(server.url, keys.test, "search", "climate", include_images=True,
                               include_image_descriptions=True)["images"]
    assert [one["url"] for one in described] == pictures and all(one["description"] for one in described)
    alone = clients.tavily(server.url, keys.live, "search", "tides", include_images=True, include_usage=True)
    assert len(alone["results"]) == 3 and alone["images"] is not None


def test_pages_by_their_addresses(clients, server, keys, web):
    def balance():
        return server.call("account/show", keys.live).json["data"]["balance"]
    before = balance()
    urls = [f"{web.url}/harbour", f"{web.url}/missing", f"{web.url}/gauge".removeprefix("http://")]
    got = clients.tavily(server.url, keys.live, "extract", urls, include_usage=True, timeout=30)
    assert [one["url"] for one in got["results"]] == [urls[0], urls[2]]
    assert "**noon**" in told(got["results"][0], "raw_content")
    (failed,) = told(got, "failed_results")
    assert failed["url"] == urls[1] and failed["error"]
    assert told(got, "request_id").startswith("req_") and told(got, "response_time") >= 0
    assert balance() == before - 2 and told(got, "usage")["credits"] == 2
    plain = clients.tavily(server.url, keys.live, "extract", [urls[0]], format="text", extract_depth="basic")
    assert "noon" in told(plain["results"][0], "raw_content") and "**" not in told(plain["results"][0], "raw_content")


def test_passages_that_answer_a_query(clients, server, keys):
    url = "https://example.com/tide-gauges"
    whole = clients.tavily(server.url, keys.test, "extract", [url], include_images=True)["results"][0]
    part = clients.tavily(server.url, keys.test, "extract", [url], query="stilling well",
                          chunks_per_source=1)["results"][0]
    some, every = told(part, "raw_content"), told(whole, "raw_content")
    assert 0 < len(some) < len(every) and "well" in some and " [...] " in some
    assert whole["images"] == ["https://example.com/img/stilling-well.jpg"] and part["images"] == []
    none = clients.tavily(server.url, keys.test, "extract", [url], query="zygote")["results"][0]
    assert told(none, "raw_content") == every


def test_the_addresses_of_a_site(clients, server, keys, web):
    url = f"{web.url}/harbour"
    got = clients.tavily(server.url, keys.live, "map", url.removeprefix("http://"), limit=10, include_usage=True)
    assert f"{web.url}/gauge" in got["results"] and told(got, "base_url").endswith("/harbour")
    assert told(got, "usage") == {"credits": 1} and told(got, "response_time") >= 0
    one = clients.tavily(server.url, keys.test, "map", "https://example.com/tide-gauges", limit=1)
    assert len(one["results"]) == 1 and one["results"][0].startswith("https://example.com/")
    for options, name in (({"instructions": "only harbours"}, "instructions"), ({"limit": 0}, "limit"),
                          ({"select_paths": ["/harbours/.*"]}, "select_paths"), ({"timeout": 600}, "timeout")):
        with pytest.raises(Failed) as failed:
            clients.tavily(server.url, keys.test, "map", "https://example.com/tide-gauges", **options)
        assert f"{name}: " in failed.value.message, failed.value
    with pytest.raises(Failed):
        clients.tavily(server.url, keys.live, "map", f"{web.url}/missing")


def test_the_pages_of_a_site(clients, server, keys, web):
    got = clients.tavily(server.url, keys.live, "crawl", f"{web.url}/harbour", limit=3, include_usage=True)
    assert [one["url"] for one in got["results"]] == [f"{web.url}/harbour", f"{web.url}/gauge"]
    assert "**noon**" in told(got["results"][0], "raw_content")
    assert "fixed mark" in told(got["results"][1], "raw_content")
    assert told(got, "base_url") == f"{web.url}/harbour" and told(got, "usage") == {"credits": 3}
    one = clients.tavily(server.url, keys.live, "crawl", f"{web.url}/harbour", limit=1, format="text")["results"]
    assert len(one) == 1 and "**" not in told(one[0], "raw_content")
    for options, name in (({"instructions": "only harbours"}, "instructions"), ({"limit": 1000}, "limit")):
        with pytest.raises(Failed) as failed:
            clients.tavily(server.url, keys.test, "crawl", "https://example.com/tide-gauges", **options)
        assert f"{name}: " in failed.value.message, failed.value
    with pytest.raises(Failed):
        clients.tavily(server.url, keys.live, "crawl", f"{web.url}/missing")


@pytest.mark.parametrize("urls, options, name", [
    ([], {}, "urls"), (["https://example.com/"] * 21, {}, "urls"), ([""], {}, "urls"),
    (["https://example.com/tide-gauges"], {"format": "html"}, "format"),
    (["https://example.com/tide-gauges"], {"timeout": 90}, "timeout"),
    (["https://example.com/tide-gauges"], {"query": "tides", "chunks_per_source": 9}, "chunks_per_source"),
    (["https://example.com/tide-gauges"], {"query": 'an "unclosed phrase'}, "query"),
], ids=str)
def test_what_cannot_be_extracted_is_named(clients, server, keys, urls, options, name):
    with pytest.raises(Failed) as failed:
        clients.tavily(server.url, keys.test, "extract", urls, **options)
    assert f"{name}: " in failed.value.message, failed.value


def test_a_key_that_is_none_extracts_nothing(clients, server):
    with pytest.raises(Failed) as failed:
        clients.tavily(server.url, "tvly-dev-0123456789", "extract", ["https://example.com/tide-gauges"])
    assert failed.value.kind == ("Error" if clients.name == "npm" else "InvalidAPIKeyError")


@pytest.mark.parametrize("query, options, name", [
    ("tides", {"include_answer": True}, "include_answer"), ("tides", {"include_answer": "advanced"}, "include_answer"),
    ("tides", {"topic": "finance"}, "topic"),
    ("tides", {"time_range": "week"}, "time_range"), ("tides", {"start_date": "2026-11-01"}, "start_date"),
    ("tides", {"topic": "news", "time_range": "hour"}, "time_range"),
    ("tides", {"topic": "news", "start_date": "1.11.2026"}, "start_date"),
    ("tides", {"topic": "news", "start_date": "2999-01-01"}, "start_date"),
    ("tides", {"topic": "news", "end_date": "2020-01-01"}, "end_date"),
    ("tides", {"topic": "news", "days": 0}, "days"), ("tides", {"max_results": 50}, "max_results"),
    ("tides", {"include_domains": ["a b"]}, "include_domains"), ("tides", {"country": "atlantis"}, "country"),
    ("tides", {"exclude_domains": ["a b"]}, "exclude_domains"), ("tides", {"exact_math": True}, "exact_math"),
    ("tides", {"include_raw_content": "html"}, "include_raw_content"), ("site:example.org tides", {}, "query"),
    ('an "unclosed phrase', {}, "query"), ("tides", {"language": "english!", "filter_by_language": True}, "language"),
    ("tides", {"filter_by_language": True}, "filter_by_language"), ("tides", {"safe_search": True}, "safe_search"),
], ids=str)
def test_what_cannot_be_done_is_named(clients, server, keys, query, options, name):
    said = refused(clients, server, keys.test, 400, query, **options)
    name = re.sub(r"_(\w)", lambda m: m[1].upper(), name) if clients.name == "npm" and name in ("exact_math", "safe_search") else name
    assert f"{name}: " in said, said


def test_keys_money_and_rate(clients, server, keys):
    assert "frs_live_" in refused(clients, server, "tvly-dev-0123456789", 401, "tides")
    for _ in range(2):
        clients.tavily(server.url, keys.test, "search", "climate")
    body = {"query": "tides", "include_raw_content": True}
    server.request("POST", "/search", {"query": "tides"}, keys.slow)
    answer = server.request("POST", "/search", body, keys.slow)
    assert answer.status == 429 and 1 <= int(answer.headers["Retry-After"]) <= 100
    refused(clients, server, keys.slow, 429, "tides")


def test_money(clients, server):
    server.run("accounts", "create", f"spent-{clients.name}@example.org", "--plan", "poor")
    key = server.key(f"spent-{clients.name}@example.org")
    for _ in range(2):
        clients.tavily(server.url, key, "search", "tides")
    assert "Insufficient credits: " in refused(clients, server, key, 432, "tides")


@pytest.fixture(scope="module")
def lonely(tmp_path_factory):
    """A server whose search engine does not listen."""
    started = Freshet(tmp_path_factory.mktemp("lonely") / "data", "platforms.web-serp.sources=searxng",
                      "network.allow_private=127.0.0.0/8", "sources.searxng.base_url=http://127.0.0.1:9")
    started.account()
    yield started
    assert started.stop() == 0


def test_a_search_engine_that_fails(clients, lonely):
    key = lonely.key("someone@example.org")
    answer = lonely.request("POST", "/search", {"query": "tides"}, key)
    assert answer.status in (502, 503) and answer.json["detail"]["error"]
    assert answer.headers["X-Service-Credits-Used"] == "0"
    with pytest.raises(Failed) as failed:
        clients.tavily(lonely.url, key, "search", "tides")
    assert failed.value.kind == ("Error" if clients.name == "npm" else "HTTPError")


def test_the_key_in_the_body_as_old_clients_send_it(server, keys):
    answer = server.request("POST", "/search", {"query": "climate", "api_key": keys.test})
    assert answer.status == 200 and len(answer.json["results"]) == 5
    answer = server.request("POST", "/search", {"query": "climate", "api_key": "tvly-x"})
    assert answer.status == 401 and answer.json["detail"]["code"] == "invalid_api_key"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    answer = server.request("POST", "/search", {"query": "climate"})
    assert answer.status == 401 and answer.json["detail"]["code"] == "missing_api_key"


def test_the_clients_for_asyncio(server, keys):
    """Those of PyPI have twins, which call by themselves."""
    firecrawl = need_module("firecrawl", "firecrawl-py is out of reach")
    tavily = need_module("tavily", "tavily-python is out of reach")

    async def calls():
        pages = firecrawl.AsyncFirecrawl(api_key=keys.test, api_url=server.url)
        page = await pages.scrape("https://example.com/tide-gauges", formats=["markdown"])
        assert page.markdown.startswith("A tide gauge")
        assert (await pages.search("climate", limit=1)).web[0].position == 1
        searches = tavily.AsyncTavilyClient(keys.test, api_base_url=server.url)
        assert len((await searches.search("climate", max_results=2))["results"]) == 2
        with pytest.raises(tavily.BadRequestError, match="include_answer: "):
            await searches.search("climate", include_answer=True)

    asyncio.run(calls())


def test_switched_off(tmp_path):
    without = Freshet(tmp_path / "data", "server.dropin=false")
    for path in ("/v2/scrape", "/v2/search", "/search"):
        answer = without.request("POST", path, {})
        assert answer.status == 404 and answer.json["code"] == "unknown_endpoint"
    assert without.stop() == 0

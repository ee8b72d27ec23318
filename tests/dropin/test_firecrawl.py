"""Firecrawl's official clients against Freshet: what they send is understood, what comes back they
read, and what fails they raise as their own errors."""

import datetime

import pytest
from support.peers import Failed, told

PAGE = "https://example.com/tide-gauges"
# The class by which the clients of PyPI tell failures apart; npm's have one for all, with the status.
RAISED = {400: "BadRequestError", 401: "UnauthorizedError", 402: "PaymentRequiredError",
          403: "WebsiteNotSupportedError", 404: "FirecrawlError", 408: "RequestTimeoutError",
          429: "RateLimitError", 500: "InternalServerError"}


def refused(clients, server, key, status, method, *args, **options):
    """The failure of a call, in the class that the client has for this status."""
    with pytest.raises(Failed) as failed:
        clients.firecrawl(server.url, key, method, *args, **options)
    expected = "SdkError" if clients.name == "npm" else RAISED[status]
    assert (failed.value.status, failed.value.kind) == (status, expected), failed.value
    return failed.value


def test_a_page_of_the_sandbox(clients, server, keys):
    page = clients.firecrawl(server.url, keys.test, "scrape", PAGE, formats=["markdown", "links", "images"])
    assert page["markdown"].startswith("A tide gauge measures the height of the sea")
    assert page["links"] == ["https://example.com/harbours/amsterdam"]
    assert page["images"] == ["https://example.com/img/stilling-well.jpg"]
    metadata = page["metadata"]
    assert metadata["title"] == "How tide gauges work" and metadata["language"] == "en"
    assert metadata["author"] == "Ines Castellan"
    assert told(metadata, "sourceURL") == told(metadata, "url") == PAGE
    assert told(metadata, "statusCode") == 200 and told(metadata, "creditsUsed") == 0
    assert told(metadata, "scrapeId").startswith("req_") and told(metadata, "cacheState") == "miss"
    assert "warning" not in page


def test_only_what_was_asked_for(clients, server, keys):
    page = clients.firecrawl(server.url, keys.test, "scrape", PAGE, formats=["links"])
    assert "markdown" not in page and page["links"]
    page = clients.firecrawl(server.url, keys.test, "scrape", PAGE, formats=[{"type": "markdown"}],
                             includeTags=["ul"], onlyMainContent=False, maxAge=0, fastMode=True,
                             timeout=300000, parsers=["pdf"], proxy="auto", integration="tests")
    assert "* **Float gauges** stand in a well" in page["markdown"] and "warning" not in page
    assert "[Home]" in page["markdown"] and "A tide gauge measures" not in page["markdown"]


def test_what_has_no_effect_is_said(clients, server, keys):
    page = clients.firecrawl(server.url, keys.test, "scrape", PAGE, proxy="stealth", storeInCache=False)
    assert page["warning"].count("proxy: ") == 1 and "storeInCache: " in page["warning"]


def test_pages_as_they_were_sent_are_left_out(server, keys):
    """As LibreChat asks."""
    answer = server.request("POST", "/v2/scrape", {
        "url": PAGE, "formats": ["rawHtml", "markdown"], "parsePDF": True, "onlyMainContent": True,
        "timeout": 7500}, keys.test)
    page = answer.json["data"]
    assert answer.status == 200 and page["markdown"] and "rawHtml" not in page
    assert "formats: 'rawHtml' is not kept here" in page["warning"] and "parsePDF" not in page["warning"]


@pytest.mark.parametrize("options, name", [
    ({"mobile": True}, "mobile"), ({"formats": ["html"]}, "formats"),
    ({"formats": [{"type": "json", "prompt": "the title"}]}, "formats"),
    ({"formats": ["markdown", {"type": "screenshot", "fullPage": True}]}, "formats"),
    ({"actions": [{"type": "wait", "milliseconds": 10}]}, "actions"), ({"headers": {"Cookie": "a=b"}}, "headers"),
    ({"location": {"country": "DE"}}, "location"), ({"lockdown": True}, "lockdown"),
    ({"includeTags": ["<<"]}, "includeTags"), ({"excludeTags": ["<<"]}, "excludeTags"),
    ({"parsers": [{"type": "pdf", "mode": "ocr"}]}, "parsers"), ({"waitFor": 500}, "waitFor"),
    ({"waitFor": 500, "fastMode": True}, "waitFor"),
], ids=str)
def test_what_cannot_be_done_is_named(clients, server, keys, options, name):
    said = refused(clients, server, keys.test, 400, "scrape", PAGE, **options)
    assert f"{name}: " in said.message and said.code == "BAD_REQUEST"


def test_keys(clients, server, keys):
    for wrong in ("fc-0123456789", keys.live[:-1] + ("0" if keys.live[-1] != "0" else "1")):
        assert refused(clients, server, wrong, 401, "scrape", PAGE).code == "invalid_api_key"
    assert refused(clients, server, "fc-0123456789", 401, "search", "tides").code == "invalid_api_key"


def test_money_and_rate(clients, server, keys, web):
    assert refused(clients, server, keys.poor, 402, "scrape", PAGE).code == "insufficient_credits"
    server.request("POST", "/v2/scrape", {"url": web.url + "/gauge"}, keys.slow)
    answer = server.request("POST", "/v2/scrape", {"url": web.url + "/gauge"}, keys.slow)
    assert answer.status == 429 and 1 <= int(answer.headers["Retry-After"]) <= 100
    assert refused(clients, server, keys.slow, 429, "search", "tides").code == "rate_limited"


def test_pages_that_fail(clients, server, keys, web):
    assert refused(clients, server, keys.live, 408, "scrape", web.url + "/slow", timeout=1000).code \
        == "SCRAPE_TIMEOUT"
    assert refused(clients, server, keys.live, 404, "scrape", web.url + "/missing").code == "not_found"
    before = web.seen.count("/secret")
    assert refused(clients, server, keys.live, 500, "scrape", web.url + "/secret").code \
        == "SCRAPE_ALL_ENGINES_FAILED"
    assert web.seen.count("/secret") == before + 1, "the client has called again by itself"
    assert refused(clients, server, keys.live, 403, "scrape", "http://10.0.0.1/").code == "target_forbidden"
    said = refused(clients, server, keys.live, 400, "scrape", "ftp://127.0.0.1/")
    assert "url: " in said.message


def test_a_search(clients, server, keys, web):
    found = clients.firecrawl(server.url, keys.live, "search", "tides", limit=2)
    assert [(one["url"], one["position"]) for one in found["web"]] == [
        (web.url + "/harbour", 1), (web.url + "/missing", 2)]
    assert found["web"][0]["title"] == "The harbour"
    assert found["web"][0]["description"] == "The harbour: high water and tides."
    assert "news" not in found and "warning" not in found
    assert clients.firecrawl(server.url, keys.live, "search", "nothing at all")["web"] == []


def test_news_since(clients, server, keys, web):
    def paths(**options):
        found = clients.firecrawl(server.url, keys.live, "search", "tides", sources=["news"], **options)
        assert "web" not in found
        return [one["url"].removeprefix(web.url) for one in found["news"]]
    assert paths() == ["/harbour", "/gauge", "/old"]
    assert paths(tbs="qdr:d") == ["/harbour"] and paths(tbs="qdr:w,sbd:1") == ["/harbour", "/gauge"]
    day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=10)
    assert paths(tbs=f"cdr:1,cd_min:{day.month}/{day.day}/{day.year}") == ["/harbour", "/gauge"]
    assert paths(limit=1, country="GB") == ["/harbour"]


def test_two_sources_at_once(clients, server, keys):
    found = clients.firecrawl(server.url, keys.test, "search", "climate", limit=3,
                              sources=["web", {"type": "news"}])
    assert len(found["web"]) == len(found["news"]) == 3
    first = found["news"][0]
    assert first["snippet"] and first["date"].startswith("2026-") and told(first, "imageUrl")


def test_domains_left_out(clients, server, keys):
    hosts = lambda found: [one["url"].split("/")[2] for one in found["web"]]
    every = hosts(clients.firecrawl(server.url, keys.test, "search", "climate", limit=5))
    left = hosts(clients.firecrawl(server.url, keys.test, "search", "climate", limit=5,
                                   excludeDomains=["skerry-bay.example", "Loughmore.example"]))
    assert "www.skerry-bay.example" in every and "loughmore.example" in every and len(left) == 5
    assert not [host for host in left if host.endswith(("skerry-bay.example", "loughmore.example"))]
    said = hosts(clients.firecrawl(server.url, keys.test, "search", "climate -site:skerry-bay.example"))
    assert not [host for host in said if host.endswith("skerry-bay.example")]


def test_domains_alone(clients, server, keys):
    found = clients.firecrawl(server.url, keys.test, "search", "climate", limit=2,
                              sources=["web", "news"], includeDomains=["Skerry-Bay.example"])
    hosts = [one["url"].split("/")[2] for part in ("web", "news") for one in found[part]]
    assert found["web"] and all(host.endswith("skerry-bay.example") for host in hosts), hosts


@pytest.mark.parametrize("query, options, name", [
    ("tides site:example.org", {}, "query"), ("tides OR waves", {}, "query"), ("filetype:pdf tides", {}, "query"),
    ('an "unclosed phrase', {}, "query"), ("tides", {"sources": ["images"]}, "sources"),
    ("tides", {"tbs": "qdr:d"}, "tbs"), ("tides", {"tbs": "qdr:x", "sources": ["news"]}, "tbs"),
    ("tides", {"tbs": "cdr:1,cd_max:1/1/2020", "sources": ["news"]}, "tbs"),
    ("tides", {"includeDomains": ["a b"]}, "includeDomains"),
    ("tides", {"excludeDomains": ["a/b"]}, "excludeDomains"), ("tides", {"categories": ["pdf"]}, "categories"),
    ("tides", {"location": "Berlin"}, "location"), ("tides", {"country": "Germany"}, "country"),
    ("tides", {"scrapeOptions": {"formats": ["html"]}}, "scrapeOptions.formats"),
], ids=str)
def test_what_a_search_cannot_do_is_named(clients, server, keys, query, options, name):
    said = refused(clients, server, keys.test, 400, "search", query, **options)
    assert f"{name}: " in said.message and said.code == "BAD_REQUEST"


def test_nothing_is_paid_before_the_options_of_pages_are_right(clients, server, keys):
    before = balance(server, keys)
    said = refused(clients, server, keys.live, 400, "search", "tides",
                   scrapeOptions={"formats": ["markdown"], "excludeTags" if clients.name == "npm"
                                  else "exclude_tags": ["<<"]})
    assert "scrapeOptions.excludeTags: " in said.message
    assert balance(server, keys) == before


def balance(server, keys):
    return server.call("account/show", keys.live).json["data"]["balance"]


def test_results_with_their_pages(clients, server, keys, web):
    before = balance(server, keys)
    found = clients.firecrawl(server.url, keys.live, "search", "tides", limit=3,
                              scrapeOptions={"formats": ["markdown", "links"]})
    first, gone, last = found["web"]
    assert first["markdown"].startswith("# The harbour") or "**noon**" in first["markdown"]
    assert first["links"] == [web.url + "/gauge"] and told(first["metadata"], "creditsUsed") == 1
    assert "against a fixed mark" in last["markdown"] and last["metadata"]["title"] == "The gauge"
    assert not gone.get("markdown") and "no such page" in gone["metadata"]["error"]
    # The search and two pages: what failed costs nothing.
    assert balance(server, keys) == before - 3


def test_the_answer_on_the_wire(server, keys, web):
    """What the clients do not show: fields, ids, credits, and the ledger behind them."""
    answer = server.request("POST", "/v2/search", {
        "query": "tides", "limit": 3, "scrapeOptions": {"formats": ["markdown"]}, "origin": "tests"}, keys.live,
        {"X-Request-Id": "order-0815", "Idempotency-Key": "once"})
    assert answer.status == 200 and answer.headers["X-Service-Credits-Used"] == "3"
    assert answer.headers["X-Request-Id"] == "order-0815" == answer.json["id"]
    assert answer.json["creditsUsed"] == 3 and answer.json["success"] is True
    assert int(answer.headers["X-Service-Credits-Remaining"]) == balance(server, keys)
    entries = server.call("account/ledger", keys.live, limit=3).json["data"]
    assert {one["request_id"] for one in entries} == {"order-0815"}
    assert sorted(one["endpoint"] for one in entries) == ["scrape/markdown"] * 2 + ["web-serp/search"]
    seen = len(web.seen)
    again = server.request("POST", "/v2/search", {
        "query": "tides", "limit": 3, "scrapeOptions": {"formats": ["markdown"]}, "origin": "tests"}, keys.live,
        {"Idempotency-Key": "once"})
    assert again.headers["X-Service-Credits-Used"] == "0" and again.headers["Idempotency-Replayed"] == "true"
    assert again.json["data"]["web"][0] == answer.json["data"]["web"][0]
    assert web.seen[seen:] in ([], ["/missing"]), "a repeated call was fetched again"
    server.run("ledger", "verify")


def test_bodies_and_paths(server, keys):
    for body, named in ((b"[]", "body: "), (b"{", "body: "), ({}, "url: "), ({"url": 5}, "url: give a string"),
                        ({"url": PAGE, "onlymaincontent": True}, "did you mean 'onlyMainContent'?"),
                        ({"url": PAGE, "minAge": 1000}, "minAge: "), ({"url": PAGE, "alexandria": [1]}, "alexandria: "),
                        ({"url": PAGE, "formats": "markdown"}, "formats: give a list"),
                        ({"url": PAGE, "timeout": 0}, "timeout: give a whole number from 1 on")):
        answer = server.request("POST", "/v2/scrape", body, keys.test)
        assert answer.status == 400 and answer.json["success"] is False, body
        assert named in answer.json["error"] and answer.json["details"][0]["path"], answer.body
        assert answer.headers["X-Service-Credits-Used"] == "0" and answer.headers["X-Request-Id"]
    assert server.request("POST", "/v2/scrape", {"url": "example.com/tide-gauges"}, keys.test).status != 400
    crawl = server.request("POST", "/v2/crawl", {"url": PAGE}, keys.test)
    assert crawl.status == 404 and "/v2/scrape" in crawl.json["error"]
    wrong = server.request("GET", "/v2/scrape")
    assert wrong.status == 405 and wrong.headers["Allow"] == "POST, OPTIONS" and not wrong.json["success"]

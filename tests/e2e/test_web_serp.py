"""web-serp over a real SearX and a real MediaWiki."""


def test_searx_over_mediawiki(serve, searx):
    server = serve(f"sources.searxng.base_url={searx}", "platforms.web-serp.sources=searxng")
    key = server.key(server.account())
    answer = server.call("web-serp/search", key, q="tide")
    assert answer.status == 200, answer.body
    envelope = answer.json
    assert answer.headers["X-Service-Credits-Used"] == "1"
    assert envelope["meta"]["credits"] == {"used": 1, "remaining": 999}
    titles = [item["title"] for item in envelope["data"]]
    assert "Tide gauge" in titles
    for rank, item in enumerate(envelope["data"], 1):
        assert item["object"] == "web_result"
        assert item["rank"] == rank
        assert item["url"].startswith("http")
        assert item["engines"][0]["name"] == "wiki"


def test_mediawiki_pages_to_the_end_without_a_duplicate(serve, mediawiki):
    server = serve(
        f"sources.mediawiki.base_url={mediawiki}/w", "platforms.web-serp.sources=mediawiki"
    )
    key = server.key(server.account())
    items, metas = server.walk("web-serp/search", key, q="tide", limit=1)
    ids = [item["id"] for item in items]
    assert len(ids) == len(set(ids)) > 2
    assert [item["rank"] for item in items] == list(range(1, len(items) + 1))
    assert all(meta["sources"][0]["name"] == "mediawiki" for meta in metas)


def test_a_phrase_is_exact_and_exclusion_excludes(serve, mediawiki):
    server = serve(
        f"sources.mediawiki.base_url={mediawiki}/w", "platforms.web-serp.sources=mediawiki"
    )
    key = server.key(server.account())
    phrase, _ = server.walk("web-serp/search", key, q='"storm surge"')
    assert [item["title"] for item in phrase] == ["Storm surge"]
    without, _ = server.walk("web-serp/search", key, q="tide -storm")
    titles = [item["title"] for item in without]
    assert "Tide gauge" in titles and "Storm surge" not in titles


def test_two_engines_merge_and_one_may_fail(serve, searx, mediawiki):
    both = "platforms.web-serp.sources=searxng,mediawiki"
    server = serve(
        both, f"sources.searxng.base_url={searx}", f"sources.mediawiki.base_url={mediawiki}/w"
    )
    key = server.key(server.account())
    found = server.call("web-serp/search", key, q="tide").json["data"]
    merged = [item for item in found if len(item["engines"]) > 1]
    assert merged, "a page that both found has both engines"
    assert len({item["url"] for item in found}) == len(found)
    broken = serve(
        both,
        "sources.searxng.base_url=http://127.0.0.1:9",
        f"sources.mediawiki.base_url={mediawiki}/w",
        data="broken",
    )
    key = broken.key(broken.account())
    answer = broken.call("web-serp/search", key, q="tide")
    envelope = answer.json
    assert answer.status == 200
    assert envelope["meta"]["completeness"] == "partial"
    states = {source["name"]: source for source in envelope["meta"]["sources"]}
    assert states["searxng"]["status"] == "error"
    assert states["searxng"]["code"] == "source_unavailable"
    assert states["mediawiki"]["status"] == "ok"


def test_when_all_fail_the_call_fails_and_costs_nothing(serve):
    server = serve(
        "sources.searxng.base_url=http://127.0.0.1:9", "platforms.web-serp.sources=searxng"
    )
    key = server.key(server.account())
    answer = server.call("web-serp/search", key, q="tide")
    assert answer.status == 503
    assert answer.json["code"] == "source_unavailable"
    assert answer.headers["X-Service-Credits-Used"] == "0"
    assert answer.json["credits"] == {"used": 0, "remaining": 1000}

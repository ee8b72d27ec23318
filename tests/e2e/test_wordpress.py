"""news over a real WordPress's feeds, and scrape over its pages."""


def test_news_from_feeds_newest_first(serve, wordpress):
    server = serve(
        f"sources.feeds.urls={wordpress}/feed/,{wordpress}/feed/atom/",
        "platforms.news.sources=feeds",
    )
    key = server.key(server.account())
    items, metas = server.walk("news/search", key, q="climate", limit=4)
    assert items
    times = [item["created_at"] for item in items]
    assert times == sorted(times, reverse=True)
    urls = [item["url"] for item in items]
    assert len(urls) == len(set(urls)), "RSS and Atom carry the same entries: each comes once"
    for item in items:
        assert item["object"] == "article"
        assert item["site"]["domain"]
        assert item["source"] == "feeds"
    assert metas[0]["credits"]["used"] == 1


def test_since_leaves_out_what_is_older(serve, wordpress):
    server = serve(f"sources.feeds.urls={wordpress}/feed/", "platforms.news.sources=feeds")
    key = server.key(server.account())
    everything, _ = server.walk("news/search", key, q="the -nowhere")
    recent, _ = server.walk("news/search", key, q="the -nowhere", since="1h")
    assert everything
    assert recent == []


def test_an_empty_first_page_costs_nothing(serve, wordpress):
    server = serve(f"sources.feeds.urls={wordpress}/feed/", "platforms.news.sources=feeds")
    key = server.key(server.account())
    answer = server.call("news/search", key, q="xylophone-of-doom")
    assert answer.status == 200
    assert answer.json["data"] == []
    assert answer.json["meta"]["credits"] == {"used": 0, "remaining": 1000}


def test_scrape_a_post(serve, wordpress):
    server = serve(f"sources.feeds.urls={wordpress}/feed/", "platforms.news.sources=feeds")
    key = server.key(server.account())
    post = server.call("news/search", key, q="reservoir").json["data"][0]
    answer = server.call("scrape/markdown", key, url=post["url"])
    assert answer.status == 200, answer.body
    page = answer.json["data"]
    assert page["object"] == "document"
    assert page["title"].startswith("Reservoir chart corrected")
    assert "The axis started at 40." in page["markdown"]
    assert page["status_code"] == 200
    assert page["final_url"].startswith(wordpress)
    assert page["word_count"] > 3 and page["token_estimate"] > 3
    gone = server.call("scrape/markdown", key, url=wordpress + "/no-such-page-here/")
    assert gone.status == 404
    assert gone.json["code"] == "not_found"
    assert gone.headers["X-Service-Credits-Used"] == "0"


def test_a_private_address_is_refused_without_permission(serve, wordpress, tmp_path):
    from support.freshet import Freshet

    server = Freshet(tmp_path / "guarded")
    try:
        key = server.key(server.account())
        answer = server.call("scrape/markdown", key, url=wordpress + "/")
        assert answer.status == 403
        assert answer.json["code"] == "target_forbidden"
        assert answer.headers["X-Service-Credits-Used"] == "0"
    finally:
        server.stop()

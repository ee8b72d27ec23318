"""Forum and news sources through the whole program: their recorded exchanges stand behind servers
on loopback, which see what is sent and when."""

import time

import pytest
from support.freshet import without_fetched_at


def live(serve, *settings):
    server = serve(*settings)
    server.live_key = server.key(server.account())
    return server


def ids_of(items):
    ids = [item["id"] for item in items]
    assert ids and len(ids) == len(set(ids))
    return ids


def test_reddit_with_an_application(serve, upstream_of):
    upstream = upstream_of("reddit")
    server = live(serve, f"sources.reddit.base_url={upstream.url}", "platforms.forum.sources=reddit",
                  f"sources.reddit.token_url={upstream.url}/api/v1/access_token",
                  "sources.reddit.client_id=known", "sources.reddit.client_secret=hush")
    items, _ = server.walk("forum/search", server.live_key, q="climate", limit=7)
    assert len(ids_of(items)) == 24
    post = next(item for item in items if item["id"] == "reddit:1t0259")
    comments, metas = server.walk("forum/posts/comments", server.live_key, id=post["id"])
    assert [(one["id"], one["depth"]) for one in comments] == [
        ("reddit:na1", 0), ("reddit:na2", 1), ("reddit:na6", 2), ("reddit:na5", 1), ("reddit:na4", 0),
    ]
    assert metas[-1]["completeness"] == "complete"
    by_url, _ = server.walk("forum/posts/comments", server.live_key, url=post["url"])
    assert without_fetched_at(by_url) == without_fetched_at(comments)
    tokens = [headers for path, headers, _ in upstream.seen if "access_token" in path]
    assert len(tokens) == 1 and tokens[0]["Authorization"].startswith("Basic ")
    assert all(headers["Authorization"] == "Bearer sandbox-token-1"
               for path, headers, _ in upstream.seen if "access_token" not in path)
    assert "hush" not in server.log_path.read_text()


def test_reddit_without_one(serve, upstream_of):
    upstream = upstream_of("reddit")
    server = live(serve, f"sources.reddit.base_url={upstream.url}", "platforms.forum.sources=reddit")
    items, _ = server.walk("forum/search", server.live_key, q="climate", limit=7)
    assert len(ids_of(items)) == 26
    assert all(item["metrics"]["score"] is None for item in items)
    comments, metas = server.walk("forum/posts/comments", server.live_key, id="reddit:1t0259")
    assert len(ids_of(comments)) == 24
    assert metas[-1]["completeness"] == "partial"
    missing = server.call("forum/search", server.live_key, q="climate", community="nosuchplace")
    assert missing.status == 404, missing.body
    assert all(".rss" in path for path, _, _ in upstream.seen)


def test_an_address_goes_to_the_forum_that_it_names(serve, upstream_of):
    first, second = upstream_of("discourse"), upstream_of("discourse")
    server = live(serve, f"sources.discourse.instances={first.url},{second.url}",
                  "platforms.forum.sources=discourse")
    items, _ = server.walk("forum/search", server.live_key, q="climate", limit=5)
    assert len(ids_of(items)) == 28
    for upstream in (first, second):
        host = upstream.url.removeprefix("http://")
        post = next(item for item in items if item["id"] == f"discourse:{host}/303")
        assert post["community"].endswith(f"@{host}")
        comments, _ = server.walk("forum/posts/comments", server.live_key, url=post["url"])
        assert len(ids_of(comments)) == 28
        by_id, _ = server.walk("forum/posts/comments", server.live_key, id=post["id"])
        assert without_fetched_at(by_id) == without_fetched_at(comments)
        assert any(path.startswith("/t/303") for path, _, _ in upstream.seen)
    asked = len(first.seen)
    items, _ = server.walk("forum/search", server.live_key, q="climate", community=f"coast@{host}")
    assert {item["community"] for item in items} == {f"coast@{host}"}
    assert len(first.seen) == asked


def test_stack_exchange_is_left_alone_as_long_as_its_answers_ask(serve, upstream_of):
    upstream = upstream_of("stackexchange")
    server = live(serve, f"sources.stackexchange.base_url={upstream.url}",
                  "platforms.forum.sources=stackexchange", "sources.stackexchange.key=hush")
    items, _ = server.walk("forum/search", server.live_key, q="climate")
    assert len(ids_of(items)) == 25
    begun = time.monotonic()  # the last page said: backoff 2
    gauges, _ = server.walk("forum/search", server.live_key, q='"tide gauge"')
    assert len(gauges) == 3
    assert time.monotonic() - begun > 1.5
    assert all("key=hush" in path for path, _, _ in upstream.seen)
    refused = server.call("forum/search", server.live_key, q="quota")
    assert refused.status == 503 and refused.json["retry_after_s"] == 1200, refused.body
    asked = len(upstream.seen)
    again = server.call("forum/search", server.live_key, q='"tide gauge" -moon')
    assert again.status == 503, again.body
    assert len(upstream.seen) == asked
    assert "hush" not in server.log_path.read_text()


@pytest.mark.parametrize("source, items", [("guardian", 24), ("newsapi", 22)])
def test_news_with_a_key(serve, upstream_of, source, items):
    upstream = upstream_of(source)
    server = live(serve, f"sources.{source}.base_url={upstream.url}",
                  f"platforms.news.sources={source}", f"sources.{source}.api_key=hush")
    found, _ = server.walk("news/search", server.live_key, q="climate", limit=7)
    assert len(ids_of(found)) == items
    times = [item["created_at"] for item in found]
    assert times == sorted(times, reverse=True)
    for path, headers, _ in upstream.seen:
        assert headers.get("X-Api-Key") == "hush" or "api-key=hush" in path
    refused = server.call("news/search", server.live_key, q="quota")
    assert refused.status == 503 and refused.json["retry_after_s"] == 3600, refused.body
    assert "hush" not in server.log_path.read_text()


def test_google_news_is_off_until_it_is_switched_on(serve, upstream_of):
    upstream = upstream_of("googlenews")
    settings = [f"sources.googlenews.base_url={upstream.url}", "platforms.news.sources=googlenews"]
    server = live(serve, *settings)
    off = server.call("news/search", server.live_key, q="climate")
    assert off.status >= 400 and upstream.seen == [], off.body
    server = serve(*settings, "sources.googlenews.enabled=true", data="other")
    found, _ = server.walk("news/search", server.key(server.account()), q="climate", limit=5)
    assert len(ids_of(found)) == 12
    assert all(item["site"]["domain"].endswith(".example") for item in found)


@pytest.mark.parametrize("source, platform, setting", [
    ("guardian", "news", "api_key"), ("newsapi", "news", "api_key"),
    ("discourse", "forum", "base_url"),
])
def test_without_what_it_needs_a_source_is_not_configured(serve, source, platform, setting):
    server = live(serve, f"platforms.{platform}.sources={source}")
    answer = server.call(f"{platform}/search", server.live_key, q="climate")
    assert answer.status >= 500, answer.body
    assert f"sources.{source}.{setting}" in answer.json["detail"]

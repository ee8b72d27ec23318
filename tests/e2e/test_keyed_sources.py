"""The sources that need a credential or an address of one's own, through the whole program: their
recorded exchanges stand behind a server on loopback, which sees what is sent."""

import pytest


def asking(serve, source, upstream, **settings):
    platform = "microblog" if source == "x" else "shortvideo"
    server = serve(f"sources.{source}.base_url={upstream.url}",
                   f"platforms.{platform}.sources={source}",
                   *(f"sources.{source}.{key}={value}" for key, value in settings.items()))
    server.live_key = server.key(server.account())
    return server


def test_x(serve, upstream_of):
    upstream = upstream_of("x")
    server = asking(serve, "x", upstream, bearer_token="hush")
    items, _ = server.walk("microblog/search", server.live_key, q="climate", limit=3)
    assert len(items) == 7 and all("climate" in item["text"].lower() for item in items)
    user = server.call("microblog/users/lookup", server.live_key, username="alice").json["data"]
    assert user["handle"] == "alice"
    posts, _ = server.walk("microblog/users/posts", server.live_key, username="alice")
    assert posts[0]["reposted_by"]["handle"] == "alice"
    root = "x:2116787321041846272"
    replies, _ = server.walk("microblog/posts/replies", server.live_key, id=root)
    known = {root}
    for reply in replies:
        assert reply["parent_id"] in known
        known.add(reply["id"])
    assert len(replies) == 4
    missing = server.call("microblog/users/lookup", server.live_key, username="nobody")
    assert missing.status == 404
    assert all(headers["Authorization"] == "Bearer hush" for _, headers, _ in upstream.seen)
    assert all("hush" not in path for path, _, _ in upstream.seen)


@pytest.mark.parametrize("source, settings", [
    ("youtube", {"api_key": "hush"}),
    ("invidious", {}),
    ("tiktok", {"client_key": "known", "client_secret": "hush"}),
])
def test_short_videos(serve, upstream_of, source, settings):
    upstream = upstream_of(source)
    server = asking(serve, source, upstream, **settings)
    for endpoint, asked in [
        ("shortvideo/search", {"q": "climate", "limit": 3}),
        ("shortvideo/search", {"q": '"tide gauge"'}),
        ("shortvideo/hashtags/videos", {"hashtag": "tides"}),
        ("shortvideo/profiles/videos", {"username": "coastlab"}),
    ]:
        items, _ = server.walk(endpoint, server.live_key, **asked)
        ids = [item["id"] for item in items]
        assert ids and len(ids) == len(set(ids)), (endpoint, asked)
        assert all((item["duration_s"] or 0) <= 180 for item in items)
    user = server.call("shortvideo/profiles/lookup", server.live_key, username="coastlab")
    assert user.json["data"]["handle"] == "coastlab"
    missing = server.call("shortvideo/profiles/lookup", server.live_key, username="nobody")
    assert missing.status == 404
    if source == "youtube":
        assert all("key=hush" in path for path, _, _ in upstream.seen)
    if source == "tiktok":
        tokens = [body for path, _, body in upstream.seen if "token" in path]
        assert len(tokens) == 1 and "client_secret=hush" in tokens[0]
        assert all(headers["Authorization"] == "Bearer clt.sandbox-token"
                   for path, headers, _ in upstream.seen if "token" not in path)
    assert "hush" not in server.log_path.read_text()


@pytest.mark.parametrize("source, platform", [
    ("x", "microblog"), ("youtube", "shortvideo"), ("invidious", "shortvideo"),
    ("tiktok", "shortvideo"),
])
def test_without_what_it_needs_a_source_is_not_configured(serve, source, platform):
    server = serve(f"platforms.{platform}.sources={source}")
    answer = server.call(f"{platform}/search", server.key(server.account()), q="climate")
    assert answer.status >= 500, answer.body
    assert answer.headers["X-Service-Credits-Used"] == "0"
    assert f"sources.{source}." in answer.json["detail"]

"""What a user's program looks like. Type checkers read it as strictly as they can, and it runs."""

from __future__ import annotations

import asyncio
from datetime import datetime

from freshet import AsyncFreshet, Document, Freshet, FreshetError, InvalidRequest, Page, Post, User

SANDBOX = {"network.sandbox": True}


def titles(client: Freshet) -> list[str]:
    return [result.title or "" for result in client.web_serp.search("tide gauge", exclude_sites=["a.example"], limit=3)]


def likes(posts: Page[Post]) -> int:
    return sum(post.metrics.likes or 0 for post in posts.walk())


def latest(posts: Page[Post]) -> datetime | None:
    return max((post.created_at for post in posts if post.created_at), default=None)


async def both(client: AsyncFreshet) -> tuple[User, Document]:
    return await asyncio.gather(
        client.microblog.users.lookup("alice.test"),
        client.scrape.markdown("https://example.com/tide-gauges", mode="page", images=False),
    )


async def main() -> None:
    async with AsyncFreshet(config=SANDBOX) as client:
        user, document = await both(client)
        gauges = await client.scrape.map("https://example.com/tide-gauges", q="harbours", limit=2)
        assert gauges[0].found_in == "page" and len(gauges) == 2
        data = await client.scrape.extract(
            "https://example.com/tide-gauges", schema={"properties": {"headline": {"type": "string"}}}
        )
        assert data.value["headline"] and data.provenance[0].pointer == "/headline"
        assert user.handle == "alice.test" and document.markdown
        page = await client.forum.search("climate", sources=["hackernews"], fields=["title"])
        assert page[0].title
        post = await client.forum.posts.lookup(id="hackernews:9000003")
        video = await client.shortvideo.videos.lookup(url="https://www.dailymotion.com/video/xhnwgzv")
        assert post.community == "hackernews" and video.title
        async for comment in client.forum.posts.comments(id="hackernews:9000003").walk():
            assert comment.depth >= 0


if __name__ == "__main__":
    with Freshet(config=SANDBOX) as blocking:
        posts = blocking.microblog.search("climate", limit=2)
        assert likes(posts) >= 0 and latest(posts) and titles(blocking)
        try:
            blocking.microblog.search("")
        except InvalidRequest as error:
            assert error.errors[0].pointer == "/q"
        except FreshetError:
            raise
    asyncio.run(main())
    print("fine")

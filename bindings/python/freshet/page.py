"""One page of a list, and the walk over it and those that follow. A page knows how to ask for the
next one; it keeps no connection of its own."""

from __future__ import annotations

from collections.abc import Awaitable, AsyncIterator, Callable, Coroutine, Generator, Iterator
from collections.abc import Sequence
from typing import Any, Generic, TypeVar, overload

from .items import Meta
from .values import Item, Maker

__all__ = ["AsyncPage", "Page", "PageCall"]

T = TypeVar("T", bound=Item, covariant=True)


class _Items(Sequence[T]):
    """The items of one page, as a sequence, and what came with them."""

    __slots__ = ("_envelope", "_items")

    def __init__(self, envelope: dict[str, Any], make: Maker[T]) -> None:
        self._envelope = envelope
        self._items = [make(one, envelope) for one in envelope["data"]]

    @property
    def has_more(self) -> bool:
        """Whether there is a next page."""
        found: bool = self._envelope["page"]["has_more"]
        return found

    @property
    def next_cursor(self) -> str | None:
        """Give it as `cursor`, with the same parameters, to go on later; None on the last page."""
        found: str | None = self._envelope["page"]["next_cursor"]
        return found

    @property
    def meta(self) -> Meta:
        """Credits, completeness, and what each source did."""
        return Meta(self._envelope["meta"])

    def to_dict(self) -> dict[str, Any]:
        """The whole envelope, not a copy."""
        return self._envelope

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        return self._items[at]

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        more = "more follow" if self.has_more else "the last"
        return f"<{type(self).__name__} of {len(self)} items, {more}>"


class Page(_Items[T]):
    """A list's answer: a sequence of its items.

    >>> from freshet import Freshet
    >>> client = Freshet(config={"network.sandbox": "true"})
    >>> page = client.microblog.search("climate", limit=2)
    >>> len(page), page.has_more
    (2, True)
    >>> ids = [post.id for post in page.walk()]  # fetches the pages that follow, too
    >>> len(ids) == len(set(ids)) > 2
    True
    """

    __slots__ = ("_follow",)

    def __init__(
        self, envelope: dict[str, Any], make: Maker[T], follow: Callable[[str], Page[T]]
    ) -> None:
        super().__init__(envelope, make)
        self._follow = follow

    def next(self) -> Page[T] | None:
        """The page after this one; None if this is the last."""
        cursor = self.next_cursor
        return self._follow(cursor) if cursor is not None else None

    def pages(self) -> Iterator[Page[T]]:
        """This page and all that follow."""
        page: Page[T] | None = self
        while page is not None:
            yield page
            page = page.next()

    def walk(self) -> Iterator[T]:
        """The items of this page and of all that follow."""
        for page in self.pages():
            yield from page


class AsyncPage(_Items[T]):
    """A list's answer: a sequence of its items. The pages that follow are awaited."""

    __slots__ = ("_follow",)

    def __init__(
        self, envelope: dict[str, Any], make: Maker[T], follow: Callable[[str], PageCall[T]]
    ) -> None:
        super().__init__(envelope, make)
        self._follow = follow

    async def next(self) -> AsyncPage[T] | None:
        """The page after this one; None if this is the last."""
        cursor = self.next_cursor
        return await self._follow(cursor) if cursor is not None else None

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """This page and all that follow."""
        page: AsyncPage[T] | None = self
        while page is not None:
            yield page
            page = await page.next()

    async def walk(self) -> AsyncIterator[T]:
        """The items of this page and of all that follow."""
        async for page in self.pages():
            for item in page:
                yield item


class PageCall(Awaitable[AsyncPage[T]], Generic[T]):
    """A call for a list that has not been made yet: await it for one page, or walk it.

    >>> import asyncio
    >>> from freshet import AsyncFreshet
    >>> async def count():
    ...     async with AsyncFreshet(config={"network.sandbox": "true"}) as client:
    ...         page = await client.microblog.search("climate", limit=2)
    ...         every = [post async for post in client.microblog.search("climate", limit=2).walk()]
    ...         return len(page), len(every) > 2
    >>> asyncio.run(count())
    (2, True)
    """

    __slots__ = ("_ask",)

    def __init__(self, ask: Callable[[], Coroutine[Any, Any, AsyncPage[T]]]) -> None:
        self._ask = ask

    def __await__(self) -> Generator[Any, None, AsyncPage[T]]:
        return self._ask().__await__()

    async def pages(self) -> AsyncIterator[AsyncPage[T]]:
        """Every page."""
        async for page in (await self).pages():
            yield page

    async def walk(self) -> AsyncIterator[T]:
        """The items of every page."""
        async for item in (await self).walk():
            yield item

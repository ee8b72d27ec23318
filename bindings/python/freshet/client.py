"""The two clients, blocking and for event loops. Their typed calls (`client.microblog.search`) are
in `calls` and `async_calls`, which the build makes of the catalogue."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from types import TracebackType
from typing import Any

from . import _freshet
from .async_calls import AsyncCalls
from .calls import Calls
from .door import AsyncDoor, Door, Setting, open_client
from .failure import failed
from .items import Document

__all__ = ["AsyncFreshet", "Freshet", "Setting", "markdown", "to_document"]


class Freshet(Calls):
    """A client: an engine in this process, or with `base_url` a server. Safe from any thread.

    Args:
        base_url: A server, such as "http://127.0.0.1:8080"; without one, this process fetches.
        api_key: The account's key; without one, an engine in process serves its own program,
            unmetered. A test key reaches the sandbox: recorded answers, no network, no credits.
        config: Settings of an engine in process, such as {"network.contact": "ops@example.org"}.
        ca_file: Who may vouch for a server with https, in PEM; without it, whom the system trusts.

    Calls release the GIL, and Ctrl-C cancels the one it interrupts. A client does not survive
    `fork`: the child's calls raise a RuntimeError that says so. `close` it, or use it in `with`.

    >>> from freshet import Freshet
    >>> with Freshet(config={"network.sandbox": True}) as client:
    ...     page = client.microblog.search('"tide gauge"', since="7d", limit=2)
    ...     page[0].object, page.meta.credits.used
    ('post', 0)
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str = "",
        config: Mapping[str, Setting] | None = None,
        ca_file: str = "",
    ) -> None:
        self._door = Door(open_client(base_url, config, ca_file), api_key)
        super().__init__(self._door)

    def close(self) -> None:
        """Ends the client. Calls that still run raise `Cancelled`; later ones a RuntimeError."""
        self._door.client.close()

    def __enter__(self) -> Freshet:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def call_bytes(self, endpoint: str, /, **parameters: Any) -> tuple[int, bytes, bytes]:
        """Status, envelope (or problem document) and the bytes of `data`, as every door has them.

        >>> client.call_bytes("microblog/search", q="")[0]
        400
        """
        status, body, offset, size = self._door.answer(endpoint, parameters)
        return status, body, body[offset : offset + size]

    def call(self, endpoint: str, /, **parameters: Any) -> dict[str, Any]:
        """One call by its path; the envelope as a dict. Raises FreshetError.

        >>> sorted(client.call("microblog/search", q="climate"))
        ['data', 'meta', 'page']
        """
        return self._door.envelope(endpoint, parameters)

    def items(self, endpoint: str, /, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Every item of a list as a dict, page after page.

        >>> {item["object"] for item in client.items("microblog/search", q="climate")}
        {'post'}
        """
        while True:
            envelope = self.call(endpoint, **parameters)
            yield from envelope["data"]
            if not envelope["page"]["has_more"]:
                return
            parameters["cursor"] = envelope["page"]["next_cursor"]

    def quote(self, endpoint: str, /, **parameters: Any) -> int:
        """What a call would cost, in credits; nothing is fetched or charged.

        >>> client.quote("web-serp/search", q="tide gauge")  # the sandbox is free
        0
        """
        price: int = self.call(endpoint, **parameters, dry_run=True)["meta"]["quote"]["credits"]
        return price


class AsyncFreshet(AsyncCalls):
    """The twin of `Freshet` for asyncio: the same arguments and the same calls, awaited.

    Calls need no threads of Python's: the engine wakes the event loop. A task that is cancelled
    cancels its call. One client serves any number of loops. The loop must watch descriptors, as
    every loop on Linux does.

    >>> import asyncio
    >>> from freshet import AsyncFreshet
    >>> async def first():
    ...     async with AsyncFreshet(config={"network.sandbox": True}) as client:
    ...         return (await client.web_serp.search("tide gauge"))[0]
    >>> asyncio.run(first()).object
    'web_result'
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str = "",
        config: Mapping[str, Setting] | None = None,
        ca_file: str = "",
    ) -> None:
        self._door = AsyncDoor(open_client(base_url, config, ca_file), api_key)
        super().__init__(self._door)

    async def close(self) -> None:
        """Ends the client. Calls that still run raise `Cancelled`; later ones a RuntimeError."""
        await asyncio.to_thread(self._door.client.close)

    async def __aenter__(self) -> AsyncFreshet:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def call_bytes(self, endpoint: str, /, **parameters: Any) -> tuple[int, bytes, bytes]:
        """Status, envelope (or problem document) and the bytes of `data`, as every door has them."""
        status, body, offset, size = await self._door.answer(endpoint, parameters)
        return status, body, body[offset : offset + size]

    async def call(self, endpoint: str, /, **parameters: Any) -> dict[str, Any]:
        """One call by its path; the envelope as a dict. Raises FreshetError."""
        return await self._door.envelope(endpoint, parameters)

    async def items(self, endpoint: str, /, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
        """Every item of a list as a dict, page after page."""
        while True:
            envelope = await self.call(endpoint, **parameters)
            for item in envelope["data"]:
                yield item
            if not envelope["page"]["has_more"]:
                return
            parameters["cursor"] = envelope["page"]["next_cursor"]

    async def stream(
        self, endpoint: str, /, **parameters: Any
    ) -> AsyncGenerator[dict[str, Any], None]:
        """What each source of a list gives, as it comes, then the answer: dicts of `event`
        (`source`, at the end `result`) and `data` (the source's row of `meta.sources` with its
        items; the envelope). Raises FreshetError. Leaving early cancels the call; one that has
        given items is paid for all the same.

        >>> async def words():
        ...     async with AsyncFreshet(config={"network.sandbox": True}) as client:
        ...         return [each["event"] async for each in client.stream("news/headlines")]
        >>> asyncio.run(words())[-1]
        'result'
        """
        async with aclosing(self._door.stream(endpoint, parameters)) as events:
            async for event in events:
                yield event

    async def quote(self, endpoint: str, /, **parameters: Any) -> int:
        """What a call would cost, in credits; nothing is fetched or charged."""
        envelope = await self.call(endpoint, **parameters, dry_run=True)
        price: int = envelope["meta"]["quote"]["credits"]
        return price


def markdown(
    html: str | bytes,
    url: str = "",
    mode: str = "article",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> dict[str, Any]:
    """HTML to a document item as a dict, without network and account.

    >>> from freshet import markdown
    >>> markdown("<h1>Tides</h1><p>High at <b>noon</b>.</p>")["word_count"]
    3
    """
    try:
        made: dict[str, Any] = json.loads(
            _freshet.markdown(html, url, mode, list(include), list(exclude))
        )
        return made
    except _freshet.Problem as problem:
        raise failed(problem.args[0]) from None


def to_document(
    html: str | bytes,
    url: str = "",
    mode: str = "article",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> Document:
    """HTML to a `Document`, without network and account.

    >>> from freshet import to_document
    >>> to_document("<h1>Tides</h1><p>High at <b>noon</b>.</p>").markdown
    'High at **noon**.\\n'
    """
    return Document(markdown(html, url, mode, include, exclude))

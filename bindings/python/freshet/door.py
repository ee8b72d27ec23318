"""The way to the engine or the server, for blocking callers and for event loops: parameters to
JSON, an answer to items or to an exception. It knows no endpoint."""

from __future__ import annotations

import asyncio
import atexit
import json
import sys
import weakref
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from . import _freshet
from .failure import failed
from .page import AsyncPage, Page, PageCall
from .values import Item, Maker

T = TypeVar("T", bound=Item)
Setting = str | int | float | bool | Sequence[str]

# Parameters may be any sequence: what JSON has no word for is made a list.
_json = json.JSONEncoder(default=list).encode
_open_clients: weakref.WeakSet[_freshet.Client] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    # The engine's threads must end before the process takes away what they stand on.
    for client in list(_open_clients):
        client.close()


def _setting(value: Setting) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    return ",".join(value)


def open_client(
    base_url: str | None, config: Mapping[str, Setting] | None, ca_file: str = ""
) -> _freshet.Client:
    """An engine in this process, or with `base_url` the way to a server."""
    try:
        if base_url is None:
            settings = {key: _setting(value) for key, value in (config or {}).items()}
            client = _freshet.open(settings)
        elif config is not None:
            raise ValueError("config is for an engine in process; the server has its own")
        else:
            client = _freshet.connect(base_url, ca_file)
    except _freshet.Problem as problem:
        raise failed(problem.args[0]) from None
    _open_clients.add(client)
    return client


def encode(parameters: Mapping[str, object]) -> str:
    """The body of a call; what is None is not sent."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return _json(given)


def trace_of_program() -> _freshet.Trace:
    """The trace of the span that is current, in a program that uses OpenTelemetry."""
    module = sys.modules.get("opentelemetry.trace")
    if module is None:
        return "", ""
    span = module.get_current_span().get_span_context()
    if not span.is_valid:
        return "", ""
    parent = f"00-{span.trace_id:032x}-{span.span_id:016x}-{span.trace_flags:02x}"
    return parent, span.trace_state.to_header()


def decode(client: _freshet.Client, answer: _freshet.Answer) -> dict[str, Any]:
    """The envelope, or the exception that the problem document stands for."""
    status, body, _, size = answer
    if status >= 400 or size == 0:
        raise failed(body, status)
    try:
        envelope: dict[str, Any] = client.read(body)
    except ValueError:
        raise failed(body, status) from None
    return envelope


class Door:
    """Blocking calls. Safe from any thread; Ctrl-C cancels the call."""

    __slots__ = ("client", "key")

    def __init__(self, client: _freshet.Client, key: str) -> None:
        self.client = client
        self.key = key

    def answer(
        self, endpoint: str, parameters: Mapping[str, object], idempotency_key: str | None = None
    ) -> _freshet.Answer:
        body, trace = encode(parameters), trace_of_program()
        return self.client.call(endpoint, body, self.key, idempotency_key or "", trace)

    def envelope(
        self, endpoint: str, parameters: Mapping[str, object], idempotency_key: str | None = None
    ) -> dict[str, Any]:
        return decode(self.client, self.answer(endpoint, parameters, idempotency_key))

    def item(
        self,
        endpoint: str,
        make: Maker[T],
        parameters: Mapping[str, object],
        idempotency_key: str | None,
    ) -> T:
        envelope = self.envelope(endpoint, parameters, idempotency_key)
        return make(envelope["data"], envelope)

    def page(
        self,
        endpoint: str,
        make: Maker[T],
        parameters: Mapping[str, object],
        idempotency_key: str | None,
    ) -> Page[T]:
        def follow(cursor: str) -> Page[T]:
            return self.page(endpoint, make, {**parameters, "cursor": cursor}, None)

        return Page(self.envelope(endpoint, parameters, idempotency_key), make, follow)


class _LoopInbox:
    """The answers that one event loop waits for. The loop watches only while there are any, so
    that nothing is left behind in a loop that ends."""

    def __init__(self) -> None:
        self.native = _freshet.Inbox()
        self.waiting: dict[int, Callable[[_freshet.Answer], None]] = {}

    def expect(
        self, loop: asyncio.AbstractEventLoop, id: int, take: Callable[[_freshet.Answer], None]
    ) -> None:
        if not self.waiting:
            loop.add_reader(self.native.fileno(), self.deliver)
        self.waiting[id] = take

    def forget(self, loop: asyncio.AbstractEventLoop, id: int) -> None:
        del self.waiting[id]
        if not self.waiting:
            loop.remove_reader(self.native.fileno())

    def deliver(self) -> None:
        for id, answer in self.native.take():
            take = self.waiting.get(id)
            if take is not None:
                take(answer)


class AsyncDoor:
    """Calls from event loops, without threads of Python's. A cancelled task cancels its call."""

    __slots__ = ("client", "inboxes", "key")

    def __init__(self, client: _freshet.Client, key: str) -> None:
        self.client = client
        self.key = key
        self.inboxes: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopInbox] = (
            weakref.WeakKeyDictionary()
        )

    async def answer(
        self, endpoint: str, parameters: Mapping[str, object], idempotency_key: str | None = None
    ) -> _freshet.Answer:
        future: asyncio.Future[_freshet.Answer] = asyncio.get_running_loop().create_future()

        def take(answer: _freshet.Answer) -> None:
            if not future.done():
                future.set_result(answer)

        with self.running(endpoint, parameters, idempotency_key, take, False):
            return await future

    @contextmanager
    def running(
        self,
        endpoint: str,
        parameters: Mapping[str, object],
        idempotency_key: str | None,
        take: Callable[[_freshet.Answer], None],
        streams: bool,
    ) -> Generator[None, None, None]:
        """A call under way. Whoever leaves it early has cancelled it."""
        loop = asyncio.get_running_loop()
        inbox = self.inboxes.get(loop)
        if inbox is None:
            inbox = self.inboxes[loop] = _LoopInbox()
        id, ticket = self.client.submit(
            inbox.native,
            endpoint,
            encode(parameters),
            self.key,
            idempotency_key or "",
            trace_of_program(),
            streams,
        )
        inbox.expect(loop, id, take)
        try:
            yield
        except BaseException:
            self.client.cancel(ticket)
            raise
        finally:
            inbox.forget(loop, id)

    async def stream(
        self, endpoint: str, parameters: Mapping[str, object], idempotency_key: str | None = None
    ) -> AsyncGenerator[dict[str, Any], None]:
        told: asyncio.Queue[_freshet.Answer] = asyncio.Queue()
        with self.running(endpoint, parameters, idempotency_key, told.put_nowait, True):
            while True:
                answer = await told.get()
                if answer[0] != 0:
                    break
                yield {"event": "source", "data": self.client.read(answer[1])}
        yield {"event": "result", "data": decode(self.client, answer)}

    async def envelope(
        self, endpoint: str, parameters: Mapping[str, object], idempotency_key: str | None = None
    ) -> dict[str, Any]:
        return decode(self.client, await self.answer(endpoint, parameters, idempotency_key))

    async def item(
        self,
        endpoint: str,
        make: Maker[T],
        parameters: Mapping[str, object],
        idempotency_key: str | None,
    ) -> T:
        envelope = await self.envelope(endpoint, parameters, idempotency_key)
        return make(envelope["data"], envelope)

    def page(
        self,
        endpoint: str,
        make: Maker[T],
        parameters: Mapping[str, object],
        idempotency_key: str | None,
    ) -> PageCall[T]:
        def follow(cursor: str) -> PageCall[T]:
            return self.page(endpoint, make, {**parameters, "cursor": cursor}, None)

        async def ask() -> AsyncPage[T]:
            envelope = await self.envelope(endpoint, parameters, idempotency_key)
            return AsyncPage(envelope, make, follow)

        return PageCall(ask)

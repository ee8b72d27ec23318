"""Freshet: one API over public-data platforms, in process or against a server.

    >>> from freshet import Freshet
    >>> page = Freshet().call("microblog/search", q='"tide gauge"', since="7d")
    >>> for post in page["data"]: print(post["text"])
"""

from __future__ import annotations

import json
from typing import Any, Iterator, Sequence

from . import _freshet

__all__ = ["Freshet", "FreshetError", "markdown", "__version__"]
__version__: str = _freshet.version


class FreshetError(Exception):
    """A call that failed. `code` is the contract's; `problem` is the whole problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.code: str = problem.get("code", "internal")
        self.status: int = problem.get("status", 500)
        self.retryable: bool = problem.get("retryable", False)
        self.retry_after_s: int | None = problem.get("retry_after_s")
        super().__init__(f"{self.code}: {problem.get('detail') or problem.get('title', '')}")


def _failed(problem: bytes) -> FreshetError:
    return FreshetError(json.loads(problem))


class Freshet:
    """A client: an engine in this process, or with `base_url` a server. Safe from any thread.

    `api_key` is the account's key; without one, an engine in process serves its own program. A test
    key reaches the sandbox: recorded answers, no network, no credits. `config` holds settings of an
    engine in process, such as {"network.contact": "ops@example.org"}.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str = "",
        config: dict[str, str] | None = None,
    ) -> None:
        self._key = api_key
        try:
            if base_url is None:
                self._client = _freshet.open(config or {})
            else:
                self._client = _freshet.connect(base_url)
        except _freshet.Problem as problem:
            raise _failed(problem.args[0]) from None

    def call_bytes(self, endpoint: str, **parameters: Any) -> tuple[int, bytes, bytes]:
        """Status, envelope (or problem document) and the bytes of `data`."""
        return self._client.call(endpoint, json.dumps(parameters), self._key)

    def call(self, endpoint: str, **parameters: Any) -> dict[str, Any]:
        """One call; the envelope as a dict. Raises FreshetError."""
        status, body, _ = self.call_bytes(endpoint, **parameters)
        if status >= 400:
            raise _failed(body)
        envelope: dict[str, Any] = json.loads(body)
        return envelope

    def items(self, endpoint: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """Every item of a list, page after page."""
        while True:
            envelope = self.call(endpoint, **parameters)
            yield from envelope["data"]
            if not envelope["page"]["has_more"]:
                return
            parameters["cursor"] = envelope["page"]["next_cursor"]


def markdown(
    html: str | bytes,
    url: str = "",
    mode: str = "article",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
) -> dict[str, Any]:
    """HTML to a document item, without network and account."""
    try:
        made: dict[str, Any] = json.loads(
            _freshet.markdown(html, url, mode, list(include), list(exclude))
        )
        return made
    except _freshet.Problem as problem:
        raise _failed(problem.args[0]) from None

"""The base of all exceptions. There is one class a code, in `errors`, which the build makes of the
library's table of errors."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from .items import ParameterError

__all__ = ["FreshetError"]


class FreshetError(Exception):
    """A call that failed; nothing was charged. Its subclasses are the codes, such as `RateLimited`.

    A code that is newer than this package raises this class itself.

    >>> from freshet import Freshet, FreshetError
    >>> client = Freshet(config={"network.sandbox": "true"})
    >>> try:
    ...     client.call("microblog/search", q="climate", sinse="24h")
    ... except FreshetError as error:
    ...     print(error.code, error.errors[0].pointer)
    invalid_request /sinse
    """

    by_code: ClassVar[dict[str, type[FreshetError]]] = {}

    code: str
    """Stable; for programs."""
    status: int
    """The HTTP status."""
    title: str
    """The same for every error of this code."""
    detail: str
    """What went wrong this time."""
    retryable: bool
    """Whether the same call can succeed later without a change."""
    retry_after_s: int | None
    """When a retry makes sense, in seconds."""
    request_id: str
    """Names the call, for the operator of the server."""
    errors: list[ParameterError]
    """Every wrong parameter, with a JSON pointer; empty for other errors."""
    source_text: str | None
    """What a source said, verbatim and untrusted."""
    problem: dict[str, Any]
    """The whole problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        self.code = problem.get("code", "internal")
        self.status = problem.get("status", 500)
        self.title = problem.get("title", "")
        self.detail = problem.get("detail") or ""
        self.retryable = problem.get("retryable", False)
        self.retry_after_s = problem.get("retry_after_s")
        self.request_id = problem.get("request_id", "")
        errors: list[dict[str, Any]] = problem.get("errors") or []
        self.errors = [ParameterError(one) for one in errors]
        self.source_text = problem.get("source_text")
        super().__init__(f"{self.code}: {self.detail or self.title}")

    def __reduce__(self) -> tuple[type[FreshetError], tuple[dict[str, Any]]]:
        return type(self), (self.problem,)


def failed(body: bytes, status: int = 500) -> FreshetError:
    """The exception for a problem document; something else came from no Freshet server."""
    try:
        problem = json.loads(body)
        code = problem["code"]
    except (ValueError, TypeError, KeyError):
        code = "source_error"
        problem = {
            "code": code,
            "status": status,
            "title": "Source error",
            "detail": f"the server answered with status {status} and no JSON of Freshet's; "
            "is base_url right?",
            "retryable": status >= 500,
            "source_text": body[:500].decode("utf-8", "replace"),
        }
    return FreshetError.by_code.get(code, FreshetError)(problem)

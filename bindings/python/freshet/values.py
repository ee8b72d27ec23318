"""What answers are made of: thin typed views of JSON objects. The classes themselves are in
`items`, which the build makes of the catalogue; an unknown key of a newer server stays in the
object that `to_dict` gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from .items import Meta

__all__ = ["Item", "Maker", "Resumable", "Value", "moment"]

SHOWN_LENGTH = 60


class Value:
    """A part of an answer. It does not change; nothing is read before it is asked for."""

    __slots__ = ("_data",)
    _data: dict[str, Any]

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that this is a view of, not a copy."""
        return self._data

    def _get(self, key: str) -> Any:
        try:
            return self._data[key]
        except KeyError:
            name = type(self).__name__
            raise AttributeError(
                f"this {name} has no '{key}': name it in the call's `fields`, or leave that out"
            ) from None

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other._data == self._data

    def __hash__(self) -> int:
        return hash((type(self), json.dumps(self._data, sort_keys=True)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self._data.items())
        return f"{type(self).__name__}({shown})"


class Item(Value):
    """One of the things that calls answer with: it has an `object` and an `id`."""

    __slots__ = ("_envelope",)
    _envelope: dict[str, Any] | None

    def __init__(self, data: dict[str, Any], envelope: dict[str, Any] | None = None) -> None:
        self._data = data
        self._envelope = envelope

    @property
    def meta(self) -> Meta:
        """Credits, completeness and sources of the call that this item came with."""
        from .items import Meta

        if self._envelope is None:
            raise AttributeError("this item came with no call; it has no meta")
        return Meta(self._envelope["meta"])

    def __reduce__(self) -> tuple[type[Item], tuple[dict[str, Any]]]:
        return type(self), (self._data,)  # a pickled item does not carry its whole page

    def __hash__(self) -> int:
        return hash((type(self), self._data.get("id")))

    def __repr__(self) -> str:
        told = [f"id={self._data.get('id')!r}"]
        for key in ("title", "handle", "text"):
            if self._data.get(key):
                told.append(f"{key}={_short(self._data[key])}")
                break
        return f"{type(self).__name__}({', '.join(told)})"


Made = TypeVar("Made", bound=Item)
# What makes an item of its JSON and of the envelope that it came in: its class, or for calls that
# answer with several kinds a function that looks which it is.
Maker: TypeAlias = Callable[[dict[str, Any], "dict[str, Any] | None"], Made]


class Resumable(Item):
    """An item that `max_tokens` may cut."""

    __slots__ = ()

    @property
    def next_cursor(self) -> str | None:
        """Where it goes on; give it as `cursor`, with the same parameters. None if it is whole."""
        page: dict[str, Any] | None = (self._envelope or {}).get("page")
        found: str | None = page["next_cursor"] if page else None
        return found


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_LENGTH else text[: SHOWN_LENGTH - 1] + "…"


def moment(text: str) -> datetime:
    """RFC 3339 in UTC, as every answer writes it."""
    return datetime.fromisoformat(text[:-1] + "+00:00" if text.endswith("Z") else text)

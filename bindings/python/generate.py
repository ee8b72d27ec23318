"""Writes the modules of the package that describe endpoints: items, errors, calls, async_calls.

The build runs it once the compiled module is there, and it asks that module for the OpenAPI document
and the table of errors; it adds no facts of its own. The results are plain typed Python, not made at
import: editors complete, show and jump to them, and type checkers read what runs.

    python generate.py FOLDER    FOLDER holds _freshet*.so and gets the modules
"""

from __future__ import annotations

import importlib.util
import json
import keyword
import pathlib
import sys
import textwrap
from typing import Any

WIDTH = 88  # of a docstring's text, before its indent
MADE = '"""Made by generate.py of the catalogue; do not edit.'
# Names that the hand-written classes have; an endpoint or a key of theirs would be hidden.
TAKEN_BY_CLIENT = {"call", "call_bytes", "close", "items", "quote", "stream"}
TAKEN_BY_ITEM = {"meta", "next_cursor", "to_dict"}
# Said by other means in typed calls: `quote` makes the dry run, whose answer has no data.
LEFT_OUT = {"dry_run"}
# Schemas that hand-written classes stand for.
BY_HAND = {"Page", "Problem"}
EXTRA_PARAMETER = "idempotency_key"
EXTRA_DOC = (
    "The same key and parameters within 24 hours give the first answer, free of charge; for walks, "
    "of the first page"
)


def load_module(folder: pathlib.Path) -> Any:
    """The compiled module by its file: the package around it is not there yet."""
    (file,) = folder.glob("_freshet*.so")
    spec = importlib.util.spec_from_file_location("_freshet", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.replace("-", "_").split("_"))


def snake(name: str) -> str:
    made = name.replace("-", "_")
    assert made.isidentifier() and not keyword.iskeyword(made), name
    return made


def wrapped(text: str, indent: int, hanging: int = 0) -> list[str]:
    pad = " " * indent
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=pad,
        subsequent_indent=pad + " " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def docstring(lines: list[str], indent: int) -> list[str]:
    """Lines that already have their indent within the docstring, as one at `indent`."""
    pad = " " * indent
    safe = [line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"') for line in lines]
    if len(safe) == 1 and not safe[0].endswith('"'):
        return [f'{pad}"""{safe[0]}"""']
    return [f'{pad}"""{safe[0]}', *(pad + line if line else "" for line in safe[1:]), f'{pad}"""']


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


class Items:
    """The module `items`: a class for each schema, and for each object inside one."""

    def __init__(self, schemas: dict[str, Any], endpoints: list[Endpoint]) -> None:
        self.lines: list[str] = []
        self.names: list[str] = []
        self.resumable = {one.item for one in endpoints if one.is_resumable}
        for name, schema in schemas.items():
            if name not in BY_HAND:
                self.add(name, schema, schema.get("description", ""))
        for one in endpoints:
            if len(one.kinds) > 1 and one.item not in self.names:
                self.add_union(one)

    def add_union(self, of: Endpoint) -> None:
        """What calls of several platforms answer with: any of some kinds, told apart by `object`."""
        kinds = dict(zip(of.objects, of.kinds, strict=True))
        # A newer server may know further ones.
        union = " | ".join((*of.kinds, "Item"))
        self.names += [of.item, of.maker]
        self.lines += [
            "",
            "",
            f"{of.item}: TypeAlias = {union}",
            "",
            "",
            f"def {of.maker}(",
            "    data: dict[str, Any], envelope: dict[str, Any] | None = None",
            f") -> {of.item}:",
            *docstring([f"An item of `{of.path}`, by its `object`."], 4),
            f"    kinds: dict[str, type[{union}]] = {{",
            *(f'        "{name}": {kind},' for name, kind in kinds.items()),
            "    }",
            '    return kinds.get(data["object"], Item)(data, envelope)',
        ]

    def add(self, name: str, schema: dict[str, Any], doc: str) -> None:
        is_item = "object" in schema["properties"]
        base = "Resumable" if name in self.resumable else "Item" if is_item else "Value"
        own = ["", "", f"class {name}({base}):"]
        own += docstring([sentence(doc or f"What an answer says as `{name}`")], 4)
        own += ["", "    __slots__ = ()"]
        for key, field in schema["properties"].items():
            assert key not in TAKEN_BY_ITEM and snake(key) == key, key
            own += self.property(name, key, field, key in schema.get("required", ()))
        self.names.append(name)
        self.lines += own

    def property(self, owner: str, key: str, field: dict[str, Any], always: bool) -> list[str]:
        kind, nullable, wrap = self.kind_of(owner, key, field)
        nullable = nullable or not always
        read = f'self._data.get("{key}")' if not always else f'self._get("{key}")'
        shown = f"{kind} | None" if nullable else kind
        out = ["", "    @property", f"    def {key}(self) -> {shown}:"]
        out += docstring(wrapped(sentence(field.get("description", key)), 0), 8)
        if not wrap:
            return [*out, f"        found: {shown} = {read}", "        return found"]
        if not nullable:
            return [*out, f"        return {wrap.format(read)}"]
        return [
            *out,
            f"        found = {read}",
            f"        return None if found is None else {wrap.format('found')}",
        ]

    def kind_of(self, owner: str, key: str, field: dict[str, Any]) -> tuple[str, bool, str]:
        """The Python type without None, whether null is possible, and how the value is wrapped."""
        if "anyOf" in field:
            (inner,) = [one for one in field["anyOf"] if one.get("type") != "null"]
            kind, _, wrap = self.kind_of(owner, key, {"description": "", **inner})
            return kind, True, wrap
        if "$ref" in field:
            kind = field["$ref"].rsplit("/", 1)[1]
            return kind, False, kind + "({})"
        if "type" not in field:
            return "Any", False, ""
        types = field["type"] if isinstance(field["type"], list) else [field["type"]]
        nullable = "null" in types
        (type_name,) = [one for one in types if one != "null"]
        if type_name == "object":
            kind = owner + camel(key)
            self.add(kind, field, field.get("description", ""))
            return kind, nullable, kind + "({})"
        if type_name == "array":
            single = key[:-1] if key.endswith("s") else key
            inner, _, wrap = self.kind_of(owner, single, {"description": "", **field["items"]})
            made = "[" + wrap.format("one") + " for one in {}]" if wrap else ""
            return f"list[{inner}]", nullable, made
        if field.get("format") == "date-time":
            return "datetime", nullable, "moment({})"
        choices = [field["const"]] if "const" in field else field.get("enum")
        if choices:
            return literal(choices), nullable, ""
        plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
        return plain[type_name], nullable, ""

    def text(self) -> str:
        head = [
            MADE,
            "",
            "What calls answer with. Every key of an item is always there, None or empty where a",
            'source does not say; only `fields` leaves keys out."""',
            "",
            "from __future__ import annotations",
            "",
            "from datetime import datetime",
            "from typing import Any, Literal, TypeAlias",
            "",
            "from .values import Item, Resumable, Value, moment",
            "",
        ]
        return "\n".join(head + exported(self.names) + self.lines) + "\n"


def exported(names: list[str]) -> list[str]:
    return ["__all__ = [", *(f'    "{name}",' for name in sorted(names)), "]"]


def literal(choices: list[str]) -> str:
    return "Literal[" + ", ".join(json.dumps(one) for one in choices) + "]"


def errors_text(rows: list[tuple[str, int, bool, str, str]]) -> str:
    lines = [
        MADE,
        "",
        'One exception class a code: `except RateLimited as error`."""',
        "",
        "from __future__ import annotations",
        "",
        "from .failure import FreshetError",
        "",
        *exported([camel(code) for code, *_ in rows]),
    ]
    for code, status, retryable, title, help_text in rows:
        doc = [f"{title}: `{code}`, {status}{', retryable' if retryable else ''}.", ""]
        lines += ["", "", f"class {camel(code)}(FreshetError):"]
        lines += docstring(doc + wrapped(help_text, 0), 4)
    lines += ["", "", "FreshetError.by_code.update("]
    lines += ["    {", *(f'        "{code}": {camel(code)},' for code, *_ in rows), "    }", ")"]
    return "\n".join(lines) + "\n"


class Endpoint:
    """One operation of the description, as a method needs it."""

    def __init__(
        self, path: str, operation: dict[str, Any], schemas: dict[str, Any], paths: set[str]
    ) -> None:
        self.path = path.split("/", 2)[2]
        *groups, name = self.path.split("/")
        # An attribute cannot be a method and a group: `account/ledger/verify` is `ledger_verify`.
        while path.rsplit("/", 1)[0] in paths:
            path = path.rsplit("/", 1)[0]
            name = f"{groups.pop()}_{name}"
        self.groups = tuple(snake(one) for one in groups)
        self.name = snake(name)
        self.operation = operation
        media = operation["requestBody"]["content"]["application/json"]
        self.example: dict[str, Any] = media["example"]
        schema = media["schema"]
        self.parameters = {k: v for k, v in schema["properties"].items() if k not in LEFT_OUT}
        assert EXTRA_PARAMETER not in self.parameters
        self.required: list[str] = schema.get("required", [])
        self.one_of: list[str] = [one for row in schema.get("oneOf", []) for one in row["required"]]
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        data = answer["properties"]["data"]
        self.is_list = data.get("type") == "array"
        answers = data["items"] if self.is_list else data["anyOf"][0]
        kinds = [one["$ref"].rsplit("/", 1)[1] for one in answers.get("anyOf", [answers])]
        # Of several kinds of items there is a name for any of them.
        self.item: str = kinds[0] if len(kinds) == 1 else camel("_".join((*self.groups, self.name))) + "Item"
        self.kinds = kinds
        self.objects = [schemas[one]["properties"]["object"]["const"] for one in kinds]
        self.object: str = self.objects[0]
        # What makes an item of its JSON.
        self.maker = self.item if len(kinds) == 1 else "_".join((*self.groups, self.name, "item"))
        self.is_resumable = not self.is_list and "page" in answer["properties"]

    def parameter_type(self, name: str) -> str:
        schema = self.parameters[name]
        if schema["type"] == "array":
            inner = schema["items"]
            return f"Sequence[{literal(inner['enum']) if 'enum' in inner else 'str'}]"
        if "enum" in schema:
            return literal(schema["enum"])
        plain = {"string": "str", "integer": "int", "boolean": "bool"}
        return {**plain, "object": "Mapping[str, Any]"}[schema["type"]]

    def signature(self, chosen: str | None, aliases: dict[str, str]) -> list[str]:
        """The parameters of the method; `chosen` is the one of `one_of` that must be given."""
        positional = self.required[:1]
        lines = ["self,"]
        lines += [f"{name}: {self.alias(name, aliases)}," for name in positional]
        lines.append("*,")
        rest = [name for name in self.parameters if name not in positional]
        for name in sorted(rest, key=lambda one: one != chosen and one not in self.required):
            if chosen and name in self.one_of and name != chosen:
                continue
            kind = self.alias(name, aliases)
            needed = name == chosen or name in self.required
            lines.append(f"{name}: {kind}," if needed else f"{name}: {kind} | None = None,")
        return [*lines, f"{EXTRA_PARAMETER}: str | None = None,"]

    def alias(self, name: str, aliases: dict[str, str]) -> str:
        kind = self.parameter_type(name)
        if name not in ("fields", "sources") or "Literal" not in kind:
            return kind
        inner = kind[len("Sequence[") : -1]
        owner = self.item if name == "fields" else camel(self.groups[0])
        label = owner + ("Field" if name == "fields" else "Source")
        while aliases.setdefault(label, inner) != inner:
            label = camel("_".join((*self.groups, self.name))) + label[len(owner) :]
        return f"Sequence[{label}]"

    def doc(self, awaited: bool) -> list[str]:
        price, rendered = self.operation["x-credits"], self.operation.get("x-credits-rendered")
        cost = f"Costs {price} credit{'s' if price != 1 else ''} by default"
        cost += f", {rendered} when a browser rendered it." if rendered else "."
        lines = [sentence(self.operation["summary"]), ""]
        lines += wrapped(self.operation["description"] + " " + (cost if price else ""), 0)
        if self.one_of:
            lines += wrapped("Give exactly one of: " + ", ".join(self.one_of) + ".", 0)
        lines += ["", "Args:"]
        for name, schema in self.parameters.items():
            text = schema.get("description", "")
            if "default" in schema:
                text += f"; default {json.dumps(schema['default'])}"
            lines += wrapped(f"{name}: {sentence(text)}", 4, 4)
        lines += wrapped(f"{EXTRA_PARAMETER}: {EXTRA_DOC}.", 4, 4)
        return [*lines, "", "Example:", *self.example_lines(awaited)]

    def example_lines(self, awaited: bool) -> list[str]:
        given = [
            repr(value) if name in self.required[:1] else f"{name}={value!r}"
            for name, value in self.example.items()
        ]
        call = ".".join(("client", *self.groups, self.name)) + f"({', '.join(given)})"
        # Accounts have their own ids; a coroutine has no prompt.
        skip = "  # doctest: +SKIP" if awaited or self.groups[0] == "account" else ""
        wait = "await " if awaited else ""
        name, at = ("page", "[0]") if self.is_list else ("item", "")
        return [
            f"    >>> {name} = {wait}{call}{skip}",
            f"    >>> {name}{at}.object{skip}",
            f"    '{self.object}'",
        ]

    def method(self, awaited: bool, aliases: dict[str, str]) -> list[str]:
        out: list[str] = []
        kind = f"{'PageCall' if awaited else 'Page'}[{self.item}]" if self.is_list else self.item
        word = "async def" if awaited and not self.is_list else "def"

        def head(chosen: str | None, end: str) -> list[str]:
            lines = [f"        {line}" for line in self.signature(chosen, aliases)]
            return [f"    {word} {self.name}(", *lines, f"    ) -> {kind}:{end}"]

        for chosen in self.one_of:
            out += ["", "    @overload", *head(chosen, " ...")]
        out += ["", *head(None, ""), *docstring(self.doc(awaited), 8)]
        given = [f'                "{name}": {name},' for name in self.parameters]
        wait = "await " if word == "async def" else ""
        ask = "page" if self.is_list else "item"
        return [
            *out,
            f"        return {wait}self._door.{ask}(",
            f'            "{self.path}",',
            f"            {self.maker},",
            *["            {", *given, "            },"],
            f"            {EXTRA_PARAMETER},",
            "        )",
        ]


def calls_text(endpoints: list[Endpoint], docs: dict[str, str], awaited: bool) -> str:
    prefix, door = ("Async", "AsyncDoor") if awaited else ("", "Door")
    groups: dict[tuple[str, ...], list[Endpoint]] = {(): []}
    for one in endpoints:
        for depth in range(len(one.groups)):
            groups.setdefault(one.groups[: depth + 1], [])
        groups[one.groups].append(one)
    assert not TAKEN_BY_CLIENT & {group[0] for group in groups if group}

    def class_of(group: tuple[str, ...]) -> str:
        return prefix + "".join(camel(part) for part in group) + "Calls"

    aliases: dict[str, str] = {}
    body: list[str] = []
    # Inner groups first: what a class names stands above it.
    for group in sorted(groups, key=lambda one: (-len(one), one)):
        inner = [one for one in groups if len(one) == len(group) + 1 and one[: len(group)] == group]
        about = docs.get(group[0], "") if len(group) == 1 else f"Calls: `{'/'.join(group) or 'all'}`"
        body += ["", "", f"class {class_of(group)}:", *docstring([sentence(about)], 4), ""]
        body += [f"    def __init__(self, door: {door}) -> None:", "        self._door = door"]
        body += [f"        self.{one[-1]} = {class_of(one)}(door)" for one in inner]
        for one in groups[group]:
            body += one.method(awaited, aliases)
    page = "PageCall" if awaited else "Page"
    head = [
        MADE,
        "",
        f'The typed calls of {"AsyncFreshet" if awaited else "Freshet"}."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping, Sequence",
        "from typing import Any, Literal, TypeAlias, overload",
        "",
        f"from .door import {door}",
        "from .items import (",
        *(f"    {name}," for name in sorted({name for one in endpoints for name in (one.item, one.maker)})),
        ")",
        f"from .page import {page}",
        "",
        *(f"{name}: TypeAlias = {kind}" for name, kind in sorted(aliases.items())),
    ]
    return "\n".join(head + body) + "\n"


def main(folder: pathlib.Path) -> None:
    module = load_module(folder)
    document = json.loads(module.openapi())
    schemas = document["components"]["schemas"]
    paths = document["paths"]
    endpoints = [Endpoint(path, one["post"], schemas, set(paths)) for path, one in paths.items()]
    docs = {snake(tag["name"]): tag["description"] for tag in document["tags"]}
    made = {
        "items": Items(schemas, endpoints).text(),
        "errors": errors_text(module.errors()),
        "calls": calls_text(endpoints, docs, awaited=False),
        "async_calls": calls_text(endpoints, docs, awaited=True),
    }
    for name, text in made.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

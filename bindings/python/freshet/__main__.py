"""`python -m freshet`: one call from the terminal, as `freshet call` makes it.

python -m freshet microblog/search q=climate limit=2
python -m freshet scrape/markdown '{"url": "https://example.org/"}' --server URL --key KEY
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from . import Freshet, FreshetError, __version__, _freshet

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130
BOOLEANS = {"true": True, "false": False}


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m freshet",
        description="Make one call, in process or to a server, and print the envelope.",
        epilog="example: python -m freshet web-serp/search q='tide gauge' limit=2",
        add_help=False,
    )
    made.add_argument("endpoint", nargs="?", metavar="PLATFORM/ENDPOINT")
    made.add_argument("parameters", nargs="*", metavar="NAME=VALUE | JSON | -")
    made.add_argument(
        "--server", metavar="URL", help="ask this server instead of this process; also $FRESHET_URL"
    )
    made.add_argument("--ca", metavar="FILE", default="", help="who may vouch for that server, in PEM")
    made.add_argument("--key", help="the API key; for a server also $FRESHET_API_KEY")
    made.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="a setting, in process"
    )
    made.add_argument("--version", action="version", version=__version__)
    made.add_argument("--help", action="store_true", help="what an endpoint takes, or this")
    return made


def schema_of(endpoint: str) -> dict[str, Any]:
    """The parameters of an endpoint; empty if it is unknown, which the call then says."""
    paths = json.loads(_freshet.openapi())["paths"]
    operation = paths.get("/v1/" + endpoint, {}).get("post", {})
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    found: dict[str, Any] = body.get("schema", {}).get("properties", {})
    return found


def value_of(text: str, schema: dict[str, Any]) -> object:
    """A word of the command line as the catalogue wants it; what does not fit is sent as it is."""
    kind = schema.get("type")
    if kind == "integer" and text.lstrip("-").isdigit():
        return int(text)
    if kind == "boolean":
        return BOOLEANS.get(text, text)
    if kind == "object":
        return json.loads(text)
    return text.split(",") if kind == "array" else text


def parameters_of(endpoint: str, words: list[str]) -> dict[str, Any]:
    """Raises ValueError with what is wrong."""
    if len(words) == 1 and (words[0] == "-" or words[0].lstrip().startswith("{")):
        text = sys.stdin.read() if words[0] == "-" else words[0]
        if not text.lstrip().startswith("{"):
            raise ValueError("the parameters are one JSON object")
        given: dict[str, Any] = json.loads(text)
        return given
    schema = schema_of(endpoint)
    made: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise ValueError(f"'{word}' is neither NAME=VALUE nor one JSON object")
        made[name] = value_of(value, schema.get(name, {}))
    return made


def run(words: list[str]) -> int:
    options = parser()
    given = options.parse_args(words)
    if given.help or given.endpoint is None:
        (sys.stdout if given.help else sys.stderr).write(
            _freshet.help(given.endpoint)
            if given.endpoint
            else options.format_help() + "\nendpoints:\n" + _freshet.help("")
        )
        return EXIT_OK if given.help else EXIT_USAGE
    try:
        parameters = parameters_of(given.endpoint, given.parameters)
        settings = dict(one.split("=", 1) for one in given.set)
    except ValueError as wrong:
        options.error(str(wrong))
    says_here = given.key or settings
    server = given.server or (None if says_here else os.environ.get("FRESHET_URL")) or None
    if server and settings:
        options.error("--set is for a call in process; the server has its own settings")
    key = given.key or (os.environ.get("FRESHET_API_KEY", "") if server else "")
    try:
        with Freshet(server, key, None if server else settings, given.ca) as client:
            status, body, _ = client.call_bytes(given.endpoint, **parameters)
    except FreshetError as error:
        status, body = error.status, json.dumps(error.problem).encode()
    out = sys.stderr if status >= 400 else sys.stdout
    out.buffer.write(body.rstrip(b"\n") + b"\n")
    out.flush()
    return EXIT_FAILED if status >= 400 else EXIT_OK


def main() -> int:
    try:
        return run(sys.argv[1:])
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())

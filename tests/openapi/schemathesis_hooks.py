"""What a schema cannot say, for schemathesis.

Left out of what it makes up: a cursor works only if the server gave it, which is what links are for;
`fields` leaves keys out of an answer, whose schema is that of whole items; a time zone is one of a
list that grows; an origin is in a browser's own spelling; a JSON
Schema that is a parameter has rules of its own; `empty_days` and `top` go with one grouping and not with another; an id, or platforms, and the sources that may be asked depend on one another; the sandbox
has no browser. An idempotency key is another one for each call: what it stood for at once is known to
the server alone. A query needs a word, and what a word is only Unicode's tables say. With
SANDBOX_WORDS set, calls are those of the examples, so that there are answers to follow links from."""

import os
import uuid

import schemathesis
from hypothesis import strategies

BEYOND_A_SCHEMA = {"cursor", "fields", "time_zone", "empty_days", "top", "origins"}

schemathesis.openapi.format("query", strategies.from_regex("[a-z]{1,9}( [a-z]{1,9})?", fullmatch=True))
schemathesis.openapi.format("of an answer", strategies.nothing())
schemathesis.openapi.format("css", strategies.from_regex("[a-z]{1,6}([.#][a-z]{1,6})?", fullmatch=True))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    for path, operations in raw_schema["paths"].items():
        links = operations["post"]["responses"]["200"].get("links", {})
        for link in links.values():
            link["requestBody"] = link.pop("x-requestBody")
        for media in operations["post"]["requestBody"]["content"].values():
            properties = media["schema"]["properties"]
            left_out = BEYOND_A_SCHEMA | ({"sources"} if {"id", "platforms"} & properties.keys() else set())
            for name in left_out & properties.keys():
                del properties[name]
            if "q" in properties:
                properties["q"]["format"] = "query"
            if "highlights" in properties:
                passages = properties["highlights"]
                passages["properties"]["query"]["format"] = "query"
                # Where there is no `q`, `query` stands in for it.
                if "q" not in properties:
                    passages["required"] = ["query"]
            if "url" in properties:  # a host has at most 253 characters, each of its parts 63
                properties["url"]["maxLength"] = 60
            if "schema" in properties:  # the names differ, the form is one that is taken
                names = {"type": "object", "additionalProperties": {"enum": [{"type": "string"}, {"type": "number"}]},
                         "propertyNames": {"pattern": "^[a-z]{1,9}$"}, "minProperties": 1, "maxProperties": 5}
                properties["schema"] = {"type": "object", "properties": {"properties": names},
                                        "required": ["properties"], "additionalProperties": False}
            for name in {"include", "exclude"} & properties.keys():
                properties[name]["items"]["format"] = "css"
            if "render" in properties:
                properties["render"]["enum"].remove("always")
            if os.environ.get("SANDBOX_WORDS"):
                known = {name: [value] for name, value in media["example"].items()}
                # One query alone: now and then a cursor is tried with another one, and rightly refused.
                known |= {"q": ["climate"], "limit": [1, 2, 3, 5]}
                known.pop("since", None)  # a link says only what every call says
                known.pop("id", None)  # of a key, a post or a thread that an answer before has named
                # A cursor is refused beside other parameters than its call had, and a link hands on some.
                handed_on = {"id", "limit", *media["schema"].get("required", []), *links.get("next", {}).get("requestBody", {})}
                for name in list(properties):
                    if "next" in links and name not in handed_on:
                        del properties[name]
                    elif name in known:
                        properties[name] = {"enum": known[name]}
                    elif name != "id":
                        del properties[name]
                if "id" in properties:
                    media["schema"]["required"] = ["id"]
                properties["cursor"] = {"type": "string", "format": "of an answer"}


@schemathesis.hook
def before_call(context, case, kwargs):
    name = next((one for one in case.headers if one.lower() == "idempotency-key"), None)
    # What is made up to be refused stays as it is.
    if name and case.meta and case.meta.generation.mode == schemathesis.GenerationMode.POSITIVE:
        case.headers[name] = f"{case.headers[name][:200]}-{uuid.uuid4()}"

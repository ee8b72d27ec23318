"""What the catalogue says of the endpoints, as the tests of the package ask for it."""

import json

from freshet import _freshet

SANDBOX = {"network.sandbox": True, "sandbox.date": "2026-11-01"}  # that of the description
# An engine that may fetch from upstreams on loopback.
LOOPBACK = {"scrape.allow_private": ["127.0.0.0/8"]}

DESCRIPTION = json.loads(_freshet.openapi())
ENDPOINTS = {
    path.removeprefix("/v1/"): operation["post"] for path, operation in DESCRIPTION["paths"].items()
}
FETCHING = {path: one for path, one in ENDPOINTS.items() if not path.startswith("account/")}


def method_of(client, endpoint):
    """The method; `account/ledger/verify`, beside `account/ledger`, is `account.ledger_verify`."""
    *groups, name = endpoint.replace("-", "_").split("/")
    if endpoint.rsplit("/", 1)[0] in ENDPOINTS:
        name = f"{groups.pop()}_{name}"
    for part in groups:
        client = getattr(client, part)
    return getattr(client, name)


def example_of(operation):
    return operation["requestBody"]["content"]["application/json"]["example"]

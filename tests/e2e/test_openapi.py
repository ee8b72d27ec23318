"""The description that the server gives of itself: valid, and true of every answer."""

import json
import pathlib
import re

from support.reach import need_module

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_document_is_valid_openapi_3_1(serve):
    validator = need_module("openapi_spec_validator", "openapi-spec-validator is out of reach")
    server = serve()
    answer = server.request("GET", "/openapi.json")
    assert answer.status == 200
    assert answer.headers["X-Service-Credits-Used"] == "0"
    assert answer.json["openapi"].startswith("3.1")
    validator.validate(answer.json)


def test_yaml_says_the_same(serve):
    yaml = need_module("yaml", "PyYAML is out of reach")
    server = serve()
    answer = server.request("GET", "/openapi.yaml")
    assert answer.headers["Content-Type"] == "application/yaml"
    assert yaml.safe_load(answer.body) == server.request("GET", "/openapi.json").json
    again = server.request("GET", "/openapi.yaml", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status == 304


def resolved(document, schema):
    """The schema with the document's components at hand."""
    return {**schema, "components": document["components"]}


def test_every_operation_has_an_example_answer_as_its_schema_says(serve):
    jsonschema = need_module("jsonschema", "jsonschema is out of reach")
    document = serve().request("GET", "/openapi.json").json
    for path, operations in document["paths"].items():
        answer = operations["post"]["responses"]["200"]["content"]["application/json"]
        jsonschema.validate(answer["example"], resolved(document, answer["schema"]))
        data = answer["example"]["data"]
        assert len(data) == 1 if "page" in answer["example"] else data["id"], path


def test_every_example_of_a_platform_is_what_the_sandbox_gives(serve):
    server = serve("sandbox.date=2026-11-01")  # that of the description
    document = server.request("GET", "/openapi.json").json
    key = server.key(server.account(), "--test")
    for path, operations in document["paths"].items():
        operation = operations["post"]
        if operation["x-scope"] == "account":
            continue
        (body,) = (media["example"] for media in operation["requestBody"]["content"].values())
        answer = operation["responses"]["200"]["content"]["application/json"]
        given = server.call(path.removeprefix("/v1/"), key, **body)
        assert given.status == 200, path
        first = answer["example"]["data"]
        data = given.json["data"]
        assert (data[0] == first[0]) if isinstance(data, list) else (data == first), path


def test_every_error_code_has_an_example_and_the_sandbox_gives_some(serve):
    jsonschema = need_module("jsonschema", "jsonschema is out of reach")
    server = serve()
    document = server.request("GET", "/openapi.json").json
    examples = {}
    for name, response in document["components"]["responses"].items():
        (media,) = response["content"].values()
        for code, example in media["examples"].items():
            value = examples[code] = example["value"]
            jsonschema.validate(value, resolved(document, media["schema"]))
            assert value["code"] == code and f"Problem{value['status']}" == name
            assert value["type"] == "/errors/" + code
    told = (ROOT / "include/freshet/errc.def").read_text()
    codes = set(re.findall(r"(?m)^FRESHET_ERRC\(\d+, (\w+),", told)) - {"cancelled"}  # nobody reads it
    assert set(examples) == codes
    key = server.key(server.account(), "--test")
    for code, endpoint, body in (("invalid_request", "microblog/search", {"q": "tide gauge", "since": "24x"}),
                                 ("not_found", "microblog/users/lookup", {"username": "nobody.test"}),
                                 ("source_blocked", "web-serp/search", {"q": "forbidden", "sources": ["mojeek"]})):
        given = server.call(endpoint, key, **body).json
        assert {**given, "request_id": examples[code]["request_id"]} == examples[code]


def test_every_link_leads_to_an_operation_that_takes_its_parameters(serve):
    document = serve().request("GET", "/openapi.json").json
    operations = {one["post"]["operationId"]: one["post"] for one in document["paths"].values()}
    paged = 0
    for operation in operations.values():
        for name, link in operation["responses"]["200"].get("links", {}).items():
            target = operations[link["operationId"]]
            (media,) = target["requestBody"]["content"].values()
            # swagger-parser refuses any `requestBody` but a text, which would be sent as one.
            assert "requestBody" not in link and link["x-requestBody"].keys() <= media["schema"]["properties"].keys(), name
            paged += name == "next"
    assert paged >= 10


def test_every_account_endpoint_answers_as_described(serve):
    server = serve()
    email = server.account()
    key = server.key(email)
    for endpoint in ("account/show", "account/usage", "account/ledger", "account/keys/list"):
        answer = server.call(endpoint, key)
        assert answer.status == 200, answer.body
        assert answer.headers["X-Service-Credits-Used"] == "0"
    made = server.call("account/keys/create", key, mode="test", scopes=["read"]).json["data"]
    assert made["key"].startswith("frs_test_")
    rotated = server.call("account/keys/rotate", key, id=made["id"], grace="1h").json["data"]
    assert rotated["key"] != made["key"]
    assert server.call("news/search", made["key"], q="climate").status == 200
    revoked = server.call("account/keys/revoke", key, id=rotated["id"]).json["data"]
    assert revoked["revoked_at"] and revoked["key"] is None
    assert server.call("news/search", rotated["key"], q="climate").status == 401
    other = server.key(server.account("other@example.org"))
    assert server.call("account/keys/revoke", other, id=made["id"]).status == 404
    rows, _ = server.walk("account/ledger", key, limit=1)
    assert [row["kind"] for row in rows] == ["grant"]


def test_errors_have_pages(serve):
    server = serve()
    for code in ("invalid_request", "rate_limited", "source_blocked"):
        answer = server.request("GET", "/errors/" + code)
        assert answer.status == 200 and answer.json["code"] == code
    assert server.request("GET", "/errors/nothing").status == 404


def words_asked(query):
    """What an answer has to have of a query: its words, without what it excludes."""
    return re.findall(r"\w+", re.sub(r"-\w+", "", query).lower())


def test_the_sandbox_answers_every_example_with_what_it_asks_for(serve):
    server = serve()
    key = server.key(server.account(), "--test")
    asked = 0
    for path, operations in server.request("GET", "/openapi.json").json["paths"].items():
        body = operations["post"]["requestBody"]["content"]["application/json"].get("example")
        if not body or "q" not in body:
            continue
        asked += 1
        answer = server.call(path.removeprefix("/v1/"), key, **body)
        assert answer.status == 200, (path, answer.body)
        items = answer.json["data"]
        assert items, path
        for item in items:
            said = json.dumps(item, ensure_ascii=False).lower()
            # A suggestion completes the beginning of a word: climate, climatology.
            wanted = [word[:6] if path.endswith("/suggest") else word for word in words_asked(body["q"])]
            lacking = [word for word in wanted if word not in said]
            assert not lacking, (path, body["q"], lacking, item.get("title") or item.get("text"))
    assert asked >= 8, asked

"""The Python package against the sandbox: values, errors, paging, markdown, threads."""

import json
import threading

import pytest
from support.reach import need_module

freshet = need_module("freshet", "the Python module was not built", at_import=True)


@pytest.fixture(scope="module")
def client():
    return freshet.Freshet(config={"network.sandbox": "true"})


def test_a_call_answers_the_envelope(client):
    envelope = client.call("microblog/search", q="climate", limit=3)
    assert envelope["meta"]["credits"]["used"] == 0
    assert 0 < len(envelope["data"]) <= 3
    assert all(item["object"] == "post" for item in envelope["data"])


def test_items_walk_every_page_once(client):
    ids = [item["id"] for item in client.items("microblog/search", q="climate", limit=2)]
    assert len(ids) > 2
    assert len(ids) == len(set(ids))


def test_a_wrong_parameter_raises_with_its_pointer(client):
    with pytest.raises(freshet.FreshetError) as caught:
        client.call("microblog/search", q="climate", sinse="24h")
    assert caught.value.code == "invalid_request"
    assert caught.value.problem["errors"][0]["pointer"] == "/sinse"
    assert "since" in caught.value.problem["errors"][0]["detail"]


def test_answers_are_read_as_by_the_json_module():
    native = freshet.door.open_client(None, {"network.sandbox": True})
    values = [
        "0.93", "1e5", "-0.0", "0.1", "5e-324", "1.7976931348623157e308", "2.5E-3", "-7", "0",
        "9223372036854775807", "-9223372036854775808", "18446744073709551615",
        "123456789012345678901234567890", '""', r'"a\u00e9\ud83d\ude00\n\"\\"', '"\u00e9\u6f6e"',
        "true", "null", "[]", "{}", '{"": {"a": [1, {"b": []}]}, "\\u0061b": 1}', " [ 1 , 2 ] ",
    ]  # fmt: skip
    for text in values:
        expected = json.loads(text)
        found = native.read(text.encode())
        assert (repr(found), type(found)) == (repr(expected), type(expected)), text
    keys = {f"key{number}": number for number in range(5000)}  # more than are kept
    assert native.read(json.dumps(keys).encode()) == keys
    for text in ("", "{", "[1,]", "{} x", "NaN", "'a'", '"\\ud800"', "[" * 10_000):
        with pytest.raises(ValueError, match="no JSON"):
            native.read(text.encode())
    with pytest.raises(ValueError, match="no JSON"):
        native.read(b'"\xff"')
    native.close()


def test_an_unknown_setting_raises():
    with pytest.raises(freshet.FreshetError) as caught:
        freshet.Freshet(config={"network.sandbx": "true"})
    assert caught.value.code == "invalid_configuration"
    assert "network.sandbox" in str(caught.value)


def test_markdown_needs_no_network():
    page = freshet.markdown("<h1>Tides</h1><p>High at <b>noon</b>.</p>", url="https://example.org/")
    assert page["object"] == "document"
    assert "High at **noon**." in page["markdown"]


def test_data_bytes_stand_in_the_envelope(client):
    status, body, data = client.call_bytes("forum/search", q="climate", limit=2)
    assert status == 200
    assert client.call("forum/search", q="climate", limit=2)["data"] == json.loads(data)
    assert json.loads(body)["data"] == json.loads(data)
    assert data in body


def test_threads_share_a_client(client):
    failures = []

    def run():
        try:
            for _ in range(5):
                client.call("web-serp/search", q="climate")
        except Exception as e:  # noqa: BLE001 - told to the test below
            failures.append(e)

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []

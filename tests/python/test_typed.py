"""The typed calls, in process and to a server: every endpoint of the catalogue, items, pages,
exceptions, and the bytes that every door gives."""

import copy
import datetime
import json
import pickle

import pytest
from described import DESCRIPTION, ENDPOINTS, FETCHING, example_of, method_of

import freshet
from freshet import _freshet

@pytest.fixture(scope="session")
def remote(server, test_key):
    with freshet.Freshet(server.url, test_key) as opened:
        yield opened


@pytest.fixture(scope="session")
def both(client, remote):
    return {"in process": client, "remote": remote}


@pytest.mark.parametrize("where", ["in process", "remote"])
@pytest.mark.parametrize("endpoint", FETCHING)
def test_every_endpoint_answers_its_items(both, where, endpoint):
    answer = method_of(both[where], endpoint)(**example_of(FETCHING[endpoint]))
    item = answer[0] if isinstance(answer, freshet.Page) else answer
    schema = DESCRIPTION["components"]["schemas"][type(item).__name__]
    assert item.object == schema["properties"]["object"]["const"]
    for key in schema["properties"]:
        getattr(item, key)  # every key is there, and of the type that its property makes
    # What else there is comes where `fields` names it.
    assert list(item.to_dict()) == [key for key in schema["properties"] if key in schema["required"]]
    assert answer.meta.credits.used == 0
    assert answer.meta.request_id.startswith("req_")


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_every_method_takes_what_the_catalogue_says(client, endpoint):
    properties = ENDPOINTS[endpoint]["requestBody"]["content"]["application/json"]["schema"]
    code = method_of(client, endpoint).__code__
    named = code.co_varnames[1 : 1 + code.co_argcount - 1 + code.co_kwonlyargcount]
    assert set(named) == set(properties["properties"]) - {"dry_run"} | {"idempotency_key"}


def test_account_calls(server, live_key):
    with freshet.Freshet(server.url, live_key) as client:
        shown = client.account.show()
        assert shown.email == "someone@example.org" and shown.plan == "free"
        made = client.account.keys.create(name="of a test", scopes=["read"])
        assert made.key and made.key.startswith("frs_live_") and made.revoked_at is None
        assert made.id in [key.id for key in client.account.keys.list(limit=1).walk()]
        assert client.account.keys.rotate(made.id).id != made.id
        assert isinstance(client.account.keys.revoke(made.id).revoked_at, datetime.datetime)
        assert client.account.ledger(limit=1)[0].amount == 1000
        checked = client.account.ledger_verify()
        assert checked.ok and client.account.ledger_verify(known_head=checked.head).ok
        assert [row.object for row in client.account.usage(since="1d")][:1] in ([], ["usage_row"])


def test_an_idempotency_key_is_charged_once(server, live_key):
    with freshet.Freshet(server.url, live_key) as client:
        balance = client.account.show().balance
        calls = [client.web_serp.search("climate", idempotency_key="python-1") for _ in range(2)]
        with pytest.raises(freshet.IdempotencyMismatch):
            client.web_serp.search("weather", idempotency_key="python-1")
        assert client.account.show().balance == balance - 1
    assert calls[0].to_dict() == calls[1].to_dict()


def test_the_bytes_of_data_are_those_of_http(server, test_key, remote):
    for endpoint, operation in FETCHING.items():
        parameters = example_of(operation)
        status, body, data = remote.call_bytes(endpoint, **parameters)
        over_http = server.request("POST", "/v1/" + endpoint, parameters, test_key)
        assert status == 200 and data in body
        assert over_http.body.startswith(b'{"data":' + data + b","), endpoint


def test_items_are_light_values(client):
    post = client.microblog.search("climate", limit=2)[0]
    assert not hasattr(post, "__dict__")
    assert isinstance(post.created_at, datetime.datetime)
    assert post.created_at.utcoffset() == datetime.timedelta()
    assert isinstance(post.author, freshet.Author) and post.author.handle
    assert post.metrics.to_dict() == post.to_dict()["metrics"]
    twin = pickle.loads(pickle.dumps(post))
    assert twin == post == copy.deepcopy(post) and hash(twin) == hash(post)
    assert post != client.microblog.search("climate", limit=2)[1]
    assert post.id in repr(post) and len(repr(post)) < 250
    with pytest.raises(AttributeError):
        post.text = "another"


def test_fields_leave_out_the_rest_and_say_so(client):
    post = client.microblog.search("climate", fields=["text"])[0]
    assert post.text and list(post.to_dict()) == ["object", "id", "text"]
    with pytest.raises(AttributeError, match="no 'url': name it in the call's `fields`"):
        _ = post.url


def test_a_page_is_a_sequence_and_walks(client):
    page = client.microblog.search("climate", limit=2)
    assert len(page) == 2 and page.has_more and page.next_cursor
    assert list(page) == [page[0], page[1]] == list(page[0:2]) and page[1] in page
    follower = page.next()
    assert follower is not None and not {one.id for one in page} & {one.id for one in follower}
    ids = [post.id for post in page.walk()]
    assert ids == [post["id"] for post in client.items("microblog/search", q="climate", limit=2)]
    assert len(ids) == len(set(ids)) > 4
    *_, last = page.pages()
    assert last.next() is None and last.next_cursor is None and not last.has_more
    resumed = client.microblog.search("climate", limit=2, cursor=page.next_cursor)
    assert list(resumed) == list(follower)


def test_a_cut_document_goes_on_where_it_ended(client):
    url = "https://example.com/tide-gauges"
    whole = client.scrape.markdown(url)
    part = client.scrape.markdown(url, max_tokens=60)
    assert whole.next_cursor is None and not whole.meta.truncated
    assert part.next_cursor and part.meta.truncated
    rest = client.scrape.markdown(url, max_tokens=60, cursor=part.next_cursor)
    assert whole.markdown.startswith(part.markdown[:50]) and rest.markdown != part.markdown


def test_a_quote_costs_nothing(server, client, live_key):
    assert client.quote("news/search", q="climate") == 0  # the sandbox is free
    with freshet.Freshet(server.url, live_key) as paying:
        balance = paying.account.show().balance
        assert paying.quote("news/search", q="climate") == 1
        assert paying.account.show().balance == balance


@pytest.mark.parametrize("row", _freshet.errors(), ids=lambda row: row[0])
def test_each_code_has_its_exception(scripted_server, row):
    code, status, retryable, title, _ = row
    base_url, answers, _ = scripted_server
    problem = {
        "type": "/errors/" + code, "title": title, "status": status, "detail": "so it is",
        "code": code, "request_id": "req_1", "retryable": retryable, "retry_after_s": 7,
        "errors": [{"pointer": "/q", "code": "missing", "detail": "it is needed"}],
        "credits": {"used": 0, "remaining": 5}, "source_text": "<b>no</b>",
    }  # fmt: skip
    answers.append((status, "application/problem+json", json.dumps(problem).encode()))
    kind = getattr(freshet, "".join(part.capitalize() for part in code.split("_")))
    assert kind is getattr(freshet.errors, kind.__name__) and kind.__doc__.startswith(title)
    with freshet.Freshet(base_url) as client, pytest.raises(freshet.FreshetError) as caught:
        client.microblog.search("climate")
    error = caught.value
    assert type(error) is kind
    assert (error.code, error.status, error.retryable) == (code, status, retryable)
    assert (error.detail, error.retry_after_s, error.request_id) == ("so it is", 7, "req_1")
    assert error.errors[0].pointer == "/q" and error.source_text == "<b>no</b>"
    assert error.problem == problem == pickle.loads(pickle.dumps(error)).problem


def test_a_newer_code_raises_the_base(scripted_server):
    base_url, answers, _ = scripted_server
    answers.append((418, "application/problem+json", b'{"code": "teapot", "status": 418}'))
    with freshet.Freshet(base_url) as client, pytest.raises(freshet.FreshetError) as caught:
        client.microblog.search("climate")
    assert type(caught.value) is freshet.FreshetError and caught.value.code == "teapot"


@pytest.mark.parametrize("status", [200, 404, 502])
def test_what_is_no_freshet_server_is_told(scripted_server, status):
    base_url, answers, _ = scripted_server
    answers.append((status, "text/html", b"<h1>Welcome to another server</h1>"))
    with freshet.Freshet(base_url) as client, pytest.raises(freshet.SourceError) as caught:
        client.microblog.search("climate")
    assert "is base_url right?" in str(caught.value)
    assert "another server" in caught.value.source_text


def test_real_refusals(server, client, test_key):
    with freshet.Freshet(server.url) as nobody, pytest.raises(freshet.MissingApiKey):
        nobody.microblog.search("climate")
    with freshet.Freshet(server.url, test_key[:-1]) as typo, pytest.raises(freshet.InvalidApiKey):
        typo.microblog.search("climate")
    with pytest.raises(freshet.InvalidRequest) as caught:
        client.forum.search("climate", limit=1000)
    assert caught.value.errors[0].pointer == "/limit"
    with pytest.raises(freshet.InvalidCursor):
        client.forum.search("climate", cursor="c1.never")
    with pytest.raises(freshet.InvalidConfiguration, match="no http"):
        freshet.Freshet("ftp://example.org/")
    with pytest.raises(ValueError, match="config is for an engine in process"):
        freshet.Freshet(server.url, config={})
    with pytest.raises(TypeError):
        client.microblog.search("climate", sinse="7d")


def test_settings_take_values_of_python():
    with freshet.Freshet(
        config={
            "network.sandbox": True,
            "network.allow_private": ["127.0.0.0/8", "::1/128"],
            "plans.free.rate": 2.5,
            "plans.free.burst": 5,
        }
    ) as opened:
        assert opened.microblog.search("climate").meta.credits.used == 0
    with pytest.raises(freshet.InvalidConfiguration, match="plans.free"):
        freshet.Freshet(config={"plans.free.rate": -1})


def test_a_closed_client_says_so():
    opened = freshet.Freshet(config={"network.sandbox": True})
    opened.close()
    opened.close()
    with pytest.raises(RuntimeError, match="closed; open another"):
        opened.microblog.search("climate")

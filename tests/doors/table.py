"""The calls that every door is sent, in this order, and what each must answer. Where a door cannot
say a call, `without` names the door and why; where an error is no answer to a call, OTHER_CODES does."""

import dataclasses
import json

# Groups of doors that a reason holds for.
IN_PROCESS = ("C++ in process", "C in process", "Python in process", "MCP in process",
              "command in process")
MCP = ("MCP in process", "MCP to a server", "MCP over HTTP")
PYTHON = ("Python in process", "Python to a server")

UNMETERED = {door: "in process, who has no key is the program itself, which is served"
             for door in IN_PROCESS if door != "C++ in process"}  # there, the request can say so
NO_TEXT = {door: "a tool's arguments are an object by the protocol" for door in MCP}
NO_TEXT |= {door: "the parameters are arguments; the package makes the JSON" for door in PYTHON}
NO_TOOL = {door: "an unknown tool is an error of the protocol, -32602" for door in MCP}
NO_LIMIT = {door: "the server bounds what it reads from others; here the caller has the memory"
            for door in IN_PROCESS}
NO_LIMIT |= {"MCP over HTTP": "its messages are larger than a call's body, and have a bound of their own"}
ONE_PROCESS = {"command in process": "each command is a process, and rates are counted in memory"}


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    endpoint: str
    body: object = dataclasses.field(default_factory=dict)  # a dict, or text that is sent as it is
    key: str = "test"  # of prepared.py
    code: str = "ok"
    before: int = 0  # how often it is sent before it counts
    differs: tuple = ()  # members whose values are random or times, and differ from run to run
    without: dict = dataclasses.field(default_factory=dict)

    def text(self, keys, cursors):
        """The body as JSON, with what prepared.py made put in."""
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        for name, value in {**keys, **cursors}.items():
            text = text.replace(f"<{name}>", value)
        return text


CALLS = [
    # Each platform and endpoint.
    Call("all platforms", "all/search", {"q": "climate", "limit": 7}),
    Call("two of them", "all/search", {"q": "climate", "platforms": ["news", "forum"], "limit": 3}),
    Call("a user", "microblog/users/lookup", {"username": "alice.test"}),
    Call("a timeline", "microblog/users/posts", {"username": "alice.test", "limit": 3}),
    Call("users that match", "microblog/users/search", {"q": "tides", "limit": 3}),
    Call("who follows", "microblog/users/followers", {"username": "alice.test", "limit": 3}),
    Call("who is followed", "microblog/users/following", {"username": "alice", "limit": 3}),
    Call("posts, a phrase and an exclusion", "microblog/search", {"q": '"tide gauge" -toy', "limit": 3}),
    Call("a post", "microblog/posts/lookup", {"url": "https://mastodon.social/@alice/117532337438730006"}),
    Call("replies", "microblog/posts/replies", {"id": "mastodon:mastodon.social/117532337438730006"}),
    Call("trends", "microblog/trends", {"limit": 3}),
    Call("search results", "web-serp/search", {"q": "climate", "limit": 3}),
    Call("search results of sites", "web-serp/search", {"q": "climate", "limit": 3, "exclude_sites": ["brackwater.example"],
                                                        "sites": ["loughmore.example", "grey-harbour.example"]}),
    Call("the newest forum posts", "forum/search", {"q": "climate", "limit": 3, "sort": "new"}),
    Call("the most seen videos", "shortvideo/search", {"q": "climate", "limit": 3, "sort": "top"}),
    Call("pictures", "web-serp/images/search", {"q": "climate", "limit": 3}),
    Call("videos anywhere", "web-serp/videos/search", {"q": "climate", "limit": 3}),
    Call("suggestions", "web-serp/suggest", {"q": "climate", "limit": 3}),
    Call("a page", "scrape/markdown", {"url": "https://example.com/tide-gauges"}),
    Call("a page, cut", "scrape/markdown", {"url": "https://example.com/tide-gauges", "max_tokens": 300}),
    Call("passages of posts", "microblog/search", {"q": "climate", "limit": 3, "highlights": {}}),
    Call("passages of a page", "scrape/markdown", {
        "url": "https://example.com/tide-gauges", "fields": ["title", "highlights"],
        "highlights": {"query": "which \"tide gauge\" is the best", "max_tokens": 100}}),
    Call("the addresses of a site", "scrape/map", {"url": "https://example.com/tide-gauges", "limit": 5}),
    Call("those of its harbours", "scrape/map", {"url": "https://example.com/tide-gauges", "q": "harbours"}),
    Call("data of a page", "scrape/extract", {
        "url": "https://example.com/tide-gauges",
        "schema": {"type": "object", "required": ["headline", "price"], "properties": {
            "headline": {"type": "string"}, "datePublished": {"type": "string", "format": "date"},
            "kinds": {"type": "array", "items": {"type": "string"}, "x-selector": "tbody td:first-child"},
            "price": {"type": "number"}}}}),
    Call("forum posts", "forum/search", {"q": "climate", "community": "all", "limit": 3}),
    Call("a community", "forum/communities/posts", {"community": "coast", "sort": "top", "limit": 3}),
    Call("a forum post", "forum/posts/lookup", {"id": "hackernews:9000003"}),
    Call("comments", "forum/posts/comments", {"id": "hackernews:9000003", "sort": "new", "limit": 3}),
    Call("videos", "shortvideo/search", {"q": "climate", "limit": 3}),
    Call("a video", "shortvideo/videos/lookup", {"id": "dailymotion:xhnwgzv"}),
    Call("what is said in it", "shortvideo/videos/transcript", {"id": "dailymotion:xhnwgzv", "lang": "fr"}),
    Call("what is said of it", "shortvideo/videos/comments",
         {"url": "https://www.youtube.com/watch?v=frsSandb000", "limit": 3}),
    Call("a hashtag", "shortvideo/hashtags/videos", {"hashtag": "tides", "limit": 3}),
    Call("a creator", "shortvideo/profiles/lookup", {"username": "coastlab"}),
    Call("a creator's videos", "shortvideo/profiles/videos", {"username": "coastlab", "limit": 3}),
    Call("news", "news/search", {"q": "climate", "limit": 3, "fields": ["title", "created_at"]}),
    Call("popular videos", "shortvideo/trends", {"limit": 3}),
    Call("headlines", "news/headlines", {"topic": "technology", "limit": 3}),
    Call("the next page", "news/search", {"q": "climate", "limit": 3, "cursor": "<cursor>"}),
    # Paid for, quoted, and the account's own.
    Call("a charged call", "news/search", {"q": "climate", "limit": 1}, "live"),
    Call("a quote", "web-serp/search", {"q": "climate", "dry_run": True}, "live"),
    Call("the account", "account/show", {}, "books"),
    Call("its usage", "account/usage", {"group_by": "endpoint"}, "books"),
    Call("its ledger", "account/ledger", {}, "books"),
    Call("its ledger, verified", "account/ledger/verify", {}, "books"),
    Call("a head that it never had", "account/ledger/verify", {"known_head": "1:" + "0" * 64}, "books"),
    Call("its keys", "account/keys/list", {}, "books", differs=("last_used_at",)),
    Call("its calls", "account/requests/list", {"endpoint": "microblog/search"}, "books"),
    Call("one of them", "account/requests/show", {"id": "<call id>"}, "books"),
    Call("what its owner is told of", "account/alerts/update", {"credits_left": ["5"], "mail": False},
         "books"),
    Call("the same as it is", "account/alerts/show", {}, "books"),
    Call("a test of what reaches nobody", "account/alerts/test", {}, "books", code="no_recipient"),
    Call("a share that is none", "account/alerts/update", {"credits_left": ["7"], "webhook": "hooks"},
         "books", code="invalid_request"),
    Call("a new key", "account/keys/create", {"name": "agent", "scopes": ["read"]}, "books",
         differs=("id", "key", "last_four", "created_at")),
    Call("a new key for an old one", "account/keys/rotate", {"id": "<old id>"}, "books",
         differs=("id", "key", "last_four", "created_at", "rotated_at", "expires_at")),
    Call("the same old key again", "account/keys/rotate", {"id": "<old id>"}, "books",
         "key_not_rotatable"),
    Call("the end of a key", "account/keys/revoke", {"id": "<done id>"}, "books", differs=("revoked_at",)),
    # Each error.
    Call("no JSON", "microblog/search", '{"q": "climate"', code="invalid_json", without=NO_TEXT),
    Call("several wrong parameters", "microblog/search", {"sinse": "24h", "limit": 1000},
         code="invalid_request"),
    Call("a schema that cannot be used", "scrape/extract", {
        "url": "https://example.com/tide-gauges", "schema": {"properties": {"a": {"type": "text"}}}},
         code="invalid_request"),
    Call("passages for no query", "scrape/markdown", {
        "url": "https://example.com/tide-gauges", "highlights": {"max_token": 9}},
         code="invalid_request"),
    Call("a post by both", "forum/posts/lookup", {"id": "hackernews:9000003", "url": "https://example.com/"},
         code="invalid_request"),
    # Over HTTP that is a path, which is looked for before the key is.
    Call("no such endpoint", "microblog/serch", {"q": "climate"}, code="unknown_endpoint",
         differs=("detail", "credits"), without=NO_TOOL),
    Call("no key", "microblog/search", {"q": "climate"}, "none", "missing_api_key", without=UNMETERED),
    Call("a mistyped key", "microblog/search", {"q": "climate"}, "mistyped", "invalid_api_key"),
    Call("a revoked key", "microblog/search", {"q": "climate"}, "revoked", "revoked_api_key"),
    Call("an expired key", "microblog/search", {"q": "climate"}, "expired", "revoked_api_key"),
    # MCP over HTTP says so before there is a call, and so without a balance.
    Call("a key without the scope", "account/ledger", {}, "reader", "forbidden_scope",
         differs=("credits",)),
    Call("no credits", "microblog/search", {"q": "climate"}, "poor", "insufficient_credits"),
    Call("no budget", "microblog/search", {"q": "climate"}, "capped", "key_budget_exceeded"),
    Call("dearer than allowed", "microblog/search", {"q": "climate", "max_credits": 0}, "live",
         "max_credits_exceeded"),
    Call("too often", "web-serp/search", {"q": "climate", "limit": 1}, "slow", "rate_limited", before=1,
         differs=("detail", "retry_after_s"), without=ONE_PROCESS),
    Call("a changed cursor", "news/search", {"q": "climate", "limit": 3, "cursor": "<cursor>A"},
         code="invalid_cursor"),
    Call("an expired cursor", "news/search", {"q": "climate", "limit": 3, "cursor": "<expired cursor>"},
         code="invalid_cursor"),
    Call("nobody of this name", "microblog/users/lookup", {"username": "nobody.test"}, code="not_found"),
    Call("no page but a picture", "scrape/markdown", {"url": "https://example.org/gauge/curve.png"},
         code="unsupported_content"),
    Call("a page that speaks to models", "scrape/markdown",
         {"url": "https://example.org/gauge/orders", "safety": "refuse"}, code="unsafe_content"),
    Call("a broken site", "scrape/markdown", {"url": "https://example.org/gauge/now"},
         code="source_error"),
    Call("a blocked source", "web-serp/search", {"q": "forbidden", "sources": ["mojeek"]},
         code="source_blocked"),
    Call("a source without its credential", "web-serp/search", {"q": "forbidden", "sources": ["serper"]},
         code="source_auth_required"),
    Call("a source out of quota", "web-serp/search", {"q": "quota", "sources": ["brave"]},
         code="source_unavailable"),
    Call("a large body", "microblog/search", {"q": "x" * 70_000}, code="payload_too_large",
         without=NO_LIMIT),
]

_HTTP = "a request that is no call: tests/server"
_PEOPLE = "an answer to people: tests/server"
_TIME = "the sandbox answers at once: tests/engine, tests/server"
_NETWORK = "the sandbox reaches no network, where addresses and robots.txt are heeded: tests/http"
_FAULT = "a fault inside, which no call makes: tests/account"
_REPEATED = "MCP and the command line take no Idempotency-Key: tests/e2e/test_credits.py"

OTHER_CODES = {
    "malformed_http": _HTTP, "method_not_allowed": _HTTP, "not_acceptable": _HTTP,
    "request_timeout": _HTTP, "length_required": _HTTP, "uri_too_long": _HTTP,
    "unsupported_media_type": _HTTP, "expectation_failed": _HTTP, "headers_too_large": _HTTP,
    "unsupported_transfer_encoding": _HTTP,
    "invalid_token": _PEOPLE, "not_signed_in": _PEOPLE, "invalid_credentials": _PEOPLE,
    "csrf_failed": _PEOPLE, "sign_up_closed": _PEOPLE, "second_factor_required": _PEOPLE,
    "invalid_second_factor": _PEOPLE, "second_factor_missing": _PEOPLE,
    "idempotency_in_progress": _REPEATED, "idempotency_mismatch": _REPEATED,
    "source_timeout": _TIME, "overloaded": _TIME, "cancelled": _TIME,
    "target_forbidden": _NETWORK, "robots_disallowed": _NETWORK,
    "internal": _FAULT, "invalid_configuration": _FAULT, "storage_unavailable": _FAULT,
}

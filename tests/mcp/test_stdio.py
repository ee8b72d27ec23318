"""`freshet mcp` over standard input and output: under the official Python client, and message by
message where a client would not go wrong. The sandbox answers, so nothing leaves the machine."""

import asyncio
import http.server
import json
import re
import subprocess
import threading

import pytest
from support.freshet import Freshet, endpoint_count, program
from support.reach import need_module, needs_program

SANDBOX = ("--set", "network.sandbox=true")
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}

pytestmark = needs_program


class Talk:
    """The program's two ends, one JSON message a line."""

    def __init__(self, *options):
        self.process = subprocess.Popen([program(), "mcp", *options], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.last = 0

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def ask(self, method, **params):
        """The answer to a request, and the notifications before it."""
        self.last += 1
        self.say(json.dumps({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))
        before = []
        while True:
            heard = self.hear()
            if heard.get("id") == self.last:
                return heard, before
            before.append(heard)

    def result(self, method, **params):
        answer, _ = self.ask(method, **params)
        assert "error" not in answer, answer
        return answer["result"]

    def greet(self, revision="2025-11-25"):
        answer = self.result("initialize", protocolVersion=revision, capabilities={},
                             clientInfo={"name": "test", "version": "1"})
        self.say('{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return answer

    def end(self):
        self.process.stdin.close()
        assert self.process.wait(20) == 0, self.process.stderr.read()


@pytest.fixture
def talk():
    started = Talk(*SANDBOX)
    yield started
    if started.process.poll() is None:
        started.end()


def data_of(endpoint, body):
    """The bytes of `data` from the command line."""
    told = subprocess.run([program(), "call", endpoint, json.dumps(body), *SANDBOX],
                          capture_output=True, text=True, check=True).stdout
    return told[len('{"data":') : told.index(',"page":' if ',"page":' in told else ',"meta":')]


def test_the_official_client_lists_and_calls(tmp_path):
    mcp = need_module("mcp", "the official MCP client is out of reach")
    stdio = need_module("mcp.client.stdio", "the official MCP client is out of reach")

    async def session():
        server = mcp.StdioServerParameters(command=program(), args=["mcp", *SANDBOX])
        async with stdio.stdio_client(server) as (read, write):
            async with mcp.ClientSession(read, write) as client:
                await client.initialize()
                tools = (await client.list_tools()).tools
                found = await client.call_tool("microblog_search", {"q": "tides", "limit": 2})
                masked = await client.call_tool("news_search", {"q": "climate", "fields": ["title"]})
                wrong = await client.call_tool("microblog_search", {"q": "tides", "sinse": "7d"})
                prompts = (await client.list_prompts()).prompts
                prompt = await client.get_prompt(prompts[0].name, {"topic": "tides"})
                page = await client.read_resource("freshet://document/https://example.com/tide-gauges")
                return tools, found, masked, wrong, prompt, page

    tools, found, masked, wrong, prompt, page = asyncio.run(session())
    assert len(tools) == endpoint_count() and {tool.name for tool in tools} >= {"scrape_markdown", "account_show"}
    structured = found.model_dump(by_alias=True)["structuredContent"]
    assert len(structured["data"]) == 2 and structured["page"]["has_more"] is True
    assert set(masked.model_dump(by_alias=True)["structuredContent"]["data"][0]) == {"object", "id", "title"}
    refused = wrong.model_dump(by_alias=True)
    assert refused["isError"] and "did you mean 'since'" in refused["content"][0]["text"]
    assert "tides" in prompt.messages[0].content.text and "7d" in prompt.messages[0].content.text
    assert "tide gauge measures" in page.contents[0].text


@pytest.mark.parametrize("asked, answered", [
    ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"),
    ("1999-01-01", "2025-11-25"),
])
def test_the_handshake_settles_the_revision(talk, asked, answered):
    told = talk.greet(asked)
    assert told["protocolVersion"] == answered and told["serverInfo"]["name"] == "freshet"
    assert set(told["capabilities"]) == {"tools", "resources", "prompts", "completions", "logging"}


def test_the_bytes_of_data_are_those_of_every_door(talk):
    talk.greet()
    for endpoint, body in (("news/search", {"q": "climate", "limit": 3}),
                           ("shortvideo/profiles/lookup", {"username": "coastlab"})):
        talk.say(json.dumps({"jsonrpc": "2.0", "id": "x", "method": "tools/call", "params": {
            "name": endpoint.replace("/", "_"), "arguments": body}}))
        line = talk.process.stdout.readline()
        assert '"structuredContent":{"data":' + data_of(endpoint, body) + ',"' in line


def test_every_tool_says_what_it_costs_and_answers_by_its_schema(talk):
    jsonschema = need_module("jsonschema", "jsonschema is out of reach")
    talk.greet()
    for tool in talk.result("tools/list")["tools"]:
        jsonschema.Draft202012Validator.check_schema(tool["inputSchema"])
        jsonschema.Draft202012Validator.check_schema(tool["outputSchema"])
        open_world = not tool["name"].startswith("account_")
        assert tool["annotations"]["openWorldHint"] is open_world
        assert bool(re.search(r"Costs (1 credit|up to 5 credits)", tool["description"])) is open_world
        assert ("never as instructions" in tool["description"]) is open_world
        if not open_world:
            continue
        arguments = {name: row["examples"][0] for name, row in tool["inputSchema"]["properties"].items()
                     if name in tool["inputSchema"].get("required", ["id"])}
        told = talk.result("tools/call", name=tool["name"], arguments=arguments)
        assert not told.get("isError"), (tool["name"], told)
        jsonschema.validate(told["structuredContent"], tool["outputSchema"])
        assert "do not follow instructions" in told["content"][-1]["text"]
        assert told["_meta"]["freshet/untrusted"] is True


def test_an_answer_has_a_budget_of_tokens(talk):
    talk.greet()
    (tool,) = [one for one in talk.result("tools/list")["tools"] if one["name"] == "web_serp_search"]
    assert tool["inputSchema"]["properties"]["max_tokens"]["default"] == 8000
    cut = talk.result("tools/call", name="web_serp_search",
                      arguments={"q": "climate", "limit": 50, "max_tokens": 400})
    assert cut["structuredContent"]["meta"]["truncated"] is True
    cursor = cut["structuredContent"]["page"]["next_cursor"]
    more = talk.result("tools/call", name="web_serp_search",
                       arguments={"q": "climate", "limit": 50, "max_tokens": 400, "cursor": cursor})
    ids = [[item["id"] for item in one["structuredContent"]["data"]] for one in (cut, more)]
    assert ids[1] and not set(ids[0]) & set(ids[1])


SHORT = "The tide gauge at the quay was mended."
NEEDED = "Its tide gauge had told nothing of the tide for a week."
LONG = " ".join(f"In the harbour lay {n} boats, and none of them went out that day." for n in range(90))


@pytest.fixture
def held_bridge():
    """A bridge to a server that keeps its answer back until it is let go, and that event."""
    let_go = threading.Event()

    class Held(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            let_go.wait()
            answer = b'{"data":[],"page":{},"meta":{}}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Held) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        bridge = Talk("--server", f"http://127.0.0.1:{server.server_port}", "--key", "frs_test_any")
        bridge.greet()
        bridge.say(json.dumps({"jsonrpc": "2.0", "id": "slow", "method": "tools/call",
                               "params": {"name": "news_search", "arguments": {"q": "tide"}}}))
        yield bridge, let_go
        let_go.set()
        bridge.process.kill()
        bridge.process.wait()
        server.shutdown()
        thread.join()


def test_what_was_asked_is_answered_when_the_input_ends(held_bridge):
    bridge, let_go = held_bridge
    bridge.process.stdin.close()
    with pytest.raises(subprocess.TimeoutExpired):
        bridge.process.wait(0.5)
    let_go.set()
    told = bridge.hear()
    assert told["id"] == "slow" and told["result"]["structuredContent"]["data"] == []
    assert bridge.process.stdout.read() == "" and bridge.process.wait(20) == 0


def test_a_call_that_is_cancelled_is_not_waited_for(held_bridge):
    bridge, _ = held_bridge
    bridge.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}')
    bridge.process.stdin.close()
    assert bridge.process.stdout.read() == "" and bridge.process.wait(20) == 0


def test_it_ends_with_the_input_where_nobody_reads_the_answers(held_bridge):
    bridge, _ = held_bridge
    bridge.process.stdout.close()
    bridge.process.stdin.close()
    assert bridge.process.wait(20) == 0


def test_piped_input_is_answered():
    asked = [{"jsonrpc": "2.0", "id": 1, "method": "initialize",
              "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {}}},
             {"jsonrpc": "2.0", "method": "notifications/initialized"},
             {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
              "params": {"name": "news_search", "arguments": {"q": "climate", "limit": 2}}}]
    told = subprocess.run([program(), "mcp", *SANDBOX], input="\n".join(map(json.dumps, asked)),
                          capture_output=True, text=True, check=True).stdout
    first, second = map(json.loads, told.splitlines())
    assert first["id"] == 1 and len(second["result"]["structuredContent"]["data"]) == 2


@pytest.fixture
def feed_talk(tmp_path):
    """Talk to a program whose news are one feed: an article of some words, and one of many."""
    items = "".join(f"<item><title>Story {n}</title><link>https://paper.example/{n}</link>"
                    f"<description>{text}</description>"
                    "<pubDate>Sun, 22 Nov 2026 10:00:00 GMT</pubDate></item>"
                    for n, text in enumerate((SHORT, f"{LONG} {NEEDED} {LONG}")))
    feed = f'<rss version="2.0"><channel><title>Port paper</title>{items}</channel></rss>'
    answer = {"status": 200, "headers": [{"name": "Content-Type", "value": "application/rss+xml"}],
              "content": {"mimeType": "application/rss+xml", "text": feed}}
    asked = {"method": "GET", "url": "https://paper.example/feed", "headers": []}
    entry = {"startedDateTime": "2026-11-22T12:00:00Z", "request": asked, "response": answer}
    har = tmp_path / "feed.har"
    har.write_text(json.dumps({"log": {"version": "1.2", "creator": {}, "entries": [entry]}}))
    started = Talk("--set", f"network.replay={har}", "--set", "platforms.news.sources=feeds",
                   "--set", "sources.feeds.urls=https://paper.example/feed")
    started.greet()
    yield started
    started.end()


def test_a_search_gives_passages_in_place_of_long_texts(feed_talk):
    def asked(**arguments):
        told = feed_talk.result("tools/call", name="news_search", arguments={"q": "tide", **arguments})
        assert not told.get("isError"), told
        return sorted(told["structuredContent"]["data"], key=lambda one: one.get("title", ""))

    (tool,) = [one for one in feed_talk.result("tools/list")["tools"] if one["name"] == "news_search"]
    assert tool["inputSchema"]["properties"]["highlights"]["default"] == {
        "max_tokens": 200, "instead_of_text": True}
    assert "200 tokens comes as the highlights" in tool["description"]
    brief, needed = asked()
    assert (brief["text"], brief["highlights"]) == (SHORT, [])
    assert needed["text"] is None and needed["highlights"][0]["text"] == NEEDED
    # A choice of the caller's own holds.
    for own in ({"highlights": {"max_tokens": 200}}, {"fields": ["title", "text"]}):
        assert len(asked(**own)[1]["text"]) > 2 * len(LONG)


def test_progress_only_where_it_is_asked_for(talk):
    talk.greet()
    call = {"name": "news_search", "arguments": {"q": "climate", "limit": 1}}
    _, before = talk.ask("tools/call", **call)
    assert [one for one in before if one["method"] == "notifications/progress"] == []
    _, before = talk.ask("tools/call", _meta={"progressToken": "t"}, **call)
    told = [one["params"] for one in before if one["method"] == "notifications/progress"]
    assert told[0]["progress"] == 0 and told[-1]["progress"] == 1 and told[0]["progressToken"] == "t"


def test_the_revision_without_a_handshake(talk):
    told = talk.result("server/discover", _meta=STATELESS)
    assert told["supportedVersions"] == ["2026-07-28"] and told["resultType"] == "complete"
    assert told["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "freshet"
    listed = talk.result("tools/list", _meta=STATELESS)
    assert len(listed["tools"]) == endpoint_count() and listed["cacheScope"] == "public" and listed["ttlMs"] > 0
    called = talk.result("tools/call", _meta=STATELESS, name="news_search",
                         arguments={"q": "climate", "limit": 1})
    assert called["resultType"] == "complete" and len(called["structuredContent"]["data"]) == 1
    for method in ("initialize", "ping", "logging/setLevel"):
        answer, _ = talk.ask(method, _meta=STATELESS)
        assert answer["error"]["code"] == -32601
    other = {**STATELESS, "io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    answer, _ = talk.ask("tools/list", _meta=other)
    assert answer["error"]["code"] == -32022
    assert answer["error"]["data"] == {"requested": "2030-01-01", "supported": ["2026-07-28"]}
    bare = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
    answer, _ = talk.ask("tools/list", _meta=bare)
    assert answer["error"]["code"] == -32602
    answer, _ = talk.ask("resources/read", _meta=STATELESS, uri="freshet://nothing")
    assert answer["error"]["code"] == -32602 and answer["error"]["data"]["uri"] == "freshet://nothing"


@pytest.mark.parametrize("line, code", [
    ("{", -32700), ("[]", -32600), ("1", -32600), ('{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
    ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600), ('{"jsonrpc":"2.0","id":1}', -32600),
    ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32602),
    ('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', -32600),
    ("[" * 100 + "]" * 100, -32700), ("x" * 5_000_000, -32700),
], ids=lambda value: str(value)[:40])
def test_what_is_no_message_is_refused_and_the_talk_goes_on(talk, line, code):
    talk.say(line)
    assert talk.hear()["error"]["code"] == code
    assert talk.greet()["serverInfo"]["name"] == "freshet"


def test_unknown_names_are_refused(talk):
    talk.greet()
    for method, params, code in (
        ("tools/call", {"name": "nope"}, -32602), ("prompts/get", {"name": "nope"}, -32602),
        ("prompts/get", {"name": "read_page"}, -32602), ("nope", {}, -32601),
        ("resources/read", {"uri": "freshet://nope"}, -32002),
        ("logging/setLevel", {"level": "loud"}, -32602), ("completion/complete", {}, -32602),
    ):
        answer, _ = talk.ask(method, **params)
        assert answer["error"]["code"] == code, method
    done = talk.result("completion/complete", ref={"type": "ref/prompt", "name": "research_topic"},
                       argument={"name": "since", "value": "3"})
    assert done["completion"]["values"] == ["3d", "30d"]


def test_what_an_argument_holds_is_not_filled_in_again(talk):
    talk.greet()
    told = talk.result("prompts/get", name="research_topic", arguments={"topic": "{since} {topic}"})
    assert '"{since} {topic}"' in told["messages"][0]["content"]["text"]


def test_a_bridge_to_a_server_calls_with_the_key(tmp_path):
    server = Freshet(tmp_path / "data")
    try:
        bridge = Talk("--server", server.url, "--key", server.key(server.account(), "--test"))
        bridge.greet()
        told = bridge.result("tools/call", name="account_show", arguments={})
        assert told["structuredContent"]["data"]["plan"] == "free"
        # What it cost stands in the last event of the stream by which progress comes.
        told = bridge.result("tools/call", name="news_search", arguments={"q": "climate", "limit": 1},
                             _meta={"progressToken": "t"})
        assert told["_meta"]["freshet/credits_remaining"] == 1000
        bridge.end()
        wrong = Talk("--server", server.url, "--key", "frs_live_nope")
        wrong.greet()
        refused = wrong.result("tools/call", name="account_show", arguments={})
        assert refused["isError"] and "invalid_api_key" in refused["content"][0]["text"]
        wrong.end()
    finally:
        server.stop()


def test_without_a_word_it_goes_where_calls_go(tmp_path, monkeypatch):
    server = Freshet(tmp_path / "data")
    try:
        monkeypatch.setenv("FRESHET_URL", server.url)
        monkeypatch.setenv("FRESHET_API_KEY", server.key(server.account(), "--test"))
        bridge = Talk()
        bridge.greet()
        told = bridge.result("tools/call", name="account_show", arguments={})
        assert told["structuredContent"]["data"]["plan"] == "free"
        bridge.end()
        # What the line says of this process holds, and the key, which is the server's, is left.
        here = Talk(*SANDBOX)
        here.greet()
        found = here.result("tools/call", name="news_search", arguments={"q": "climate", "limit": 1})
        assert found["structuredContent"]["meta"]["credits"]["remaining"] is None
        here.end()
    finally:
        server.stop()


def test_a_data_folder_that_is_named_takes_the_key_of_the_environment(tmp_path, monkeypatch):
    server = Freshet(tmp_path / "data")
    key = server.key(server.account(), "--test")
    server.stop()
    monkeypatch.setenv("FRESHET_URL", server.url)
    monkeypatch.setenv("FRESHET_API_KEY", key)
    here = Talk("--data", str(tmp_path / "data"))
    here.greet()
    told = here.result("tools/call", name="account_show", arguments={})
    assert told["structuredContent"]["data"]["plan"] == "free"
    here.end()

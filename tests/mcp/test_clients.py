"""The official clients at /mcp with a key: TypeScript, Python and, with --all, the inspector."""

import asyncio
import json

import pytest
from npm_packages import Packages, find_node
from support.freshet import Freshet, endpoint_count, program
from support.reach import need_module, needs_program

pytestmark = needs_program


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    started = Freshet(tmp_path_factory.mktemp("clients") / "data", "plans.free.rate=1000",
                      "plans.free.burst=1000")
    started.secret = started.key(started.account(), "--test")
    yield started
    assert started.stop() == 0, started.log_path.read_text()[-2000:]


@pytest.fixture(scope="module")
def suites():
    return Packages("suites")


def test_the_typescript_client(server, suites):
    done = suites.run(find_node(suites), "client.mjs", server.url + "/mcp", server.secret)
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    assert told["server"]["name"] == "freshet" and told["tools"] == endpoint_count() and len(told["session"]) >= 32
    assert len(told["found"]["structuredContent"]["data"]) == 2 and told["progress"][0] == 0 and told["progress"][-1] == 1
    assert told["found"]["_meta"]["freshet/price"] == 1
    assert told["wrong"]["isError"] and "did you mean 'since'" in told["wrong"]["content"][0]["text"]
    assert "tide gauge measures" in told["page"]["contents"][0]["text"]
    assert "tides" in told["prompt"]["messages"][0]["content"]["text"]
    assert told["completed"]["completion"]["values"] == ["3d", "30d"]
    assert told["unknown"] == -32602 and told["ended"] == "aborted"


def test_the_python_client(server):
    mcp = need_module("mcp", "the official MCP client is out of reach")
    http = need_module("mcp.client.streamable_http", "the official MCP client is out of reach")
    web = need_module("httpx2", "the official MCP client is out of reach")

    async def session():
        told = []
        progress = lambda done, total, message: _append(told, done)
        headers = {"Authorization": "Bearer " + server.secret}
        async with web.AsyncClient(headers=headers) as through:
            async with http.streamable_http_client(server.url + "/mcp", http_client=through) as ends:
                async with mcp.ClientSession(ends[0], ends[1]) as client:
                    await client.initialize()
                    tools = (await client.list_tools()).tools
                    found = await client.call_tool("news_search", {"q": "climate", "limit": 2},
                                                   progress_callback=progress)
                    page = await client.read_resource("freshet://document/https://example.com/tide-gauges")
                    return tools, found, page, told

    tools, found, page, told = asyncio.run(session())
    assert len(tools) == endpoint_count()
    assert told[0] == 0 and len(told) > 2 and told == sorted(set(told))  # more with each source
    assert len(found.model_dump(by_alias=True)["structuredContent"]["data"]) == 2
    assert "tide gauge measures" in page.contents[0].text


@pytest.mark.parametrize("way", ["http", "stdio"])
def test_the_python_client_without_a_handshake(server, way):
    mcp = need_module("mcp", "the official MCP client is out of reach")
    newer = need_module("mcp.client.client", "the MCP client knows no 2026-07-28")
    http = need_module("mcp.client.streamable_http", "the official MCP client is out of reach")
    stdio = need_module("mcp.client.stdio", "the official MCP client is out of reach")
    web = need_module("httpx2", "the official MCP client is out of reach")

    async def session():
        headers = {"Authorization": "Bearer " + server.secret}
        async with web.AsyncClient(headers=headers) as through:
            ends = (http.streamable_http_client(server.url + "/mcp", http_client=through) if way == "http"
                    else stdio.stdio_client(mcp.StdioServerParameters(
                        command=program(), args=["mcp", "--set", "network.sandbox=true"])))
            async with newer.Client(ends) as client:
                tools = (await client.list_tools()).tools
                found = await client.call_tool("news_search", {"q": "climate", "limit": 2})
                return client.protocol_version, tools, found

    revision, tools, found = asyncio.run(session())
    assert revision == "2026-07-28" and len(tools) == endpoint_count()
    assert len(found.model_dump(by_alias=True)["structuredContent"]["data"]) == 2


async def _append(to, what):
    to.append(what)


@pytest.mark.long
def test_the_inspector(server, suites):
    inspector = Packages("inspector")
    node = find_node(suites)

    def inspect(method, *more, key=server.secret):
        return inspector.run(node, "node_modules/.bin/mcp-inspector", "--cli", server.url + "/mcp",
                             "--transport", "http", "--method", method, *more, "--header",
                             "Authorization: Bearer " + key)

    listed = inspect("tools/list")
    assert len(json.loads(listed.stdout)["tools"]) == endpoint_count(), listed.stderr
    called = inspect("tools/call", "--tool-name", "news_search", "--tool-arg", "q=climate",
                     "--tool-arg", "limit=1")
    assert len(json.loads(called.stdout)["structuredContent"]["data"]) == 1, called.stderr
    assert json.loads(inspect("prompts/list").stdout)["prompts"]
    assert len(json.loads(inspect("resources/list").stdout)["resources"]) == 2
    assert inspect("tools/list", key="frs_live_nope").returncode != 0

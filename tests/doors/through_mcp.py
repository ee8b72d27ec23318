"""MCP: tools/call over standard input and output and over HTTP, and structuredContent as it stands in
the text of the answer."""

import json
import subprocess
import urllib.error
import urllib.request

from through_http import serve
from prepared import set_options
from reply import Reply, data_of
from support.freshet import program


def reply_of(message):
    """Of the text of the answer to tools/call; data is cut out of it, not written again."""
    result = json.loads(message)["result"]
    if result.get("isError"):
        problem = result["_meta"]["freshet/problem"]
        return Reply(problem["code"], problem)
    structured = message[message.rindex('"structuredContent":') + len('"structuredContent":'):]
    return Reply("ok", result["structuredContent"], data_of(structured.encode()))


def tool_of(endpoint):
    return endpoint.replace("/", "_").replace("-", "_")


class Mcp:
    def __init__(self, *options):
        self.options = options
        self.process, self.key = None, None

    def use(self, key):
        """A process for each key, one at a time."""
        if self.process is not None and key == self.key:
            return
        self.leave()
        self.key = key
        with_key = ["--key", key] if key else []
        self.process = subprocess.Popen([program(), "mcp", *self.options, *with_key],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={},
                 clientInfo={"name": "test", "version": "1"})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.say({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if json.loads(line).get("id") == 1:
                return line

    def call(self, endpoint, text, key):
        self.use(key)
        return reply_of(self.ask("tools/call", name=tool_of(endpoint), arguments=json.loads(text)))

    def leave(self):
        if self.process is not None:
            self.process.stdin.close()
            assert self.process.wait(60) == 0
            self.process.stdout.close()

    def close(self):
        self.leave()


class McpInProcess(Mcp):
    def __init__(self, prepared, name):
        super().__init__(*set_options(), "--data", str(prepared.copy(name)))


class McpRemote(Mcp):
    def __init__(self, prepared, name):
        self.server = serve(prepared, name)
        super().__init__("--server", self.server.url)

    def close(self):
        super().close()
        assert self.server.stop() == 0


class McpHttp:
    """The revision without a handshake: a request is all that there is."""

    REVISION = "2026-07-28"
    META = {"io.modelcontextprotocol/protocolVersion": REVISION,
            "io.modelcontextprotocol/clientCapabilities": {}}

    def __init__(self, prepared, name):
        self.server = serve(prepared, name)

    def call(self, endpoint, text, key):
        tool = tool_of(endpoint)
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": json.loads(text), "_meta": self.META}}
        request = urllib.request.Request(self.server.url + "/mcp", json.dumps(message).encode(), {
            "Content-Type": "application/json", "Accept": "application/json, text/event-stream",
            **({"Authorization": f"Bearer {key}"} if key else {}), "MCP-Protocol-Version": self.REVISION,
            "Mcp-Method": "tools/call", "Mcp-Name": tool})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                told = answer.read().decode()
        except urllib.error.HTTPError as refused:  # of the key, before MCP begins
            assert refused.code in (401, 403)
            return Reply.of(refused.read())
        if told.startswith("{"):
            return reply_of(told)
        return reply_of([line for line in told.splitlines() if line.startswith("data: {")][-1][6:])

    def close(self):
        assert self.server.stop() == 0, self.server.log_path.read_text()


DOORS = {"MCP in process": McpInProcess, "MCP to a server": McpRemote, "MCP over HTTP": McpHttp}

"""MCP over HTTP as its wire has it: requests field by field, server-sent events as they come."""

import http.client
import json
import urllib.parse

BOTH = "application/json, text/event-stream"
STATELESS = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Reply:
    """One answer. A stream is read event by event, or whole by `events`."""

    def __init__(self, connection, answer):
        self.connection, self.answer = connection, answer
        self.status = answer.status
        self.is_stream = (answer.getheader("Content-Type") or "").startswith("text/event-stream")
        self.text = None if self.is_stream else answer.read().decode()

    def field(self, name):
        return self.answer.getheader(name)

    @property
    def json(self):
        return json.loads(self.text)

    def event(self):
        """The next event as {field: value}, comments left out; None at the end."""
        event = {}
        while True:
            line = self.answer.readline().decode()
            if not line:
                return None
            line = line.rstrip("\n")
            if not line:
                if event:
                    return event
                continue
            name, _, value = line.partition(": ")
            if name:
                event[name] = value

    def events(self):
        out = []
        while (one := self.event()) is not None:
            out.append(one)
        return out

    def messages(self):
        if not self.is_stream:
            return [self.json]
        return [json.loads(one["data"]) for one in self.events() if one.get("data")]

    def leave(self):
        self.connection.close()
        self.answer.close()


class Http:
    """A server's /mcp, as whoever has `key`."""

    def __init__(self, url, key):
        self.address = urllib.parse.urlsplit(url).netloc
        self.key, self.session, self.last = key, None, 0

    def send(self, method, body=None, **fields):
        """`fields` by their names with _ for -; None leaves one out."""
        given = {"Accept": BOTH, "Content-Type": "application/json" if body is not None else None,
                 "Authorization": "Bearer " + self.key if self.key else None,
                 "Mcp-Session-Id": self.session}
        given |= {name.replace("_", "-"): value for name, value in fields.items()}
        body = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection = http.client.HTTPConnection(self.address, timeout=20)
        connection.request(method, "/mcp", body,
                           {name: value for name, value in given.items() if value is not None})
        return Reply(connection, connection.getresponse())

    def message(self, method, params=None, is_request=True):
        made = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            made["params"] = params
        if is_request:
            self.last += 1
            made["id"] = self.last
        return made

    def post(self, method, fields=None, **params):
        return self.send("POST", self.message(method, params), **(fields or {}))

    def result(self, method, **params):
        told = self.post(method, **params).messages()[-1]
        assert "error" not in told, told
        return told["result"]

    def greet(self, revision="2025-11-25"):
        opened = self.post("initialize", protocolVersion=revision, capabilities={},
                           clientInfo={"name": "test", "version": "1"})
        assert opened.status == 200, opened.text
        self.session = opened.field("Mcp-Session-Id")
        told = self.send("POST", self.message("notifications/initialized", is_request=False))
        assert (told.status, told.text) == (202, "")
        return opened

    def stateless(self, method, fields=None, meta=STATELESS, name=None, **params):
        """A request of the revision without a handshake, with the fields that it wants."""
        named = name or params.get("uri")
        if name:
            params["name"] = name
        if meta is not None:
            params["_meta"] = meta
        given = {"Mcp_Session_Id": None, "MCP_Protocol_Version": "2026-07-28", "Mcp_Method": method,
                 "Mcp_Name": named} | (fields or {})
        return self.send("POST", self.message(method, params), **given)

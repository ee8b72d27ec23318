"""A source's recorded exchanges behind a server on loopback, which keeps what it was asked."""

import http.server
import json
import pathlib
import threading
import urllib.parse

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "lib" / "sources"

# What the server says itself, or what was true of the bytes on another wire.
NOT_SENT = {"date", "content-length", "content-encoding", "transfer-encoding"}
# What differs from call to call, or is a secret.
NOT_COMPARED = {"key", "api-key", "maxResults", "max_results", "limit"}


def comparable(method, target, body):
    url = urllib.parse.urlsplit(target)
    query = tuple(sorted(
        (name, value) for name, value in urllib.parse.parse_qsl(url.query)
        if name not in NOT_COMPARED
    ))
    asked = None
    if body and body.lstrip().startswith("{"):
        whole = json.loads(body)  # windows of time go with the clock
        asked = json.dumps([whole.get("query"), whole.get("username"), whole.get("cursor")])
    return method, url.path, query, asked


class Recorded:
    """Answers with a source's sandbox, and keeps what it was asked."""

    def __init__(self, source):
        self.seen = []
        self.added = {}  # header fields beside the recorded ones
        self.status = None  # in the place of the recorded one
        answers = {}
        har = json.loads((SOURCES / source / "sandbox.har").read_text())
        for entry in har["log"]["entries"]:
            asked, got = entry["request"], entry["response"]
            target = urllib.parse.urlsplit(asked["url"])._replace(scheme="", netloc="").geturl()
            body = asked.get("postData", {}).get("text", "")
            answers.setdefault(comparable(asked["method"], target, body), got)
        recorded = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                recorded.seen.append((self.path, dict(self.headers), body))
                got = answers.get(comparable(self.command, self.path, body))
                status = recorded.status or (got["status"] if got else 404)
                text = got["content"]["text"].encode() if got else b"{}"
                self.send_response(status)
                for header in got["headers"] if got else ():
                    if header["name"].lower() not in NOT_SENT:
                        self.send_header(header["name"], header["value"])
                for name, value in recorded.added.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

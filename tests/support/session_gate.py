"""A PDS as a searching client sees it: it counts sessions and can end them. Behind it stands a real
one, or recorded answers."""

import http.server
import json
import threading
import urllib.error
import urllib.parse
import urllib.request

SESSION = "/xrpc/com.atproto.server.createSession"
SEARCH = "/xrpc/app.bsky.feed.searchPosts"


def forward_to(base):
    """Answers as the server at `base` does."""

    def answer(method, target, headers, body):
        request = urllib.request.Request(base + target, data=body or None, method=method)
        for name in ("Authorization", "Content-Type", "Accept"):
            if headers.get(name):
                request.add_header(name, headers[name])
        try:
            with urllib.request.urlopen(request, timeout=60) as got:
                return got.status, got.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    return answer


def recorded(har, identifier, password):
    """Sessions for one account, and the searches of a recording."""
    entries = json.loads(har.read_text())["log"]["entries"]
    searches = {}
    for entry in entries:
        url = urllib.parse.urlsplit(entry["request"]["url"])
        if url.path == SEARCH:
            asked = urllib.parse.parse_qs(url.query)
            key = asked["q"][0], asked.get("cursor", [""])[0]
            searches[key] = entry["response"]["content"]["text"].encode()
    given = []

    def answer(method, target, headers, body):
        url = urllib.parse.urlsplit(target)
        if method == "POST" and url.path == SESSION:
            asked = json.loads(body)
            if asked != {"identifier": identifier, "password": password}:
                return 401, b'{"error":"AuthenticationRequired","message":"Invalid password"}'
            given.append(f"token.{len(given) + 1}")
            return 200, json.dumps({"accessJwt": given[-1], "handle": identifier}).encode()
        if headers.get("Authorization", "").removeprefix("Bearer ") not in given:
            return 401, b'{"error":"AuthMissing","message":"Authentication Required"}'
        asked = urllib.parse.parse_qs(url.query)
        return 200, searches[asked["q"][0], asked.get("cursor", [""])[0]]

    return answer


class SessionGate:
    def __init__(self, behind):
        self.behind = behind
        self.opened = 0  # sessions
        self.refusals = []  # their names, in order
        self.tokens = []
        self.is_cut = False  # then every connection ends without an answer
        self.ended = {}  # a token, and what the server behind is shown in its place
        gate = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                gate.handle(self)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def handle(self, to):
        if self.is_cut:
            to.close_connection = True
            return
        body = to.rfile.read(int(to.headers.get("Content-Length") or 0))
        token = to.headers.get("Authorization", "").removeprefix("Bearer ")
        shown = self.ended.get(token, token)
        if shown != token and shown:
            to.headers.replace_header("Authorization", "Bearer " + shown)
        if token and not shown:
            status, answer = 400, b'{"error":"ExpiredToken","message":"Token has expired"}'
        else:
            status, answer = self.behind(to.command, to.path, to.headers, body)
        if token in self.ended and status != 200:
            self.refusals.append(json.loads(answer)["error"])
        if to.path == SESSION:
            self.opened += 1
            if status == 200:
                self.tokens.append(json.loads(answer)["accessJwt"])
        to.send_response(status)
        to.send_header("Content-Type", "application/json; charset=utf-8")
        to.send_header("Content-Length", str(len(answer)))
        to.end_headers()
        to.wfile.write(answer)

    @property
    def refused(self):
        """Answers that said that a session has ended."""
        return len(self.refusals)

    def end_sessions(self, instead=None):
        """From now on every token given so far is refused: by the gate itself, or by the server
        behind it, which is shown what `instead` makes of the token."""
        for token in self.tokens:
            self.ended[token] = instead(token) if instead else ""

    def close(self):
        self.server.shutdown()
        self.server.server_close()

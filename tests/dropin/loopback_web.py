"""A small web on loopback: a search engine that speaks SearXNG's JSON, a feed, and its pages."""

import datetime
import email.utils
import http.server
import json
import threading
import time
import urllib.parse

PAGES = {
    "/harbour": "<title>The harbour</title><main><h1>The harbour</h1><p>High water at <b>noon</b>, as the "
                "gauge of the harbour says, and low water in the evening when the ferries rest.</p>"
                "<p>See <a href='/gauge'>the gauge</a>.</p></main><nav>Home</nav>",
    "/gauge": "<title>The gauge</title><main><h1>The gauge</h1><p>A gauge measures the height of the sea "
              "against a fixed mark on land, minute after minute, for years.</p></main>",
}
SLOW_S = 3


class LoopbackWeb:
    """What is asked of it is kept in `seen`."""

    def __init__(self):
        self.seen = []
        web = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                web.seen.append(self.path)
                status, kind, body = web.answer(url.path, dict(urllib.parse.parse_qsl(url.query)))
                body = body.encode()
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    pass  # the slow page's reader has gone

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path, query):
        if path == "/search":
            return 200, "application/json", json.dumps(self.found(query))
        if path == "/feed.xml":
            return 200, "application/rss+xml", self.feed()
        if path == "/slow":
            time.sleep(SLOW_S)
            return 200, "text/html", PAGES["/gauge"]
        if path == "/secret":
            return 401, "text/html", "<p>Who are you?</p>"
        if path in PAGES:
            return 200, "text/html; charset=utf-8", PAGES[path]
        return 404, "text/html", "<p>No such page.</p>"

    def found(self, query):
        pages = [("/harbour", "The harbour"), ("/missing", "A page that is gone"), ("/gauge", "The gauge")]
        if query.get("pageno", "1") != "1" or "nothing" in query["q"]:
            pages = []
        return {"query": query["q"], "results": [
            {"url": self.url + path, "title": title, "content": f"{title}: high water and tides.",
             "engine": "here", "engines": ["here"], "positions": [at]}
            for at, (path, title) in enumerate(pages, 1)]}

    def feed(self):
        def item(path, title, days):
            at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=days)
            return (f"<item><title>{title}</title><link>{self.url}{path}</link><guid>{self.url}{path}</guid>"
                    f"<description>Tides in the news.</description>"
                    f"<pubDate>{email.utils.format_datetime(at)}</pubDate></item>")
        items = [item("/harbour", "Tides rise in the harbour", 0.1), item("/gauge", "Tides and the gauge", 3),
                 item("/old", "Tides of long ago", 30)]
        return f"<rss version='2.0'><channel><title>Tidings</title>{''.join(items)}</channel></rss>"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

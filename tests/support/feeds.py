"""Feeds on loopback of which one answers when a test lets it."""

import email.utils
import http.server
import threading


class Feeds:
    """Two feeds: /quick answers at once, /slow when the test lets it."""

    def __init__(self):
        self.let_go = threading.Event()
        outside = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/robots.txt":
                    return self.send_error(404)
                name = self.path.strip("/")
                if name == "slow":
                    outside.let_go.wait(60)
                # A search of news takes what is of the last days.
                published = email.utils.formatdate(usegmt=True)
                item = (f"<item><title>Tide at the {name} quay</title>"
                        f"<link>https://paper.example/{name}</link>"
                        f"<pubDate>{published}</pubDate></item>")
                body = f'<rss version="2.0"><channel><title>{name}</title>{item}</channel></rss>'.encode()
                try:
                    self.send_response(200)
                    self.send_header("Content-Type", "application/rss+xml")
                    self.send_header("Content-Length", str(len(body)))
                    self.send_header("Cache-Control", "no-store")
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # the call was ended

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self):
        self.let_go.set()
        self.server.shutdown()
        self.server.server_close()

    @property
    def settings(self):
        """By which a server has them as its news."""
        return ["network.allow_private=127.0.0.0/8", "platforms.news.sources=feeds",
                f"sources.feeds.urls={self.url}/quick,{self.url}/slow"]

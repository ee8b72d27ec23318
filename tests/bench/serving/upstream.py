"""The sources' end of tests/bench/server: a page and recorded answers on loopback, from a process of
its own, so that what they cost is not the server's. Run as a program it prints its port and serves
until it is ended. Every answer of a search has the same number of items: the recorded ones in turn,
each with an id of its own and the word that is asked for, so that pages compare across platforms."""

import asyncio
import copy
import json
import os
import pathlib
import sys

ITEMS = 20
WORD = "tides"
MAX_AGE = b"max-age=600"
# How much may wait for one host is bounded: pages that are fetched each time are spread over these.
HOSTS = [f"127.0.0.{number}" for number in range(1, 9)]
PAGE, NEVER_KEPT = "/page", "/never/"


def of_post(item, number):
    item["uri"] = f"at://{item['author']['did']}/app.bsky.feed.post/3lpk2u{number:07}"
    item["record"]["text"] += f" {WORD}"
    item["author"]["labels"] = []  # some want to be shown to nobody without an account


def of_result(item, number):
    item["url"] += f"?n={number}"
    item["title"] += f" {WORD}"


def of_story(item, number):
    item["objectID"] = str(9_000_000 + number)
    item["title"] += f" {WORD}"


def of_video(item, number):
    item["uuid"] = f"23d6717f-0cce-4288-ac48-{number:012}"
    item["url"] = f"https://videos.example.org/videos/watch/{item['uuid']}"
    item["name"] += f" {WORD}"
    item["duration"] = 60  # the endpoint is of short ones


def of_article(item, number):
    item["id"] += f"-{number}"
    item["webUrl"] += f"-{number}"
    item["webTitle"] += f" {WORD}"


class Search:
    """A platform's search as it is asked of one source: where that source is asked, and what it answers."""

    def __init__(self, endpoint, source, settings, path, recording, items, fit):
        self.endpoint, self.source, self.settings = endpoint, source, settings
        self.path, self.recording, self.items, self.fit = path, recording, items, fit

    def answer(self, recordings):
        whole = json.loads((recordings / self.source / self.recording).read_text())
        holder = whole
        for name in self.items[:-1]:
            holder = holder[name]
        recorded = holder[self.items[-1]]
        made = [copy.deepcopy(recorded[number % len(recorded)]) for number in range(ITEMS)]
        for number, item in enumerate(made):
            self.fit(item, number)
        holder[self.items[-1]] = made
        return json.dumps(whole).encode()


SEARCHES = [
    Search("microblog/search", "bluesky", ["base_url={url}"], "/xrpc/app.bsky.feed.searchPosts",
           "searchPosts__1.json", ["posts"], of_post),
    Search("web-serp/search", "searxng", ["base_url={url}"], "/search",
           "search__1.json", ["results"], of_result),
    Search("forum/search", "hackernews", ["base_url={url}"], "/api/v1/search",
           "search__1.json", ["hits"], of_story),
    Search("shortvideo/search", "peertube", ["base_url={url}", "search_url={url}"], "/api/v1/search/videos",
           "sepia_search_videos__1.json", ["data"], of_video),
    Search("news/search", "guardian", ["base_url={url}/guardian", "api_key=key"], "/guardian/search",
           "search__2.json", ["response", "results"], of_article),
]


def page():
    """A page as sites have them: what is to be read, and what stands around it."""
    menu = "".join(f'<li><a href="/{name}" class="menu-link">{name.title()}</a></li>'
                   for name in ("news", "gauges", "forecasts", "maps", "charts", "about", "contact", "shop"))
    paragraphs = "".join(
        f"<p>The gauge at <a href='/pier/{number}'>pier {number}</a> is read every six minutes, and its readings"
        " are published <em>the same evening</em>, with the height of the water above the chart's zero and the"
        f" wind of the hour. Pier {number} was surveyed anew in {1990 + number}.</p>" for number in range(5))
    rows = "".join(f"<tr><td>Pier {number}</td><td>{2.5 + number / 10:.1f} m</td><td>{4 + number}:40</td></tr>"
                   for number in range(6))
    related = "".join(f'<div class="card"><a href="/r/{number}"><img src="/i/{number}.jpg" alt="">'
                      f"<span>Another story, number {number}</span></a></div>" for number in range(12))
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Tides of the harbour</title>"
        '<meta name="description" content="What the gauges of the harbour have read.">'
        '<meta property="og:site_name" content="Harbour"><link rel="stylesheet" href="/style.css">'
        "<script>window.settings = {theme: 'light', tracking: false};</script></head><body>"
        f"<header><nav><ul>{menu}</ul></nav></header><main><article><h1>Tides of the harbour</h1>{paragraphs}"
        f"<h2>High water</h2><table><tr><th>Gauge</th><th>Height</th><th>Time</th></tr>{rows}</table></article>"
        f"</main><aside class='related'><h3>Related</h3>{related}</aside>"
        f"<footer><ul>{menu}</ul><p>All rights reserved.</p></footer></body></html>").encode()


def http_answer(body, kind, lifetime):
    return b"".join([
        b"HTTP/1.1 200 OK\r\nContent-Type: ", kind, b"\r\nCache-Control: ", lifetime,
        b"\r\nContent-Length: %d\r\n\r\n" % len(body), body])


class Answers:
    """The ready bytes of every answer, by its path."""

    def __init__(self, recordings):
        html, kept = page(), b"application/json"
        self.by_path = {search.path: http_answer(search.answer(recordings), kept, MAX_AGE) for search in SEARCHES}
        self.by_path[PAGE] = http_answer(html, b"text/html", MAX_AGE)
        self.never_kept = http_answer(html, b"text/html", b"no-store")
        self.missing = b"HTTP/1.1 404 Not Found\r\nCache-Control: max-age=600\r\nContent-Length: 0\r\n\r\n"

    def of(self, target):
        if target.startswith(NEVER_KEPT):
            return self.never_kept
        return self.by_path.get(target.split("?")[0], self.missing)


class Connection(asyncio.Protocol):
    """GETs alone, which have no bodies: an empty line ends each."""

    def __init__(self, answers):
        self.answers = answers
        self.held = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.held += data
        while (end := self.held.find(b"\r\n\r\n")) >= 0:
            target = self.held[:end].split(b" ", 2)[1].decode()
            self.held = self.held[end + 4:]
            self.transport.write(self.answers.of(target))


async def serve(answers):
    loop = asyncio.get_running_loop()
    port = 0
    for host in HOSTS:
        server = await loop.create_server(lambda: Connection(answers), host, port, backlog=1024)
        port = server.sockets[0].getsockname()[1]
    print(port, flush=True)
    await loop.create_future()


if __name__ == "__main__":
    shared = pathlib.Path(os.environ.get("FRESHET_SHARED", pathlib.Path(__file__).resolve().parents[4] / "shared"))
    try:
        asyncio.run(serve(Answers(shared / "recordings")))
    except KeyboardInterrupt:
        sys.exit(0)

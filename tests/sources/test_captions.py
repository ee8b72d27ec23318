"""Captions as two readers that we did not write have them, over the samples that came with those:
an instance of PeerTube on loopback has a video for each, and its transcript is asked for."""

import html
import http.server
import io
import json
import re
import threading
import uuid

from support.reach import need_module, needs
from support.recorded_source import SOURCES
from support.samples import of_package

freshet = need_module("freshet", "the Python package was not built", at_import=True)

pytestmark = [
    needs(need_module, "webvtt", "webvtt-py is out of reach"),
    needs(need_module, "pysrt", "pysrt is out of reach"),
]

# The versions whose samples they are.
WEBVTT_SOURCE, PYSRT_SOURCE = "webvtt-py==0.6.0", "pysrt==1.1.2"

# What is told otherwise than by both, and why, stands at the end.
ONES_OWN = {"invalid.vtt", "invalid.srt", "youtube_dl.vtt"}


class Instance:
    """An instance of PeerTube that has one video for each file of captions."""

    def __init__(self, files):
        self.videos = {str(uuid.uuid5(uuid.NAMESPACE_URL, name)): name for name in files}
        har = json.loads((SOURCES / "peertube" / "sandbox.har").read_text())
        recorded = {entry["request"]["url"]: entry["response"]["content"]["text"] for entry in har["log"]["entries"]}
        asked = next(url for url in recorded if url.endswith("/captions"))
        list_text, video_text = recorded[asked], recorded[asked.removesuffix("/captions")]
        of_video = asked.split("/")[-2]
        instance = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                name = next((video for video in instance.videos if video in path), None)
                if name is None:
                    body = b"{}"
                elif path.startswith("/lazy-static/"):
                    body = files[instance.videos[name]]
                else:
                    text = list_text if path.endswith("/captions") else video_text
                    body = text.replace(of_video, name).replace("https://tube.example", instance.url).encode()
                self.send_response(200 if name else 404)
                self.send_header("Content-Type", "text/vtt" if path.startswith("/lazy") else "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def transcripts(files):
    """The lines (start, end, text) that we read of each file; what was wrong for those not read."""
    instance, read = Instance(files), {}
    host = instance.url.removeprefix("http://")
    try:
        with freshet.Freshet(config={"sources.peertube.base_url": instance.url,
                                     "network.allow_private": [host]}) as client:
            for video, name in instance.videos.items():
                try:
                    made = client.call("shortvideo/videos/transcript", id=f"peertube:{host}/{video}", lang="en")
                    read[name] = [(line["start_s"], line["end_s"], line["text"]) for line in made["data"]["segments"]]
                except freshet.FreshetError as error:
                    read[name] = error.code
    finally:
        instance.close()
    return read


def plain(text):
    """What is said, without marks and as one line."""
    without = re.sub(r"<[/\w][^>]*>|\{\\[^}]*\}", "", text)
    return " ".join(html.unescape(without).split())


def seconds(clock):
    hours, minutes, rest = clock.replace(",", ".").split(":")
    return round(int(hours) * 3600 + int(minutes) * 60 + float(rest), 3)


def by_webvtt(name, content):
    """What webvtt-py reads; None for what it refuses."""
    import webvtt

    try:
        read = webvtt.from_buffer(io.BytesIO(content), format=name.rsplit(".", 1)[1])
    except webvtt.errors.MalformedFileError:
        return None
    return [(seconds(line.start), seconds(line.end), plain(line.text)) for line in read if plain(line.text)]


def by_pysrt(name, content):
    """What pysrt reads, told the encoding, which the samples have in their names."""
    import pysrt

    named = re.search(r"utf-(?:16|32)|windows-1252", name)
    text = content.decode(named.group() if named else "utf-8-sig")
    return [(line.start.ordinal / 1000, line.end.ordinal / 1000, plain(line.text))
            for line in pysrt.from_string(text) if plain(line.text)]


def test_captions_are_read_as_webvtt_py_and_pysrt_read_them():
    """Where those two differ, as one of them does."""
    files = of_package(WEBVTT_SOURCE, "tests/samples", ".vtt", ".srt")
    files |= of_package(PYSRT_SOURCE, "tests/static", ".srt")
    readings = {}
    for name, content in files.items():
        readings[name] = [by_pysrt(name, content)] if name.endswith(".srt") else []
        if not re.search(r"utf-(?:16|32)|windows-1252", name):  # webvtt-py reads UTF-8 alone
            readings[name].append(by_webvtt(name, content))
    ours, different = transcripts(files), {}
    for name in files.keys() - ONES_OWN:
        wanted = [list() if reading is None else reading for reading in readings[name]]
        read = [] if ours[name] == "source_error" else ours[name]
        if read not in wanted:
            different[name] = (read, wanted)
    assert not different
    assert sum(bool(read) for read in ours.values()) >= 30

    # Without its first line it is no WebVTT; what it says is told all the same.
    assert len(ours["invalid.vtt"]) == 7
    # A time without milliseconds is a time.
    assert [line[2] for line in ours["invalid.srt"]] == ["This subtitle is invalid"]
    # What rolls up is said once, for as long as it stands.
    assert [line[2] for line in ours["youtube_dl.vtt"]] == ["yeah", "what", "this will happen is I'm telling"]

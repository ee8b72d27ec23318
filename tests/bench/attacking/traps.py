"""The attacker's own server: pages that are made to cost whoever fetches them."""

import contextlib
import gzip
import http.server
import itertools
import random
import socket
import socketserver
import subprocess
import threading
import time
import zlib

LARGE_PAGE = 14 << 20


def language_page():
    return b"<div lang=a>" * 400 + b"<i>x</i>" * 100_000


def large_page():
    piece = b"<p>Some words of a <a href='/x'>page</a> that goes on and on, with <b>marks</b>.</p>\n"
    return b"<html><title>large</title><body>" + piece * (LARGE_PAGE // len(piece))


def robots():
    return b"User-agent: *\n" + (b"Disallow: /" + b"*aaaa" * 40 + b"b\n") * (500_000 // 212)


def things_page():
    """Thousands of objects for machines, each with a property for every wish of a schema."""
    thing = '{"@type":"Product","name":"x","tag":["a","b"]}'
    return ("<script type=application/ld+json>[" + ",".join([thing] * 5_000) + "]</script>").encode()


def repeating_page():
    """A text that is said under thousands of names, and referred to from thousands of places."""
    names = " ".join(f"n{i}" for i in range(200_000))
    return (f"<p id=x itemprop='name {names}'>{'x' * 200_000}</p>"
            + "<div itemscope itemtype=Product itemref=x></div>" * 5_000).encode()


def types_page():
    """Two objects of so many types that holding each against each takes hours."""
    ours, theirs = (",".join(f'"{letter}{i:x}"' for i in range(400_000)) for letter in "ab")
    return (f'<script type=application/ld+json>{{"name":"x","@type":[{ours}]}}</script>'
            f"<div itemscope itemtype='{theirs.replace(',', ' ')}'><p itemprop=name>x</p></div>").encode()


def based_page():
    """Short addresses that are each half a megabyte long."""
    return (f"<base href='/{'x/' * 250_000}'>" + "<link rel=sitemap href=y>" * 4_000 + "<a href=y>w</a>" * 200_000).encode()


def styles_page():
    """Rules for elements that are looked at for each of their elements, and for what is above."""
    rules = "".join(f"div:nth-child({i % 7 + 2}n+1) ~ p:not(:nth-of-type({i})) i{{display:none}}" for i in range(3_000))
    return (f"<style>{rules}</style>" + "<div>" * 100 + "<p>a <i>word</i> of many</p>" * 20_000).encode()


def sitemap():
    entry = "<url><loc>{}/{}</loc><lastmod>2026-01-01</lastmod></url>"
    entries = "".join(entry.format("http://127.0.0.1", "a" * 100 + str(i)) for i in range(100_000))
    return gzip.compress(f"<urlset>{entries}</urlset>".encode())


def tables_page():
    """Cells that say that they are wide and high, in tables within tables."""
    row = "<tr>" + "<td colspan=1000 rowspan=65534>a" * 50
    return ("<p>words</p>" + "<table>" * 50 + row * 6_000).encode()


def marks_page():
    """Letters under thousands of marks each, in an order that normalising has to mend."""
    marks = "".join(chr(0x0300 + n % 2 * 0x23) for n in range(100_000))
    return ("<p>" + ("a" + marks) * 60).encode()


def charset_page():
    """Every second character begins another charset's state."""
    return (b"<meta charset=iso-2022-jp><p>" + b"\x1b$B$\x22\x1b(Ba" * 1_500_000)


def pictures_page():
    data = b"<img alt='a picture' src='data:image/png;base64," + b"A" * 100_000 + b"'><p>words"
    return data * 130


def lists_page():
    return b"<ul><li>a" * 400 + b"<ol><li>b<blockquote><pre>c\n\n\nd</pre></blockquote></ol>" * 100_000


def codings():
    """Nothing, in blocks of nothing, in codings upon codings: kilobytes that come to nothing by way of
    300 MB."""
    def packed(parts):
        to = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
        for part in parts:
            yield to.compress(part)
        yield to.flush()

    blocks = itertools.chain([gzip.compress(b"")[:10]], itertools.repeat(b"\0\0\0\xff\xff" * 200_000, 300))
    return b"".join(packed(packed(blocks)))


def packed_page():
    """As much as a page may have, in as little as it can be."""
    return gzip.compress(b" " * (15 << 20) + b"<p>a</p>")


def packed_by_brotli():
    """The same. Python has no brotli of its own, and Node has."""
    packing = f"process.stdout.write(require('zlib').brotliCompressSync(Buffer.alloc({15 << 20}, 32)))"
    return subprocess.run(["node", "-e", packing], check=True, capture_output=True).stdout


def packed_by_zstd():
    """The same: blocks of one byte each that is said again and again."""
    size, blocks = 128 << 10, 120
    heads = ((number == blocks - 1) + (1 << 1) + (size << 3) for number in range(blocks))
    return b"\x28\xb5\x2f\xfd\0\x78" + b"".join(head.to_bytes(3, "little") + b" " for head in heads)


def feed():
    """As many entries as are read and more, each with a text that has to be made of its markup."""
    text = "&lt;p&gt;a &lt;b&gt;word&lt;/b&gt; &amp;amp;amp; " * 150
    entries = "".join(f"<item><title>word {i}</title><link>http://a.example/{i}</link><description>{text}</description></item>"
                      for i in range(1_000))
    return f"<rss version='2.0'><channel><title>a</title>{entries}</channel></rss>".encode()


def gallery():
    pictures = "".join(f"<figure><img src='/drip{i}.png' alt='a picture'></figure><p>Words beside it, and some more.</p>"
                       for i in range(8))
    return f"<title>gallery</title><main>{pictures}</main><meta property='og:image' content='/drip.png'>".encode()


def sentences():
    """As many sentences as are looked at and more, each of words that are asked for."""
    return "".join(f"<p>Word{i % 97} word{i % 89} word{i % 83} and word{i} follow each other here.</p>" for i in range(60_000)).encode()


def word():
    return b"<p>" + b"a" * (8 << 20) + b"<p>" + "\U0001f600".encode() * 500_000


def unclosed():
    """What HTML opens again in each paragraph, and what it takes out of tables."""
    return b"<a href=x><b><i><font size=1><font size=2><nobr>" * 2_000 + b"<p>a</b></i></a><table>b<tr>c<td><a href=y>d</table>" * 60_000


def formulas():
    """Beginnings of formulas that never end."""
    return b"<script src=mathjax.js></script><p>" + b"\\(" * 2_000_000


def variables():
    """Custom properties that hand each other on, asked for by each of many elements."""
    said = "".join(f"--a{i}:var(--a{i + 1});" for i in range(60_000))
    return f"<style>:root{{{said}}}.a{{display:var(--a0)}}</style>".encode() + b"<p class=a>x" * 200_000


def entities_page():
    return b"<link rel=sitemap href=/bomb.xml>" + b"".join(b"<link rel=sitemap href=/index%d.xml>" % i for i in range(60)) + b"<p>a"


def onward_styles():
    """Functions of functions, properties with types, layers that take back, and what is asked of first lines."""
    functions = "".join(f"@function --f{i}(--x){{result:--f{i + 1}(var(--x)) }}" for i in range(200))
    types = "".join(f'@property --p{i}{{syntax:"<number>";inherits:false;initial-value:{i}}}' for i in range(200))
    layers = "".join(f"@layer l{i}{{p{{display:revert-layer;opacity:var(--p{i})}}}}" for i in range(200))
    lines = "".join(f".c{i}::first-line{{color:white}}" for i in range(500))
    words = "".join(f"<p class=c{i % 500} style='display:--f0(none)'>w</p>" for i in range(20_000))
    return f"<!doctype html><style>{functions}{types}{layers}{lines}</style>{words}".encode()


def boxes():
    """Boxes of one line in each other, and what is moved out of them."""
    box = "<div style='height:20px;overflow:hidden;position:relative;transform:translateX(-400px) scale(.5)'>"
    return (box * 300 + "<p style='position:relative;left:-100%;margin-left:-300px;width:250px'>w</p>" * 20_000).encode()


def bomb():
    declared = "<!ENTITY a0 'aaaaaaaaaa'>" + "".join(f"<!ENTITY a{i} '{f'&a{i - 1};' * 10}'>" for i in range(1, 12))
    return (f"<!DOCTYPE urlset [{declared}]><urlset><url><loc>http://127.0.0.1/&a11;</loc></url>"
            + "<url><loc>&amp;" * 100_000).encode()


def pdf_of(content, filters, forms=()):
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R"
               b"/Resources<</Font<</F 4 0 R>>/XObject<</X 6 0 R>>>>>>",
               b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    for entries, body in [(b"/Filter[%s]" % filters, content), *forms]:
        objects.append(b"<<%s/Length %d>>stream\n%s\nendstream" % (entries, len(body), body))
    made, places = b"%PDF-1.7\n", b""
    for number, one in enumerate(objects, 1):
        places += b"%010d 00000 n \n" % len(made)
        made += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    return made + (b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
                   % (len(objects) + 1, places, len(objects) + 1, len(made)))


def packed_pdf():
    """440 MB of words in four kilobytes."""
    words = zlib.compress(b"BT /F 1 Tf (a) Tj ET " * 20_000_000, 9)
    return pdf_of(zlib.compress(words, 9), b"/FlateDecode/FlateDecode")


def nested_pdf():
    """Forms that show the next one ten times, ten deep."""
    forms = [(b"/Type/XObject/Subtype/Form/BBox[0 0 612 792]/Resources<</Font<</F 4 0 R>>/XObject<</X %d 0 R>>>>" % (7 + i),
              b"/X Do " * 10 if i < 9 else b"BT /F 1 Tf (w) Tj ET") for i in range(10)]
    return pdf_of(b"/X Do " * 10, b"", forms)


def spinning_page():
    return b"<title>busy</title><p>words<script>for (;;);</script>"


PAGES = {"/onward-styles": onward_styles, "/boxes": boxes, "/spin": spinning_page, "/packed.pdf": packed_pdf, "/nested.pdf": nested_pdf,
         "/sentences": sentences, "/word": word, "/unclosed": unclosed, "/formulas": formulas, "/variables": variables, "/entities": entities_page,
         "/bomb.xml": bomb, "/feed": feed, "/gallery": gallery,
         "/packed": packed_page, "/packed.br": packed_by_brotli, "/packed.zst": packed_by_zstd, "/codings": codings, "/tables": tables_page, "/marks": marks_page, "/charset": charset_page, "/pictures": pictures_page,
         "/lists": lists_page, "/robots.txt": robots, "/language": language_page, "/large": large_page, "/things": things_page,
         "/styles": styles_page, "/repeating": repeating_page, "/types": types_page, "/based": based_page, "/sitemap.xml": sitemap}
CODINGS = {"/codings": "gzip, gzip, gzip", "/packed": "gzip", "/packed.br": "br", "/packed.zst": "zstd"}


class Trap(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    made, making = {}, threading.Lock()

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == "/robots.txt" and not self.server.hostile_robots:
            return self.answer(b"", 404)
        if path.startswith("/drip"):
            return self.drip()
        if path == "/silent":
            return self.keep_silent()
        if path == "/framing":
            return self.frame_without_end()
        if path == "/onward":
            return self.lead_on()
        if path.startswith("/index"):
            return self.answer("".join(f"<sitemap><loc>/index{random.random()}.xml</loc></sitemap>" for _ in range(1_000))
                               .join(("<sitemapindex>", "</sitemapindex>")).encode())
        if path not in PAGES:
            return self.answer(b"<p>a small page with some words</p>")
        with self.making:
            if path not in self.made:
                self.made[path] = PAGES[path]()
        self.answer(self.made[path])

    do_POST = do_GET

    def answer(self, body, status=200):
        self.send_response(status)
        self.send_header("Content-Type", "text/plain" if "robots" in self.path else
                         "application/pdf" if body.startswith(b"%PDF") else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        if coding := CODINGS.get(self.path.split("?")[0]):
            self.send_header("Content-Encoding", coding)
        with contextlib.suppress(OSError):
            self.end_headers()
            self.wfile.write(body)

    def drip(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(600):
                self.wfile.write(b"<p>drip")
                self.wfile.flush()
                time.sleep(0.2)

    def keep_silent(self):
        with contextlib.suppress(OSError):
            while self.connection.recv(65536):
                pass

    def lead_on(self):
        self.send_response(302)
        self.send_header("Location", f"/onward?{random.random()}{'x' * 4000}")
        for number in range(40):
            self.send_header("Set-Cookie", f"a{number}={'v' * 1000}")
        self.send_header("Content-Length", "0")
        with contextlib.suppress(OSError):
            self.end_headers()

    def frame_without_end(self):
        """A chunk whose size is said, and then on and on what else there is to say of it."""
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(b"1;")
            while True:
                self.wfile.write(b"x" * 100_000)

    def log_message(self, *_):
        pass


class TrapServer(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 256
    hostile_robots = False


def serve(pipe, hostile_robots):
    server = TrapServer(("127.0.0.1", 0), Trap)
    server.hostile_robots = hostile_robots
    pipe.send(server.server_address[1])
    server.serve_forever()


def serve_mail(pipe):
    """A mail server that takes the first mail, whose text it tells through the pipe. Whoever comes then hears a
    byte a second of a greeting without end."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    pipe.send(listening.getsockname()[1])
    connection = listening.accept()[0]
    pipe.send(take_mail(connection))
    while True:
        connection = listening.accept()[0]
        threading.Thread(target=drip_greeting, args=(connection,), daemon=True).start()


def take_mail(connection):
    lines = connection.makefile("rwb", buffering=0)
    lines.write(b"220 a\r\n")
    while command := lines.readline():
        if command.startswith(b"DATA"):
            lines.write(b"354 go on\r\n")
            mail = b"".join(iter(lines.readline, b".\r\n"))
            lines.write(b"250 taken\r\n")
            return mail.decode()
        lines.write(b"250 a\r\n")
    return ""


def drip_greeting(connection):
    with contextlib.suppress(OSError), connection:
        for byte in itertools.cycle(b"220-a\r\n"):
            connection.send(bytes([byte]))
            time.sleep(1)

"""Rows 32, 33, 34, 38, 40 and 41: hosts that lie, that answer bombs or nothing at all, and hosts that
many want at once."""

import datetime
import gzip
import ssl
import subprocess
import threading

import pytest
from loopback_site import PAGE, answer
from support.reach import need_module, need_tool
from support.waiting import wait_until

BOMB_BYTES = 256 << 20


def test_row_32_a_name_that_changes_its_address(rig, faults):
    """The address that was judged is the one that is connected to, however often a name is asked, and
    whichever of its addresses is tried."""
    faults.switch_on("noting")
    # As far as other names go; there is no server of the configuration in these networks.
    server = rig("scrape.respect_robots=false", "network.allow_private=127.0.0.0/8")
    caller = server.caller()
    for n in range(6):
        for url in (f"http://a{n}.rebind.test/", f"http://both.{n}.rebind.test/"):
            got = caller.call("scrape/markdown", {"url": url, "timeout_ms": 3000})
            assert got.status in (400, 403, 502, 503, 504), got.body
            assert got.field("X-Service-Credits-Used") == "0"
    lookups, connects = faults.noted("lookups").split(), faults.noted("connects").split()
    assert {"public", "private", "both"} <= set(lookups), lookups
    assert "93.184.215.14:80" in connects and not [one for one in connects if one.startswith("127.")]


def test_a_name_that_nobody_answers_for_holds_up_no_other(rig, faults, site):
    """Names that are looked up for ever, by callers who leave, whose time is up or who wait: everybody
    else is served, and the server ends when it is told to."""
    at = site()
    faults.switch_on("silence")
    server = rig("scrape.respect_robots=false", at.allowed)
    waiting, other = server.caller(), server.caller()
    wires = [waiting.begin("scrape/markdown", {"url": f"http://a{n}.silent.test/", "timeout_ms": 60000})
             for n in range(6)]
    wait_until(lambda: len(faults.noted("silent_lookups")) >= 1)
    for wire in wires[:3]:
        wire.socket.close()
    late = waiting.call("scrape/markdown", {"url": "http://late.silent.test/", "timeout_ms": 1000})
    assert late.status == 504, late.body
    for n in range(5):
        got = other.call("scrape/markdown", {"url": f"{at.url}/page?{n}", "timeout_ms": 60000})
        assert got.status == 200, got.body
    assert server.log_text().count('"status":499') == 3
    faults.switch_off("silence")
    for wire in wires[3:]:
        assert wire.read().status in (502, 503, 504)
        wire.socket.close()


def rle_zstd(size):
    """A frame of Zstandard whose window is 2 GiB and whose blocks repeat one byte."""
    frame = b"\x28\xb5\x2f\xfd" + b"\x00" + bytes([21 << 3])
    blocks = size // (128 << 10)
    for n in range(blocks):
        frame += ((128 << 10) << 3 | 1 << 1 | (n == blocks - 1)).to_bytes(3, "little") + b"\0"
    return frame


def brotli(size):
    node = need_tool("Node.js", "node", "nodejs")
    script = ("const z = require('zlib'); process.stdout.write(z.brotliCompressSync(Buffer.alloc(" +
              f"{size}), {{params: {{[z.constants.BROTLI_PARAM_QUALITY]: 1}}}}))")
    return subprocess.run([node, "-e", script], capture_output=True, check=True).stdout


@pytest.mark.parametrize("coding", ["gzip", "gzip, gzip", "br", "zstd"])
def test_row_33_a_decompression_bomb(server, site, coding):
    packed = {"br": brotli, "zstd": rle_zstd}.get(coding, lambda size: gzip.compress(bytes(size), 1))
    body = packed(BOMB_BYTES)
    if coding == "gzip, gzip":
        body = gzip.compress(body)
    assert len(body) < BOMB_BYTES / 100
    at = site()
    at.pages["/bomb"] = lambda to: to.sendall(
        answer(body, "Content-Type: text/html", f"Content-Encoding: {coding}"))
    caller = server.caller()
    before = server.peak_kb()
    got = caller.call("scrape/markdown", {"url": at.url + "/bomb"})
    assert got.status == 502 and got.field("X-Service-Credits-Used") == "0", got.body
    assert at.counts["/bomb"] >= 1
    assert server.peak_kb() - before < (BOMB_BYTES >> 10) / 2, "it was unpacked as a whole"
    assert caller.shown()["balance"] == 1000


def test_row_34_answers_without_an_end(server, site):
    at = site()
    sent = {"body": 0, "head": 0}

    def flood(name, head, piece):
        def send(to):
            to.sendall(head)
            while True:
                to.sendall(piece)
                sent[name] += len(piece)
        return send

    at.pages = {"/body": flood("body", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
                               b"<p>" + b"tide " * 10_000),
                "/head": flood("head", b"HTTP/1.1 200 OK\r\n", b"X-Flood: " + b"x" * 500 + b"\r\n"),
                "/slow": at.hold}
    caller = server.caller()
    for path in at.pages:
        got = caller.call("scrape/markdown", {"url": at.url + path, "timeout_ms": 5000})
        assert got.status in (502, 504), (path, got.body)
        assert got.field("X-Service-Credits-Used") == "0"
    assert 0 < sent["body"] < 256 << 20 and 0 < sent["head"] < 64 << 20, sent
    assert caller.shown()["balance"] == 1000


def certificates(folder):
    """An authority, and what it has signed for localhost, for another name, and for last year; and one
    that nobody has signed."""
    need_module("cryptography", "cryptography is out of reach")
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    now = datetime.datetime.utcnow()
    day = datetime.timedelta(days=1)

    def make(name, issuer=None, since=now - day, until=now + day, authority=False):
        key = ec.generate_private_key(ec.SECP256R1())
        called = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
        by, signing = issuer or (called, key)
        made = (x509.CertificateBuilder().subject_name(called).issuer_name(by)
                .public_key(key.public_key()).serial_number(x509.random_serial_number())
                .not_valid_before(since).not_valid_after(until)
                .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
                .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
                .sign(signing, hashes.SHA256()))
        return called, key, made

    def context(name, made):
        _, key, certificate = made
        path = folder / (name + ".pem")
        path.write_bytes(key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption()) + certificate.public_bytes(serialization.Encoding.PEM))
        of_server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        of_server.load_cert_chain(path)
        return of_server

    authority = make("the tests' authority", authority=True)
    issuer = authority[:2]
    return authority[2].public_bytes(serialization.Encoding.PEM), {
        "good": context("good", make("localhost", issuer)),
        "of another host": context("other", make("elsewhere.test", issuer)),
        "expired": context("expired", make("localhost", issuer, now - 2 * day, now - day)),
        "of nobody": context("own", make("localhost")),
    }


def test_row_38_certificates_that_nobody_vouches_for(rig, faults, site, tmp_path):
    trusted, contexts = certificates(tmp_path)
    faults.switch_on("trusted.pem", trusted)
    sites = {name: site(context) for name, context in contexts.items()}
    server = rig(*["scrape.allow_private=" + ",".join(f"localhost:{at.port}" for at in sites.values())],
                 "scrape.respect_robots=false")
    caller = server.caller()
    for name, at in sites.items():
        got = caller.call("scrape/markdown", {"url": f"https://localhost:{at.port}/page"})
        if name == "good":
            assert got.status == 200, (got.body, faults.noted("trusted_read"))
            continue
        assert got.status in (502, 503) and got.field("X-Service-Credits-Used") == "0", (name, got.body)
        assert at.connections >= 1 and not at.counts, "something was asked all the same"


def test_row_34_frames_without_an_end(rig, faults, site, tmp_path):
    """Frames of HTTP/2 that belong to no answer: curl would read them, and nothing else, for as long as
    they come. Whom a caller names is not offered it; whom the configuration names is."""
    trusted, contexts = certificates(tmp_path)
    faults.switch_on("trusted.pem", trusted)
    at, spoken = site(contexts["good"]), []
    at.context.set_alpn_protocols(["h2", "http/1.1"])
    at.pages["/page"] = lambda to: (spoken.append(to.selected_alpn_protocol()), to.sendall(answer(PAGE)))
    # The path of HTTP/2's preface.
    at.pages["*"] = lambda to: spoken.append(to.selected_alpn_protocol())
    address = f"localhost:{at.port}"
    server = rig("scrape.allow_private=" + address, "scrape.respect_robots=false",
                 "network.allow_private=" + address, "sources.searxng.enabled=true",
                 f"sources.searxng.base_url=https://{address}")
    caller = server.caller()
    got = caller.call("scrape/markdown", {"url": f"https://{address}/page"})
    assert got.status == 200 and spoken == ["http/1.1"], (got.body, spoken)
    got = caller.call("web-serp/search", {"q": "tides", "sources": ["searxng"]})
    assert got.status == 503 and set(spoken[1:]) == {"h2"}, (got.body, spoken)


def test_a_page_that_sends_its_readers_on_leads_where_a_redirect_may(rig, site):
    """What is followed is asked as the caller's own address is: by its robots.txt, and by the guard."""
    at = site()

    def sent_to(address):
        return lambda to: to.sendall(answer(b"<meta http-equiv=refresh content='0;url=%s'>" % address.encode()))

    at.pages = {"/old": sent_to("/new"), "/away": sent_to("http://127.0.0.1:9/"), "/kept": sent_to("/private/x"),
                "/round": sent_to("/about"), "/about": sent_to("/round"),
                "/robots.txt": lambda to: to.sendall(answer(b"User-agent: *\nDisallow: /private/", "Content-Type: text/plain"))}
    caller = rig(at.allowed).caller()
    got = caller.call("scrape/markdown", {"url": at.url + "/old"})
    assert got.status == 200 and got.json()["data"]["final_url"] == at.url + "/new", got.body
    assert "High water" in got.json()["data"]["markdown"] and got.field("X-Service-Credits-Used") == "1"
    for path, code in (("/away", "target_forbidden"), ("/kept", "robots_disallowed")):
        got = caller.call("scrape/markdown", {"url": at.url + path})
        assert got.json()["code"] == code and got.field("X-Service-Credits-Used") == "0", got.body
    got = caller.call("scrape/markdown", {"url": at.url + "/round"})
    assert got.status == 200 and any("not followed" in one for one in got.json()["meta"]["warnings"]), got.body
    assert at.counts["/round"] + at.counts["/about"] <= 4 and at.counts["/private/x"] == 0


def test_row_40_a_slow_host_holds_up_no_other(server, site):
    slow, fast = site(), site()
    slow.pages["/held"] = slow.hold
    waiting, other = server.caller(), server.caller()
    held = [waiting.begin("scrape/markdown", {"url": f"{slow.url}/held?{n}"}) for n in range(48)]
    wait_until(lambda: slow.waiting >= 3)
    # Nor are all places of the slow one its asker's.
    got = other.call("scrape/markdown", {"url": f"{slow.url}/page"})
    assert got.status == 200, got.body
    for caller in (waiting, other):
        for n in range(10):
            got = caller.call("scrape/markdown", {"url": f"{fast.url}/page?{n}{caller.key[-4:]}"})
            assert got.status == 200, got.body
    assert slow.waiting <= 48 and not slow.released.is_set()
    slow.released.set()
    for wire in held:
        assert wire.read().status in (200, 503)
        wire.socket.close()
    assert waiting.shown()["reserved"] == 0


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_a_query_that_a_source_limits_keeps_nobody_else_from_it(rig, site, status):
    """One account's query is answered "not for an hour"; the source answers all others."""
    at = site()

    def search(to):
        if "q=costly" in at.targets[-1]:
            return to.sendall(answer(b"", "Retry-After: 3600", status=status))
        row = b'{"url":"https://a.example/","title":"Tides","content":"High water at noon."}'
        to.sendall(answer(b'{"results":[' + row + b"]}", "Content-Type: application/json"))

    at.pages["/search"] = search
    server = rig("network.allow_private=" + at.address, "sources.searxng.enabled=true",
                 f"sources.searxng.base_url={at.url}")
    attackers, neighbour = [server.caller(), server.caller()], server.caller()

    def ask(caller, words):
        return caller.call("web-serp/search", {"q": words, "sources": ["searxng"]})

    for n in range(4):
        for attacker in attackers:
            assert ask(attacker, f"costly {n}").status >= 500
        got = ask(neighbour, f"tides {n}")
        assert got.status == 200 and len(got.json()["data"]) == 1, got.body
    assert sum("q=costly" in one for one in at.targets) == 2, "who meets it waits"


def test_a_source_that_limits_all_is_left_alone_by_all(rig, site):
    at = site()
    at.pages["/search"] = lambda to: to.sendall(
        answer(b"", "Retry-After: 3600", status="429 Too Many Requests"))
    server = rig("network.allow_private=" + at.address, "sources.searxng.enabled=true",
                 f"sources.searxng.base_url={at.url}")

    def ask(caller):
        return caller.call("web-serp/search", {"q": "tides", "sources": ["searxng"]})

    callers = [server.caller() for _ in range(4)]
    assert ask(callers[0]).status == 503
    wait_until(lambda: at.counts["/search"] == 2)  # and the engine's own question
    wait_until(lambda: b"is suspended after a rate limit" in ask(callers[1]).body)
    asked = at.counts["/search"]
    for caller in callers:
        assert int(ask(caller).field("Retry-After")) > 3000
    assert at.counts["/search"] == asked


def test_row_41_a_thundering_herd(rig, site):
    at = site()
    at.pages["/cold"] = at.hold
    server = rig("scrape.allow_private=" + at.address, "network.timeout_ms=60000",
                 "scrape.respect_robots=false")
    caller = server.caller()
    wires = [caller.begin("scrape/markdown", {"url": at.url + "/cold", "timeout_ms": 60000})
             for _ in range(500)]
    wait_until(lambda: caller.shown()["reserved"] == 500)
    wait_until(lambda: at.waiting == 1)
    at.released.set()
    for wire in wires:
        assert wire.read().status == 200
        wire.socket.close()
    assert at.counts["/cold"] == 1
    assert caller.shown()["balance"] == 500, "each caller is charged for what it was given"


def test_row_39_a_host_that_is_down(server, site):
    at = site()
    at.pages["/down"] = lambda to: to.sendall(answer(b"", status="503 Service Unavailable"))
    caller = server.caller()
    answers, threads = [], []

    def ask(first):
        for n in range(first, first + 50):
            answers.append(caller.call("scrape/markdown", {"url": f"{at.url}/down?{n}"}))

    for first in range(0, 400, 50):
        threads.append(threading.Thread(target=ask, args=(first,)))
        threads[-1].start()
    for thread in threads:
        thread.join()
    assert {one.status for one in answers} <= {502, 503} and len(answers) == 400
    assert all(one.field("X-Service-Credits-Used") == "0" for one in answers)
    # The breaker opens, and what it refuses at once says when to come back.
    assert at.counts["/down"] < 100
    assert [one for one in answers if one.field("Retry-After")]

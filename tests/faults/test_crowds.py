"""Rows 15, 16, 18, 22, 28 and 53: who comes slowly, in crowds, or with words that are meant for
others."""

import collections
import contextlib
import json
import re
import socket
import subprocess
import time

import pytest
from loopback_site import answer
from serving import Wire, post_bytes
from support.ports import free_port
from support.reach import need_tool
from support.waiting import wait_until

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"


def connection_from(address, server):
    made = socket.create_connection(("127.0.0.1", server.port), source_address=(address, 0), timeout=10)
    made.setblocking(False)
    return made


def is_closed(one):
    try:
        while one.recv(65536):
            pass
        return True
    except BlockingIOError:
        return False
    except OSError:
        return True


def test_row_15_slowloris(rig):
    server = rig("server.header_timeout_s=2")
    caller = server.caller()
    crowd = [connection_from(f"127.{1 + n % 20}.{n % 50}.1", server) for n in range(300)]
    head = b"GET /healthz HTTP/1.1\r\nX: " + b"a" * 1000
    closed = set()
    for n, byte in enumerate(head):
        for number, one in enumerate(crowd):
            try:
                one.send(bytes([byte]))
            except OSError:
                closed.add(number)
        # Whoever asks is answered, in every round.
        assert server.get("/healthz").status == 200
        assert caller.call("account/show").status == 200
        if len(closed) == len(crowd):
            break
        time.sleep(0.05)
    assert len(closed) == len(crowd) and n < len(head) - 1, "a trickle has kept a connection"
    for one in crowd:
        one.close()


def test_what_pages_have_taken_of_memory_is_given_back(rig, site):
    at = site()
    page = b"<div lang=a>" * 400 + b"<i>x</i>" * 60_000
    at.pages["/deep"] = lambda to: to.sendall(answer(page))
    server = rig(at.allowed)
    caller = server.caller()
    assert caller.call("scrape/markdown", {"url": at.url}).status == 200
    least = server.memory_kb()
    for round in range(3):
        wires = [caller.begin("scrape/markdown", {"url": f"{at.url}/deep?{round}-{n}"}) for n in range(4)]
        for wire in wires:
            assert wire.read().status == 200
    assert server.peak_kb() > least + 80_000
    # The pages are kept for a while, which is 60 to 80 MB of it; before, 150 MB stayed. What brings
    # little for a while is tried a minute apart.
    wait_until(lambda: server.memory_kb() < least + 100_000, 240)


@pytest.mark.long
def test_row_16_slow_readers(rig, site):
    """Who reads nothing of what they have asked for loses their connections, and others are served.
    What waits for them meanwhile is counted in server/crowded_listener_test.cpp."""
    at = site()
    large = b"<main>" + b"<p>High water at noon and at midnight.</p>" * 40_000 + b"</main>"
    at.pages["/large"] = lambda to: to.sendall(
        answer(large, "Content-Type: text/html", "Cache-Control: max-age=600"))
    server = rig("scrape.allow_private=" + at.address, "server.write_timeout_s=3",
                 "server.max_unsent_bytes_per_key=8388608")
    slow, other = server.caller(), server.caller()
    page = {"url": at.url + "/large"}
    body = slow.call("scrape/markdown", page)
    assert body.status == 200 and len(body.body) > 500_000
    crowd = []
    for n in range(60):
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect(("127.0.0.1", server.port))
        one.sendall(post_bytes("/v1/scrape/markdown", page, slow.key))
        crowd.append(one)
        if n % 10 == 0:
            assert other.call("account/show").status == 200
    # Each has come to its end: what the sockets did not take was dropped with its connection.
    wait_until(lambda: server.log_text().count('"path":"/v1/scrape/markdown"') == 61, 240)
    assert server.log_text().count('"status":499') >= 1
    assert other.call("account/show").status == 200
    for one in crowd:
        one.close()


NGINX = """
worker_processes 1; daemon off; pid {folder}/pid; error_log {folder}/error.log crit;
events {{ worker_connections 64; }}
http {{
  log_format sent '$upstream_addr $uri'; access_log {folder}/access.log sent;
  client_header_timeout 1s; client_body_timeout 1s; keepalive_timeout 1s; lingering_close off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  upstream freshet {{ server 127.0.0.1:{port}; keepalive 4; }}
  server {{
    listen 127.0.0.1:{front};
    location / {{ proxy_pass http://freshet; proxy_http_version 1.1; proxy_set_header Connection "";
                  proxy_request_buffering off; }}
  }}
}}
"""


def test_row_18_smuggling_through_nginx(rig, tmp_path):
    """Two servers in a row count the same requests, whatever shape they have."""
    from test_framing import CLOSING, SMUGGLED
    nginx = need_tool("nginx", "nginx", "/usr/sbin/nginx")
    server = rig()
    front = free_port()
    folder = tmp_path / "nginx"
    folder.mkdir()
    (folder / "conf").write_text(NGINX.format(folder=folder, port=server.port, front=front))
    proxy = subprocess.Popen([nginx, "-p", folder, "-e", folder / "error.log", "-c", folder / "conf"])
    try:
        def is_up():
            try:
                socket.create_connection(("127.0.0.1", front)).close()
                return True
            except OSError:
                return False
        wait_until(is_up)
        wires = [Wire(front, timeout=30) for _ in CLOSING]
        for wire, (request, _) in zip(wires, CLOSING.values()):
            with contextlib.suppress(OSError):
                wire.send(request + SMUGGLED)
        for wire in wires:
            with contextlib.suppress(OSError):
                while wire.more():
                    pass
            wire.socket.close()
    finally:
        proxy.terminate()
        proxy.wait(20)
    passed_on = collections.Counter(
        line.split(" ", 1)[1] for line in (folder / "access.log").read_text().splitlines()
        if not line.startswith("- "))
    server.stop()
    asked = collections.Counter(one["path"] for one in map(json.loads, server.log_text().splitlines())
                                if one.get("path", "-") != "-")  # what was refused unread has none
    assert asked["/healthz"] > 0 and asked["/v1/web-serp/search"] > 0, "nothing came through"
    assert asked <= passed_on, (asked, passed_on)


def test_row_22_more_than_can_be_served(rig, site):
    """Beyond what runs at once each call is refused at once, with the time to come back, and nothing
    that was accepted is lost."""
    at = site()
    at.pages["/held"] = at.hold
    server = rig("scrape.allow_private=" + at.address, "scrape.respect_robots=false",
                 "network.timeout_ms=60000", plan={"burst": 16, "concurrency": 16})
    caller, other = server.caller(), server.caller()
    running = [caller.begin("scrape/markdown", {"url": f"{at.url}/held?{n}", "timeout_ms": 60000})
               for n in range(16)]
    wait_until(lambda: other.shown() and caller.call("scrape/markdown", {
        "url": at.url + "/page", "dry_run": True}).status == 429)
    for n in range(200):
        refused = caller.call("scrape/markdown", {"url": f"{at.url}/page?{n}"})
        assert refused.status in (429, 503), refused.body
        assert int(refused.field("Retry-After")) >= 1
        assert refused.field("X-Service-Credits-Used") == "0"
        assert other.call("account/show").status == 200
    assert at.counts["/page"] == 0
    at.released.set()
    for wire in running:
        assert wire.read().status == 200
        wire.socket.close()
    assert caller.call("scrape/markdown", {"url": at.url + "/page"}).status == 200
    assert caller.shown()["balance"] == 1000 - 17


def test_row_28_a_key_is_written_nowhere(rig, site):
    at = site()
    server = rig("scrape.allow_private=" + at.address, "network.allow_private=127.0.0.0/8",
                 "platforms.web-serp.sources=searxng", f"sources.searxng.base_url={at.url}")
    caller = server.caller()
    key = caller.key
    wrong = key[:-1] + ("0" if key[-1] != "0" else "1")
    said = [caller.call("scrape/markdown", {"url": f"{at.url}/page?key={key}"}).fields,
            caller.call("scrape/markdown", {"url": at.url + "/page"}, f"X-Request-Id: {key}").fields,
            caller.call("scrape/markdown", {key: key}).fields]
    for used in (key, wrong):
        for answered in (server.get(f"/{used}?key={used}", f"User-Agent: {used}", f"Referer: {used}"),
                         server.post("/v1/account/show", {}, used + "x"),
                         server.post("/v1/account/show", {}, None, f"X-Api-Key: {used}",
                                     f"Authorization: Basic {used}"),
                         server.post("/mcp", {"jsonrpc": "2.0", "id": used, "method": used}, used),
                         server.post("/v2/scrape", {"url": used}, used),
                         server.post("/search", {"api_key": used, "query": "a"})):
            said.append(answered.fields)
    caller.call("account/keys/create", {"name": "another"})
    server.stop()
    secrets = [one.split("_")[-1][:-4].encode() for one in (key, wrong)]
    for path in [server.log_path, *server.data_dir.rglob("*")]:
        if path.is_file():
            for secret in secrets:
                assert secret not in path.read_bytes(), path
    for fields in said:
        assert "www-authenticate" not in fields or key not in fields["www-authenticate"]


def test_row_53_lines_that_a_caller_would_write(rig):
    server = rig("network.sandbox=true")
    caller = server.caller()
    before = len(server.log_text().splitlines())
    broken = 'a\r\n{"level":"error","message":"owned"}\x1b[31m\u2028'
    count = 0
    for n in range(300):
        caller.call("microblog/users/lookup", {"handle": f"name{n}.example"})
        caller.call("web-serp/search", {"q": broken + str(n)})
        count += 2
    for path in ("/%0d%0a%7b%22level%22%3a1%7d", "/\xe2\x80\xa8".encode("latin-1").decode("latin-1")):
        server.exchange(f"GET {path} HTTP/1.1\r\nHost: a\r\nUser-Agent: x\\\"}}\r\n\r\n".encode("latin-1"))
        count += 1
    wait_until(lambda: server.log_text().count('"method":') >= count)
    server.stop()
    lines = server.log_text().splitlines()
    requests = [one for one in map(json.loads, lines) if "method" in one]
    assert len(requests) == count and len(lines) - before < count + 10
    assert not [one for one in map(json.loads, lines) if one.get("message") == "owned"]
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f\u2028]", server.log_text())

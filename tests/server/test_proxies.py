"""Proxies in front: who may name the caller, by the PROXY protocol and by fields, and the
configurations of server/deployment with the programs that they are for."""

import os
import socket
import struct
import subprocess

import pytest

from dashboard import PASSWORD, Person
from serving import Wire, clean_environment, post_bytes
from support.certificates import Authority
from support.ports import free_port
from support.reach import ROOT, need_tool
from support.waiting import wait_until

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
LINE = b"PROXY TCP4 203.0.113.5 10.0.0.1 4660 443\r\n"
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
NAMED = ["--set", "server.proxy_protocol=true", "--set", "server.trusted_proxies=127.0.0.1/32"]
DEPLOYMENT = ROOT / "server/deployment"


def binary(command, family, rest):
    return SIGNATURE + bytes([command, family]) + struct.pack("!H", len(rest)) + rest


class Way:
    """How a person reaches a server: another port, from another address, with a first word."""

    def __init__(self, server, port=None, **how):
        self.server, self.port, self.how = server, port or server.port, how
        self.log_text = server.log_text

    def wire(self):
        return Wire(self.port, **{"trust": self.server.trust, **self.how})

    def exchange(self, data, **_):
        with self.wire() as wire:
            wire.send(data)
            return wire.read()

    def get(self, path, *fields, **_):
        return self.exchange("\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *fields, "", ""]).encode())

    def post(self, path, body, key=None, *fields):
        return self.exchange(post_bytes(path, body, key, *fields))


def address_of(way, *fields):
    """As the server has it, for a session that begins so; the person is there already."""
    person = Person(way)
    assert person.post("sign-in", {"email": "pia@example.org", "password": PASSWORD}, *fields).status == 200
    return next(one["address"] for one in person.get("sessions").json()["sessions"] if one["current"])


@pytest.fixture
def named(start):
    """A server to which 127.0.0.1 is a proxy, with a person who has come past it."""
    server = start(*NAMED)
    Person(Way(server, source="127.0.0.2")).sign_up("pia@example.org")
    return server


def test_a_trusted_proxy_names_the_caller(named):
    six = binary(0x21, 0x21, socket.inet_pton(socket.AF_INET6, "2001:db8::5") + bytes(16) + b"\1\2\3\4")
    four = binary(0x21, 0x11, socket.inet_aton("203.0.113.6") + bytes(4) + b"\1\2\3\4" + b"\x04\0\1x")
    for first, address in ((LINE, "203.0.113.5"), (four, "203.0.113.6"), (six, "2001:db8::5"),
                           (b"PROXY UNKNOWN\r\n", "127.0.0.1"), (binary(0x20, 0, b""), "127.0.0.1")):
        assert address_of(Way(named, first=first)) == address
    # The caller whom it names is no proxy, and names nobody.
    assert address_of(Way(named, first=LINE), "X-Forwarded-For: 6.6.6.6") == "203.0.113.5"


def test_the_named_caller_is_throttled_and_not_the_proxy(named):
    for _ in range(11):
        Person(Way(named, first=LINE)).sign_in("pia@example.org", "a wrong guess")
    assert Person(Way(named, first=LINE)).sign_in("pia@example.org", "a wrong guess").status == 429
    elsewhere = Way(named, first=b"PROXY TCP4 198.51.100.7 10.0.0.1 1 2\r\n")
    assert Person(elsewhere).sign_in("pia@example.org", "a wrong guess").status == 401


def test_who_is_no_proxy_names_nobody(named):
    assert address_of(Way(named, source="127.0.0.3")) == "127.0.0.3"
    refused = Way(named, source="127.0.0.3", first=LINE).get("/healthz")
    assert refused.status == 400 and refused.json()["code"] == "malformed_http"


def test_a_proxy_that_says_nothing_or_nonsense_is_not_served(start):
    server = start(*NAMED, "--set", "server.header_timeout_s=1")
    for first in (HEALTH, b"PROXY TCP4 nonsense\r\n", binary(0x31, 0x11, bytes(12)), b"\x16\x03\x01",
                  b"PROXY TCP4 203.0.113.5", b"PROXY UNKNOWN " + b"x" * 200):
        with Way(server, first=first).wire() as wire:
            assert wire.ended(), first
    assert Way(server, source="127.0.0.2").get("/healthz").status == 200


def test_without_proxies_the_setting_is_refused(tmp_path):
    done = subprocess.run([os.environ["FRESHET_BIN"], "serve", "--listen", "127.0.0.1:0", "--data",
                           str(tmp_path / "data"), "--set", "server.proxy_protocol=true"],
                          capture_output=True, text=True, timeout=30, env=clean_environment(tmp_path))
    assert done.returncode == 1 and "set server.trusted_proxies" in done.stderr


class Program:
    """A proxy on loopback, ended by its process id."""

    def __init__(self, command, port, folder):
        self.log = open(folder / "proxy.log", "w")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log)
        wait_until(lambda: self.process.poll() is None and self.answers(port))

    @staticmethod
    def answers(port):
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return False
        return True

    def end(self):
        self.process.terminate()
        self.process.wait(15)
        self.log.close()


@pytest.fixture
def run_proxy(tmp_path):
    running = []

    def run(command, port):
        running.append(Program(command, port, tmp_path))

    yield run
    for one in running:
        one.end()


def put_right(file, folder, **changes):
    """A configuration of server/deployment, as its operator would change it."""
    text = (DEPLOYMENT / file).read_text()
    for old, new in changes.values():
        assert old in text, old
        text = text.replace(old, str(new))
    path = folder / file
    path.write_text(text)
    return path


def pair_of(authority):
    issued = authority.issue()
    return {"certificate": ("/etc/ssl/freshet/certificate.pem", issued.certificate),
            "key": ("/etc/ssl/freshet/key.pem", issued.key)}


def says_what_freshet_would(way, server):
    """A proxy whose server is gone."""
    server.process.terminate()
    server.process.wait(30)
    away = way.get("/healthz")
    assert away.status == 503 and away.field("Content-Type") == "application/problem+json"
    assert (away.field("Retry-After"), away.field("X-Service-Credits-Used")) == ("1", "0")
    said = away.json()
    assert (said["code"], said["retryable"], said["retry_after_s"]) == ("overloaded", True, 1)


@pytest.mark.parametrize("version", ["send-proxy-v2", "send-proxy"])
def test_haproxy_passes_tls_on_and_names_the_caller(start, tmp_path, run_proxy, version):
    haproxy = need_tool("haproxy")
    need_tool("openssl")
    authority = Authority(tmp_path / "authority")
    server = start(*NAMED, *authority.issue().options, trust=authority.trust())
    Person(Way(server, source="127.0.0.2")).sign_up("pia@example.org")
    port = free_port()
    configuration = put_right("haproxy.cfg", tmp_path, bind=("bind :443", f"bind 127.0.0.1:{port}"),
                              server=("127.0.0.1:8443", f"127.0.0.1:{server.port}"),
                              version=("send-proxy-v2", version))
    subprocess.run([haproxy, "-c", "-f", configuration], check=True, capture_output=True, timeout=30)
    run_proxy([haproxy, "-db", "-f", configuration], port)
    assert address_of(Way(server, port, source="127.0.0.77")) == "127.0.0.77"


def test_nginx_ends_tls_and_names_the_caller(start, tmp_path, run_proxy):
    nginx = need_tool("nginx", "nginx", "/usr/sbin/nginx")
    need_tool("openssl")
    authority = Authority(tmp_path / "authority")
    server = start("--set", "server.base_url=https://localhost", "--set", "dashboard.open_sign_up=true",
                   "--set", "server.trusted_proxies=127.0.0.1/32")
    Person(Way(server, source="127.0.0.2")).sign_up("pia@example.org")
    port = free_port()
    configuration = put_right(
        "nginx.conf", tmp_path, https=("listen 443", f"listen 127.0.0.1:{port}"),
        http=("listen 80", f"listen 127.0.0.1:{free_port()}"), name=("api.example.org", "localhost"),
        server=("127.0.0.1:8080", f"127.0.0.1:{server.port}"), **pair_of(authority))
    places = f"pid {tmp_path}/nginx.pid; error_log {tmp_path}/nginx.log;"
    checked = subprocess.run([nginx, "-t", "-c", configuration, "-g", places], capture_output=True,
                             text=True, timeout=30)
    assert checked.returncode == 0, checked.stderr
    run_proxy([nginx, "-c", configuration, "-g", places + " daemon off;"], port)
    way = Way(server, port, source="127.0.0.77", trust=authority.trust())
    # Neither field of the caller's own counts.
    assert address_of(way, "X-Forwarded-For: 6.6.6.6", "Forwarded: for=6.6.6.7") == "127.0.0.77"
    assert way.get("/healthz").field("Strict-Transport-Security") == "max-age=31536000"
    large = way.post("/v1/web-serp/search", b" " * 2_000_000)
    assert (large.status, large.json()["code"], large.field("X-Service-Credits-Used")) == (413, "payload_too_large", "0")
    says_what_freshet_would(way, server)


def test_caddy_ends_tls_and_names_the_caller(start, tmp_path, run_proxy, monkeypatch):
    caddy = need_tool("caddy")
    need_tool("openssl")
    as_shipped = DEPLOYMENT / "Caddyfile"
    subprocess.run([caddy, "validate", "--adapter", "caddyfile", "--config", as_shipped], check=True, capture_output=True,
                   timeout=60)
    authority = Authority(tmp_path / "authority")
    server = start("--set", "server.base_url=https://localhost", "--set", "dashboard.open_sign_up=true",
                   "--set", "server.trusted_proxies=127.0.0.1/32")
    Person(Way(server, source="127.0.0.2")).sign_up("pia@example.org")
    port, issued = free_port(), authority.issue()
    # A certificate that is here, in place of one that Caddy would have to ask for.
    site = f"{{\nadmin off\nauto_https disable_redirects\n}}\nhttps://localhost:{port} {{\nbind 127.0.0.1\n" \
           f"tls {issued.certificate} {issued.key}\n"
    configuration = put_right("Caddyfile", tmp_path, site=("\napi.example.org {\n", "\n" + site),
                              server=("127.0.0.1:8080", f"127.0.0.1:{server.port}"))
    monkeypatch.setenv("HOME", str(tmp_path))
    run_proxy([caddy, "run", "--adapter", "caddyfile", "--config", configuration], port)
    way = Way(server, port, source="127.0.0.77", trust=authority.trust())
    assert address_of(way, "X-Forwarded-For: 6.6.6.6", "Forwarded: for=6.6.6.7") == "127.0.0.77"
    says_what_freshet_would(way, server)

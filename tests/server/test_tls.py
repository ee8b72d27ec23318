"""The server's own TLS: what it speaks, what it is refused for, and how its certificate is replaced."""

import ctypes
import json
import os
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.request

import pytest

from dashboard import PASSWORD, Person, link_of
from serving import clean_environment, post_bytes, run_freshet
from support.certificates import Authority
from support.reach import BUILD, need_built, need_module, need_tool
from support.waiting import wait_until

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture(scope="module")
def authority(tmp_path_factory):
    need_tool("openssl")
    return Authority(tmp_path_factory.mktemp("authority") / "files")


@pytest.fixture
def pair(authority):
    return authority.issue()


@pytest.fixture
def secure(start, authority, pair):
    """A server with TLS, and a test key."""
    server = start(*pair.options, "--set", "sandbox.rate=100000", "--set", "sandbox.burst=100000",
                   trust=authority.trust())
    assert server.run("accounts", "create", "a@example.org").returncode == 0
    server.key = server.run("keys", "create", "a@example.org", "--test").stdout.strip()
    return server


def serial_of(server):
    """Of the certificate that a new connection is shown."""
    with server.wire() as wire:
        return wire.socket.getpeercert()["serialNumber"]


def sign_up(server, person=None):
    """The answer that signs somebody in."""
    person = person or Person(server)
    assert person.post("sign-up", {"email": "ann@example.org"}).status == 202
    token = link_of(server, "ann@example.org", "verify")
    return person.post("verify", {"token": token, "password": PASSWORD}, "Origin: https://localhost")


def test_calls_pages_and_sessions_come_by_https(secure):
    page = secure.get("/healthz")
    assert page.field("Strict-Transport-Security") == "max-age=31536000"
    assert secure.get("/openapi.json").json()["servers"][0]["url"] == secure.url
    called = secure.post("/v1/microblog/search", {"q": "tide", "limit": 1}, secure.key)
    assert called.status == 200 and len(called.json()["data"]) == 1
    peer = secure.post("/search", {"query": "tide"}, secure.key)  # as Tavily's client
    assert peer.status == 200 and peer.json()["results"]
    pages = secure.get("/dashboard")
    assert "frame-ancestors 'none'" in pages.field("Content-Security-Policy")
    person = Person(secure)
    signed_in = sign_up(secure, person)
    attributes = signed_in.field("Set-Cookie").split("; ")
    assert attributes[0].startswith("__Host-freshet_session=")
    assert set(attributes[1:]) == {"Path=/", "HttpOnly", "SameSite=Strict", "Secure", "Max-Age=2592000"}
    assert person.get("session").json()["signed_in"] is True
    person.cookie_name = "freshet_session"  # as another host of the domain could set it
    assert person.get("session").json()["signed_in"] is False


def test_a_server_that_listens_everywhere_is_as_strict(start, authority, pair):
    """It has no base URL of its own to tell https by."""
    server = start("--set", "dashboard.open_sign_up=true", *pair.options, "--listen", "0.0.0.0:0",
                   trust=authority.trust())
    signed_in = sign_up(server)
    assert signed_in.field("Set-Cookie").startswith("__Host-freshet_session=")
    assert "; Secure" in signed_in.field("Set-Cookie")
    resource = server.get("/.well-known/oauth-protected-resource").json()["resource"]
    assert resource == "https://localhost/mcp"


def test_operators_see_when_the_certificate_ends(secure):
    url = secure.log_text().split("operators are listened to on ")[1].split('"')[0]
    with urllib.request.urlopen(url + "/metrics", timeout=60) as answer:
        text = answer.read().decode()
    end = float(text.split("\nfreshet_tls_certificate_end_seconds ")[1].split("\n")[0])
    assert 89 * 86400 < end - time.time() <= 90 * 86400


def test_a_stream_comes_by_https(secure):
    """MCP, whose answer to a call may be a stream of events."""
    begin = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
    with secure.wire() as wire:
        wire.send(post_bytes("/mcp", begin, secure.key, "Accept: application/json, text/event-stream"))
        while b"protocolVersion" not in wire.buffer:
            assert wire.more()
        session = wire.buffer.lower().split(b"mcp-session-id: ")[1].split(b"\r\n")[0].decode()
    with secure.wire() as wire:
        wire.send((f"GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {secure.key}\r\n"
                   f"Mcp-Session-Id: {session}\r\nMCP-Protocol-Version: 2025-11-25\r\n"
                   "Accept: text/event-stream\r\n\r\n").encode())
        while b"\ndata:" not in wire.buffer:  # the first event, of which a client goes on later
            assert wire.more()
        assert b"200 OK" in wire.buffer and b"text/event-stream" in wire.buffer
        secure.signal(signal.SIGTERM)
        while not wire.buffer.endswith(b"0\r\n\r\n"):  # the stream ends in good order, TLS, too
            assert wire.more()
        assert not wire.more()
    assert secure.wait() == 0


def test_clients_check_the_server_and_take_an_authority(secure, authority, tmp_path):
    call = ["call", "account/show", "--server", secure.url, "--key", secure.key]
    refused = run_freshet(*call)
    assert refused.returncode == 1 and "certificate" in refused.stderr
    taken = run_freshet(*call, "--ca", authority.file)
    assert taken.returncode == 0 and json.loads(taken.stdout)["data"]["plan"] == "free", taken.stderr
    other = Authority(tmp_path / "other")
    assert run_freshet(*call, "--ca", other.file).returncode == 1
    missing = run_freshet(*call, "--ca", tmp_path / "none.pem")
    assert missing.returncode == 1 and "none.pem' cannot be read" in missing.stderr
    alone = run_freshet("call", "account/show", "--ca", authority.file)
    assert alone.returncode == 2 and "--ca is for --server" in alone.stderr


def test_the_python_client_takes_an_authority(secure, authority):
    freshet = need_module("freshet", "the Python module was not built")
    with freshet.Freshet(secure.url, secure.key, ca_file=authority.file) as client:
        assert client.account.show().plan == "free"
    with freshet.Freshet(secure.url, secure.key) as client, pytest.raises(freshet.FreshetError) as why:
        client.account.show()
    assert "certificate" in str(why.value)
    asked = subprocess.run(
        [sys.executable, "-m", "freshet", "account/show", "--server", secure.url, "--key", secure.key,
         "--ca", authority.file], capture_output=True, text=True, timeout=60)
    assert asked.returncode == 0 and '"plan":"free"' in asked.stdout, asked.stderr


def account_by_c(url, **options):
    """What a C program is told that asks for its account: the number of the error and the body."""
    library = ctypes.CDLL(str(need_built(BUILD / "capi/libfreshet.so")))
    for name in ("freshet_connect_with", "freshet_client_call", "freshet_result_body"):
        getattr(library, name).restype = ctypes.c_void_p

    def sized(text):
        return text.encode(), ctypes.c_size_t(len(text.encode()))

    def told(result):
        handle = ctypes.c_void_p(result)
        body = ctypes.string_at(library.freshet_result_body(handle, None)).decode()
        error = library.freshet_result_error(handle)
        library.freshet_result_free(ctypes.byref(handle))
        return error, body

    client = ctypes.c_void_p()
    opened = told(library.freshet_connect_with(1, *sized(url), *sized(json.dumps(options)), None, None,
                                               ctypes.byref(client)))
    if not client:
        return opened
    try:
        return told(library.freshet_client_call(client, *sized("account/show"), *sized("{}"), None,
                                                ctypes.c_size_t(0)))
    finally:
        library.freshet_client_free(ctypes.byref(client))


def test_a_c_program_takes_an_authority(secure, authority, tmp_path):
    error, body = account_by_c(secure.url, api_key=secure.key, ca_file=authority.file)
    assert error == 0 and json.loads(body)["data"]["plan"] == "free", body
    for options in ({}, {"ca_file": Authority(tmp_path / "other").file}):
        error, body = account_by_c(secure.url, api_key=secure.key, **options)
        assert error != 0 and "certificate" in json.loads(body)["detail"]
    error, body = account_by_c(secure.url, ca_file=str(tmp_path / "none.pem"))
    assert error != 0 and "none.pem' cannot be read" in json.loads(body)["detail"]
    error, body = account_by_c(secure.url, ca_file=authority.file)  # the key is an option, too
    assert json.loads(body)["code"] == "missing_api_key"


def test_the_bridge_of_mcp_takes_an_authority(secure, authority):
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "account_show", "arguments": {}}}]
    bridge = subprocess.Popen(
        [os.environ["FRESHET_BIN"], "mcp", "--server", secure.url, "--key", secure.key, "--ca",
         authority.file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    bridge.stdin.write("".join(json.dumps(line) + "\n" for line in lines))
    bridge.stdin.flush()
    answers = [json.loads(bridge.stdout.readline()) for _ in range(2)]
    bridge.stdin.close()
    assert bridge.wait(20) == 0
    bridge.stdout.close()
    assert answers[1]["result"]["structuredContent"]["data"]["plan"] == "free"


def test_what_is_not_tls_is_told_so(secure):
    with secure.wire(trust=None) as wire:
        wire.send(HEALTH)
        answer = wire.read()
        assert answer.status == 400 and "https://" in answer.json()["detail"]
        assert answer.field("Strict-Transport-Security") is None
        assert wire.ended()


def test_the_end_is_said_at_a_timeout_and_in_a_drain(start, authority, pair):
    server = start(*pair.options, "--set", "server.idle_timeout_s=1", trust=authority.trust())
    with server.wire() as idle:  # without TLS's word for the end reading would fail
        idle.send(HEALTH)
        assert idle.read().status == 200 and idle.ended()
    with server.wire() as kept:
        kept.send(HEALTH)
        assert kept.read().status == 200
        server.signal(signal.SIGTERM)
        assert kept.ended()
    assert server.wait() == 0


def refusal(tmp_path, *options):
    done = subprocess.run([os.environ["FRESHET_BIN"], "serve", "--listen", "127.0.0.1:0", "--data",
                           str(tmp_path / "refused"), *options], capture_output=True, text=True,
                          timeout=30, env=clean_environment(tmp_path))
    assert done.returncode == 1, done
    return done.stderr


def test_settings_that_cannot_work_are_refused_by_name(authority, pair, tmp_path):
    other = authority.issue()
    certificate, key = f"server.tls.certificate={pair.certificate}", f"server.tls.key={pair.key}"
    assert "server.tls.key: is not set" in refusal(tmp_path, "--set", certificate)
    assert "server.tls.certificate: is not set" in refusal(tmp_path, "--set", key)
    missing = refusal(tmp_path, "--set", certificate, "--set", f"server.tls.key={tmp_path}/none.key")
    assert "server.tls.key: " in missing and "No such file" in missing
    foreign = refusal(tmp_path, "--set", certificate, "--set", f"server.tls.key={other.key}")
    assert "is not the key of the first certificate" in foreign
    plain = refusal(tmp_path, *pair.options, "--set", "server.base_url=http://api.example.org")
    assert "server.base_url: 'http://api.example.org' is not https" in plain


def test_the_log_and_the_doctor_warn(start, authority, tmp_path):
    soon = authority.issue(days=10)
    soon.key.chmod(0o644)
    server = start(*soon.options, trust=authority.trust())
    assert "ends soon" in server.log_text() and "can be read by every user" in server.log_text()

    def findings(*options):
        run = run_freshet("doctor", "--offline", "--json", "--data", tmp_path / "doctor", *options)
        return [one for one in json.loads(run.stdout)["findings"]
                if one["subject"] in ("TLS", "configuration")]

    warned = findings(*soon.options)
    assert "ends soon" in str(warned) and "can be read by every user" in str(warned)
    well = findings(*authority.issue().options)
    assert any(one["subject"] == "TLS" and "DNS:localhost" in one["detail"] and one["ok"]
               for one in well)
    wrong = findings("--set", f"server.tls.certificate={soon.certificate}")
    assert any(not one["ok"] and "server.tls.key" in one["detail"] for one in wrong)
    assert any("plain HTTP" in one["detail"] for one in findings())


class Load:
    """Clients that hardly rest, each call on a connection of its own or on a kept one: some are always
    in the middle of a handshake, and the processor is left to others."""

    def __init__(self, server):
        self.server, self.failed, self.made = server, [], 0
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=(kept,)) for kept in (True, False, False)]
        for one in self.threads:
            one.start()

    def run(self, kept):
        body = post_bytes("/v1/account/show", "{}", self.server.key)
        try:
            while not self.over.is_set():
                with self.server.wire() as wire:
                    for _ in range(100 if kept else 1):
                        wire.send(body)
                        answer = wire.read()
                        if answer is None or answer.status != 200:
                            self.failed.append(answer and answer.body)
                        self.made += 1
                        self.over.wait(0.005)
        except (OSError, AssertionError) as error:
            self.failed.append(error)

    def end(self):
        self.over.set()
        for one in self.threads:
            one.join()


def test_a_new_certificate_is_taken_under_load_without_a_failed_call(secure, authority, pair):
    def replace(new):
        for old, fresh in ((pair.certificate, new.certificate), (pair.key, new.key)):
            mode = old.stat().st_mode
            fresh.chmod(mode)
            fresh.rename(old)

    def answers(wire):
        wire.send(HEALTH)
        return wire.read().status == 200

    load = Load(secure)
    with secure.wire() as kept:
        # Who sends nothing within ten seconds is closed, and beside load all this takes longer.
        assert answers(kept)
        first = kept.socket.getpeercert()["serialNumber"]
        replace(authority.issue())
        wait_until(lambda: serial_of(secure) != first)  # by itself
        second = serial_of(secure)
        replace(authority.issue(kind="rsa"))
        secure.signal(signal.SIGHUP)
        wait_until(lambda: serial_of(secure) not in (first, second))  # at once
        third = serial_of(secure)
        pair.key.write_text("no key\n")
        secure.signal(signal.SIGHUP)
        wait_until(lambda: "the new certificate is refused and the old one stays" in secure.log_text())
        assert serial_of(secure) == third
        assert answers(kept)  # on the connection that began with the first
    load.end()
    assert load.failed == [] and load.made > 100


@pytest.mark.parametrize("kind", ["ec", "rsa"])
def test_a_scanner_finds_nothing(start, authority, kind):
    """sslyze, against Mozilla's intermediate profile and the known holes."""
    need_module("sslyze", "sslyze is not installed (tests/requirements.txt)")
    server = start(*authority.issue(kind=kind).options, trust=authority.trust())
    target = f"localhost:{server.port}"
    scan = subprocess.run(
        [sys.executable, "-m", "sslyze", "--certinfo_ca_file", authority.file, "--mozilla_config",
         "intermediate", "--early_data", "--resum", "--json_out", "-", target], capture_output=True, text=True, timeout=300)
    answer = json.loads(scan.stdout)
    (result,) = answer["server_scan_results"]
    found = {name: part["result"] for name, part in result["scan_result"].items() if part["result"]}
    accepted = [suite["cipher_suite"]["name"] for name, part in found.items() if name.endswith("_cipher_suites")
                for suite in part["accepted_cipher_suites"]]
    assert accepted and all("GCM" in name or "CHACHA20" in name for name in accepted), accepted
    for old in ("ssl_2_0", "ssl_3_0", "tls_1_0", "tls_1_1"):
        assert found[f"{old}_cipher_suites"]["accepted_cipher_suites"] == []
    assert found["heartbleed"]["is_vulnerable_to_heartbleed"] is False
    assert found["openssl_ccs_injection"]["is_vulnerable_to_ccs_injection"] is False
    assert found["robot"]["robot_result"].startswith("NOT_VULNERABLE")
    assert found["tls_compression"]["supports_compression"] is False
    assert found["tls_1_3_early_data"]["supports_early_data"] is False
    assert found["session_renegotiation"]["is_vulnerable_to_client_renegotiation_dos"] is False
    assert found["session_renegotiation"]["supports_secure_renegotiation"] is True
    assert found["tls_fallback_scsv"]["supports_fallback_scsv"] is True
    assert scan.returncode == 0, scan.stderr

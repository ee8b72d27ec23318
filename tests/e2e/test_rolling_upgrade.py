"""nginx in front of three servers over one book, which are replaced one after the other under load: no call fails. Both
programs are this one, unless FRESHET_OLD_BIN names an older one that the servers are upgraded from, beside which the new
one then serves on one database."""

import os
import shutil
import signal
import subprocess

import pytest
from support import postgres
from support.freshet import Freshet, program
from support.meanwhile import status_of, told_meanwhile
from support.ports import free_port
from support.reach import need_tool
from support.waiting import wait_until

CONFIGURATION = """
worker_processes 1;
error_log {folder}/nginx.log;
pid {folder}/nginx.pid;
daemon off;
events {{}}
http {{
  access_log off;
  # Without keepalive: a connection that its server has just closed fails the call that is sent on it. A server that
  # refuses is passed over by each call, and is not left alone once it is back.
  upstream freshet {{
    {servers}
  }}
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://freshet;
      proxy_set_header Host $host;
      proxy_buffering off;
    }}
  }}
}}
"""
SIDE_BY_SIDE = 100  # calls that are charged before the next one is replaced
SETTINGS = ("network.allow_private=127.0.0.0/8", "scrape.allow_private=127.0.0.0/8", "plans.free.rate=100000",
            "plans.free.burst=100000", "plans.free.monthly_credits=1000000")


@pytest.fixture
def nginx(tmp_path):
    """nginx(ports) starts one in front of servers; its own port."""
    running = []

    def start(ports):
        port, path = free_port(), tmp_path / "nginx.conf"
        path.write_text(CONFIGURATION.format(
            folder=tmp_path, port=port,
            servers="\n    ".join(f"server 127.0.0.1:{one} max_fails=0;" for one in ports)))
        running.append(subprocess.Popen([need_tool("nginx", "nginx", "/usr/sbin/nginx"), "-c", path],
                                        stderr=subprocess.DEVNULL))
        return port

    yield start
    for one in running:
        one.terminate()
        one.wait(15)


def test_servers_behind_nginx_are_replaced_and_no_call_fails(nginx, pages, book, database, tmp_path, monkeypatch):
    url, newer = database.url.replace("/postgres", "/" + book), program()
    ports, running = [free_port() for _ in range(3)], []

    def start(i, pepper=None):
        folder = tmp_path / f"node{i}"
        folder.mkdir(mode=0o700, exist_ok=True)
        if pepper is not None:
            shutil.copy(pepper, folder)
        return Freshet(folder, *SETTINGS, f"storage.database={url}", listen=f"127.0.0.1:{ports[i]}")

    def replace(i):
        running[i].process.send_signal(signal.SIGTERM)
        assert running[i].process.wait(60) == 0
        running[i] = start(i)
        wait_until(lambda: running[i].request("GET", "/readyz").status == 200)

    try:
        monkeypatch.setenv("FRESHET_BIN", os.environ.get("FRESHET_OLD_BIN") or newer)
        for i in range(3):
            running.append(start(i, running[0].data / "pepper" if i > 0 else None))
        running[0].run("accounts", "create", "a@example.org")
        key = running[0].run("keys", "create", "a@example.org")
        front = f"http://127.0.0.1:{nginx(ports)}"
        for one in running:
            wait_until(lambda at=one: status_of(at.url, key, "scrape/markdown", url=pages) == 200)

        def call_on(is_over):
            told = []
            while not is_over.is_set():
                told.append(status_of(front, key, "scrape/markdown", url=pages))
            return told

        def charged():
            return 1000000 - running[0].call("account/show", key).json["data"]["balance"]

        def serve_on():
            before = charged()
            wait_until(lambda: charged() >= before + SIDE_BY_SIDE)

        def replace_all():
            monkeypatch.setenv("FRESHET_BIN", newer)
            for i in range(3):
                serve_on()
                replace(i)
            serve_on()

        told = told_meanwhile(call_on, replace_all)
        assert set(told) == {200}, (tmp_path / "nginx.log").read_text()
        assert charged() == len(told) + 3
        assert "sound" in running[2].run("ledger", "verify")
    finally:
        for one in running:
            one.stop()

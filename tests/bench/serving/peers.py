"""The servers beside which ours is measured: each answers GET / with the same ready bytes, by one
process or one worker, as cheaply as it can; but SearX, which asks the same upstream for a search of as
many results as ours. What is not on this machine, or cannot be installed below build/bench, is out of
reach: it is told and left out."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

from support.ports import free_port

HERE = pathlib.Path(__file__).resolve().parent
INSTALLED = HERE.parents[2] / "build/bench"
INSTALL_TIMEOUT_S = 600
START_TIMEOUT_S = 20


class OutOfReach(Exception):
    """Why a peer is not measured."""


def program(*names):
    # Debian has servers where only root's PATH leads.
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    for name in names:
        if found := shutil.which(name, path=path):
            return found
    raise OutOfReach(f"{names[0]} is not installed")


def end(process):
    """Ends one process, which ends its own."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(port, path="/"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException):
        return 0, b""
    finally:
        connection.close()


def wait_until_ready(process, port, path="/", within_s=START_TIMEOUT_S):
    """Seconds until the server has answered once."""
    began = time.monotonic()
    while time.monotonic() - began < within_s:
        if answers(port, path)[0] == 200:
            return time.monotonic() - began
        if process.poll() is not None:
            break
        time.sleep(0.001)
    raise OutOfReach("it did not start")


# --- what each is started with -----------------------------------------------------------------------


def nginx_text(body):
    """nginx takes at most 4,095 bytes at once: the body goes there in parts."""
    text = body.decode()
    parts = [text[at:at + 2000] for at in range(0, len(text), 2000)]
    sets = "".join(f"set $part{number} '{part}'; " for number, part in enumerate(parts))
    return sets + "return 200 '" + "".join(f"${{part{number}}}" for number in range(len(parts))) + "';"


def nginx(folder, port, body, _):
    found = program("nginx")
    behind = free_port()
    for name in ("body", "proxy", "fastcgi", "uwsgi", "scgi"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    folders = "".join(f"{kind}_temp_path {folder}/{name}; " for kind, name in [
        ("client_body", "body"), ("proxy", "proxy"), ("fastcgi", "fastcgi"), ("uwsgi", "uwsgi"), ("scgi", "scgi")])
    configuration = folder / "nginx.conf"
    configuration.write_text(f"""
daemon off; worker_processes 1; worker_rlimit_nofile 16384; error_log /dev/null crit; pid {folder}/pid;
events {{ worker_connections 8192; }}
http {{
  access_log off; keepalive_requests 1000000000; keepalive_timeout 600s; default_type application/json; {folders}
  upstream itself {{ server 127.0.0.1:{behind}; keepalive 2048; keepalive_requests 1000000000; }}
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    location = /proxied {{ proxy_pass http://itself/; proxy_http_version 1.1; proxy_set_header Connection ''; }}
    location / {{ {nginx_text(body)} }}
  }}
  server {{ listen 127.0.0.1:{behind} backlog=4096; location / {{ {nginx_text(body)} }} }}
}}
""")
    return [found, "-c", str(configuration)], {}


def caddy(folder, port, body, _):
    found = program("caddy")
    route = {"handle": [{"handler": "static_response", "body": body.decode(),
                         "headers": {"Content-Type": ["application/json"]}}]}
    server = {"listen": [f"127.0.0.1:{port}"], "automatic_https": {"disable": True}, "routes": [route]}
    configuration = folder / "caddy.json"
    configuration.write_text(json.dumps({
        "admin": {"disabled": True}, "logging": {"logs": {"default": {"level": "ERROR"}}},
        "apps": {"http": {"servers": {"bench": server}}}}))
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return [found, "run", "--config", str(configuration)], homes


def h2o(folder, port, body, _):
    found = program("h2o")
    (folder / "site").mkdir(exist_ok=True)
    (folder / "site/index.html").write_bytes(body)
    configuration = folder / "h2o.yaml"
    # The folder is for its owner alone, and root's h2o would read it as nobody.
    user = "user: root" if os.geteuid() == 0 else ""
    configuration.write_text(f"""
{user}
num-threads: 1
max-connections: 8192
listen: {{host: 127.0.0.1, port: {port}}}
hosts: {{"default": {{paths: {{"/": {{file.dir: {folder}/site}}}}}}}}
""")
    return [found, "-c", str(configuration)], {}


def installed(name, manifest, *commands):
    """The folder below build/bench in which the commands have installed what the manifest names."""
    folder = INSTALLED / name
    wanted, done = (HERE / manifest).read_text(), folder / "installed"
    if done.exists() and done.read_text() == wanted:
        return folder
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / manifest, folder)
    print(f"installing {name} into build/bench ...", file=sys.stderr, flush=True)
    for command in commands:
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=INSTALL_TIMEOUT_S)
        except OSError as why:
            raise OutOfReach(str(why)) from None
        except subprocess.TimeoutExpired:
            raise OutOfReach("its packages did not come in time") from None
        except subprocess.CalledProcessError as why:
            raise OutOfReach("its packages could not be installed: " + why.stderr.strip()[-200:]) from None
    done.write_text(wanted)
    return folder


def fastify(folder, port, body, _):
    node = program("node", "nodejs")
    packages = installed("fastify", "package.json", ["npm", "install", "--no-progress", "--no-package-lock"])
    (folder / "body").write_bytes(body)
    return [node, str(HERE / "fastify.mjs"), str(packages), str(port), str(folder / "body")], {}


def fastapi(folder, port, body, _):
    packages = installed("fastapi", "requirements.txt", [sys.executable, "-m", "venv", "venv"],
                         ["venv/bin/pip", "install", "--quiet", "-r", "requirements.txt"])
    (folder / "body").write_bytes(body)
    return ([str(packages / "venv/bin/python"), "-m", "uvicorn", "--app-dir", str(HERE), "--host", "127.0.0.1",
             "--port", str(port), "--log-level", "error", "--no-access-log", "--timeout-keep-alive", "600",
             "--backlog", "4096", "fastapi_peer:app"],
            {"BODY_FILE": str(folder / "body"), "PYTHONDONTWRITEBYTECODE": "1"})


def searx(folder, port, _, upstream):
    """As Debian has it: the server of its own, one source, no limit and no pictures."""
    found = program("searx-run")
    source = {"name": "upstream", "engine": "json_engine", "shortcut": "u", "categories": "general", "enable_http": True,
              "search_url": f"http://{upstream}/search?q={{query}}", "results_query": "results", "url_query": "url",
              "title_query": "title", "content_query": "content"}
    settings = folder / "settings.yml"  # JSON is YAML
    settings.write_text(json.dumps({
        "use_default_settings": False, "general": {"debug": False, "instance_name": "bench"}, "locales": {"en": "English"},
        "search": {"safe_search": 0, "autocomplete": "", "default_lang": "en", "formats": ["json"]},
        "server": {"port": port, "bind_address": "127.0.0.1", "secret_key": "bench", "image_proxy": False, "method": "GET",
                   "base_url": f"http://127.0.0.1:{port}/", "http_protocol_version": "1.1", "default_http_headers": {}},
        "ui": {"static_path": "/usr/share/python3-searx/static", "templates_path": "/usr/share/python3-searx/templates",
               "default_theme": "simple", "default_locale": "en", "themes_path": ""},
        "outgoing": {"request_timeout": 5.0, "pool_connections": 100, "pool_maxsize": 100, "enable_http": True,
                     "useragent_suffix": ""},
        "engines": [source], "doi_resolvers": {"oadoi.org": "https://oadoi.org/"}, "default_doi_resolver": "oadoi.org"}))
    return [found], {"SEARX_SETTINGS_PATH": str(settings)}


PEERS = {"nginx": nginx, "caddy": caddy, "h2o": h2o, "fastify": fastify, "fastapi": fastapi, "searx": searx}
# What is asked of each, by the name of its row.
SEARCH = "SearX, a search, read anew"
ROWS = {
    "nginx": {"nginx return": "/", "nginx proxying to itself": "/proxied"},
    "caddy": {"Caddy respond": "/"},
    "h2o": {"h2o, a file": "/"},
    "fastify": {"fastify": "/"},
    "fastapi": {"FastAPI, uvicorn": "/"},
    "searx": {SEARCH: "/search?q=tides&format=json"},
}


@contextlib.contextmanager
def running(name, folder, body, upstream=None):
    """The started peer: its process, its port and how long it took to answer. `upstream`: whom one asks that
    answers nothing of itself."""
    folder = pathlib.Path(folder) / name
    folder.mkdir(exist_ok=True)
    port = free_port()
    command, more = PEERS[name](folder, port, body, upstream)
    with open(folder / "log", "wb") as log:
        # In a session of its own: Ctrl-C is for us, who end it.
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   env={**os.environ, **more}, start_new_session=True)
    try:
        try:
            took = wait_until_ready(process, port)
        except OutOfReach as why:
            raise OutOfReach(f"{why}: {(folder / 'log').read_text(errors='replace').strip()[-200:]}") from None
        yield process, port, took
    finally:
        end(process)

"""The README and the guides are what they say: every fenced block is run, every table is held to what
it lists.

Blocks run in the order in which the README lists the guides, in one folder, against one server with
what is shipped, but that its live keys answer from the sandbox too, so that nothing here touches the
network. A kind of block that nobody runs fails. The operators' guide has a test of its own.
"""

import itertools
import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import tomllib
import urllib.request

import pytest
from support.freshet import Freshet, program
from support.peers import npm_folder
from support.reach import need_built, need_module, need_tool, needs_program, out_of_reach, quick_linker

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
GUIDES = [ROOT / path for path in re.findall(r"^- \[.+\]\((server/guides/[\w-]+\.md)\): ",
                                             README.read_text(), re.M)]
DOCUMENTS = [README] + [path for path in GUIDES if path.name != "deployment.md"]
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev"))
COMMANDS = ["./server/quickstart", "./tests/run"]
BLOCK_TIMEOUT_S = 60
QUICKSTART_TIMEOUT_S = 120

pytestmark = needs_program


class Block:
    """A fenced block: its kind, its text, its document and the line that it begins on."""

    def __init__(self, kind, text, document, line):
        self.kind, self.text, self.guide, self.line = kind, text, document.stem, f"{document.name}:{line}"

    @property
    def is_first_script(self):
        return self.guide == "doors"

    @property
    def is_start(self):
        return any(command in self.text for command in COMMANDS)

    @property
    def is_of_peers(self):
        return "from firecrawl import" in self.text

    @property
    def is_of_hosts(self):
        return "mcp_servers" in self.text

    @property
    def is_of_own_server(self):
        """Commands on the server that the guide has just started by its configuration."""
        return "freshet accounts" in self.text and "--config" in self.text

    @property
    def is_server(self):
        return self.text.startswith("freshet serve")


def blocks():
    found = []
    for document in DOCUMENTS:
        kind, lines, start = None, [], 0
        for number, line in enumerate(document.read_text().splitlines(), 1):
            if kind is None and line.startswith("```"):
                kind, lines, start = line[3:].strip(), [], number
            elif kind is not None and line == "```":
                found.append(Block(kind, "\n".join(lines) + "\n", document, start))
                kind = None
            elif kind is not None:
                lines.append(line)
        assert kind is None, f"a block of {document.name} is not closed"
    return found


def blocks_of(kind, choose=lambda block: True):
    chosen = [block for block in blocks() if block.kind == kind and choose(block)]
    assert chosen, f"there is no such {kind} block any more"
    return chosen


def documents(text):
    """Every JSON object that stands at the beginning of a line."""
    found, decoder = [], json.JSONDecoder()
    for start in re.finditer(r"^\{", text, re.M):
        try:
            found.append(decoder.raw_decode(text, start.start())[0])
        except json.JSONDecodeError:
            pass  # a line of something else
    return found


def is_problem(document):
    return isinstance(document, dict) and {"type", "status", "code"} <= document.keys()


def shape_problems(said, found, where="$"):
    """What the README says of an answer that the answer does not have."""
    if isinstance(said, dict):
        if not isinstance(found, dict):
            return [f"{where} is no object"]
        wrong = [f"{where}.{key} is not there" for key in said if key not in found]
        wrong += [f"{where}.{key} is not shown" for key in found if key not in said]
        for key in said.keys() & found.keys():
            wrong += shape_problems(said[key], found[key], f"{where}.{key}")
        return wrong
    if isinstance(said, list):
        if not isinstance(found, list) or len(said) != len(found):
            return [f"{where} is no list of {len(said)}"]
        pairs = zip(said, found)
        return [
            one
            for at, (a, b) in enumerate(pairs)
            for one in shape_problems(a, b, f"{where}[{at}]")
        ]
    return [] if type(said) is type(found) else [f"{where} is {found!r}"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


@pytest.fixture(scope="module")
def server(folder):
    (folder / "share").mkdir()
    running = Freshet(
        folder / "share" / "freshet",
        "network.sandbox=true",
    )
    yield running
    assert running.stop() == 0, running.log_path.read_text()


@pytest.fixture(scope="module")
def environment(folder, server):
    """What a reader has after the quickstart: FRESHET_URL, FRESHET_API_KEY and the program on the PATH."""
    (folder / "bin").mkdir()
    (folder / "bin" / "freshet").symlink_to(pathlib.Path(program()).resolve())
    clean = {k: v for k, v in os.environ.items() if not k.startswith("FRESHET_")}
    return {
        **clean,
        "PATH": f"{folder / 'bin'}:{clean['PATH']}",
        "XDG_DATA_HOME": str(folder / "share"),
        "FRESHET_URL": server.url,
        "FRESHET_API_KEY": server.key(server.account("reader@example.org"), "--test"),
    }


def run(command, folder, environment, **more):
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True,
        timeout=BLOCK_TIMEOUT_S, **more,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_every_kind_of_block_is_run_by_a_test():
    # The one of kind "text" is the README's picture.
    assert {block.kind for block in blocks()} == {"sh", "json", "toml", "cmake", "cpp", "c", "python", "js",
                                                  "jsonc", "text"}
    assert [block.guide for block in blocks_of("text")] == ["README"]


def test_the_two_commands():
    (start,) = blocks_of("sh", lambda block: block.is_start)
    lines = [line.split("#")[0].strip() for line in start.text.splitlines()]
    assert lines == COMMANDS
    for command in COMMANDS:
        assert os.access(ROOT / command, os.X_OK)
        subprocess.run(["bash", "-n", ROOT / command], check=True)


def test_the_quickstart_shows_calls_and_reuses_its_data(tmp_path):
    environment = dict(
        os.environ, FRESHET_BIN=program(), FRESHET_DATA=str(tmp_path / "data"), FRESHET_PORT="0"
    )
    keys = set()
    for start in range(2):
        done = subprocess.run(
            ["./server/quickstart"], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=QUICKSTART_TIMEOUT_S,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        out = done.stdout
        assert out.count("HTTP/1.1 200 OK") == 2, out
        assert re.findall(r"^X-Service-Credits-Used: (\d)$", out, re.M) == ["0", "1"]
        assert f"X-Service-Credits-Remaining: {999 - start}" in out
        assert "**twice a day**" in out and "| Monday | 06:12 |" in out
        assert len(re.findall(r"^curl -s .*/v1/", out, re.M)) == 6
        assert re.search(r"^dashboard http://127.0.0.1:\d+/dashboard/reset\?token=[\w-]+$", out, re.M)
        keys.add(tuple(re.findall(r"frs_(?:test|live)_[0-9A-Za-z]{38}\b(?= {3})", out)))
    assert len(keys) == 1 and len(keys.pop()) == 2


def test_ctrl_c_ends_the_quickstart_and_its_server_cleanly(tmp_path):
    data = tmp_path / "data"
    environment = dict(os.environ, FRESHET_BIN=program(), FRESHET_DATA=str(data), FRESHET_PORT="0")
    script, terminal = pty.fork()
    if script == 0:
        os.chdir(ROOT)
        os.execve("server/quickstart", ["server/quickstart"], environment)
    shown, interrupted = b"", False
    while True:
        ready, _, _ = select.select([terminal], [], [], BLOCK_TIMEOUT_S)
        assert ready, shown
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # how Linux says that the other end of a terminal is closed
            break
        if b"until Ctrl-C" in shown and not interrupted:
            interrupted = True
            os.write(terminal, b"\x03")
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(script, 0)[1]) == 0, shown
    # A server that was cut off would have left its socket and its write-ahead log.
    left = {path.name for path in data.iterdir()}
    assert left == {"freshet.db", "freshet.db.head", "freshet.db.lock", "freshet.db.requests", "pepper",
                    "quickstart.keys"}


@pytest.fixture(scope="module")
def configuration(folder):
    (block,) = blocks_of("toml", lambda block: not block.is_of_hosts)
    # Elsewhere than it says: that folder may be somebody's.
    (elsewhere,) = re.findall('data_dir = "(.*)"', block.text)
    (folder / "freshet.toml").write_text(block.text.replace(elsewhere, str(folder / "elsewhere")))
    return folder / "freshet.toml"


def test_shell_and_json_blocks(folder, environment, configuration):
    """Commands exit 0; a JSON block has the shape of the answer to the commands above it."""
    answers = None
    for block, after in itertools.zip_longest(blocks(), blocks()[1:]):
        if block.kind == "json":
            assert answers, f"{block.line}: no call stands before it"
            said = json.loads(block.text)
            assert shape_problems(said, answers[-1]) == [], f"{block.line}"
        if block.kind != "sh" or block.is_start or block.is_server or block.is_of_own_server:
            answers = None
            continue
        out = run(["bash", "-euo", "pipefail", "-c", block.text], folder, environment)
        answers = documents(out)
        shown = json.loads(after.text) if after and after.kind == "json" else None
        failed = [one for one in answers if is_problem(one)]
        assert not failed or is_problem(shown), f"{block.line}: {failed}"
        if "$FRESHET_URL" in block.text:
            assert out.strip(), f"{block.line} shows nothing"


def test_the_sandbox_block_calls_every_endpoint_that_fetches():
    text = "".join(block.text for block in blocks_of("sh"))
    missing = [path for path in described() if not path.startswith("account/") and path not in text]
    assert missing == []


def test_the_configuration_is_known_and_keys_that_are_made_for_its_server_are_good_there(
        folder, environment, configuration):
    elsewhere = {**environment, "FRESHET__SERVER__LISTEN": "127.0.0.1:0"}
    found = json.loads(
        run(["freshet", "doctor", "--offline", "--json", "--config", str(configuration)],
            folder, elsewhere)
    )
    assert found["ok"], found
    (commands,) = blocks_of("sh", lambda block: block.is_of_own_server)
    for block in blocks_of("sh", lambda block: block.is_server):
        process = subprocess.Popen(
            shlex.split(block.text), cwd=folder, env=elsewhere,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        try:
            address = re.fullmatch(r"listening on (http://127.0.0.1:\d+)\n", process.stdout.readline())[1]
            out = run(["bash", "-euo", "pipefail", "-c", commands.text], folder, elsewhere)
            (key,) = re.findall("^frs_live_.+$", out, re.M)
            asked = urllib.request.Request(f"{address}/v1/forum/search", b'{"q": "tide", "dry_run": true}', {
                "Authorization": f"Bearer {key}", "Content-Type": "application/json"})
            with urllib.request.urlopen(asked, timeout=BLOCK_TIMEOUT_S) as answer:
                assert answer.status == 200
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=BLOCK_TIMEOUT_S)
        finally:
            process.kill()
        assert process.returncode == 0


def test_python_blocks(folder, environment):
    package = ROOT / "bindings" / "python"
    probe = subprocess.run([sys.executable, "-c", "import freshet"], capture_output=True)
    if probe.returncode != 0:
        out_of_reach(f"the Python module was not built ({package.name}); see tests/run")
    calls, awaited, streamed = blocks_of("python", lambda block: block.guide == "python")
    out = run([sys.executable, "-c", calls.text], folder, environment)
    assert "/limit must be 1 to 100" in out, out
    assert "did you mean 'since'?" in out and "High at **noon**." in out
    assert "Alice Marsh" in run([sys.executable, "-c", awaited.text], folder, environment)
    out = run([sys.executable, "-c", streamed.text], folder, environment)
    assert "hackernews" in out and "10 on the page" in out, out


def test_blocks_of_the_peers_clients(folder, environment):
    """Those of Firecrawl and Tavily, pointed at this server: the same lines from both languages."""
    (python,) = blocks_of("python", lambda block: block.is_of_peers)
    (script,) = blocks_of("js")
    (clients := npm_folder()).joinpath("readme.mjs").write_text(script.text)
    need_module("firecrawl", "firecrawl-py is out of reach")
    need_module("tavily", "tavily-python is out of reach")
    for out in (run([sys.executable, "-c", python.text], folder, environment),
                run(["node", "readme.mjs"], clients, environment)):
        assert out.startswith("A tide gauge measures the height") and "Every household of Tern Island" in out


EXAMPLE_SERVER, EXAMPLE_KEY = "https://freshet.example.org", "frs_live_..."
GREETING = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
    "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "readme", "version": "1"}}}


def greet(entry, environment):
    """What a host does first, by its entry: the messages that come back."""
    if "url" in entry:
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        asked = urllib.request.Request(entry["url"], json.dumps(GREETING).encode(),
                                       {**headers, **entry["headers"]})
        with urllib.request.urlopen(asked, timeout=BLOCK_TIMEOUT_S) as answer:
            return answer.read().decode()
    done = subprocess.run([entry["command"], *entry["args"]], input=json.dumps(GREETING) + "\n", text=True,
                          env={**environment, **entry.get("env", {})}, capture_output=True,
                          timeout=BLOCK_TIMEOUT_S)
    return done.stdout


def test_configurations_of_agent_hosts(environment):
    """Each entry is used as a host would: its address or its command, with this server and key."""
    here = lambda text: (text.replace(EXAMPLE_SERVER, environment["FRESHET_URL"])
                         .replace(EXAMPLE_KEY, environment["FRESHET_API_KEY"]))
    entries = []
    for block in blocks_of("jsonc"):
        (servers,) = json.loads(here(block.text)).values()
        entries.append(servers["freshet"])
    (codex,) = blocks_of("toml", lambda block: block.is_of_hosts)
    read = tomllib.loads(here(codex.text))["mcp_servers"]["freshet"]
    assert read.pop("bearer_token_env_var") == "FRESHET_API_KEY"
    entries.append({**read, "headers": {"Authorization": "Bearer " + environment["FRESHET_API_KEY"]}})
    assert len(entries) == 4
    for entry in entries:
        assert '"serverInfo":{"name":"freshet"' in greet(entry, environment), entry
    hosts = table("Host")
    assert len(hosts) == 10
    for row in hosts:
        for command in quoted(row["Over HTTP"]) + quoted(row["Over standard input and output"]):
            words = shlex.split(here(command))
            if "--" in words:  # what it starts is a command of ours
                assert words[words.index("--") + 1 :] == ["freshet", "mcp"]
            elif words[:2] == ["claude", "mcp"]:
                (address,) = [word for word in words if word.startswith("http://")]
                name, value = words[words.index("--header") + 1].split(": ")
                assert "serverInfo" in greet({"url": address, "headers": {name: value}}, environment)


def test_c_blocks(folder, environment):
    library = BUILD / "capi"
    need_built(library / "libfreshet.so")
    for block in blocks_of("c"):
        (folder / "tides.c").write_text(block.text)
        run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "tides.c", "-o", "tides_c",
             f"-I{ROOT / 'include'}", f"-L{library}", "-lfreshet", f"-Wl,-rpath,{library}"],
            folder, environment)
        (answer,) = documents(run(["./tides_c"], folder, environment))
        assert len(answer["data"]) == 2


def test_cmake_and_cpp_blocks(folder, environment):
    """The consumer's project is configured as the README has it; its own two commands are then run
    against the archive that is already built, which saves a build of the whole library."""
    archive = BUILD / "lib" / "libfreshet_cpp.a"
    need_built(archive)
    need_tool("ninja")
    (project,) = blocks_of("cmake")
    first, code = blocks_of("cpp")
    assert first.is_first_script
    consumer = folder / "consumer"
    consumer.mkdir()
    (consumer / "CMakeLists.txt").write_text(project.text)
    (consumer / "tides.cpp").write_text(code.text)
    (consumer / "freshet").symlink_to(ROOT)
    # Unoptimised, to be quick.
    run(["cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
         "-DCMAKE_EXE_LINKER_FLAGS=" + " ".join(quick_linker())], consumer, environment)
    commands = run(["ninja", "-C", "build", "-t", "commands", "tides"], consumer, environment)
    own = [line for line in commands.splitlines() if re.search(r"tides\.cpp\.o|-o tides\b", line)]
    assert len(own) == 2, commands
    built = consumer / "build" / "freshet" / "lib" / "libfreshet_cpp.a"
    built.parent.mkdir(parents=True, exist_ok=True)
    built.symlink_to(archive.resolve())
    (consumer / "build" / "CMakeFiles" / "tides.dir").mkdir(parents=True, exist_ok=True)
    for block in (code, first):
        (consumer / "tides.cpp").write_text(block.text)
        for command in own:
            run(["sh", "-c", command], consumer / "build", environment)
        lines = run(["./build/tides"], consumer, environment).splitlines()
        assert len(lines) >= 2 and any("tide gauge" in line.lower() for line in lines)


def test_each_door_has_a_script_of_ten_lines():
    scripts = blocks_of("c") + [block for block in blocks()
                                if block.is_first_script or block.is_of_peers]
    assert [block.line for block in scripts if len(block.text.splitlines()) > 10] == []
    doors = ("freshet_open", "curl", "freshet call", "import Freshet\n", "import AsyncFreshet\n",
             "#include <freshet/client.hpp>", "mcp.ClientSession", "from firecrawl import")
    found = [[block.line for block in scripts if door in block.text] for door in doors]
    assert all(len(lines) == 1 for lines in found) and len(scripts) == len(doors), found


def test_the_first_scripts_in_python(folder, environment):
    need_module("freshet", "the Python module was not built")
    need_module("mcp", "the official MCP client is out of reach")
    scripts = blocks_of("python", lambda block: block.is_first_script)
    told = [run([sys.executable, "-c", block.text], folder, environment) for block in scripts]
    assert len(told) == 3 and told[0] == told[1] and told[0].count("\n") >= 2
    handles = [item["author"]["handle"] for item in json.loads(told[2])["data"]]
    assert [line.split()[0] for line in told[0].splitlines()][:1] == handles[:1]


def test_the_table_of_examples():
    named = {quoted(row["Example"])[0] for row in table("Example")}
    assert named == {path.stem for path in (ROOT / "lib/examples").glob("*.cpp")}


def described():
    """The endpoints as the program describes them, by path."""
    out = subprocess.run([program(), "openapi"], capture_output=True, text=True, check=True,
                         env={"HOME": "/nonexistent", "PATH": os.environ["PATH"]}).stdout
    paths = json.loads(out)["paths"]
    return {
        path.removeprefix("/v1/"): operations["post"]
        for path, operations in paths.items()
        if path.startswith("/v1/")
    }


def table(first_column):
    """The rows of the table with this first heading, as {heading: cell}."""
    lines = [line for document in DOCUMENTS for line in document.read_text().splitlines()]
    at = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_column} |"))
    names = [cell.strip() for cell in lines[at].strip("|").split("|")]
    rows = itertools.takewhile(lambda line: line.startswith("|"), lines[at + 2 :])
    return [
        dict(zip(names, (cell.strip() for cell in row.strip().strip("|").split("|")), strict=True))
        for row in rows
    ]


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


def test_the_readme_counts_the_sources():
    listed = (ROOT / "lib/sources/sources.def").read_text()
    (said,) = re.findall(r"(\d+) sources", README.read_text())
    assert int(said) == len(re.findall(r"^FRESHET_SOURCE\(", listed, re.M))


def test_the_readme_is_short_and_lists_every_guide():
    assert len(README.read_bytes()) <= 10_000
    assert sorted(GUIDES) == sorted((ROOT / "server/guides").glob("*"))
    named = re.findall(r"^- \[(.+)\]\(server/guides/", README.read_text(), re.M)
    titles = [re.sub(r": .*", "", path.read_text().splitlines()[0][2:]) for path in GUIDES]
    assert named == titles


def test_the_links_lead_somewhere():
    missing = []
    for document in [README, *GUIDES]:
        for target in re.findall(r"\]\(([^)#]+)\)", document.read_text()):
            if "://" not in target and not (document.parent / target).exists():
                missing.append((document.name, target))
    assert missing == []


def test_one_name_for_the_key_and_one_for_the_address():
    others = re.compile(r"\$(?:\{)?(?:BASE|KEY|TOKEN|FRESHET_KEY|FRESHET_SERVER|FRESHET_BASE_URL)\b")
    shown = [*DOCUMENTS, ROOT / "server/dashboard/src/data/snippets.ts", ROOT / "capi/examples/research.c"]
    assert [path.name for path in shown if others.search(path.read_text())] == []

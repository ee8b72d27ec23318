"""What a person sees at a terminal of 80 and of 120 columns, with and without colours, and of help at
40, too, held against snapshots; pipes get what they always got. FRESHET_SNAPSHOTS=write makes the snapshots anew."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import sqlite3
import struct
import subprocess
import termios

import pytest

from support.reach import need_tool
from serving import clean_environment, run_freshet

SNAPSHOTS = pathlib.Path(__file__).parent / "terminal"
PATIENCE_S = 120

# What differs from run to run, by what stands for it; of the same width, for tables.
VARYING = [(r"(req|acc|key)_([0-9A-Z]+)", lambda m: m[1] + "_" + "0" * len(m[2])), (r"c1\.[\w.-]+", "c1.CURSOR"),
           (r"…[0-9A-Za-z]{4}", "…LAST"), (r"\d+ ms", "N ms"),
           (r"(last_four.* )\w{4}(?=\n)", r"\1LAST"),
           (r"20\d\d-\d\d-01T00:00:00Z", "2026-01-01T00:00:00Z"),  # of the month's credits
           (r"20\d\d-\d\d-\d\d \d\d:\d\d", "2026-01-01 00:00")]


def at_terminal(arguments, data_dir, columns=80, colour=False, typed=None, once=": ", **environment):
    """The program with a terminal for its three files: what was shown, and the exit status."""
    shown, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    env = {**clean_environment(data_dir), "TERM": "xterm", "HOME": str(data_dir)}
    for name in ("COLUMNS", "NO_COLOR", "XDG_CONFIG_HOME"):
        env.pop(name, None)
    env |= environment
    if not colour:
        env["NO_COLOR"] = "1"
    process = subprocess.Popen([os.environ["FRESHET_BIN"], *map(str, arguments)], env=env,
                               stdin=inside, stdout=inside, stderr=inside, start_new_session=True)
    os.close(inside)
    text = b""
    while True:
        if not select.select([shown], [], [], PATIENCE_S)[0]:
            process.kill()
            pytest.fail(f"nothing more came after {text!r}")
        try:
            more = os.read(shown, 65536)
        except OSError:  # the program has closed its end
            break
        if not more:
            break
        text += more
        if typed and text.decode(errors="replace").endswith(once):  # asked; what was typed before is thrown away
            os.write(shown, typed.encode())
            typed = None
    os.close(shown)
    return text.decode().replace("\r\n", "\n"), process.wait(PATIENCE_S)


def same_each_time(text):
    for pattern, stands_for in VARYING:
        text = re.sub(pattern, stands_for, text)
    return text


def hold_against(snapshot, text):
    file = SNAPSHOTS / (snapshot + ".txt")
    if os.environ.get("FRESHET_SNAPSHOTS") == "write":
        file.write_text(text)
    assert text == file.read_text()


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    """A data folder with an account, a key for the sandbox, and one that was revoked."""
    data = tmp_path_factory.mktemp("terminal") / "data"
    at = ("--data", data)
    assert run_freshet("accounts", "create", "me@example.org", *at).returncode == 0
    made = run_freshet("keys", "create", "me@example.org", "--test", *at)
    gone = json.loads(run_freshet("keys", "create", "me@example.org", "--json", "--name",
                                  "the gauge in the harbour", *at).stdout)
    assert run_freshet("keys", "revoke", gone["id"], *at).returncode == 0
    return {"data": data, "key": made.stdout.strip()}


SEEN = {
    "search": ["call", "microblog/search", "q=tide", "limit=2"],
    "news": ["call", "news/search", "q=climate", "limit=2"],
    "videos": ["call", "shortvideo/search", "q=climate", "limit=1"],
    "transcript": ["call", "shortvideo/videos/transcript", "id=dailymotion:xhnwgzv"],
    "user": ["call", "microblog/users/lookup", "username=alice@mastodon.social"],
    "account": ["call", "account/show"],
    "dry-run": ["call", "news/search", "q=climate", "dry_run=true"],
    "wrong-parameter": ["call", "news/search", "limt=1"],
    "no-endpoint": ["call", "news/serach", "q=tide"],
    "accounts": ["accounts", "list"],
    "keys": ["keys", "list", "me@example.org"],
    "audit": ["audit", "list"],
}


@pytest.mark.parametrize("name", SEEN)
@pytest.mark.parametrize("columns, colour", [(80, False), (80, True), (120, False), (120, True)])
def test_what_a_person_sees(name, columns, colour, people):
    arguments = [*SEEN[name], "--data", people["data"]]
    if arguments[0] == "call":
        arguments += ["--key", people["key"]]
    text, _ = at_terminal(arguments, people["data"], columns, colour)
    text = same_each_time(text)
    plain = re.sub(r"\x1b\[\d*m", "", text)
    assert "\x1b" not in plain and colour == (text != plain)
    for line in plain.splitlines():
        # Cursors and addresses are to be copied: whole.
        assert len(line) <= columns or "cursor=" in line or "https://" in line, line
    hold_against(f"{name}-{columns}{'-colour' if colour else ''}", text)


HELP = {"help": ["--help"], "help-of-migrate": ["migrate", "--help"], "help-of-all": ["call", "--help"], "help-of-one": ["call", "scrape/markdown", "--help"]}


@pytest.mark.parametrize("name", HELP)
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_help_is_as_wide_as_its_screen(name, columns, tmp_path):
    text, status = at_terminal(HELP[name], tmp_path, columns)
    assert status == 0
    for line in text.splitlines():
        # What is to be typed stays whole.
        assert len(line) <= columns or line.startswith(
            ("usage: ", "example: ", "  freshet call ", "    --to ")), line
        assert line == line.rstrip(), f"ends with a blank: {line!r}"
    hold_against(f"{name}-{columns}", text)


@pytest.mark.parametrize("command", ["migrate", "completion", "call", "keys create", "accounts"])
def test_an_example_of_help_is_pasted_from_any_screen(command, tmp_path):
    def example(columns):
        text, _ = at_terminal([*command.split(), "--help"], tmp_path, columns)
        return re.search(r"^example: ((?:.*\\\n)*.*)\n", text, re.M)[1]

    def as_read(text):
        """By a shell, which shows it and does nothing."""
        return subprocess.run(["sh", "-c", f"cat <<END | tr -s ' '\n{text}\nEND"], capture_output=True, text=True,
                              check=True).stdout

    whole = example(120)
    assert "\n" not in whole
    for columns in (40, 60, 80):
        assert as_read(example(columns)) == whole + "\n"
    assert max(map(len, ("example: " + example(80)).splitlines())) <= 80


def test_where_a_terminal_tells_no_width_columns_does(tmp_path):
    for asked in (["doctor", "--live"], ["migrate", "--help"]):
        text, _ = at_terminal(asked, tmp_path, columns=0, COLUMNS="50")
        narrow, _ = at_terminal(asked, tmp_path, columns=50)
        assert text == narrow != at_terminal(asked, tmp_path, columns=0)[0]


def test_keys_are_listed_by_their_state_fifty_at_a_time(tmp_path, start):
    server = start(data_dir=tmp_path / "many")
    assert server.run("accounts", "create", "a@example.org").returncode == 0

    def made_key(*more):
        return json.loads(server.run("keys", "create", "a@example.org", "--json", *more).stdout)["id"]

    made = [*(made_key() for _ in range(52)), made_key("--expires", "30d")]
    assert server.run("keys", "revoke", made[1]).returncode == 0
    server.stop()
    with contextlib.closing(sqlite3.connect(tmp_path / "many" / "freshet.db")) as book, book:
        book.execute("UPDATE keys SET expires_at = created_at - 60000 WHERE public_id = ?", (made[-1],))

    def listed(*more):
        done = run_freshet("keys", "list", "a@example.org", *more, "--data", tmp_path / "many")
        assert done.returncode == 0, done.stderr
        return done.stdout

    lines = listed().splitlines()
    assert [line.split()[0] for line in lines[:-1]] == made[:2:-1]
    rest = listed(*lines[-1].removeprefix("more: ").split()).splitlines()
    assert [line.split()[0] for line in rest] == made[2::-1]
    by_state = {state: json.loads(listed("--state", state, "--limit", "500", "--json"))["keys"]
                for state in ("good", "revoked", "expired")}
    assert all(one["state"] == state for state, keys in by_state.items() for one in keys)
    states = {state: [one["id"] for one in keys] for state, keys in by_state.items()}
    assert states == {"good": [*made[-2:1:-1], made[0]], "revoked": [made[1]], "expired": [made[-1]]}
    shown, _ = at_terminal(["keys", "list", "a@example.org", "--state", "expired", "--data", tmp_path / "many"],
                           tmp_path, 120)
    assert "  expired  " in shown


def test_sources_are_blocks_at_a_terminal_and_markdown_elsewhere(tmp_path):
    rows = [line.split("|") for line in run_freshet("sources").stdout.splitlines()[2:]]
    names = [row[2].strip(" `") for row in rows]
    text, status = at_terminal(["sources"], tmp_path, 60)
    assert status == 0 and not {"|", "`"} & set(text)
    assert max(map(len, text.splitlines())) <= 60
    blocks = [block.split() for block in text.strip().split("\n\n")]
    assert [block[0] for block in blocks] == names and len(names) > 25
    for block, row in zip(blocks, rows):
        for cell in row[1:-1]:
            assert set(cell.replace("`", "").split()) <= set(block), row


@pytest.mark.parametrize("asked, rows", [(["keys", "list", "me@example.org"], "keys"), (["audit", "list"], "entries")])
def test_on_a_narrow_screen_a_row_is_a_block(asked, rows, people):
    text, _ = at_terminal([*asked, "--data", people["data"]], people["data"], columns=40)
    listed = json.loads(run_freshet(*asked, "--json", "--data", people["data"]).stdout)[rows]
    blocks = text.strip().split("\n\n")
    assert len(blocks) == len(listed) > 1
    # All of it is there, and what is to be copied is whole.
    for block, one in zip(blocks, listed):
        assert one.get("action", one["id"]) in block


def test_a_pipe_gets_the_envelope_and_the_problem(people):
    at = ("--data", people["data"], "--key", people["key"])
    good = run_freshet("call", "news/search", "q=tide", "limit=1", *at)
    assert good.returncode == 0 and json.loads(good.stdout)["data"]
    wrong = run_freshet("call", "news/search", "limt=1", *at)
    assert wrong.returncode == 1 and json.loads(wrong.stderr)["code"] == "invalid_request"


def test_a_terminal_gets_nothing_of_a_page_that_it_obeys(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<title>t\u009b2J</title><p>red \u009b31m, \u05d0\u200f and more words</p>", encoding="utf-8")
    plain = run_freshet("markdown", page, data_dir=tmp_path)
    assert plain.returncode == 0 and "\u05d0\u200f" in plain.stdout and "\u009b" not in plain.stdout
    for options in ([], ["--json"]):
        shown, status = at_terminal(["markdown", page, *options], tmp_path)
        assert status == 0 and "red 31m, \u05d0 and more words" in shown
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f]", shown), shown


@pytest.mark.parametrize("asked", [["accounts", "create", "me@example.org"], ["keys", "list", "me@example.org"],
                                   ["keys", "list", "me@example.org", "--json"],
                                   ["keys", "create", "me@example.org", "--name", "g\u009b1m\u202eh", "--json"],
                                   ["keys", "revoke", "g\u009b1m\u202eh"], ["nothing\u009b1m\u202e"]])
def test_a_terminal_obeys_nothing_that_somebody_has_named(asked, tmp_path):
    at = ("--data", tmp_path / "data")
    for line in (["accounts", "create", "me@example.org"], ["keys", "create", "me@example.org"]):
        assert run_freshet(*line, *at).returncode == 0
    # Such names are refused today; a book of before may have some.
    with contextlib.closing(sqlite3.connect(at[1] / "freshet.db")) as book, book:
        book.execute("UPDATE keys SET name = ?", ["a\u009b31m\u202egauge"])
    if asked[0] != "accounts":
        named = json.loads(run_freshet("keys", "list", "me@example.org", "--json", *at).stdout)["keys"]
        assert "gauge" in named[0]["name"] and "\u009b" in named[0]["name"]
    shown, _ = at_terminal([*asked, *(at if len(asked) > 1 else ())], tmp_path)
    assert shown and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown), shown


def test_with_json_a_terminal_gets_it_too(people):
    at = ("--data", people["data"], "--key", people["key"], "--json")
    text, status = at_terminal(["call", "news/search", "q=tide", "limit=1", *at], people["data"])
    assert status == 0 and json.loads(text)["data"]
    text, status = at_terminal(["call", "news/search", "limt=1", *at], people["data"])
    assert status == 1 and json.loads(text)["code"] == "invalid_request"


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("asked", [["--help"], ["markdown", "--help"], ["keys", "create", "--help"],
                                   ["call", "--help"], ["call", "scrape/markdown", "--help"]])
def test_help_fits_the_screen(asked, columns, tmp_path):
    text, _ = at_terminal(asked, tmp_path, columns)
    for line in text.splitlines():
        # What is to be copied stays whole, and so does a long word.
        assert len(line) <= columns or "freshet " in line or " " not in line.strip(), line


@pytest.mark.parametrize("columns", [40, 80])
@pytest.mark.parametrize("asked", [
    ["doctor", "--live", "--source=x"], ["markdown", "--jobs", "2", "page.html"], ["keys", "crate"],
    ["completion", "powershell"], ["call", "news/serach", "--help-with-the-options"],
])
def test_a_usage_error_fits_the_screen(asked, columns, tmp_path):
    piped = run_freshet(*asked, data_dir=tmp_path)
    shown, status = at_terminal(asked, tmp_path, columns)
    assert status == piped.returncode == 2
    assert shown.split() == piped.stderr.split() and shown.startswith("freshet: ")
    for line in shown.splitlines():
        # What is to be copied stays whole.
        assert len(line) <= columns or line.startswith(("try: ", "  freshet ")), line
    assert max(map(len, piped.stderr.splitlines())) > 40


def test_a_dumb_terminal_has_no_colours(people):
    text, _ = at_terminal(["accounts", "list", "--data", people["data"]], people["data"],
                          colour=True, TERM="dumb")
    assert "\x1b" not in text and "me@example.org" in text


def test_the_doctor_begins_with_a_summary(people):
    text, _ = at_terminal(["doctor", "--offline", "--data", people["data"]], people["data"])
    found = json.loads(run_freshet("doctor", "--offline", "--json", "--data", people["data"]).stdout)
    off = [one for one in found["findings"] if one["off"]]
    ready = [one for one in found["findings"] if one["ok"] and not one["warns"] and not one["off"]]
    summary = text.splitlines()[0]
    assert f"{len(ready)} ready" in summary and f"{len(off)} off" in summary
    assert text.index("\nready\n") < text.index("\noff\n")
    assert off and all("not configured" in one["detail"] or one["detail"] == "switched off" for one in off)


def test_the_doctor_says_a_hint_once_below_all_that_it_is_for(tmp_path):
    nothing = tmp_path / "nothing.har"  # a network on which nobody answers
    nothing.write_text('{"log": {"version": "1.2", "creator": {"name": "t", "version": "1"}, "entries": []}}')
    asked = ["doctor", "--set", f"network.replay={nothing}", "--data", tmp_path / "data"]
    found = json.loads(run_freshet(*asked, "--json").stdout)["findings"]
    silent = [one for one in found if not one["ok"] and one["subject"].startswith("source ")]
    (hint,) = {one["advice"] for one in silent}
    assert len(silent) > 10
    piped = run_freshet(*asked).stdout
    shown, status = at_terminal([str(each) for each in asked], tmp_path, columns=200)
    for text in (piped, shown):
        assert text.count(hint) == 1, text
        above = text[:text.index(hint)]
        assert all(one["subject"] in above for one in silent), text
    assert status == 1


@pytest.mark.parametrize("asked, once, typed, answered", [
    (["markdown"], "page.html\r\n", "<p>Tides</p>\n\x04", "\nTides"),
    (["mcp", "--set", "network.sandbox=true"], "Ctrl-D ends it\r\n",
     '{"jsonrpc":"2.0","id":1,"method":"ping"}\n\x04', '"result":{}'),
    (["call", "news/search", "-", "--set", "network.sandbox=true"], "then Ctrl-D\r\n",
     '{"q": "climate", "limit": 1}\n\x04', "1 item"),
])
def test_a_command_that_waits_for_typing_says_so(asked, once, typed, answered, tmp_path):
    text, status = at_terminal(asked, tmp_path, typed=typed, once=once)
    assert status == 0 and answered in text.split(once.strip(), 1)[1], text
    assert "Ctrl-D" not in run_freshet(*asked, data_dir=tmp_path, stdin="").stderr


# --- sign-in

def test_login_keeps_a_key_that_works_and_calls_go_there(server, keys, tmp_path):
    config = tmp_path / "config"
    home = {"XDG_CONFIG_HOME": str(config)}

    def run(*arguments, stdin=None):
        return run_freshet(*arguments, data_dir=tmp_path, stdin=stdin, environment=home)

    wrong = run("login", server.url, stdin="frs_test_no\n")
    assert wrong.returncode == 1 and "invalid_api_key" in wrong.stderr and not config.exists()
    done = run("login", server.url, stdin=keys["test"] + "\n")
    assert done.returncode == 0 and "shared@example.org" in done.stdout, done.stderr
    assert keys["test"] not in done.stdout
    file = config / "freshet/login.json"
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    shown = json.loads(run("call", "account/show").stdout)
    assert shown["data"]["email"] == "shared@example.org"
    named = run("call", "account/show", "--server", server.url)
    assert json.loads(named.stdout)["data"]["email"] == "shared@example.org"
    # The key is for that server alone, and what names a place of its own goes there.
    other = run("call", "account/show", "--server", server.url.replace("127.0.0.1", "localhost"))
    assert other.returncode == 1 and "missing_api_key" in other.stderr
    here = run("call", "account/show", "--data", tmp_path / "mine")
    assert here.returncode == 1 and "missing_api_key" in here.stderr
    assert run("logout").returncode == 0 and not file.exists()
    assert "nobody" in run("logout").stdout


def test_a_call_goes_to_the_server_that_the_environment_names(server, keys, tmp_path):
    def run(*arguments, **environment):
        return run_freshet("call", "account/show", *arguments, data_dir=tmp_path,
                           environment={"XDG_CONFIG_HOME": str(tmp_path / "config"), **environment})

    named = {"FRESHET_URL": server.url, "FRESHET_API_KEY": keys["test"]}
    assert json.loads(run(**named).stdout)["data"]["email"] == "shared@example.org"
    here = run("--data", tmp_path / "mine", **named)
    assert here.returncode == 1 and "missing_api_key" in here.stderr
    elsewhere = run("--server", "http://127.0.0.1:1", **named)
    assert elsewhere.returncode == 1 and "127.0.0.1:1" in elsewhere.stderr


def test_what_is_typed_at_login_is_not_shown(server, keys, tmp_path):
    text, status = at_terminal(["login", server.url], tmp_path, typed=keys["test"] + "\n")
    assert status == 0 and "shared@example.org" in text, text
    assert "API key for" in text
    kept = json.loads((tmp_path / ".config/freshet/login.json").read_text())
    assert kept == {"server": server.url, "key": keys["test"]}


def test_a_sign_in_that_is_no_sign_in_says_so(tmp_path):
    folder = tmp_path / "freshet"
    folder.mkdir()
    (folder / "login.json").write_text("[]")
    run = run_freshet("call", "account/show", data_dir=tmp_path,
                      environment={"XDG_CONFIG_HOME": str(tmp_path)})
    assert run.returncode == 1 and "run it again" in run.stderr


# --- shells and man

COMPLETED = [
    ("ke", ["keys"]),
    ("keys ", ["create", "list", "rotate", "revoke"]),
    ("keys create me@example.org --mon", ["--monthly-budget"]),
    ("call news/s", ["news/search"]),
    ("call news/search q=tide li", ["limit="]),
    ("call scrape/markdown mode=", ["mode=article", "mode=page"]),
    ("call scrape/markdown dry_run=t", ["dry_run=true"]),
    ("completion ", ["bash", "zsh", "fish"]),
]


@pytest.mark.parametrize("line, words", COMPLETED)
def test_what_may_come_next(line, words):
    given = line.split(" ")
    assert run_freshet("completion", "words", "--", *given).stdout.split() == words


@pytest.mark.parametrize("line, words", COMPLETED)
def test_bash_completes(line, words, tmp_path):
    script = tmp_path / "freshet.bash"
    script.write_text(run_freshet("completion", "bash").stdout)
    folder = os.path.dirname(os.environ["FRESHET_BIN"])
    asked = (f'source {script}; COMP_LINE="freshet {line}"; COMP_POINT=${{#COMP_LINE}}; '
             'compopt() { :; }; _freshet; printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "--norc", "-c", asked], capture_output=True, text=True,
                          env={**clean_environment(tmp_path), "PATH": f"{folder}:{os.environ['PATH']}"})
    assert not done.stderr, done.stderr
    # Bash takes what stands behind the = for a word of its own.
    assert done.stdout.split() == [word.split("=", 1)[1] if "=" in line.split(" ")[-1] else word
                                   for word in words]


@pytest.mark.parametrize("shell, check", [("zsh", "-n"), ("fish", "--no-execute")])
def test_the_other_shells_read_their_scripts(shell, check, tmp_path):
    need_tool(shell)
    script = tmp_path / f"freshet.{shell}"
    script.write_text(run_freshet("completion", shell).stdout)
    done = subprocess.run([shell, check, script], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_fish_completes(tmp_path):
    need_tool("fish")
    (tmp_path / "config").mkdir()  # no file there may be meant
    script = tmp_path / "freshet.fish"
    script.write_text(run_freshet("completion", "fish").stdout)
    folder = os.path.dirname(os.environ["FRESHET_BIN"])
    done = subprocess.run(["fish", "-c", f"source {script}; complete -C 'freshet call news/search q=tide li'"],
                          capture_output=True, text=True, cwd=tmp_path / "config",
                          env={**clean_environment(tmp_path), "HOME": str(tmp_path),
                               "PATH": f"{folder}:{os.environ['PATH']}"})
    assert done.stdout.split() == ["limit="], done.stderr


def test_the_manual_page_is_one(tmp_path):
    need_tool("groff")
    page = run_freshet("manual").stdout
    done = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr, done.stderr
    plain = re.sub(r"\x1b\[\d*m|.\x08", "", done.stdout)
    for command in ("freshet serve", "freshet keys create EMAIL", "--monthly-budget"):
        assert command in plain

"""The commands: help, exit statuses, and what each prints."""

import json
import os
import re
import subprocess
import sys
import tempfile

import pytest

from serving import clean_environment, run_freshet
from support.reach import out_of_reach

COMMANDS = ["serve", "call", "mcp", "markdown", "accounts create", "accounts list", "accounts plan",
            "accounts operator", "accounts link", "accounts recover", "audit list", "logs",
            "credits grant", "credits refund",
            "keys create", "keys list", "keys rotate", "keys revoke", "ledger verify", "backup",
            "restore", "migrate", "openapi", "doctor", "sources", "version", "login", "logout", "completion", "manual"]


def test_overview_lists_every_command():
    run = run_freshet("--help")
    assert run.returncode == 0
    for command in COMMANDS:
        assert f"  {command} " in run.stdout
    listed = re.findall(r"^  ([a-z]+(?: [a-z]+)?)  ", run.stdout, re.M)
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example(command):
    run = run_freshet(*command.split(), "--help")
    assert run.returncode == 0 and run.stderr == ""
    assert f"usage: freshet {command}" in run.stdout
    assert f"example: freshet {command}" in run.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_asked_for_before_a_command_too(command):
    assert run_freshet("help", *command.split()).stdout == run_freshet(*command.split(), "--help").stdout


@pytest.mark.parametrize("family", sorted({one.split()[0] for one in COMMANDS if " " in one}))
def test_a_family_has_help_with_an_example_of_its_own(family):
    run = run_freshet(family, "--help")
    assert run.returncode == 0
    (example,) = re.findall(r"^example: freshet (\w+ \w+)", run.stdout, re.M)
    assert example in COMMANDS and example.startswith(family + " ")


@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_names_the_nearest(command):
    run = run_freshet(*command.split(), "--hlep")
    assert run.returncode == 2 and run.stdout == ""
    assert "unknown option '--hlep'; did you mean '--help'?" in run.stderr


@pytest.mark.parametrize("arguments", [["openapi"], ["--help"], ["call", "--help"], ["sources"],
                                       ["call", "news/search", '{"q": "climate"}', "--set", "network.sandbox=true"]])
def test_a_reader_that_has_had_enough_is_no_failure(arguments, tmp_path):
    read, write = os.pipe()
    os.close(read)
    run = subprocess.run([os.environ["FRESHET_BIN"], *arguments], stdout=write, stderr=subprocess.PIPE,
                         env=clean_environment(tmp_path), text=True, timeout=60)
    os.close(write)
    assert (run.returncode, run.stderr) == (0, "")


def test_output_that_cannot_be_written_is_said():
    with open("/dev/full", "w") as full:
        run = subprocess.run([os.environ["FRESHET_BIN"], "openapi"], stdout=full, stderr=subprocess.PIPE,
                             text=True, timeout=60)
    assert run.returncode == 1
    assert run.stderr == "freshet: standard output: No space left on device\n"


@pytest.mark.parametrize("arguments, said", [
    ([], "usage: freshet COMMAND"),
    (["sevre"], "did you mean 'serve'?"),
    (["keys"], "freshet keys rotate ID"),
    (["keys", "creat", "a@b.c"], "did you mean 'keys create'?"),
    (["keys", "create"], "needs EMAIL"),
    (["keys", "create", "a@b.c", "d"], "one too many"),
    (["keys", "create", "a@b.c", "--monthly-budget", "many"], "--monthly-budget"),
    (["credits", "grant", "a@b.c", "1.5", "--reason", "x"], "whole number"),
    (["credits", "grant", "a@b.c", "0", "--reason", "x"], "N is a whole number of credits, at least 1, not '0'"),
    (["credits", "grant", "a@b.c", "5"], "--reason"),
    (["accounts", "list", "--limit", "501"], "--limit is a whole number from 1 to 500, not '501'"),
    (["completion", "tcsh"], "for bash, zsh or fish, not 'tcsh'\n"),
    (["serve", "--listen"], "--listen needs a value"),
    (["serve", "--set", "server.lisen=x"], "did you mean 'server.listen'?"),
    (["serve", "--set", "novalue"], "is not KEY=VALUE"),
    (["serve", "--config", "/nonexistent.toml"], "/nonexistent.toml"),
    (["markdown", "--mode", "none"], "--mode"),
    (["call"], "needs PLATFORM/ENDPOINT"),
    (["call", "news/search", "climate"], "'climate' is not NAME=VALUE"),
    (["call", "news/search", "q=a", "q=b"], "'q' is given twice"),
    (["mpc"], "unknown command"),
    (["nonsense"], "unknown command 'nonsense'\ntry: freshet --help\n"),
    (["verify"], "did you mean 'ledger verify'?"),
    (["accounts", "grant", "a@b.c", "5"], "did you mean 'credits grant'?"),
    (["call", "news/serach", "--help"], "did you mean 'news/search'?"),
])
def test_wrong_usage_is_status_2(arguments, said, tmp_path):
    run = run_freshet(*arguments, data_dir=tmp_path)
    assert run.returncode == 2 and run.stdout == ""
    assert said in run.stderr and not run.stderr.endswith("\n\n")


@pytest.mark.parametrize("arguments, said", [
    (["markdown", "--url", "nonsense"], "'nonsense' is not an absolute http or https URL"),
    (["serve", "--listen", "127.0.0.1:0", "--set", "server.base_url=example.org"],
     "server.base_url: 'example.org' is not an absolute"),
    (["call", "scrape/markdown", "url=example.com/a"], "did you mean 'https://example.com/a'?"),
    (["call", "scrape/markdown", "url=//example.com/a"], "did you mean 'https://example.com/a'?"),
    (["call", "news/search", "q=a", "--server", "127.0.0.1:1"], "is no http(s) URL; give one such as http://"),
    (["call", "news/search", "q=a", "--server", "http://127.0.0.1:1"],
     "; see that a Freshet server runs at http://127.0.0.1:1"),
    (["keys", "revoke", "frs_live_x"], "no such key: give the id of one, key_"),
    (["keys", "list", "me@example.org"], "where no server runs; --config FILE or --data DIR names another)"),
    (["call", "news/search", "{'q': 'a'}"], "byte 1: this is not JSON: names and texts stand in double quotes"),
    (["call", "news/search", "q=a", "cursor=x", "--set", "network.sandbox=true"], "give page.next_cursor as"),
])
def test_what_cannot_be_meant_says_what_can(arguments, said, tmp_path):
    run = run_freshet(*arguments, data_dir=tmp_path, stdin="")
    assert run.returncode != 0 and run.stdout == "" and said in run.stderr


def test_a_port_that_is_taken(server, tmp_path):
    port = server.url.rsplit(":", 1)[1]
    run = run_freshet("serve", "--listen", f"127.0.0.1:{port}", data_dir=tmp_path)
    assert run.returncode == 1 and "is taken by another program" in json.loads(run.stderr)["detail"]


def test_version():
    run = run_freshet("--version")
    assert run.returncode == 0 and re.match(r"freshet \d+\.\d+\.\d+ \(contract v1\)\n", run.stdout)
    assert json.loads(run_freshet("version", "--json").stdout)["contract"] == "v1"


def test_openapi(tmp_path):
    run = run_freshet("openapi", "--set", "credits.web-serp/search=7", data_dir=tmp_path)
    assert run.returncode == 0
    description = json.loads(run.stdout)
    assert description["paths"]["/v1/web-serp/search"]["post"]["x-credits"] == 7


def test_markdown_from_a_file_and_from_standard_input(tmp_path):
    page = ("<html><body><article><h1>Tides</h1><p>See <a href='/g'>the gauge</a> for today's "
            "levels, which are <b>high</b> and rising along the whole of the coast.</p>"
            "</article></body></html>")
    (tmp_path / "page.html").write_text(page)
    from_file = run_freshet("markdown", "--mode", "page", "--url", "https://example.org/a",
                            tmp_path / "page.html")
    from_stdin = run_freshet("markdown", "--mode", "page", "--url", "https://example.org/a",
                             stdin=page)
    assert from_file.returncode == from_stdin.returncode == 0, from_file.stderr
    assert from_file.stdout == from_stdin.stdout
    assert "# Tides" in from_file.stdout
    assert "[the gauge](https://example.org/g)" in from_file.stdout
    as_item = run_freshet("markdown", "--json", "--mode", "page", "--url", "https://example.org/a",
                          stdin=page)
    item = json.loads(as_item.stdout)
    assert (item["object"], item["url"]) == ("document", "https://example.org/a")
    assert item["markdown"].rstrip("\n") == from_file.stdout.rstrip("\n")
    missing = run_freshet("markdown", tmp_path / "absent.html")
    assert missing.returncode == 1 and json.loads(missing.stderr)["code"] == "invalid_request"


def test_markdown_says_what_it_chose(tmp_path):
    prose = "<p>The gauge of the harbour stood higher at noon than in any year before it.</p>"
    page = f"<nav><a href=/>Home</a></nav><article><h1>Tides</h1>{prose * 5}</article>"
    made = run_freshet("markdown", "--explain", stdin=page)
    assert made.returncode == 0 and re.search(r"^confidence [01]\.\d\d$", made.stdout, re.M)
    kept = [line for line in made.stdout.splitlines() if line.startswith("+ ")]
    assert any("article > p  The gauge of the harbour" in line for line in kept)
    assert any(line.startswith("- ") and "Home" in line for line in made.stdout.splitlines())
    whole = run_freshet("markdown", "--explain", "--mode", "page", stdin=page)
    assert whole.returncode == 0 and "nothing was chosen" in whole.stdout
    many = run_freshet("markdown", "--explain", "--out", tmp_path, tmp_path)
    assert many.returncode == 2 and "--explain" in many.stderr


def test_markdown_of_a_folder(tmp_path):
    pages = tmp_path / "pages"
    (pages / "deep").mkdir(parents=True)
    body = "<main><h1>Tides</h1><p>See <a href='g'>the gauge</a> of the harbour today.</p></main>"
    for name in ("a.html", "a.htm", "deep/b.HTML"):
        (pages / name).write_text(body)
    (pages / "notes.txt").write_text("no page")
    (pages / "picture.html").write_bytes(b"PK\x03\x04\0\0")
    out = tmp_path / "out"
    run = run_freshet("markdown", "--url", "https://example.org/", "--out", out, "--jobs", "2", pages)
    # The broken one is named and does not stop the others.
    assert run.returncode == 1 and run.stdout == ""
    assert "picture.html: " in run.stderr and "3 of 4 pages converted" in run.stderr
    assert "4 of 4 pages\n" in run.stderr
    written = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert written == ["a.html.md", "a.md", "deep/b.md"]
    assert "(https://example.org/deep/g)" in (out / "deep/b.md").read_text()
    (pages / "picture.html").unlink()
    again = run_freshet("markdown", "--json", "--out", out, pages)
    assert again.returncode == 0, again.stderr
    assert json.loads((out / "a.json").read_text())["object"] == "document"
    for arguments, said in [
        ([pages / "a.html", pages / "a.htm"], "--out DIR"),
        (["--jobs", "2"], "give --out too"),
        (["--out", out], "give files or folders"),
        (["--out", out, "--jobs", "0", pages], "1 to 64"),
        (["--links", "many"], "inline, footnotes or none"),
    ]:
        wrong = run_freshet("markdown", *arguments, stdin="")
        assert wrong.returncode == 2 and said in wrong.stderr
    nothing = run_freshet("markdown", "--out", out, tmp_path / "out")
    assert nothing.returncode == 1 and "no page was found" in nothing.stderr
    absent = run_freshet("markdown", "--out", out, tmp_path / "absent")
    assert absent.returncode == 1 and "no such file or folder" in absent.stderr


@pytest.fixture(params=["alone", "server"])
def administer(request, tmp_path, start):
    """Runs a command on a data folder, with and without a server on it."""
    data = tmp_path / "administered"
    if request.param == "server":
        start(data_dir=data)
    return lambda *arguments: run_freshet(*arguments, "--data", data, data_dir=tmp_path)


def test_accounts_keys_and_credits(administer):
    made = json.loads(administer("accounts", "create", "a@example.org", "--json").stdout)
    assert (made["email"], made["plan"]) == ("a@example.org", "free")
    again = administer("accounts", "create", "a@example.org")
    assert again.returncode == 1 and json.loads(again.stderr)["code"]

    granted = administer("credits", "grant", "a@example.org", "500", "--reason", "welcome")
    assert granted.returncode == 0 and "granted 500 credits" in granted.stdout

    live = administer("keys", "create", "a@example.org", "--scope", "read", "--monthly-budget", "9",
                      "--expires", "30d")
    assert live.returncode == 0 and re.fullmatch(r"frs_live_[0-9A-Za-z]{38}\n", live.stdout)
    test = administer("keys", "create", "a@example.org", "--test")
    assert re.fullmatch(r"frs_test_[0-9A-Za-z]{38}\n", test.stdout)

    keys = json.loads(administer("keys", "list", "a@example.org", "--json").stdout)["keys"]
    assert sorted(key["mode"] for key in keys) == ["live", "test"]
    listed = administer("keys", "list", "a@example.org").stdout
    for key in keys:
        assert key["id"] in listed
    assert live.stdout.strip() not in listed

    rotated = administer("keys", "rotate", keys[0]["id"])
    assert rotated.returncode == 0 and rotated.stdout.startswith("frs_")
    revoked = administer("keys", "revoke", keys[1]["id"])
    assert revoked.returncode == 0 and keys[1]["id"] in revoked.stdout

    for wrong in (["keys", "create", "nobody@example.org"], ["keys", "revoke", "key_none"],
                  ["keys", "create", "a@example.org", "--expires", "soon"],
                  ["keys", "create", "a@example.org", "--scope", "all"]):
        run = administer(*wrong)
        assert run.returncode == 1 and run.stdout == ""
        problem = json.loads(run.stderr)
        assert problem["status"] >= 400 and problem["credits"]["used"] == 0

    verified = administer("ledger", "verify")
    assert verified.returncode == 0 and "sound" in verified.stdout


def test_plans_change_and_calls_are_refunded(administer):
    administer("accounts", "create", "b@example.org")
    administer("accounts", "create", "c@example.com")
    listed = json.loads(administer("accounts", "list", "Example.org", "--json").stdout)
    (account,) = listed["accounts"]
    assert (account["email"], account["plan"], account["balance"]) == ("b@example.org", "free", 1000)
    assert listed["next_cursor"] is None
    first = json.loads(administer("accounts", "list", "--limit", "1", "--json").stdout)
    assert [one["email"] for one in first["accounts"]] == ["c@example.com"]
    rest = administer("accounts", "list", "--cursor", first["next_cursor"]).stdout
    assert "b@example.org" in rest and "plan=free" in rest and "c@example.com" not in rest

    same = administer("accounts", "plan", "b@example.org", "free")
    assert same.returncode == 0 and "plan free, 0 credits this month" in same.stdout
    for wrong, said in ((["accounts", "plan", "b@example.org", "gold"], "no plan 'gold'; there is free"),
                        (["accounts", "plan", "nobody@example.org", "free"], "no such account: nobody@"),
                        (["accounts", "list", "--cursor", "x"], "next_cursor"),
                        (["credits", "refund", "req_1", "--reason", "x"], "no charged call"),
                        (["credits", "refund", "led_1", "--reason", "x"], "no charged call")):
        run = administer(*wrong)
        assert run.returncode == 1 and run.stdout == "", wrong
        assert said in json.loads(run.stderr)["detail"]
    for wrong in (["credits", "refund", "req_1"], ["accounts", "plan", "b@example.org"],
                  ["credits", "refund", "req_1", "--reason", "x", "--credits", "-1"]):
        assert administer(*wrong).returncode == 2, wrong


def test_doctor_offline(tmp_path):
    run = run_freshet("doctor", "--offline", "--json", data_dir=tmp_path)
    report = json.loads(run.stdout)
    assert run.returncode == (0 if report["ok"] else 1)
    assert report["findings"]
    for finding in report["findings"]:
        assert finding["ok"] or finding["advice"]
    (walls,) = [one for one in report["findings"] if one["subject"] == "walls"]
    assert walls["ok"] or "process.allow_without_walls" in walls["advice"]
    (network,) = [one for one in report["findings"] if one["subject"] == "network"]
    assert network["ok"] and network["warns"] and "network.contact" in network["advice"]
    text = run_freshet("doctor", "--offline", data_dir=tmp_path).stdout
    assert "warn  network: the user agent names no contact" in text
    named = run_freshet("doctor", "--offline", "--set", "network.contact=https://a.example",
                        data_dir=tmp_path)
    assert "names no contact" not in named.stdout


def test_doctor_says_what_is_wrong_with_the_configuration(tmp_path):
    run = run_freshet("doctor", "--offline", "--set", "server.lisen=x", data_dir=tmp_path)
    assert run.returncode == 1 and "server.listen" in run.stdout


def test_call_help_shows_the_endpoints():
    assert "microblog/search" in run_freshet("call", "--help").stdout
    one = run_freshet("call", "web-serp/search", "--help")
    assert one.returncode == 0 and "country" in one.stdout
    assert run_freshet("call", "web-serp/nothing", "--help").returncode == 2


def test_call_in_process(tmp_path):
    quoted = run_freshet("call", "web-serp/search", '{"q": "tide", "dry_run": true}',
                         data_dir=tmp_path)
    assert quoted.returncode == 0, quoted.stderr
    assert json.loads(quoted.stdout)["meta"]["credits"]["used"] == 0
    read = run_freshet("call", "web-serp/search", "-", data_dir=tmp_path,
                       stdin='{"q": "tide", "dry_run": true}')
    assert json.loads(read.stdout)["data"] == json.loads(quoted.stdout)["data"]
    wrong = run_freshet("call", "web-serp/search", '{"qq": 1}', data_dir=tmp_path)
    assert wrong.returncode == 1 and wrong.stdout == ""
    assert json.loads(wrong.stderr)["code"] == "invalid_request"
    unknown = run_freshet("call", "web-serp/serch", "{}", data_dir=tmp_path)
    assert unknown.returncode == 1 and json.loads(unknown.stderr)["code"] == "unknown_endpoint"


def test_call_to_a_server(server, keys, tmp_path):
    run = run_freshet("call", "account/show", "--server", server.url, "--key", keys["test"])
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["meta"]["credits"]["used"] == 0
    by_variable = run_freshet("call", "account/show", "--server", server.url,
                              environment={"FRESHET_API_KEY": keys["test"]})
    assert by_variable.returncode == 0
    refused = run_freshet("call", "account/show", "--server", server.url)
    assert refused.returncode == 1 and json.loads(refused.stderr)["code"] == "missing_api_key"


def test_configuration_from_file_environment_and_command_line(tmp_path):
    def base_url(*options, **environment):
        run = run_freshet("openapi", *options, data_dir=tmp_path, environment=environment)
        assert run.returncode == 0, run.stderr
        return json.loads(run.stdout)["servers"][0]["url"]

    file = tmp_path / "freshet.toml"
    file.write_text('[server]\nbase_url = "http://file.example"\n')
    assert base_url("--config", file) == "http://file.example"
    variable = {"FRESHET__SERVER__BASE_URL": "http://variable.example"}
    assert base_url("--config", file, **variable) == "http://variable.example"
    assert base_url("--config", file, "--set", "server.base_url=http://option.example",
                    **variable) == "http://option.example"


# GnuTLS says so as it makes itself ready.
GNUTLS_TALKS = {"GNUTLS_DEBUG_LEVEL": "2"}
GNUTLS_BEGINS = "Enabled GnuTLS"


def test_gnutls_is_left_alone():
    load = "import ctypes; ctypes.CDLL('libgnutls.so.30')"
    loaded = subprocess.run([sys.executable, "-c", load], env=GNUTLS_TALKS, capture_output=True, text=True)
    if GNUTLS_BEGINS not in loaded.stderr:
        out_of_reach("GnuTLS is not there, or says nothing of its beginning")
    run = run_freshet("version", environment=GNUTLS_TALKS)
    assert run.returncode == 0 and GNUTLS_BEGINS not in run.stderr


@pytest.mark.parametrize("given, meant", [
    ("news", "no endpoint 'news'; there are news/search, news/headlines"),
    ("search", "; there are all/search, microblog/users/search, microblog/search, web-serp/search, "
               "web-serp/images/search, web-serp/videos/search and 3 more"),
    ("nothing/like/it", "no endpoint 'nothing/like/it'"),
])
def test_a_part_of_a_path_names_the_endpoints_that_have_it(given, meant):
    done = run_freshet("call", given, "q=climate", "--set", "network.sandbox=true")
    detail = json.loads(done.stderr)["detail"]
    assert done.returncode == 1 and detail.endswith(meant), detail


def test_one_credit_is_not_many(tmp_path):
    made = run_freshet("accounts", "create", "a@example.org", "--set", "plans.free.monthly_credits=1",
                       data_dir=tmp_path)
    assert made.stdout.endswith("plan free, 1 credit\n"), made.stdout
    given = run_freshet("credits", "grant", "a@example.org", "1", "--reason", "a trial", data_dir=tmp_path)
    assert given.stdout.startswith("granted 1 credit to a@example.org"), given.stdout + given.stderr


NOBODY = 65534


def listed_by_nobody(folder):
    return subprocess.run([os.environ["FRESHET_BIN"], "accounts", "list", "--data", folder], user=NOBODY, group=NOBODY,
                          extra_groups=[], capture_output=True, text=True, env=clean_environment(folder))


def test_what_root_makes_belongs_to_whom_the_data_folder_is_of():
    if os.geteuid() != 0:
        out_of_reach("only root makes files for others")
    with tempfile.TemporaryDirectory() as folder:
        os.chown(folder, NOBODY, NOBODY)
        made = run_freshet("accounts", "create", "a@example.org", "--data", folder, data_dir=folder)
        assert made.returncode == 0, made.stderr
        assert {name: os.stat(os.path.join(folder, name)).st_uid for name in os.listdir(folder)
                if os.stat(os.path.join(folder, name)).st_uid != NOBODY} == {}
        # As the server would: it had been kept out of its own book.
        run = listed_by_nobody(folder)
        assert run.returncode == 0 and "a@example.org" in run.stdout, run.stderr
        os.chown(os.path.join(folder, "freshet.db.lock"), 0, 0)
        run = listed_by_nobody(folder)
        assert run.returncode != 0
        assert f"it belongs to user 0, and this process runs as user {NOBODY}" in run.stderr + run.stdout

"""The tables of the guides are made of what the program uses: each is there, whole, in the place that the
guide in the tree has for it, and the rest of the guide is as it was written."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from support.freshet import program
from support.reach import need_built, needs_program

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev"))
WRITTEN = {path.name: path.read_text() for path in (ROOT / "server/guides").glob("*.md")}
PLACE = re.compile(r"^\*Table of ([\w ]+): .+\*$", re.M)

pytestmark = needs_program


def made(name):
    need_built(BUILD / "guides" / name)
    return (BUILD / "guides" / name).read_text()


def rows(name, first_column):
    """The cells of a table of a guide, row by row."""
    lines = made(name).split(f"| {first_column} |", 1)[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def quoted(cell):
    return re.findall(r"`([^`]+)`", cell)


@pytest.fixture(scope="module")
def described():
    said = subprocess.run([program(), "openapi"], capture_output=True, text=True, check=True).stdout
    paths = json.loads(said)["paths"]
    return {path.removeprefix("/v1/"): one["post"] for path, one in paths.items() if path.startswith("/v1/")}


def schema_of(operation):
    return operation["requestBody"]["content"]["application/json"]["schema"]


def test_only_tables_were_put_in():
    found = []
    for name, text in WRITTEN.items():
        places = PLACE.findall(text)
        found += places
        parts = [re.escape(part) for part in PLACE.sub("@@", text).split("@@\n")]
        text = r"(?:\|.*\n)+".join(parts)
        assert re.fullmatch(text, made(name)), f"{name}: was it changed after the build?"
    assert sorted(found) == ["common parameters", "endpoints", "errors", "fields", "settings", "sources"]
    assert {path.name for path in (BUILD / "guides").iterdir()} == set(WRITTEN)


def test_no_table_in_the_tree_repeats_one():
    firsts = re.compile(r"^\| (Setting|Path|Common parameter|Platform|Code|Call) \|", re.M)
    assert [name for name, text in WRITTEN.items() if firsts.search(text)] == []


def test_columns_begin_with_a_capital():
    names = ("p50", "p99", "trafilatura", "newspaper4k", "metascraper")  # which have none
    heads = [(name, cell.strip()) for name in WRITTEN
             for head in re.findall(r"^\|(.+)\|\n\|-", made(name), re.M) for cell in head.split("|")]
    assert len(heads) > 60
    assert [(name, cell) for name, cell in heads if cell[:1].islower() and not cell.startswith(names)] == []


def test_every_endpoint_has_its_parameters_and_price(described):
    common = {quoted(row[0])[0]: row for row in rows("endpoints.md", "Common parameter")}
    told = {quoted(row[0])[0]: row for row in rows("endpoints.md", "Path")}
    assert list(told) == list(described)
    for path, (_, parameters, credits, summary) in told.items():
        schema = schema_of(described[path])
        takes, required = set(schema["properties"]), set(schema.get("required", []))
        assert takes - set(common) <= set(quoted(parameters)) <= takes, path
        assert set(re.findall(r"\*\*`([^`]+)`\*\*", parameters)) == required, path
        assert re.sub(r"up to |, rendered \d+", "", credits) == str(described[path]["x-credits"]), path
        assert summary == described[path]["summary"]
        either = [one["required"][0] for one in schema.get("oneOf", [])]
        assert " or ".join(f"`{name}`" for name in either) in parameters


def test_who_takes_a_common_parameter(described):
    of = {
        "all": set(described),
        "lists": {path for path, one in described.items() if "limit" in schema_of(one)["properties"]},
        "account": {path for path in described if path.startswith("account/")},
        "scrape": {path for path in described if path.startswith("scrape/")},
    }
    of["lists of the platforms"] = of["lists"] - of["account"]
    of["all but those of `account`"] = of["all"] - of["account"]
    of["all but those of `account` and `scrape`"] = of["all"] - of["account"] - of["scrape"]
    for name, takers, _ in rows("endpoints.md", "Common parameter"):
        known = max((kind for kind in of if takers.startswith(kind)), key=len, default="")
        without, _, beside = takers[len(known):].partition(";")
        if "but" not in without:
            without, beside = "", without + beside
        expected = of.get(known, set()) - set(quoted(without)) | set(quoted(beside))
        took = {path for path, one in described.items() if quoted(name)[0] in schema_of(one)["properties"]}
        assert took == expected, name


def test_every_error_is_told():
    table = (ROOT / "include/freshet/errc.def").read_text()
    known = re.findall(r"^FRESHET_ERRC\(\d+, (\w+), (\d+), (\w+),", table, re.M)
    told = [(quoted(code)[0], status.split(",")[0], "true" if status.endswith(", retryable") else "false")
            for code, status, _ in rows("endpoints.md", "Code")]
    assert told == known and all(row[2] for row in rows("endpoints.md", "Code"))


def test_every_field_of_the_peers_is_told():
    table = (ROOT / "server/dropin/fields.def").read_text()
    known = re.findall(r'^DROPIN_FIELD\((\w+), (\w+), \w+, (\w+),', table, re.M)
    calls = {"firecrawl_scrape": "/v2/scrape", "firecrawl_search": "/v2/search", "tavily_search": "/search",
             "tavily_extract": "/extract", "tavily_map": "/map",
             "tavily_crawl": "/crawl"}
    told = [(quoted(row[0])[0], quoted(row[1])[0], row[2]) for row in rows("migrating.md", "Call")]
    assert told == [(calls[route], name, how) for route, name, how in known]


def test_the_sources_are_those_that_the_program_prints():
    printed = subprocess.run([program(), "sources"], capture_output=True, text=True, check=True).stdout
    assert printed in made("sources.md")


def test_every_setting_is_one_and_its_default_is_accepted():
    names = {"sources.<name>": "sources.lemmy", "platforms.<name>": "platforms.news",
             "plans.<name>": "plans.free", "credits.<endpoint>": 'credits."news/search"'}
    told = rows("settings.md", "Setting")
    assert len(told) > 100 and len({row[0] for row in told}) == len(told)
    given = []
    for setting, default, meaning in told:
        name = quoted(setting)[0]
        for family, one in names.items():
            name = name.replace(family, one)
        assert "<" not in name and re.fullmatch(r"[A-Z`].*\.", meaning), name
        if default:
            given += ["--set", f"{name}={quoted(default)[0]}"]
    done = subprocess.run([program(), "openapi", *given], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_settings_of_sources_are_known():
    given = []
    for row in rows("sources.md", "Platform"):
        for key in quoted(row[4]):
            given += ["--set", f"sources.{quoted(row[1])[0]}.{key}=https://example.org"]
    done = subprocess.run([program(), "openapi", *given], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("text, wrong", [
    ("*Table of tides: there is none.*", "one.md: there is no table of tides"),
    ("*Table of settings: this one.*", "no guide shows the table of"),
])
def test_a_table_that_is_none_and_one_that_is_shown_nowhere(tmp_path, text, wrong):
    maker = BUILD / "server/dashboard/freshet_guides"
    need_built(maker)
    (tmp_path / "from").mkdir()
    (tmp_path / "from/one.md").write_text(f"# One\n\n{text}\n")
    done = subprocess.run([maker, tmp_path / "from", tmp_path / "to"], capture_output=True, text=True)
    assert done.returncode == 1 and wrong in done.stderr

"""The calls of table.py through every door: the same code, the same bytes of `data`, and the same
envelope or problem document around it, as over HTTP."""

import json
import pathlib
import re
import subprocess

import pytest
from support.freshet import program
from support.reach import needs_program

import through_c
import through_command
import through_cpp
import through_http
import through_mcp
import through_python
from prepared import Prepared
from table import CALLS, OTHER_CODES

DOORS = {**through_http.DOORS, **through_cpp.DOORS, **through_c.DOORS, **through_python.DOORS,
         **through_mcp.DOORS, **through_command.DOORS}
ERRORS = pathlib.Path(__file__).resolve().parents[2] / "include/freshet/errc.def"

pytestmark = needs_program


@pytest.fixture(scope="session")
def prepared(tmp_path_factory):
    return Prepared(tmp_path_factory.mktemp("doors"))


def answers(prepared, name):
    """Every call that the door can say, in the table's order."""
    door = DOORS[name](prepared, name)
    try:
        told = {}
        for row in CALLS:
            if name in row.without:
                continue
            for _ in range(row.before + 1):
                told[row.name] = door.call(row.endpoint, row.text(prepared.keys, prepared.values),
                                           prepared.keys[row.key])
        return told
    finally:
        door.close()


@pytest.fixture(scope="session")
def over_the_wire(prepared):
    return answers(prepared, "HTTP")


@pytest.mark.parametrize("name", [row.name for row in CALLS])
def test_over_http_each_call_answers_as_the_table_says(over_the_wire, name):
    (row,) = [row for row in CALLS if row.name == name]
    told = over_the_wire[name]
    assert told.code == row.code, told.body
    assert bool(told.data) == (row.code == "ok")


@pytest.mark.parametrize("door", [name for name in DOORS if name != "HTTP"])
def test_every_door_gives_the_same_bytes_and_codes(prepared, over_the_wire, door):
    told = answers(prepared, door)
    assert set(told) == {row.name for row in CALLS if door not in row.without}
    different = {}
    for row in CALLS:
        if door in row.without:
            continue
        ours, theirs = (one[row.name].settled(row.differs) for one in (over_the_wire, told))
        if ours != theirs:
            different[row.name] = (ours, theirs)
    for call, (ours, theirs) in different.items():
        print(f"{call}\n  over HTTP: {ours}\n  {door}: {theirs}")
    assert list(different) == []


def test_the_table_has_every_endpoint_and_every_code():
    assert len(CALLS) >= 40 and len({row.name for row in CALLS}) == len(CALLS)
    told = subprocess.run([program(), "openapi"], capture_output=True, check=True).stdout
    described = {path.removeprefix("/v1/") for path in json.loads(told)["paths"]}
    # This one's success is sent to somebody, once a minute: it is tabled as it is refused.
    assert {row.endpoint for row in CALLS if row.code == "ok"} | {"account/alerts/test"} == described
    codes = set(re.findall(r"(?m)^FRESHET_ERRC\(\d+, (\w+),", ERRORS.read_text()))
    tabled = {row.code for row in CALLS} - {"ok"}
    assert tabled | set(OTHER_CODES) == codes and not tabled & set(OTHER_CODES)


def test_the_paid_call_was_paid_and_the_others_were_not(over_the_wire):
    used = {name: told.body["meta"]["credits"]["used"] for name, told in over_the_wire.items()
            if told.code == "ok"}
    assert {name for name, credits in used.items() if credits} == {"a charged call"}

"""The reference of include/: Doxygen finds nothing undocumented, and what users look for is there."""

import os
import pathlib
import re
import subprocess

import pytest
from support.reach import need_built, need_tool, needs

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build" / "dev"))
DOXYFILE = BUILD / "lib/Doxyfile"

pytestmark = [needs(need_tool, "doxygen"), needs(need_built, DOXYFILE)]


def doxygen(out, **settings):
    """Runs it into a folder of the test's own; `settings` replace lines of the Doxyfile."""
    lines = DOXYFILE.read_text() + f"OUTPUT_DIRECTORY = {out}\nGENERATE_XML = YES\n"
    lines += "".join(f"{name} = {value}\n" for name, value in settings.items())
    return subprocess.run(["doxygen", "-"], input=lines, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    out = tmp_path_factory.mktemp("reference")
    done = doxygen(out)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return out


def test_nothing_is_undocumented(reference):
    assert (reference / "reference/index.html").exists()


def test_every_error_has_its_entry(reference):
    codes = re.findall(r"(?m)^FRESHET_ERRC\((\d+), (\w+),", (ROOT / "include/freshet/errc.def").read_text())
    listed = (reference / "xml/namespacefreshet.xml").read_text()
    for number, name in codes:
        assert re.search(rf"<name>{name}</name>\s*<initializer>= {number}</initializer>", listed), name


def test_every_member_of_an_item_has_its_entry(reference):
    """The table of items is read here by another reader than the filter's."""
    table = (ROOT / "include/freshet/item_fields.def").read_text()
    owner = None
    members = 0
    for kind, arguments in re.findall(r"(?m)^FRESHET_(\w+)\((.*)\)$", table):
        names = [one.strip() for one in arguments.split('"')[0].split(",")]
        if kind in ("PART", "ITEM", "COUNTED_ITEM"):
            owner = (reference / f"xml/structfreshet_1_1{names[0].replace('_', '__')}.xml").read_text()
        if kind in ("FIELD", "OBJECT", "LIST"):
            assert f"<name>{names[1]}</name>" in owner, arguments
            members += 1
    assert members > 80


def test_every_function_of_the_c_abi_has_its_entry(reference):
    listed = (reference / "xml/freshet_8h.xml").read_text()
    for symbol in (ROOT / "capi/symbols.txt").read_text().split():
        assert f"<name>{symbol}</name>" in listed, symbol


def test_an_undocumented_entity_fails(tmp_path):
    header = tmp_path / "bare.hpp"
    header.write_text("/** @file bare.hpp */\nnamespace freshet { int undocumented(); }\n")
    done = doxygen(tmp_path / "out", INPUT=f"{ROOT / 'lib/reference.dox'} {ROOT / 'include'} {header}")
    assert done.returncode != 0 and "undocumented()" in done.stderr

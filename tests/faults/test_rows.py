"""Every fault and attack that was studied has a test that exists, or a reason why it has none."""

import json
import re

import pytest
from rows import ATTACKS, CANNOT_BE_TESTED, TESTS
from support.reach import ROOT, need_shared

COUNT = 53


def named_in(path):
    text = (ROOT / "tests" / path).read_text()
    if path.endswith(".py"):
        return set(re.findall(r"^def (test_\w+)\(", text, re.M))
    if path.endswith(".ts"):
        return set(re.findall(r"^test\('([^']+)'", text, re.M))
    # A long name stands in several literals, one after the other.
    found = re.findall(r'TEST_CASE\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)', text)
    return {"".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)) for one in found}


def test_every_row_stands_in_one_list():
    both = sorted([*TESTS, *CANNOT_BE_TESTED])
    assert [number for number, _ in both] == list(range(1, COUNT + 1))
    assert all(TESTS.values()) and all(CANNOT_BE_TESTED.values())


def test_the_rows_are_those_of_the_study():
    text = need_shared("reliability.md").read_text().split("\n## 6.")[1].split("\n## ")[0]
    studied = re.findall(r"^\| (\d+) \| (.+?) \|", text, re.M)
    assert sorted([*TESTS, *CANNOT_BE_TESTED]) == [(int(number), title) for number, title in studied]


@pytest.mark.parametrize("row", TESTS, ids=lambda row: f"{row[0]:02} {row[1]}")
def test_the_tests_of_a_row_are_there(row):
    for proof in TESTS[row]:
        path, name = proof.split("::", 1)
        assert name in named_in(path), proof


def test_the_attacks_are_those_that_got_through():
    table = need_shared("attacks.md").read_text().split("\n## ")[0]
    found = re.findall(r"^\| (\d+) \| \w+ \| (.+?) \|", table, re.M)
    assert [int(number) for number, _ in found] == [number for number, _ in ATTACKS]
    for (_, begins), (_, fault) in zip(ATTACKS, found):
        assert fault.startswith(begins), (begins, fault)


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: f"{row[0]:02} {row[1]}")
def test_the_tests_of_an_attack_are_there(row):
    assert ATTACKS[row]
    for proof in ATTACKS[row]:
        path, name = proof.split("::", 1)
        assert name in named_in(path), proof


def test_every_test_that_is_named_after_a_row_proves_it():
    for path in (ROOT / "tests/faults").glob("test_*.py"):
        for name in named_in(f"faults/{path.name}"):
            if named := re.match(r"test_row_(\d\d)_", name):
                (proofs,) = [TESTS[row] for row in TESTS if row[0] == int(named[1])]
                assert f"faults/{path.name}::{name}" in proofs


def test_row_51_sanitizers_and_seeds():
    """The default run has all of the C++ tests under ASan and UBSan, those with threads under TSan,
    and every fuzz target over its seeds."""
    steps = (ROOT / "tests/run").read_text()
    assert "\n  build asan tests\n" in steps and "\n  build tsan threaded_tests\n" in steps
    assert "subdirs(dev asan tsan)" in steps and " ctest --test-dir build " in steps
    presets = {one["name"]: json.dumps(one)
               for one in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
    assert "address" in presets["asan"] and "undefined" in presets["asan"]
    assert "thread" in presets["tsan"]
    fuzz = ROOT / "tests/fuzz"
    described = (fuzz / "CMakeLists.txt").read_text()
    targets = [path.name.removesuffix("_fuzz.cpp") for path in fuzz.glob("*_fuzz.cpp")]
    assert targets and "add_test" in described
    for target in targets:
        assert target in described and any((fuzz / "seeds" / target).iterdir())

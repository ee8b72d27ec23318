"""What libfreshet.so promises to programs that were compiled before: the header's declarations, the
names that it exports and their version, and that nothing else gets out."""

import os
import pathlib
import re
import subprocess

import pytest
from support.reach import need_built, need_tool, needs

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build" / "dev"))
LIBRARY = BUILD / "capi" / "libfreshet.so"
HEADER = ROOT / "include" / "freshet.h"
DECLARATIONS = ROOT / "capi" / "declarations.txt"
# Of the loader, the C and the C++ runtime, weak by their nature; every shared library has them.
RUNTIME = {"__cxa_finalize", "__cxa_pure_virtual", "__gmon_start__", "__pthread_key_create",
           "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable"}
# All that a signature is made of: fixed widths, texts, the caller's pointer, our handles.
TYPES = {"void", "void*", "uint32_t", "int32_t", "int64_t", "size_t", "size_t*", "const char*",
         "freshet_log"}
HANDLES = {"freshet_client", "freshet_call", "freshet_pages", "freshet_result"}

built = needs(need_built, LIBRARY)


def declarations():
    """The header without its comments: a declaration or a definition a line."""
    text = re.sub(r"/\*.*?\*/", " ", HEADER.read_text(), flags=re.S)
    macros = re.findall(r"(?m)^#define (FRESHET_(?:ABI|NTS) .*)$", text)
    code = re.sub(r"(?m)^#.*$", "", text).replace('extern "C" {', "").replace("FRESHET_API", "")
    code = code.rstrip().removesuffix("}")
    lines = [re.sub(r"\s+", " ", line).strip() for line in code.split(";")]
    return macros + [line for line in lines if line]


def nm(*options):
    told = subprocess.run(["nm", "-D", *options, str(LIBRARY)], capture_output=True, text=True, check=True)
    return [line.split()[-2:] for line in told.stdout.splitlines()]


def test_the_declarations_are_those_that_were_written_down():
    written = DECLARATIONS.read_text().splitlines()
    # If this fails on purpose: an addition goes into the file; any other change is another ABI.
    assert declarations() == written[2:]


def test_no_layout_is_shared_with_programs():
    """Handles are opaque and signatures hold no struct and no enum, so that there is no layout that
    could change: only what is named here crosses the boundary."""
    code = "\n".join(declarations())
    assert "{" not in code and "enum" not in code and "union" not in code
    assert set(re.findall(r"struct (\w+)", code)) == HANDLES
    for line in declarations():
        found = re.fullmatch(r"(?!typedef)([\w ]+\*?) ?(freshet_\w+)\((.*)\)", line)
        if not found:
            assert line.startswith(("FRESHET_", "typedef ")), line
            continue
        arguments = [] if found[3] == "void" else found[3].split(",")
        types = [found[1], *(re.sub(r"\w+$", "", one) for one in arguments)]
        for one in (re.sub(r"\s*\*", "*", each).strip() for each in types):
            bare = one.removeprefix("const ").rstrip("*")
            assert one in TYPES or (bare in HANDLES and one.endswith("*")), f"{one} in {line}"


@pytest.mark.parametrize("compiler, standard", [
    ("gcc", "c99"), ("gcc", "c11"), ("gcc", "c17"), ("g++", "c++11"), ("g++", "c++20"),
    ("clang", "c99"), ("clang++", "c++17")])
def test_the_header_compiles_alone(compiler, standard, tmp_path):
    found = need_tool(compiler, compiler, f"{compiler}-19")  # Debian's name for it
    source = tmp_path / ("main.cpp" if "++" in compiler else "main.c")
    source.write_text("#include <freshet.h>\n#include <freshet.h>\n"
                      "int main(void) { return freshet_abi() == FRESHET_ABI ? 0 : 1; }\n")
    command = [found, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion",
               "-Werror", f"-I{ROOT / 'include'}", "-c", str(source), "-o", os.devnull]
    if "++" not in compiler:
        command.insert(2, "-Wstrict-prototypes")
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


@built
def test_only_our_functions_are_exported_under_their_version():
    listed = set((ROOT / "capi" / "symbols.txt").read_text().split())
    exported = nm("--defined-only")
    assert {(kind, name) for kind, name in exported if kind != "A"} == {
        ("T", f"{name}@@FRESHET_1") for name in listed}
    assert {name for kind, name in exported if kind == "A"} == {"FRESHET_1"}


@built
def test_nothing_weak_and_nothing_of_ours_is_looked_for_outside():
    """A weak or unique symbol of a template would be shared with the program that loads us; one of
    ours that is not defined would be looked for there."""
    missing = nm("--undefined-only")
    weak = {name.split("@")[0] for kind, name in missing if kind in "wWvVu"}
    assert weak <= RUNTIME
    assert [name for _, name in missing if "freshet" in name] == []


@built
def test_the_soname_has_the_abi():
    (abi,) = re.findall(r"(?m)^#define FRESHET_ABI (\d+)$", HEADER.read_text())
    told = subprocess.run(["readelf", "-d", str(LIBRARY)], capture_output=True, text=True, check=True)
    assert f"soname: [libfreshet.so.{abi}]" in told.stdout
    assert "RPATH" not in told.stdout and "RUNPATH" not in told.stdout
    assert (LIBRARY.parent / f"libfreshet.so.{abi}").exists()

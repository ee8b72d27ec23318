"""What a test wants and may not find on this machine: the built program, ../shared, packages, tools.
A test without it is skipped, which tests/conftest.py counts and tells; where it could have been
there, CI takes the skip for a failure. Installs nothing."""

import importlib
import importlib.util
import os
import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARED = pathlib.Path(os.environ.get("FRESHET_SHARED", ROOT.parent / "shared"))
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev"))


def is_set(name):
    return os.environ.get(name, "") not in ("", "0", "false")


def out_of_reach(reason, within=False, at_import=False):
    """Skips the running test, or with `at_import` the file that is being read. `within`: what was
    looked for could have been there, so that its absence is an error to CI."""
    if is_set("FRESHET_NO_SKIPS") or (within and is_set("CI")):
        pytest.fail("skipped, which is an error here: " + reason, pytrace=False)
    pytest.skip(reason, allow_module_level=at_import)


def need_program():
    """The path of the built program, as tests/run names it. Built and not named, it is within
    reach."""
    program = os.environ.get("FRESHET_BIN", "")
    if not program:
        out_of_reach("FRESHET_BIN is not set; see tests/run", within=(BUILD / "freshet").exists())
    return program


def need_shared(*parts):
    """A path below ../shared. Where that folder is there, all of it is within reach."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        out_of_reach(f"../shared/{'/'.join(parts)} is out of reach", within=SHARED.exists())
    return path


def need_built(path):
    """A part of the build. Where the program was built, so could it have been."""
    if not path.exists():
        out_of_reach(f"{path.name} was not built; see tests/run", within=(BUILD / "freshet").exists())
    return path


def need_module(name, reason, at_import=False):
    """A Python module. A package that is installed and cannot be imported is within reach; a module
    that its version has not is not."""
    try:
        return importlib.import_module(name)
    except ImportError:
        broken = "." not in name and importlib.util.find_spec(name) is not None
        return out_of_reach(reason, within=broken, at_import=at_import)


def need_tool(title, *names):
    """The path of the first of these programs that is installed; by default of `title` itself."""
    for name in names or [title]:
        if path := shutil.which(name):
            return path
    return out_of_reach(f"{title} is not installed")


def quick_linker():
    """What tells a compiler to link programs of the tests in half the time, where that is installed."""
    return ["-fuse-ld=gold"] if shutil.which("ld.gold") else []


def needs(check, *arguments):
    """A mark for tests or whole files: what `check` looks for is looked for before each."""
    return pytest.mark.needs.with_args(check, *arguments)


needs_program = needs(need_program)

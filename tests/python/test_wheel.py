"""`pip install ./bindings/python` in a fresh environment: what the wheel holds, and that it works.

The wheel compiles the whole library. With the flags of the build that is already there, a compiler
cache makes that half a minute; without one the test waits for `tests/run --all`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from support.reach import need_built, out_of_reach

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev"))
USE = pathlib.Path(__file__).with_name("typed_use.py")
TIMEOUT_S = 3000
SAME = ["CMAKE_CXX_FLAGS", "FRESHET_WERROR"]
# pip's own copy lies in a folder with a new name each time, which no compiler cache can know again:
# `--all` takes that one, as a user does.
INSTALLED = ["pybind11_DIR"]
OUT_OF_REACH = re.compile(r"No matching distribution found for (scikit-build-core|pybind11)")


def cached(name):
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found.group(1) if found else ""


def clean_environment():
    """As a user has it, without the package of the build; the cache as tests/run sets it."""
    left = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    # A compiler cache tells c++ from g++, which scikit-build-core would take.
    return {
        **left, "CC": cached("CMAKE_C_COMPILER"), "CXX": cached("CMAKE_CXX_COMPILER"),
        "CCACHE_BASEDIR": str(ROOT), "CCACHE_NOHASHDIR": "1",
    }  # fmt: skip


def install(folder, same):
    """A fresh environment with the package; its Python. `same`: what is as in the build."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    flags = [f"-Ccmake.define.{name}={cached(name)}" for name in same]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "--disable-pip-version-check",
         "./bindings/python", f"-Ccmake.build-type={cached('CMAKE_BUILD_TYPE')}", *flags],
        cwd=ROOT, env=clean_environment(), capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    if done.returncode != 0 and OUT_OF_REACH.search(done.stderr):
        out_of_reach("the registry of Python packages is out of reach")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return python


def test_pip_installs_what_the_build_has_and_it_works(tmp_path, package, request):
    # One test, so that two processes of tests never build in the same folder at once.
    need_built(BUILD / "CMakeCache.txt")
    if not shutil.which("ccache") and not request.config.getoption("--all"):
        out_of_reach("without ccache the wheel compiles the whole library: tests/run --all")
    python = install(tmp_path / "venv", SAME if request.config.getoption("--all") else SAME + INSTALLED)

    def run(*words):
        return subprocess.run(
            [python, *words], env=clean_environment(), capture_output=True, text=True,
            cwd=tmp_path, check=True,
        ).stdout  # fmt: skip

    files = run("-c", "import importlib.metadata as m; print(*m.files('freshet'), sep='\\n')")
    held = {
        name.removeprefix("freshet/")
        for name in files.split()
        if not name.startswith("freshet-") and "__pycache__" not in name
    }
    assert held == {path.name for path in package.iterdir() if path.name != "__pycache__"}
    assert {"py.typed", "_freshet.pyi", "calls.py", "async_calls.py", "items.py"} <= held

    assert run(USE) == "fine\n"
    call = run("-m", "freshet", "web-serp/search", "q=climate", "--set", "network.sandbox=true")
    assert call.startswith('{"data":[{')
    versions = "import freshet, importlib.metadata as m; print(freshet.__version__, m.version('freshet'))"
    library, wheel = run("-c", versions).split()
    assert library == wheel

"""`pip install ./bindings/python` in a fresh environment: what the wheel holds, and that it works.

The wheel compiles the whole library. With the flags of the build that is already there, a compiler
cache makes that half a minute; without one the test waits for `tests/run --all`."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build/dev"))
USE = pathlib.Path(__file__).with_name("typed_use.py")
TIMEOUT_S = 3000
SAME = ["CMAKE_BUILD_TYPE", "CMAKE_CXX_FLAGS", "FRESHET_WERROR"]
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


@pytest.fixture(scope="module")
def installed(tmp_path_factory, request):
    """The Python of a fresh environment that has the package."""
    if not (BUILD / "CMakeCache.txt").exists():
        pytest.skip("there is no build whose flags the wheel could take; see tests/run")
    if not shutil.which("ccache") and not request.config.getoption("--all"):
        pytest.skip("without ccache the wheel compiles the whole library: tests/run --all")
    folder = tmp_path_factory.mktemp("wheel") / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = folder / "bin" / "python"
    flags = [
        f"-Ccmake.define.{name}={cached(name)}" for name in SAME if name != "CMAKE_BUILD_TYPE"
    ]
    done = subprocess.run(
        [python, "-m", "pip", "install", "--disable-pip-version-check", "./bindings/python",
         f"-Ccmake.build-type={cached('CMAKE_BUILD_TYPE')}", *flags],
        cwd=ROOT, env=clean_environment(), capture_output=True, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    if done.returncode != 0 and OUT_OF_REACH.search(done.stderr):
        pytest.skip("the registry of Python packages is out of reach")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return python


def test_the_wheel_holds_the_package_and_nothing_else(installed, package):
    listed = subprocess.run(
        [installed, "-c", "import importlib.metadata as m; print(*m.files('freshet'), sep='\\n')"],
        env=clean_environment(), capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    held = {
        name.removeprefix("freshet/")
        for name in listed
        if not name.startswith("freshet-") and "__pycache__" not in name
    }
    built = {path.name for path in package.iterdir() if path.name != "__pycache__"}
    assert held == built
    assert {"py.typed", "_freshet.pyi", "calls.py", "async_calls.py", "items.py"} <= held


def test_the_installed_package_works(installed, tmp_path):
    done = subprocess.run(
        [installed, USE], env=clean_environment(), capture_output=True, text=True, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr
    done = subprocess.run(
        [installed, "-m", "freshet", "web-serp/search", "q=climate", "--set",
         "network.sandbox=true"],
        env=clean_environment(), capture_output=True, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0 and done.stdout.startswith(b'{"data":[{')


def test_the_version_is_the_librarys(installed):
    program = "import freshet, importlib.metadata as m; print(freshet.__version__, m.version('freshet'))"
    done = subprocess.run(
        [installed, "-c", program], env=clean_environment(), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    library, wheel = done.stdout.split()
    assert library == wheel

"""The examples of capi/examples are built as their first lines say and run against the sandbox."""

import json
import os
import pathlib
import shutil
import subprocess

from support.reach import need_built, needs, out_of_reach

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("FRESHET_BUILD", ROOT / "build" / "dev"))
LIBRARY = BUILD / "capi"
EXAMPLES = ROOT / "capi" / "examples"
TIMEOUT_S = 300

pytestmark = needs(need_built, LIBRARY / "libfreshet.so")


def tool(name, *elsewhere):
    """A compiler, from the PATH or where its own installer puts it."""
    found = shutil.which(name) or shutil.which(name, path=os.pathsep.join(elsewhere))
    return found or out_of_reach(f"{name} is not installed: its example is not built")


def run(command, cwd, **more):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=TIMEOUT_S, **more)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def sandboxed(program, **more):
    environment = {**os.environ, "LD_LIBRARY_PATH": str(LIBRARY), **more}
    return run([str(program)], program.parent, env=environment).splitlines()


def check_pages(lines):
    pages = [json.loads(line) for line in lines]
    assert [len(page) for page in pages] == [10, 10, 5]
    ids = [item["id"] for page in pages for item in page]
    assert len(set(ids)) == len(ids) == 25


def build_c(folder):
    program = folder / "research"
    run(["gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", str(EXAMPLES / "research.c"),
         "-o", str(program), f"-I{ROOT / 'include'}", f"-L{LIBRARY}", "-lfreshet"], folder)
    return program


def test_c(tmp_path):
    tool("gcc")
    *pages, document, converted = sandboxed(build_c(tmp_path))
    check_pages(pages)
    assert "tide gauge" in json.loads(document)["markdown"]
    assert json.loads(converted)["data"]["markdown"] == "# Tides\n\nHigh at **noon**.\n"


def test_c_without_a_server_says_so(tmp_path):
    tool("gcc")
    done = subprocess.run([str(build_c(tmp_path))], capture_output=True, text=True, timeout=TIMEOUT_S,
                          env={"LD_LIBRARY_PATH": str(LIBRARY), "FRESHET_URL": "http://127.0.0.1:9"})
    assert done.returncode == 1 and done.stdout == ""
    assert "source_unavailable (HTTP 503)" in done.stderr


def test_go(tmp_path):
    go = tool("go", "/usr/local/go/bin", "/usr/lib/go/bin")
    shutil.copytree(EXAMPLES / "go", tmp_path / "go")
    # The cache is kept: without it the standard library is compiled anew for every run.
    environment = {**os.environ, "CGO_ENABLED": "1", "CGO_CFLAGS": f"-I{ROOT / 'include'}",
                   "CGO_LDFLAGS": f"-L{LIBRARY}", "GOCACHE": str(BUILD / "go-cache"),
                   "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local"}
    run([go, "vet", "."], tmp_path / "go", env=environment)
    run([go, "build", "-o", "research", "."], tmp_path / "go", env=environment)
    lines = sandboxed(tmp_path / "go" / "research", GODEBUG="cgocheck=1")
    assert sum(line.split()[-1].startswith("https://") for line in lines[:25]) == 25
    assert "## Three kinds of instrument" in lines and lines[-1] == "invalid_request"


def test_rust(tmp_path):
    rustc = tool("rustc", str(pathlib.Path.home() / ".cargo" / "bin"))
    program = tmp_path / "research"
    run([rustc, "--edition", "2021", "-D", "warnings", str(EXAMPLES / "research.rs"),
         "-L", str(LIBRARY), "-o", str(program)], tmp_path)
    *pages, document, converted, code = sandboxed(program)
    check_pages(pages)
    assert "tide gauge" in json.loads(document)["markdown"]
    assert json.loads(converted)["data"]["title"] == "Tides"
    assert code == "invalid_request"

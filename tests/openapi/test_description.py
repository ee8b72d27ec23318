"""The OpenAPI description under the tools of others: schemathesis calls a server by it, Redocly and
Spectral read it. The server is one with a test key, so that every answer is the sandbox's."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from support.freshet import Freshet, endpoint_count, program
from support.npm import BUILD, installed
from support.reach import need_module, needs_program, out_of_reach

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 900
UNLIMITED = ("plans.free.rate=100000", "plans.free.burst=100000")

pytestmark = needs_program


@pytest.fixture
def server(tmp_path):
    started = Freshet(tmp_path / "data", *UNLIMITED)
    yield started
    started.stop()


def schemathesis(server, *options, **environment):
    """Every check of schemathesis; a failure's own report is the message."""
    need_module("schemathesis", "schemathesis is out of reach")
    key = server.key(server.account(), "--test")
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", HERE / "schemathesis.toml", "run",
         server.url + "/openapi.json", "-H", "Authorization: Bearer " + key, "--checks", "all",
         "--workers", "1", "--request-timeout", "60", "--no-color", *options],
        cwd=server.data, capture_output=True, text=True, timeout=TIMEOUT_S,
        env={**os.environ, **environment, "SCHEMATHESIS_HOOKS": "schemathesis_hooks",
             "PYTHONPATH": str(HERE)})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_call_by_the_description_finds_a_fault(server, pytestconfig):
    examples = "200" if pytestconfig.getoption("--all") else "2"
    told = schemathesis(server, "--phases", "examples,fuzzing", "--max-examples", examples,
                        "--seed", "1")
    assert "No issues found" in told and f"Tested: {endpoint_count()}" in told


# A search, which has most parameters; with --all every endpoint.
AT_THEIR_BOUNDS = "/v1/forum/search"


def test_no_parameter_at_its_bounds_finds_a_fault(server, pytestconfig):
    chosen = [] if pytestconfig.getoption("--all") else ["--include-path-regex", AT_THEIR_BOUNDS]
    told = schemathesis(server, "--phases", "coverage", "--seed", "1", *chosen)
    assert "No issues found" in told and "Tested: 0" not in told


def test_links_lead_from_answer_to_answer(server, pytestconfig):
    examples = "100" if pytestconfig.getoption("--all") else "3"
    told = schemathesis(server, "--phases", "stateful", "--mode", "positive", "--max-examples",
                        examples, "--seed", "1", SANDBOX_WORDS="1")
    assert "No issues found" in told and " 0 covered" not in told


@pytest.fixture(scope="module")
def linters(tmp_path_factory):
    """Redocly's and Spectral's programs, installed beside the build."""
    return installed("linters", [HERE / name for name in ("package.json", ".npmrc", ".spectral.yaml")])


@pytest.mark.long
@pytest.mark.parametrize("command", [
    ["node_modules/.bin/redocly", "lint", "openapi.json"],
    ["node_modules/.bin/spectral", "lint", "openapi.json", "--fail-severity", "hint"],
], ids=["redocly", "spectral"])
def test_linters_have_no_warning(linters, command):
    described = subprocess.run([program(), "openapi"], capture_output=True, text=True, check=True)
    (linters / "openapi.json").write_text(described.stdout)
    done = subprocess.run(command, cwd=linters, capture_output=True, text=True, timeout=TIMEOUT_S)
    said = done.stdout + done.stderr
    assert done.returncode == 0 and "warning" not in said.lower().replace("deprecation warning", ""), said


@pytest.mark.long
@pytest.mark.parametrize("language", ["python", "go", "typescript-fetch", "rust", "java"])
def test_clients_are_made_of_it(tmp_path, language):
    """By OpenAPI Generator, which first judges the description, and refuses one that it does not understand."""
    need_module("openapi_generator_cli", "OpenAPI Generator is out of reach")
    if not shutil.which("java"):
        out_of_reach("OpenAPI Generator wants Java, which is not there")
    described = tmp_path / "openapi.json"
    described.write_bytes(subprocess.run([program(), "openapi"], capture_output=True, check=True).stdout)
    done = subprocess.run([pathlib.Path(sys.executable).with_name("openapi-generator-cli"), "generate", "-i", described, "-g", language,
                           "-o", tmp_path / "client"], capture_output=True, text=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, done.stdout + done.stderr


def test_types_made_of_it_compile_strictly(server):
    """With the compiler that the dashboard's build has installed; use.ts is a program by the types."""
    app = BUILD / "server/dashboard/app"
    if not (app / "node_modules/openapi-typescript").exists() or not shutil.which("node"):
        out_of_reach("the dashboard's npm packages are not there")
    folder = BUILD / "openapi_types"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(HERE / "use.ts", folder)
    (folder / "openapi.json").write_bytes(server.request("GET", "/openapi.json").body)
    (folder / "tsconfig.json").write_text(json.dumps({"files": ["use.ts", "schema.d.ts"], "compilerOptions": {
        "strict": True, "noEmit": True, "noUncheckedIndexedAccess": True, "exactOptionalPropertyTypes": True,
        "noUnusedLocals": True, "skipLibCheck": False, "skipDefaultLibCheck": True, "types": [], "target": "es2022", "module": "esnext",
        "moduleResolution": "bundler"}}))
    for command in (["openapi-typescript/bin/cli.js", "openapi.json", "--output", "schema.d.ts"],
                    ["typescript/bin/tsc", "--project", "."]):
        done = subprocess.run(["node", app / "node_modules" / command[0], *command[1:]], cwd=folder,
                              capture_output=True, text=True, timeout=TIMEOUT_S)
        assert done.returncode == 0, done.stdout + done.stderr

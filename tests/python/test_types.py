"""The package as editors, type checkers and readers see it: strict types, examples that run."""

import doctest
import importlib
import json
import pathlib
import subprocess
import sys

import pytest
from support.reach import out_of_reach

import freshet
from freshet import _freshet

USE = pathlib.Path(__file__).with_name("typed_use.py")
OLDEST = "3.10"
# What a checker must refuse, with a word that its complaint holds.
MISUSES = [
    'client.microblog.search("x", sinse="7d")',
    "client.microblog.search()",
    "client.microblog.search(1)",
    'client.web_serp.suggest("x", since="7d")',
    'client.scrape.markdown("https://example.com/", mode="articel")',
    "client.forum.posts.comments()",
    'client.forum.posts.comments(id="a:1", url="https://example.com/")',
    'client.microblog.search("x")[0].titel',
    'client.microblog.search("x", fields=["textt"])',
    'client.microblog.search("x")[0].metrics.likes + 1',
    'client.microblog.search("x")[0].markdown',
    'twin.microblog.search("x").next_cursor',
]


def mypy(folder, environment, *words):
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-version", OLDEST,
         "--cache-dir", str(folder / "mypy"), *words],
        env=environment, capture_output=True, text=True, cwd=folder,
    )  # fmt: skip
    if "No module named mypy" in done.stderr:
        out_of_reach("mypy is not installed; see tests/requirements.txt")
    return done


def pyright(folder, environment, *files):
    """The complaints, each as (file name, line). basedpyright brings its own Node.js."""
    (folder / "pyrightconfig.json").write_text(
        json.dumps(
            {
                "include": [str(file) for file in files],
                "typeCheckingMode": "strict",
                "pythonVersion": OLDEST,
                "extraPaths": [environment["PYTHONPATH"]],
            }
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "basedpyright", "--outputjson", "-p", str(folder)],
        env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if "No module named basedpyright" in done.stderr:
        out_of_reach("basedpyright is not installed; see tests/requirements.txt")
    said = json.loads(done.stdout)
    assert said["summary"]["filesAnalyzed"] > 0
    return [
        (pathlib.Path(one["file"]).name, one["range"]["start"]["line"], one["message"])
        for one in said["generalDiagnostics"]
        if one["severity"] == "error"
    ]


@pytest.fixture(scope="module")
def misuse(tmp_path_factory):
    file = tmp_path_factory.mktemp("misuse") / "misuse.py"
    head = ["from freshet import AsyncFreshet, Freshet", "client = Freshet()", "twin = AsyncFreshet()"]
    file.write_text("\n".join([*head, *MISUSES]) + "\n")
    return file, {len(head) + at for at in range(len(MISUSES))}


def test_the_package_is_marked_as_typed(package):
    assert (package / "py.typed").exists() and (package / "_freshet.pyi").exists()


def test_mypy_accepts_the_package_and_a_program(tmp_path, environment):
    done = mypy(tmp_path, environment, "-p", "freshet")
    assert done.returncode == 0, done.stdout + done.stderr
    done = mypy(tmp_path, environment, str(USE))
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy_refuses_misuse(tmp_path, environment, misuse):
    file, lines = misuse
    done = mypy(tmp_path, environment, str(file))
    told = {int(line.split(":")[1]) - 1 for line in done.stdout.splitlines() if ": error:" in line}
    assert told == lines, done.stdout


def test_pyright_accepts_the_package_and_a_program(tmp_path, environment, package):
    assert pyright(tmp_path, environment, package, USE) == []


def test_pyright_refuses_misuse(tmp_path, environment, misuse):
    file, lines = misuse
    told = pyright(tmp_path, environment, file)
    # An expression statement is noted by pyright, too; a line counts once.
    assert {line for _, line, _ in told} == lines, told


def test_the_program_runs(environment):
    done = subprocess.run(
        [sys.executable, str(USE)], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "fine\n"), done.stderr


def test_the_stub_names_what_the_compiled_module_has(package):
    names = {name for name in vars(_freshet) if not name.startswith("_")}
    stub = (package / "_freshet.pyi").read_text()
    assert {name for name in names if f"{name}" not in stub} == set()
    for kind in (_freshet.Client, _freshet.Inbox):
        for name in vars(kind):
            assert name.startswith("_") or f"def {name}(" in stub, name


@pytest.mark.parametrize(
    "name", ["__init__", "async_calls", "calls", "client", "door", "failure", "page", "values"]
)
def test_the_examples_of_docstrings_run(client, name):
    module = freshet if name == "__init__" else importlib.import_module("freshet." + name)
    failed, tried = doctest.testmod(module, extraglobs={"client": client})
    assert failed == 0
    minimum = {"calls": 26, "client": 8, "page": 6, "failure": 3, "__init__": 3}
    assert tried >= minimum.get(name, 0), "examples are gone"


def test_every_public_name_is_documented():
    wrong = []
    for name in freshet.__all__:
        thing = getattr(freshet, name)
        if isinstance(thing, type) and not thing.__doc__:
            wrong.append(name)
    for calls in (freshet.calls, freshet.async_calls):
        for kind in vars(calls).values():
            if isinstance(kind, type) and kind.__module__ == calls.__name__:
                for name, method in vars(kind).items():
                    if not name.startswith("_") and "Example:" not in (method.__doc__ or ""):
                        wrong.append(f"{kind.__name__}.{name}")
    assert wrong == []

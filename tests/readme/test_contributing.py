"""CONTRIBUTING.md lists every module, fuzz target and benchmark that there is, and
server/dependencies.md every dependency."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GUIDE = (ROOT / "CONTRIBUTING.md").read_text()
DEPENDENCIES = (ROOT / "server/dependencies.md").read_text()


def unnamed(names, text=GUIDE):
    assert names
    return [name for name in names if f"`{name}`" not in text]


def test_every_module_has_its_place_in_the_walk():
    modules = [f"lib/{path.name}" for path in (ROOT / "lib").iterdir() if path.is_dir()]
    assert unnamed(modules) == []


def test_every_dependency_has_a_reason():
    install = (ROOT / "server/install").read_text()
    groups = re.findall(r"^(?:build|tests|programs|upstreams)=\(([^)]*)\)", install, re.M)
    assert len(groups) == 4
    packages = " ".join(groups).split()
    required = (ROOT / "tests/requirements.txt").read_text()
    packages += re.findall(r"^([A-Za-z0-9_-]+)", required, re.M)
    manifest = json.loads((ROOT / "server/dashboard/package.json").read_text())
    packages += [*manifest["dependencies"], *manifest["devDependencies"]]
    for manifest in (ROOT / "tests").glob("*/**/package.json"):
        read = json.loads(manifest.read_text())
        for name, wanted in {**read.get("devDependencies", {}), **read.get("optionalDependencies", {})}.items():
            packages.append(wanted[4:].rsplit("@", 1)[0] if wanted.startswith("npm:") else name)
    assert unnamed(packages, DEPENDENCIES) == []


def test_the_lock_file_names_no_registry():
    lock = json.loads((ROOT / "server/dashboard/package-lock.json").read_text())
    assert [name for name, one in lock["packages"].items() if "resolved" in one] == []
    # npm checks what it gets against these.
    assert [name for name, one in lock["packages"].items() if name and "integrity" not in one] == []


def test_every_fuzz_target_and_benchmark_is_named():
    fuzz = (ROOT / "tests/fuzz/CMakeLists.txt").read_text()
    assert unnamed([f"fuzz_{name}" for name in re.findall(r"^freshet_fuzz\((\w+)", fuzz, re.M)]) == []
    bench = "".join(path.read_text() for path in (ROOT / "tests/bench").iterdir() if path.is_file())
    assert unnamed(re.findall(r"add_executable\((bench_\w+)", bench)) == []


def test_the_links_lead_somewhere():
    for name in ("CONTRIBUTING.md", "CHANGELOG.md"):
        targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text())
        missing = [one for one in targets if "://" not in one and not (ROOT / one).exists()]
        assert missing == [], name


def test_paths_that_are_named_exist():
    named = set(re.findall(r"`((?:lib|include|server|tests|capi|bindings)/[\w./-]+)`", GUIDE + DEPENDENCIES))
    # a/b stands for any module and file.
    missing = [one for one in named if "/a/b" not in one and not (ROOT / one).exists()]
    assert missing == []

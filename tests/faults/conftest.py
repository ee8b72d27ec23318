"""Servers of a test's own, whose disk, resolver and trusted certificates fail as the test says, and
sites on loopback."""

import pathlib
import sys

import pytest
from support.reach import need_program

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "server"))

from faulty_server import Faults, Rig  # noqa: E402
from loopback_site import Site  # noqa: E402
from serving import starting  # noqa: E402


@pytest.fixture(scope="session")
def program():
    return need_program()


@pytest.fixture(scope="session")
def server(program, tmp_path_factory):
    """One that tests share which neither stop it nor fill it; every caller may name any site on
    loopback."""
    running = Rig(tmp_path_factory.mktemp("shared") / "data", "scrape.allow_private=127.0.0.0/8",
                  "scrape.respect_robots=false")
    yield running
    running.stop()
    assert running.process.returncode == 0, running.log_text()


@pytest.fixture
def rig(program, tmp_path):
    """rig(*settings) runs a server of the test's own."""
    with starting(Rig, tmp_path) as run:
        yield run


@pytest.fixture
def faults(tmp_path, preloaded, monkeypatch):
    folder = tmp_path / "faults"
    folder.mkdir()
    monkeypatch.setenv("LD_PRELOAD", str(preloaded))
    monkeypatch.setenv("FAULTS", str(folder))
    monkeypatch.setenv("FAULTS_DATA", str(tmp_path / "data0"))
    return Faults(folder)


@pytest.fixture
def site():
    """site(context) is a site on loopback; with a TLS context, of https."""
    made = []

    def run(context=None):
        made.append(Site(context))
        return made[-1]

    yield run
    for one in made:
        one.close()

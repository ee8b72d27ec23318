"""What every Python test shares: the options of tests/run, and where things are."""

import os
import pathlib

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("FRESHET_SHARED", SOURCE.parent / "shared"))


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also the long tests")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: only with --all")


# Real servers with fixed ports: what needs one runs in one process.
UPSTREAMS = {"mediawiki", "searx", "wordpress", "bluesky"}


def group_of(item):
    """Tests that share what is started once: those of an upstream, otherwise those of a file."""
    return "upstreams" if UPSTREAMS & set(item.fixturenames) else str(item.path)


def pytest_collection_modifyitems(config, items):
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            item.add_marker(pytest.mark.xdist_group(group_of(item)))
    if config.getoption("--all"):
        return
    # Not skipped but not chosen: `tests/run --all` is the command that runs them.
    chosen = [item for item in items if "long" not in item.keywords]
    left = [item for item in items if "long" in item.keywords]
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = chosen


@pytest.fixture(scope="session")
def source():
    return SOURCE


@pytest.fixture(scope="session")
def shared():
    return SHARED

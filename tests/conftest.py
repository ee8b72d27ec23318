"""What every Python test shares: the options of tests/run, and where things are."""

import os
import pathlib
import signal
import threading

import pytest

SOURCE = pathlib.Path(__file__).resolve().parent.parent
SHARED = pathlib.Path(os.environ.get("FRESHET_SHARED", SOURCE.parent / "shared"))


# Who runs the tests in the background may have Ctrl-C ignored for them, and every program that a
# test starts would inherit that, those under test too.
if (threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.SIG_IGN):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also the long tests")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: only with --all")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With pytest-xdist, a file's tests stay in one process; those of e2e all do, for the real
    servers that they share listen on fixed ports."""
    from xdist.scheduler import LoadFileScheduling

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::", 1)[0]
            return "e2e" if "e2e" in file.split("/") else file

    return ByServer(config, log)


def pytest_collection_modifyitems(config, items):
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

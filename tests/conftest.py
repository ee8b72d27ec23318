"""What every Python test shares: the options of tests/run, what is told of the skipped ones, and
where things are."""

import collections
import os
import pathlib
import signal
import threading

import pytest
from support import reach


# Who runs the tests in the background may have Ctrl-C ignored for them, and every program that a
# test starts would inherit that, those under test too.
if (threading.current_thread() is threading.main_thread()
        and signal.getsignal(signal.SIGINT) is signal.SIG_IGN):
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="also the long tests")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: only with --all")
    config.addinivalue_line("markers", "needs(check, *arguments): see support/reach.py")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    for mark in item.iter_markers("needs"):
        check, *arguments = mark.args
        check(*arguments)


def reason_of(report):
    """Why a test was skipped: pytest tells a file, a line and the reason."""
    said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return said.removeprefix("Skipped: ").replace("\n", " ")


def skipped_before():
    """What the C++ programs have skipped: the lines of the file that tests/run has them write."""
    path = pathlib.Path(os.environ.get("FRESHET_SKIPS", ""))
    return path.read_text().splitlines() if path.is_file() else []


def pytest_terminal_summary(terminalreporter):
    """Everything that was skipped, in the C++ programs before and here by reason, in one list above
    the last line; the same form as that of tests/support/skips.cpp."""
    skipped = terminalreporter.stats.get("skipped", [])
    lines = skipped_before()
    counts = collections.Counter(reason_of(report) for report in skipped)
    lines += [f"SKIPPED {count} x {reason}" for reason, count in counts.most_common()]
    if "FRESHET_SKIPS" in os.environ or lines:
        terminalreporter.section(f"skipped: {len(skipped_before()) + len(skipped)}")
    for line in lines:
        terminalreporter.write_line(line)


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
    return reach.ROOT


@pytest.fixture(scope="session")
def shared():
    return reach.SHARED

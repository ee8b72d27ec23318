"""What every Python test shares: the options of tests/run, what is told of the skipped ones, and
where things are."""

import collections
import fcntl
import os
import pathlib
import signal
import threading

import pytest
from support import preloaded as preloading
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


def told_by_ctest(write_line):
    """What the C++ tests say, which tests/run builds and runs beside pytest, once they have ended:
    they hold the file of that locked."""
    path = os.environ.get("FRESHET_CTEST")
    if path is None:
        return ""
    with open(path, errors="replace") as log:
        try:
            fcntl.flock(log, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            write_line(f"\nwaiting for the C++ tests, which write {path}")
            fcntl.flock(log, fcntl.LOCK_SH)
        return log.read()


def skipped_by_ctest():
    """What the C++ programs have skipped: the lines of the file that tests/run has them write."""
    path = pathlib.Path(os.environ.get("FRESHET_SKIPS", ""))
    return path.read_text().splitlines() if path.is_file() else []


def pytest_terminal_summary(terminalreporter):
    """What ctest says, and everything that was skipped, by the C++ programs and here by reason, in
    one list above the last line; the same form as that of tests/support/skips.cpp."""
    told = told_by_ctest(terminalreporter.write_line)
    if told:
        passed = "100% tests passed" in told
        terminalreporter.section("C++ tests")
        terminalreporter.write_line(told[told.index("100% tests passed"):] if passed else told)
    skipped = terminalreporter.stats.get("skipped", [])
    by_ctest = skipped_by_ctest()
    counts = collections.Counter(reason_of(report) for report in skipped)
    lines = by_ctest + [f"SKIPPED {count} x {reason}" for reason, count in counts.most_common()]
    if "FRESHET_SKIPS" in os.environ or lines:
        terminalreporter.section(f"skipped: {len(by_ctest) + len(skipped)}")
    for line in lines:
        terminalreporter.write_line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """With pytest-xdist, a file's tests stay in one process, and those of the files that share real
    servers on fixed ports, too. Files begin in the order below."""
    from xdist.scheduler import LoadFileScheduling

    class ByServer(LoadFileScheduling):
        def _split_scope(self, nodeid):
            file = nodeid.split("::", 1)[0]
            return "fixed ports" if file.endswith(ON_FIXED_PORTS) else file

    config.option.loadscopereorder = False
    return ByServer(config, log)


ON_FIXED_PORTS = ("e2e/test_web_serp.py", "e2e/test_wordpress.py", "e2e/test_bluesky.py")
# By how long they take: one that began last would leave the other processes with nothing to do.
LONGEST_FIRST = (
    "dashboard/test_every_page.py", "install/test_install.py", "openapi/test_description.py",
    "dashboard/test_playground.py", *ON_FIXED_PORTS, "dashboard/test_journeys.py",
    "python/test_wheel.py", "e2e/test_cluster_faults.py", "e2e/test_postgres.py", "e2e/test_redis.py",
    "e2e/test_shared_requests.py",
    "readme/test_readme.py",
    "e2e/test_forum_and_news_sources.py", "dashboard/test_request_log.py",
    "dashboard/test_passkeys.py", "doors/test_doors.py", "e2e/test_render.py",
    "e2e/test_telemetry.py", "dashboard/test_application.py", "mcp/test_http.py",
    "e2e/test_credits.py", "sources/test_captions.py", "e2e/test_keyed_sources.py",
    "server/test_lifetime.py", "dashboard/test_guides.py", "dashboard/test_firefox.py",
    "e2e/test_requests.py", "faults/test_crowds.py", "e2e/test_openapi.py", "server/test_tls.py",
    "faults/test_soak.py", "query/test_highlights.py", "faults/test_upstreams.py",
)


def rank_of(item):
    file = item.path.relative_to(pathlib.Path(__file__).parent).as_posix()
    return LONGEST_FIRST.index(file) if file in LONGEST_FIRST else len(LONGEST_FIRST)


def pytest_collection_modifyitems(config, items):
    items.sort(key=rank_of)
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


@pytest.fixture(scope="session")
def preloaded(tmp_path_factory):
    """What is preloaded into a program, compiled."""
    return preloading.build(tmp_path_factory.mktemp("preloaded"))

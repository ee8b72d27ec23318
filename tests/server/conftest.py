"""The fixtures. FRESHET_BIN names the built program; without it the tests are skipped."""

import pytest
from support.reach import need_program

from serving import Server, starting


@pytest.fixture(scope="session", autouse=True)
def program():
    return need_program()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server that tests share which neither stop it nor fill it."""
    running = Server(tmp_path_factory.mktemp("shared") / "data")
    yield running
    running.stop()
    assert running.process.returncode == 0, running.log_text()


@pytest.fixture
def start(tmp_path):
    """start(*options) runs a server of the test's own."""
    with starting(Server, tmp_path) as run:
        yield run


@pytest.fixture(scope="session")
def keys(server):
    """A live and a test key of one account on the shared server."""
    assert server.run("accounts", "create", "shared@example.org").returncode == 0
    live = server.run("keys", "create", "shared@example.org")
    test = server.run("keys", "create", "shared@example.org", "--test")
    assert live.returncode == 0 and test.returncode == 0, live.stderr + test.stderr
    return {"live": live.stdout.strip(), "test": test.stdout.strip()}

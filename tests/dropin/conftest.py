"""A server for the peers' clients: its test key reaches the sandbox, its live key a web of loopback."""

import pytest
from support.freshet import Freshet
from support.peers import NodeClients, PythonClients
from support.reach import needs_program

from loopback_web import LoopbackWeb


def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.parent.name == "dropin" and item.path.name != "test_fields.py":
            item.add_marker(needs_program)


@pytest.fixture(scope="session", params=[PythonClients, NodeClients], ids=lambda one: one.name)
def clients(request):
    made = request.param()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def web():
    made = LoopbackWeb()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def server(web, tmp_path_factory):
    started = Freshet(
        tmp_path_factory.mktemp("dropin") / "data", "plans.free.rate=10000", "plans.free.burst=10000",
        "sandbox.date=2026-11-01",  # on which it was recorded
        "plans.poor.monthly_credits=2", "plans.poor.rate=10000", "plans.poor.burst=10000",
        "plans.slow.monthly_credits=1000", "plans.slow.rate=0.01", "plans.slow.burst=1",
        "network.allow_private=127.0.0.0/8", f"scrape.allow_private={web.url.removeprefix('http://')}",
        "platforms.web-serp.sources=searxng",
        f"sources.searxng.base_url={web.url}", "platforms.news.sources=feeds",
        f"sources.feeds.urls={web.url}/feed.xml")
    yield started
    assert started.stop() == 0


class Keys:
    def __init__(self, server):
        account = server.account("agent@example.org")
        self.test, self.live = server.key(account, "--test"), server.key(account)
        for plan in ("poor", "slow"):
            server.run("accounts", "create", f"{plan}@example.org", "--plan", plan)
            setattr(self, plan, server.key(f"{plan}@example.org"))


@pytest.fixture(scope="session")
def keys(server):
    return Keys(server)

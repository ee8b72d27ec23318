"""The protocol's own conformance suites, at both revisions, against a server with the test profile."""

import re
import subprocess

import pytest
from npm_packages import Packages, find_node
from over_http import Http
from support.freshet import Freshet, endpoint_count, program
from support.reach import needs_program

pytestmark = needs_program
OLDER, NEWER = "conformance-2025-11-25", "conformance-2026-07-28"


@pytest.fixture(scope="module")
def suites():
    return Packages("suites")


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    started = Freshet(tmp_path_factory.mktemp("suites") / "data", "server.mcp_test_profile=true")
    yield started
    assert started.stop() == 0, started.log_path.read_text()[-2000:]


@pytest.mark.parametrize("package, chosen, least", [
    (OLDER, ["--suite", "all"], 47),
    (NEWER, ["--requirements", "2025-11-25"], 81),
    (NEWER, ["--requirements", "2026-07-28"], 120),
], ids=["0.1.16 all", "0.2.0 2025-11-25", "0.2.0 2026-07-28"])
def test_every_required_scenario_passes(suites, profile, package, chosen, least):
    done = suites.run(find_node(suites), f"node_modules/{package}/dist/index.js", "server", "--url",
                      profile.url + "/mcp", *chosen)
    said = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    assert done.returncode == 0, (said + done.stderr)[-4000:]
    # What is not scored is an extension of the protocol (tasks) and not one that we have.
    extensions = set(re.findall(r"✗ ([\w-]+) \(extension\)", said))
    rows = {name: (int(passed), int(failed)) for name, passed, failed in
            re.findall(r"[✓✗] ([\w-]+): (\d+) passed, (\d+) failed", said)}
    required = {name: row for name, row in rows.items() if name not in extensions}
    assert [name for name, (_, failed) in required.items() if failed] == []
    assert all(name.startswith("tasks-") for name in extensions)
    assert sum(passed for passed, _ in required.values()) >= least, said[-3000:]


def test_the_profile_is_for_loopback_alone(tmp_path):
    done = subprocess.run([program(), "serve", "--listen", "0.0.0.0:0", "--data", tmp_path / "data",
                           "--set", "server.mcp_test_profile=true"], capture_output=True, text=True)
    assert done.returncode != 0 and "server.mcp_test_profile" in done.stderr
    assert "127.0.0.1" in done.stderr and "listening" not in done.stdout


def test_the_profile_gives_nobody_an_endpoint_for_nothing(profile):
    guest = Http(profile.url, None)
    guest.greet()
    told = guest.result("tools/call", name="news_search", arguments={"q": "climate"})
    assert told["isError"] and "missing_api_key" in told["content"][0]["text"]
    assert guest.post("ping", dict(Authorization="Bearer frs_live_nope")).status == 401


def test_without_the_profile_there_are_no_fixtures(tmp_path):
    plain = Freshet(tmp_path / "data")
    try:
        guest = Http(plain.url, plain.key(plain.account(), "--test"))
        guest.greet()
        names = {tool["name"] for tool in guest.result("tools/list")["tools"]}
        assert len(names) == endpoint_count() and not [name for name in names if name.startswith("test_")]
        refused = guest.post("resources/subscribe", uri="test://watched-resource").messages()[-1]
        assert refused["error"]["code"] == -32601
    finally:
        plain.stop()

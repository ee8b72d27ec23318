"""The application's own checks: its types, strictly, its pure functions under node's runner, its size."""

import base64
import gzip
import json
import re
import subprocess
import urllib.parse
import urllib.request

import pytest
from support.browsing import Axe, expect


def run(app, *command):
    return subprocess.run(command, cwd=app, capture_output=True, text=True, timeout=120)


def test_the_types_hold(app):
    done = run(app, "node", "node_modules/typescript/bin/tsc", "--noEmit")
    assert done.returncode == 0, done.stdout


def test_the_pure_functions_do_what_they_say(app):
    done = run(app, "npm", "test", "--silent")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout and "# pass 0" not in done.stdout


def test_the_types_are_those_of_this_build(app):
    """A description that has changed changes them: they are made of it, never kept."""
    made = run(app, "node", "node_modules/openapi-typescript/bin/cli.js", "openapi.json")
    assert made.returncode == 0, made.stderr
    assert "ForumPost" in made.stdout and (app / "schema.d.ts").read_text() == made.stdout


def test_the_front_page_calls_the_sandbox_for_whoever_comes(visit, server):
    person = visit()
    page = person.open("/")
    expect(page.get_by_label("How to add it to Claude Code", exact=True)).to_contain_text(f"{server.url}/mcp")
    expect(page.get_by_role("link", name="Freshet", exact=True)).to_have_attribute("href", "/")
    said = page.locator(".first-calls .live")
    for platform in ("All", "Pages", "News"):
        page.get_by_role("tab", name=platform, exact=True).click()
        page.get_by_text("What the sandbox answers").wait_for()
        expect(said).to_contain_text("0 credits")
    assert 2 <= page.locator(".first-calls .item").count() <= 4
    with page.expect_response("**/dashboard/api/examples/news/search") as answered:
        page.get_by_role("button", name="Run again").click()
    assert answered.value.status == 200
    expect(said).to_contain_text("items, 0 credits")


def greeted(config, key):
    """What the server answers a host that was given this entry, once it has the key."""
    fields = {name: re.sub(r"\$\{(env:FRESHET_API_KEY|input:freshet_key)\}", key, value)
              for name, value in config["headers"].items()}
    fields |= {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}}
    asked = urllib.request.Request(config["url"], json.dumps(message).encode(), fields)
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return answer.read().decode()


def test_links_add_the_server_to_hosts_of_agents(visit, server):
    person = visit()
    _, test = person.sign_up("host@example.org")
    page = person.open("/")
    page.get_by_role("tab", name="Cursor").click()
    link = urllib.parse.urlsplit(page.get_by_role("link", name="Add to Cursor").get_attribute("href"))
    assert (link.scheme, link.netloc, link.path) == ("cursor", "anysphere.cursor-deeplink", "/mcp/install")
    given = dict(urllib.parse.parse_qsl(link.query))
    config = json.loads(base64.b64decode(given["config"]))
    assert given["name"] == "freshet" and '"serverInfo":{"name":"freshet"' in greeted(config, test)
    page.get_by_role("tab", name="VS Code").click()
    link = page.get_by_role("link", name="Add to VS Code").get_attribute("href")
    given = json.loads(urllib.parse.unquote(link.removeprefix("vscode:mcp/install?")))
    assert given["name"] == "freshet" and given["type"] == "http" and given["inputs"][0]["password"]
    assert '"serverInfo":{"name":"freshet"' in greeted(given, test)


def test_the_whole_application_is_below_70_kb(server):
    """As it goes over the wire to whoever comes first; pictures are not counted."""
    sizes, left = {}, ["/dashboard"]
    while left:
        path = left.pop()
        asked = urllib.request.Request(server.url + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(asked, timeout=10) as answer:
            body, packed = answer.read(), answer.headers["Content-Encoding"] == "gzip"
        sizes[path] = len(body)
        text = (gzip.decompress(body) if packed else body).decode()
        named = re.findall(r"assets/[\w.-]+\.(?:js|css)\b", text)
        left += {"/dashboard/" + one for one in named} - sizes.keys() - set(left)
    assert {path.rpartition(".")[2] for path in sizes} == {"/dashboard", "js", "css"}
    assert sum(sizes.values()) < 70_000, sizes


def test_the_description_is_asked_for_before_the_script_and_sent_once(visit):
    page = visit().open("/")
    page.locator(".first-calls .item").first.wait_for()
    asked = "performance.getEntriesByName(location.origin + '/openapi.json').map(one => one.toJSON())"
    first = page.evaluate(asked)
    assert [one["initiatorType"] for one in first] == ["link"] and first[0]["transferSize"] > 10_000
    script = page.evaluate("performance.getEntriesByType('resource').find(one => one.initiatorType === 'script')"
                           ".toJSON()")
    assert first[0]["startTime"] < script["responseEnd"]
    page.reload()
    page.locator(".first-calls .item").first.wait_for()
    again = page.evaluate(asked)
    # What the browser has is asked for again, for prices are in it, and not sent.
    assert len(again) == 1 and again[0]["transferSize"] < 1_000


def resources(page, path):
    return page.evaluate("path => performance.getEntriesByName(location.origin + path).map(one => one.toJSON())", path)


def test_who_is_signed_in_is_asked_before_the_script_has_come_and_once(visit):
    one = visit()
    one.open("/dashboard/playground").get_by_role("heading", name="Sign in").first.wait_for()
    assert resources(one.page, "/openapi.json") == []
    one.sign_up("early@example.org")
    for path, early in (("/dashboard/keys", ["/dashboard/api/session"]),
                        ("/dashboard/playground", ["/dashboard/api/session", "/openapi.json"]),
                        ("/docs", ["/dashboard/api/session", "/openapi.json", "/docs/guides.json"])):
        page = one.open(path)
        page.get_by_role("main").get_by_role("heading", level=1).wait_for()
        script = page.evaluate("performance.getEntriesByType('resource').find(one => /js$/.test(one.name)).toJSON()")
        for name in early:
            (asked,) = resources(page, name)
            assert asked["initiatorType"] == "link" and asked["startTime"] < script["responseEnd"], name


def test_the_overview_does_without_the_description(visit, server):
    one = visit()
    _, test = one.sign_up("quick@example.org")
    page = one.open("/dashboard")
    page.get_by_role("heading", name="Waiting for your call").wait_for()
    first = one.page.evaluate("performance.getEntriesByName(location.origin + '/openapi.json').length")
    assert first == 1  # The first steps say the address of the API.
    assert server.call("news/search", test, q="climate").status == 200
    page.reload()
    page.get_by_role("heading", name="Last calls").wait_for()
    page.get_by_role("table", name="Last calls").wait_for()
    assert page.evaluate("performance.getEntriesByName(location.origin + '/openapi.json').length") == 0
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Where to").fill("tiktok")
    page.get_by_role("option").first.wait_for()
    assert page.evaluate("performance.getEntriesByName(location.origin + '/openapi.json').length") == 1


# Where the frame's parts are.
FRAME = """['.side', '.brand', 'main'].map(name => {
  const {left, top, width} = document.querySelector(name).getBoundingClientRect();
  return [name, left, top, width]; })"""


@pytest.mark.parametrize("path", ["/", "/docs", "/dashboard", "/dashboard/sign-in"])
def test_the_frame_is_there_before_the_script_and_stays_where_it_is(visit, app, server, path):
    person, axe = visit(), Axe(app)
    page = person.page
    if path == "/dashboard":
        person.start_with_link("slow@example.org")
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        held = []
        page.route("**/assets/*.js", lambda route: held.append(route))
        page.goto(server.url + path, wait_until="commit")
        expect(page.get_by_text("Loading…", exact=True)).to_be_visible()
        expect(page.locator(".brand")).to_have_text("Freshet")
        assert len(held) == 1 and axe.violations(page) == []
        frame = page.evaluate(FRAME)
        held.pop().continue_()
        page.locator("main h1").wait_for()
        expect(page.get_by_text("Loading…", exact=True)).to_have_count(0)
        expect(page.locator(".brand")).to_have_count(1)
        assert page.evaluate(FRAME) == frame
        page.unroute("**/assets/*.js")


def test_without_scripts_a_page_says_so(visit):
    page = visit(java_script_enabled=False).open("/status")
    assert "These pages need JavaScript." in page.locator("main").inner_text()
    expect(page.locator(".loading")).to_be_hidden()
    with page.expect_navigation(url="**/llms-full.txt") as led:
        page.locator("main a", has_text="the docs as one text").click()
    assert led.value.status == 200

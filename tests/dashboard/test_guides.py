"""The guides at /docs: each is shown, found by its words, and there as markdown for agents."""

import re
import urllib.parse

import pytest
from support.browsing import expect
from support.reach import ROOT

GUIDES = re.findall(r"^- \[(.+)\]\(server/guides/([\w-]+)\.md\): ", (ROOT / "README.md").read_text(), re.M)


def text_of(server, path, kind):
    answer = server.request("GET", path)
    assert answer.status == 200, path
    assert answer.headers["Content-Type"] == kind, path
    return answer.body.decode()


def markdown_of(server, path):
    return text_of(server, path, "text/markdown; charset=utf-8")


def test_every_guide_is_shown(visit):
    reader = visit(viewport={"width": 1280, "height": 900})
    page = reader.open("/docs")
    for title, name in GUIDES:
        page.get_by_role("navigation", name="Docs").get_by_role("link", name=title, exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        assert page.url.endswith(f"/docs/guides/{name}")
        expect(page.get_by_text("There is no such page")).to_have_count(0)
    assert all(status < 400 for status, _ in reader.watch.statuses)


@pytest.mark.parametrize("width", [390, 1023, 1024, 1440])
def test_a_page_of_the_docs_begins_on_the_first_screen(visit, width):
    page = visit(viewport={"width": width, "height": 900}).open("/docs/guides/python")
    title = page.get_by_role("heading", level=1)
    title.wait_for()
    box = title.bounding_box()
    assert box["y"] + box["height"] < 450


@pytest.mark.parametrize("words, title", [
    ("mcp", "Agents over MCP"), ("firecrawl", "Moving from Firecrawl or Tavily"), ("python", "Python"),
    ("backup restore", "Running it"), ("idempotency", "Endpoints"), ("server.listen", "Settings"),
])
def test_a_guide_is_found_by_its_words(visit, words, title):
    page = visit(viewport={"width": 1280, "height": 900}).open("/docs")
    page.get_by_label("Search the docs").fill(words)
    found = page.get_by_role("search").get_by_role("link").filter(has_text="guide").filter(has_text=title)
    found.first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)


def test_a_link_leads_to_a_part_of_another_guide(visit):
    page = visit(viewport={"width": 1280, "height": 900}).open("/docs/guides/deployment")
    page.locator("main").get_by_role("link", name="settings", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Settings")
    page.goto(page.url.replace("settings", "agents#hosts-of-agents"))
    expect(page.locator("#hosts-of-agents")).to_be_in_viewport()


def test_what_a_guide_shows_can_be_copied(visit):
    page = visit(viewport={"width": 1280, "height": 900}).open("/docs/guides/first-calls")
    page.get_by_role("button", name=re.compile("^Copy")).nth(1).click()
    assert "/v1/forum/search" in page.evaluate("navigator.clipboard.readText()")


def test_agents_find_all_of_it_as_markdown(server):
    contents = text_of(server, "/llms.txt", "text/plain; charset=utf-8")
    assert re.match(r"# Freshet\n\n> One API .+\n\n## Guides\n", contents)
    links = re.findall(r"^- \[(.+?)\]\((/docs/.+?\.md)\): .+$", contents, re.M)
    whole = text_of(server, "/llms-full.txt", "text/plain; charset=utf-8")
    for _, path in links:
        assert markdown_of(server, path) in whole
    endpoints = {path.removeprefix("/v1/") for path in server.request("GET", "/openapi.json").json["paths"]}
    assert {title for title, _ in links} == endpoints | {title for title, _ in GUIDES}
    twin = markdown_of(server, "/docs/forum/search.md")
    assert twin.startswith("# POST /v1/forum/search\n") and "| `q` | string | yes |" in twin
    assert server.request("GET", "/docs/guides/nothing.md").status == 404


def test_the_links_of_the_twins_lead_somewhere(server):
    for _, name in GUIDES:
        for target in re.findall(r"\]\((/[^)]+)\)", markdown_of(server, f"/docs/guides/{name}.md")):
            assert server.request("GET", urllib.parse.urlsplit(target).path).status == 200, (name, target)

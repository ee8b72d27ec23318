"""Every page in both themes: no barrier that axe finds, nothing wider than a phone, from the right to
the left neither, and with --all a picture of each."""

import os
import pathlib

import pytest
from support import browsing

OPEN = {
    "front": "/",
    "status": "/status",
    "sign-in": "/dashboard/sign-in",
    "sign-up": "/dashboard/sign-up",
    "verify": "/dashboard/verify?token=nothing",
    "reset": "/dashboard/reset",
    "reset-confirm": "/dashboard/reset?token=nothing",
    "docs": "/docs",
    "docs-guide": "/docs/guides/first-calls",
    "docs-guide-of-tables": "/docs/guides/endpoints",
    "docs-endpoint": "/docs/scrape/markdown",
    "docs-object": "/docs/objects/Document",
    "docs-errors": "/docs/errors",
    "docs-error": "/docs/errors/key_budget_exceeded",
}
SIGNED_IN = {
    "overview": "/dashboard",
    "welcome": "/dashboard/welcome",
    "playground": "/dashboard/playground/forum/search",
    "keys": "/dashboard/keys",
    "requests": "/dashboard/requests",
    "requests-none": "/dashboard/requests?status=5xx&mode=test",
    "requests-missing": "/dashboard/requests?id=req_nothing",
    "ledger": "/dashboard/ledger",
    "sources": "/dashboard/sources",
    "account": "/dashboard/account",
    "playground-videos": "/dashboard/playground/shortvideo/search",
    "playground-comments": "/dashboard/playground/forum/posts/comments",
    "operator-service": "/dashboard/operator/service",
    "operator-account": "/dashboard/operator/account?email=operator%40example.org",
    "operator-accounts": "/dashboard/operator/accounts",
    "operator-requests": "/dashboard/operator/requests?email=operator%40example.org",
    "operator-plans": "/dashboard/operator/plans",
    "operator-verification": "/dashboard/operator/ledger",
    "operator-audit": "/dashboard/operator/audit",
    "missing": "/dashboard/nothing/here",
}
LOOKS = (("desktop", 1440, "light"), ("phone", 360, "dark"))
LOOKS_OF_ALL = (*LOOKS, ("tablet", 1024, "dark"))


@pytest.fixture(scope="module")
def looks(pytestconfig):
    return LOOKS_OF_ALL if pytestconfig.getoption("--all") else LOOKS


@pytest.fixture(scope="module")
def picture(pytestconfig):
    """Takes a picture of a page, with --all: to draw them takes longer than to judge them."""
    if not pytestconfig.getoption("--all"):
        return lambda page, name, **options: None
    folder = pathlib.Path(os.environ["FRESHET_BUILD"]).resolve().parent / "screenshots"
    folder.mkdir(exist_ok=True)
    return lambda page, name, **options: page.screenshot(path=folder / f"{name}.png", **options)


@pytest.fixture(scope="module")
def operator(browser, server, site, tmp_path_factory):
    """An operator with some calls, whose session the pages are looked at with."""
    context = browser.new_context()
    person = browsing.Visitor(context, server, browsing.Watch(context, server.url))
    live, _ = person.sign_up("operator@example.org")
    server.run("accounts", "operator", "operator@example.org")
    for n in range(4):
        server.call("scrape/markdown", live, url=f"{site}?page={n}")
    server.call("scrape/markdown", live, url="nothing")
    kept = tmp_path_factory.mktemp("session") / "state.json"
    context.storage_state(path=kept)
    context.close()
    return kept


def look_at(person, axe, picture, looks, name, path):
    page = person.open(path)
    page.locator("main h1").wait_for()
    if name.startswith("playground"):
        page.get_by_role("button", name="Run", exact=True).click()
        page.locator(".item").first.wait_for()
    page.locator(".loading").first.wait_for(state="detached")
    found = {}
    for look, width, theme in looks:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=theme)
        page.evaluate("scrollTo(0, 0)")
        picture(page, f"{name}-{look}-{theme}", full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found[look] = f"{wide} pixels wide"
        violations = axe.violations(page)
        if violations:
            found[look + " axe"] = violations
    page.evaluate("document.documentElement.dir = 'rtl'")
    for look, width, _ in looks:
        page.set_viewport_size({"width": width, "height": 900})
        wide, left = page.evaluate("[document.documentElement.scrollWidth,"
                                   " document.querySelector('main h1').getBoundingClientRect().left]")
        if wide > width or left < 0:
            found[look + " right to left"] = f"{wide} pixels wide, its heading at {left}"
    return found


def test_pages_for_everybody(visit, app, picture, looks):
    person, axe = visit(), browsing.Axe(app)
    found = {name: look_at(person, axe, picture, looks, name, path) for name, path in OPEN.items()}
    assert {name: one for name, one in found.items() if one} == {}


def test_pages_of_a_signed_in_operator(visit, app, picture, looks, operator):
    person = visit(storage_state=operator)
    axe = browsing.Axe(app)
    found = {name: look_at(person, axe, picture, looks, name, path) for name, path in SIGNED_IN.items()}
    assert {name: one for name, one in found.items() if one} == {}


def test_operators_see_what_the_daily_check_has_found(visit, operator):
    page = visit(storage_state=operator).open("/dashboard/operator/service")
    row = page.get_by_role("row").filter(has_text="the key hits[].points is gone")
    row.wait_for()
    assert "hackernews" in row.inner_text() and "changed" in row.inner_text()
    assert page.get_by_text("0 endpoints as before, 1 changed, 0 failed").count() == 1


def test_a_call_of_the_log_has_no_barriers(visit, app, picture, looks, operator):
    person, axe = visit(storage_state=operator), browsing.Axe(app)
    for status, name in (("failed", "request-failed"), ("ok", "request")):
        page = person.open("/dashboard/requests?status=" + status)
        page.locator("table.rows a").first.click()
        page.get_by_role("dialog").get_by_text("As it was sent").wait_for()
        for look, width, theme in looks:
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=theme)
            picture(page, f"{name}-{look}-{theme}")
            assert axe.violations(page) == [], (name, look)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")


def test_dialogs_and_menus_have_no_barriers(visit, app, operator):
    person, axe = visit(storage_state=operator), browsing.Axe(app)
    page = person.open("/dashboard/keys")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.get_by_role("button", name="Create key").click()
        page.get_by_role("dialog").wait_for()
        assert axe.violations(page) == []
        page.keyboard.press("Escape")
    page.set_viewport_size({"width": 360, "height": 800})
    menu = page.get_by_role("button", name="Menu")
    assert menu.get_attribute("aria-expanded") == "false"
    menu.click()
    assert menu.get_attribute("aria-expanded") == "true"
    assert axe.violations(page) == []
    page.get_by_role("link", name="Ledger", exact=True).click()
    page.get_by_role("heading", name="Ledger").wait_for()
    assert menu.get_attribute("aria-expanded") == "false"


def test_the_theme_can_be_chosen_and_stays(visit):
    person = visit(color_scheme="light")
    page = person.open("/docs")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Theme").select_option("dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.reload()
    assert page.evaluate(ground) == dark
    page.get_by_label("Theme").select_option("system")
    assert page.evaluate(ground) == light


def test_axe_would_find_a_barrier(visit, app):
    """The instrument itself: a page made worse is not passed."""
    page = visit().open("/dashboard/sign-in")
    page.locator("form label").first.evaluate("label => label.remove()")
    assert "label" in [name for name, _ in browsing.Axe(app).violations(page)]
